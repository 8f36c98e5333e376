'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { IgnisError } = require('../../lib/errors.js');
const { Monitor } = require('../../lib/view/monitor.js');
const { Watching, findProgram } = require('../../lib/view/monitor-client.js');
const { MonitorLink, VERSION } = require('../../lib/view/monitor-link.js');
const { TextLines } = require('../../lib/view/text-lines.js');
const { startUnreaped } = require('../helpers/unreaped.js');
const { until } = require('../helpers/until.js');
const { boundary, fakeFeed } = require('./fake-feed.js');
const { FakeSocket, checkMonitor } = require('./monitor-fuzz.js');

const IDENTITY = { pid: process.pid, thread: 0, name: 'app.js', ignis: '0.1.0', node: process.version, startedAt: 0 };

let folder;
let opened = [];
beforeEach(() => {
  // Short, since the path of a socket is.
  folder = fs.realpathSync(fs.mkdtempSync(path.join(fs.existsSync('/tmp') ? '/tmp' : os.tmpdir(), 'ig-')));
});
afterEach(async () => {
  for (const one of opened) one.close();
  opened = [];
  fs.rmSync(folder, { recursive: true, force: true });
});

async function open({ feed = fakeFeed(), ...identity } = {}) {
  const monitor = new Monitor({ feed: () => feed, identity: { ...IDENTITY, ...identity }, env: { XDG_RUNTIME_DIR: folder } });
  opened.push(monitor);
  await monitor.open();
  return monitor;
}

async function watching(monitor) {
  const link = await Watching.open(monitor.place);
  opened.push(link);
  return link;
}

describe('a monitor', function () {
  this.timeout(60_000);

  it('listens in a folder that nobody else can enter, at a socket that nobody else can open, and removes it', async () => {
    const monitor = await open();
    assert.equal(monitor.place, path.join(folder, 'ignis', `${process.pid}-app.js.sock`));
    assert.equal(fs.statSync(path.dirname(monitor.place)).mode & 0o777, 0o700);
    assert.equal(fs.statSync(monitor.place).mode & 0o777, 0o600);
    monitor.close();
    monitor.close();
    await until(() => !fs.existsSync(monitor.place), 'the socket is gone');
  });

  it('does not use a folder that others can enter, nor one that is a link', async () => {
    const env = { XDG_RUNTIME_DIR: folder };
    fs.mkdirSync(path.join(folder, 'ignis'));
    fs.chmodSync(path.join(folder, 'ignis'), 0o755);
    const { candidates, openFolder } = require('../../lib/view/run-folder.js');
    assert.notEqual(openFolder(env), candidates(env)[0]);
    fs.rmdirSync(path.join(folder, 'ignis'));
    fs.mkdirSync(path.join(folder, 'own'), { mode: 0o700 });
    fs.symlinkSync(path.join(folder, 'own'), path.join(folder, 'ignis'));
    assert.notEqual(openFolder(env), candidates(env)[0]);
  });

  it('shortens the name of a program, and goes elsewhere where the path of a socket would be too long', () => {
    const { MOST_BYTES, candidates, placeOf } = require('../../lib/view/run-folder.js');
    const long = `/${'r'.repeat(70)}`;
    assert.equal(candidates({ XDG_RUNTIME_DIR: long })[0], `${long}/ignis`);
    const place = placeOf(`${long}/ignis`, { pid: 1234567, thread: 12, name: 'ä server/with a very long name indeed.js' });
    assert.ok(Buffer.byteLength(place) <= MOST_BYTES, `${Buffer.byteLength(place)} bytes`);
    assert.ok(place.endsWith('.sock') && !path.basename(place).includes(' '));
    assert.ok(candidates({ XDG_RUNTIME_DIR: `/${'r'.repeat(90)}` }).every((one) => !one.includes('rrr')));
    assert.ok(candidates({ XDG_RUNTIME_DIR: 'relative' }).every((one) => path.isAbsolute(one)));
  });

  it('removes the sockets of programs that are dead, and no others', async () => {
    const home = path.join(folder, 'ignis');
    fs.mkdirSync(home, { mode: 0o700 });
    // Served by this very process, under the number of one that cannot be: as from another container.
    const served = net.createServer().listen(path.join(home, '4194999-far.sock'));
    const dying = net.createServer().listen(path.join(home, '4194998-dead.sock.tmp'));
    await Promise.all([once(served, 'listening'), once(dying, 'listening')]);
    fs.renameSync(path.join(home, '4194998-dead.sock.tmp'), path.join(home, '4194998-dead.sock'));
    dying.close();
    await once(dying, 'close');
    const long = new Date(Date.now() - 60_000);
    fs.utimesSync(path.join(home, '4194998-dead.sock'), long, long);
    fs.writeFileSync(path.join(home, 'notes.txt'), '');
    await open();
    assert.deepEqual(fs.readdirSync(home).sort(), [`${process.pid}-app.js.sock`, '4194999-far.sock', 'notes.txt'].sort());
    served.close();
  });

  it('is meant where others of its name are dead, and all that are meant are named where several live', () => {
    const entry = (/** @type {number} */ pid, name = 'app.js') => ({ pid, thread: 0, name, place: `${pid}.sock` });
    const own = entry(process.pid);
    const dead = [entry(4194997), entry(4194998, 'other.js')];
    for (const wanted of [undefined, 'app.js', 'app']) assert.equal(findProgram(wanted, [...dead, own]), own);
    assert.equal(findProgram('4194997', [...dead, own]), dead[0]);
    assert.throws(() => findProgram('app.js', [own, entry(process.ppid), dead[0]]), {
      code: 'IGNIS_BAD_OPTION',
      message: new RegExp(`which program\\? .*: ${process.pid} app\\.js, ${process.ppid} app\\.js$`),
    });
    // A variable of a script that is empty means no program, and not whichever runs.
    assert.throws(() => findProgram('', [own]), { code: 'IGNIS_NOT_FOUND', message: /no running program ''; there are / });
    assert.throws(() => findProgram(undefined, dead), /which program.* 4194997 .* 4194998 other\.js$/);
  });

  it('is meant where others of its name are dead and nobody has taken note of that', async function () {
    // Elsewhere the system does not tell.
    if (process.platform !== 'linux') this.skip();
    const one = await startUnreaped();
    const all = [one.pid, process.pid].map((pid) => ({ pid, thread: 0, name: 'app.js', place: `${pid}.sock` }));
    assert.throws(() => findProgram('app.js', all), /which program/);
    await one.end();
    assert.equal(findProgram('app.js', all), all[1]);
    await one.forget();
  });

  it('says who it is, and answers what is asked', async () => {
    const monitor = await open({ feed: fakeFeed({ latencies: () => [{ ms: 1, calls: 2 }] }) });
    const link = await watching(monitor);
    assert.deepEqual([link.hello.pid, link.hello.name, link.hello.version], [process.pid, 'app.js', VERSION]);
    const snapshot = await link.ask('snapshot');
    assert.deepEqual(
      snapshot.boundaries.map(({ id }) => id),
      ['app.js -> a', 'app.js -> b'],
    );
    assert.ok('functions' in snapshot.boundaries[0]);
    assert.ok(!('functions' in (await link.ask('snapshot', { brief: true })).boundaries[0]));
    assert.deepEqual((await link.ask('detail', { boundary: 'app.js -> b' })).latencies, [{ ms: 1, calls: 2 }]);
    const { wish, found } = await link.ask('act', { wish: { what: 'home', boundary: 'app.js -> a' } });
    assert.deepEqual([wish.what, found.id], ['home', 'app.js -> a']);
  });

  it('hands on what a request is refused with, as the error that it is, and the link goes on', async () => {
    const act = (wish) => (wish.what === 'later' ? Promise.reject(new IgnisError('IGNIS_CLOSED', 'too late')) : undefined.nothing);
    const link = await watching(await open({ feed: fakeFeed({ act }) }));
    await assert.rejects(link.ask('detail', { boundary: 'app.js -> c' }), (error) => {
      return error instanceof IgnisError && error.code === 'IGNIS_NOT_FOUND' && error.nearest === 'app.js -> a';
    });
    await assert.rejects(link.ask('detail', { boundary: { toString: 1 } }), { code: 'IGNIS_BAD_OPTION' });
    await assert.rejects(link.ask('nothing'), { code: 'IGNIS_BAD_OPTION' });
    await assert.rejects(link.ask('act', { wish: { what: 'later' } }), { code: 'IGNIS_CLOSED' });
    await assert.rejects(link.ask('act', { wish: {} }), /nothing/);
    assert.equal((await link.ask('snapshot')).program.name, 'app.js');
  });

  it('is told apart from what says nothing, is another one, or no monitor, and the link to that ends', async () => {
    const hello = JSON.stringify({ ignis: 'monitor', version: VERSION });
    const closed = [];
    /** @param {string} said at once @param {string} [answered] to each request */
    const serve = async (said, answered) => {
      const server = net.createServer((socket) => {
        socket.on('error', () => {}).on('close', () => closed.push(said));
        socket.on('data', () => answered !== undefined && socket.write(`${answered}\n`));
        if (said !== '') socket.write(`${said}\n`);
      });
      const place = path.join(folder, `${opened.length}.sock`);
      opened.push(server.listen(place));
      await once(server, 'listening');
      return place;
    };
    for (const [said, code, message] of [
      ['', 'IGNIS_CALL_TIMEOUT', /did not answer within 300 ms; its event loop may be busy/],
      [JSON.stringify({ ignis: 'monitor', version: VERSION + 1 }), 'IGNIS_VERSION_MISMATCH', new RegExp(`version ${VERSION + 1} of`)],
      ['{"x":1}', 'IGNIS_VERSION_MISMATCH', /version undefined of/],
      ['HTTP/1.1 400 Bad Request', 'IGNIS_NOT_FOUND', /the program at /],
      ['null', 'IGNIS_NOT_FOUND', /the program at /],
    ]) {
      await assert.rejects(Watching.open(await serve(said), 300), { code, message });
      await until(() => closed.includes(said), `the link has ended where it says ${said}`);
    }
    const asked = async (/** @type {string} */ answered) => {
      const link = await Watching.open(await serve(hello, answered));
      opened.push(link);
      return link.ask('snapshot', {}, 300);
    };
    await assert.rejects(asked('garbage'), { code: 'IGNIS_CLOSED', message: /a line is no JSON/ });
    await assert.rejects(asked('{"id":null,"error":{"code":"IGNIS_BAD_FRAME","message":"no request"}}'), {
      code: 'IGNIS_CLOSED',
      message: /no request/,
    });
    // To a question that nobody asked.
    await assert.rejects(asked('{"id":77,"result":1}'), { code: 'IGNIS_CALL_TIMEOUT' });
    assert.equal(await asked('{"id":1,"result":7}'), 7);
  });

  it('sends snapshots while somebody watches, and nothing runs afterwards', async () => {
    const feed = fakeFeed();
    const link = await watching(await open({ feed }));
    let seen = 0;
    const stop = await link.watch(100, () => (seen += 1));
    await until(() => seen >= 3, 'three snapshots');
    assert.equal(feed.watchers, 1);
    stop();
    await until(() => feed.watchers === 0, 'nobody watches');
    await link.watch(100, () => {});
    link.close();
    await until(() => feed.watchers === 0, 'nobody watches after the link has ended');
  });

  it('tells its watchers when it closes, and fails what they wait for', async () => {
    const monitor = await open({ feed: fakeFeed({ act: () => new Promise(() => {}) }) });
    const link = await watching(monitor);
    const asked = link.ask('act', { wish: { what: 'profile' } });
    await link.ask('snapshot');
    monitor.close();
    await assert.rejects(asked, { code: 'IGNIS_CLOSED' });
    assert.match((await link.ended).message, /ended/);
    await assert.rejects(link.ask('snapshot'), { code: 'IGNIS_CLOSED' });
    await assert.rejects(Watching.open(monitor.place), { code: 'IGNIS_NOT_FOUND' });
  });

  for (const [what, bytes, code] of [
    ['what is no JSON', 'hello\n', 'IGNIS_BAD_FRAME'],
    ['a list', '[1]\n', 'IGNIS_BAD_FRAME'],
    ['a request without id', `{"version":${VERSION},"ask":"snapshot"}\n`, 'IGNIS_BAD_FRAME'],
    ['another version', '{"id":1,"version":0,"ask":"snapshot"}\n', 'IGNIS_VERSION_MISMATCH'],
    ['a line without end', 'x'.repeat(70_000), 'IGNIS_FRAME_TOO_LARGE'],
  ]) {
    it(`ends a link that sends ${what}, says why, and serves the others`, async () => {
      const monitor = await open();
      const other = await watching(monitor);
      const socket = net.connect(monitor.place);
      socket.write(bytes);
      socket.setEncoding('utf8');
      let heard = '';
      socket.on('data', (text) => (heard += text));
      socket.on('error', () => {});
      await once(socket, 'close');
      const last = JSON.parse(heard.trimEnd().split('\n').at(-1));
      assert.equal(last.error.code, code);
      assert.ok(await other.ask('snapshot'));
      assert.equal(monitor.links, 1);
    });
  }

  it('gives no snapshot to a watcher that does not read, and goes on when it reads again', () => {
    const socket = new FakeSocket();
    let tell;
    const feed = { watch: (_everyMs, listener) => ((tell = listener), () => {}) };
    const link = new MonitorLink(socket, { feed: () => feed, hello: {}, onEnd: () => {} });
    socket.emit('data', Buffer.from(`{"id":1,"version":${VERSION},"ask":"watch","everyMs":100}\n`));
    const count = () => socket.written.split('"snapshot"').length - 1;
    const snapshot = { boundaries: [boundary('a -> b')] };
    tell(snapshot);
    socket.writableLength = 2 ** 21;
    tell(snapshot);
    assert.equal(count(), 1);
    socket.writableLength = 0;
    tell(snapshot);
    assert.equal(count(), 2);
    link.end();
  });

  it('answers no more requests than are read, and the others when they are', () => {
    const socket = new FakeSocket();
    let snapshots = 0;
    const feed = { ...fakeFeed(), snapshot: () => ({ number: ++snapshots }) };
    const link = new MonitorLink(socket, { feed: () => feed, hello: {}, onEnd: () => {} });
    const asks = (/** @type {number} */ id) => `{"id":${id},"version":${VERSION},"ask":"snapshot"}\n`;
    socket.emit('data', Buffer.from(asks(1)));
    assert.deepEqual([snapshots, socket.isPaused], [1, false]);
    socket.writableLength = 2 ** 21;
    socket.emit('data', Buffer.from(asks(2) + asks(3)));
    assert.deepEqual([snapshots, socket.isPaused], [1, true]);
    socket.writableLength = 0;
    socket.emit('drain');
    assert.deepEqual([snapshots, socket.isPaused], [3, false]);
    const answered = socket.written.trimEnd().split('\n').slice(1);
    assert.deepEqual(
      answered.map((line) => JSON.parse(line).id),
      [1, 2, 3],
    );
    link.end();
  });

  it('bounds what one link may ask for at a time', async () => {
    const link = await watching(await open({ feed: fakeFeed({ act: () => new Promise(() => {}) }) }));
    for (let i = 0; i < 4; i++) await link.watch(1000, () => {});
    await assert.rejects(
      link.watch(1000, () => {}),
      { code: 'IGNIS_QUEUE_FULL' },
    );
    const asked = Array.from({ length: 17 }, () => link.ask('act', { wish: {} }).catch(({ code }) => code));
    assert.equal(await asked[16], 'IGNIS_QUEUE_FULL');
    link.close();
    assert.equal(await asked[0], 'IGNIS_CLOSED');
  });

  it('is there of itself in programs, and in threads and processes that such a program has forked only where it is asked for', async () => {
    const { isProgramOfItsOwn, monitorOf } = require('../../lib/view/monitored.js');
    const isOffered = (/** @type {number} */ pid) => pid === process.ppid;
    const selves = [
      { isThread: false, isForked: false, isOffered },
      { isThread: true, isForked: false, isOffered },
      { isThread: false, isForked: true, isOffered },
      { isThread: false, isForked: true, isOffered: () => false },
    ];
    assert.deepEqual(selves.map(isProgramOfItsOwn), [true, false, false, true]);
    assert.equal(monitorOf(false, {}), null);
    const script = `
      const { monitorOf } = require(${JSON.stringify(require.resolve('../../lib/view/monitored.js'))});
      const one = (wanted) => monitorOf(wanted, { feed: () => null, program: '/srv/app.js', pid: process.pid });
      const ofItself = one(undefined);
      const monitor = ofItself ?? one(true);
      const timer = setInterval(() => {
        if (monitor.state !== 'open') return;
        clearInterval(timer);
        process.send([ofItself === null, monitor.place, process.getActiveResourcesInfo().filter((kind) => /PipeServer|TCP/.test(kind)).length]);
        process.disconnect();
      }, 5);`;
    const env = { ...process.env, XDG_RUNTIME_DIR: folder };
    const fork = () => spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env });
    const own = await open();
    const child = fork();
    const [[isNone, place, handles]] = await once(child, 'message');
    assert.deepEqual([isNone, path.dirname(place), handles], [true, path.join(folder, 'ignis'), 0]);
    // It ends by itself: the monitor keeps nobody alive.
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    assert.ok(!fs.existsSync(place));
    own.close();
    const ofNobody = fork();
    assert.equal((await once(ofNobody, 'message'))[0][0], false);
    await once(ofNobody, 'exit');
  });

  it('goes with a program that calls process.exit, and is no listener of it', async () => {
    const script = `
      const { Monitor } = require(${JSON.stringify(require.resolve('../../lib/view/monitor.js'))});
      const fs = require('node:fs');
      const monitor = new Monitor({ feed: () => null, identity: { pid: process.pid, thread: 0, name: 'app', ignis: '', node: '', startedAt: 0 } });
      monitor.open().then(() => {
        process.on('exit', () => process.send([process.listenerCount('exit'), fs.existsSync(monitor.place), monitor.place]));
        process.exit(3);
      });`;
    const env = { ...process.env, XDG_RUNTIME_DIR: folder };
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env });
    const ended = once(child, 'exit');
    const [[listeners, wasThere, place]] = await once(child, 'message');
    assert.deepEqual([listeners, wasThere], [1, true]);
    assert.deepEqual(await ended, [3, null]);
    assert.ok(!fs.existsSync(place));
  });

  it('survives 1000 links of hostile requests, of which some go on and some end', () => {
    const outcomes = { open: 0, ended: 0 };
    for (let number = 0; number < 1000; number++) outcomes[checkMonitor(1927, number)] += 1;
    assert.ok(outcomes.open > 30 && outcomes.ended > 30, JSON.stringify(outcomes));
  });
});

describe('lines of JSON', () => {
  it('are found wherever the stream is cut, also within a character', () => {
    const records = [{ a: 'ä€😀' }, {}, { b: [1, null] }];
    const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const lines = new TextLines(100);
      assert.deepEqual([...lines.push(bytes.subarray(0, cut)), ...lines.push(bytes.subarray(cut))], records);
    }
  });

  it('may be as long as the limit, and no longer', () => {
    const line = `{"a":"${'x'.repeat(10)}"}`;
    assert.equal(new TextLines(line.length).push(Buffer.from(`${line}\n${line}\n`)).length, 2);
    assert.throws(() => new TextLines(line.length - 1).push(Buffer.from(`${line}\n`)), { code: 'IGNIS_FRAME_TOO_LARGE' });
  });
});
