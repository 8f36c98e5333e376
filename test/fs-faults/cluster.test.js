'use strict';

// What an eventual file system promises whose log is on a server: while that one is killed, stands still, is not there, or has lost what it
// had.

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { openEngine } = require('../../lib/host/engine');
const { remove } = require('../helpers/remove');
const { freePorts } = require('../helpers/ports');
const { needs, startNats } = require('../helpers/servers');
const { until } = require('../helpers/until');
const { checkStorm, treeOf } = require('./checks');
const { isLoss, loseNodes, open, storm } = require('./storm');

const LIMIT_MS = 60_000;
const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js');

describe('an eventual file system whose log is on NATS', function () {
  this.timeout(120_000);
  let binary;
  let server;
  let systems = [];
  let reports = [];
  const hear = ({ code, message }) => code === 'IGNIS_FS' && reports.push(message);

  before(async function () {
    binary = needs('nats', this);
    server = await startNats(binary);
  });
  after(() => server?.end());
  beforeEach(() => process.on('warning', hear));
  afterEach(async () => {
    process.removeListener('warning', hear);
    for (const { courier } of systems) await courier.close();
    for (const { root } of systems) await remove(root);
    [systems, reports] = [[], []];
  });

  /** @param {object} [how] */
  const begin = (how = {}) => {
    const system = open('eventual', { cluster: server.url, patienceMs: 20_000, copies: [2, 2], ...how });
    systems.push(system);
    return system;
  };
  const states = async ({ nodes }) => (await nodes()).map(({ state }) => state).join(' ');
  const allServe = (system) => until(async () => (await states(system)) === 'serving serving', 'all serve', LIMIT_MS);
  /** Patience is short here, also while nodes start. */
  const written = ({ files, at }, name, text) =>
    until(
      () =>
        files.promises.writeFile(at(name), text).then(
          () => true,
          (error) => assert.ok(isLoss(error)),
        ),
      `${name} is written`,
      LIMIT_MS,
    );
  const known = ({ root }) => JSON.parse(fs.readFileSync(path.join(root, '.ignis-fs', 'cluster'), 'utf8'));
  /** All copies are the same in the end, and this is in them. */
  const areEqual = async (system, name, text) => {
    const applied = async () => new Set((await system.nodes()).map((node) => `${node.state} ${node.applied}`)).size === 1;
    await until(applied, 'all have applied all', LIMIT_MS);
    const [one, ...others] = (await system.nodes()).map(({ folder }) => treeOf(folder));
    for (const other of others) assert.deepEqual(other, one);
    assert.equal(one.find(([at]) => at === name)[1], text);
  };
  /** A server with nothing, in the place of the one that is there. */
  const loseStore = async () => {
    await server.kill();
    fs.rmSync(path.join(server.folder, 'store'), { recursive: true });
    await server.restart();
  };

  it('loses and doubles nothing that was acknowledged while nodes and the server are killed: seed 14', async () => {
    const seen = await storm({ mode: 'eventual', seed: 14, server, crashes: 1 });
    assert.deepEqual(await checkStorm('eventual', seen), []);
    assert.ok(seen.killed > 0);
    assert.equal(seen.crashed, 1);
  });

  it('takes over a log that was in files, goes on with it when the program is started again, and is refused without its cluster', async () => {
    let system = begin({ cluster: undefined });
    const { root, at } = system;
    system.files.writeFileSync(at('a'), 'from files');
    await system.courier.close();
    system = begin({ root });
    assert.equal(system.files.readFileSync(at('a'), 'utf8'), 'from files');
    await allServe(system);
    // The server keeps only what somebody may need.
    const { id, position: before } = known(system);
    const isTrimmed = async () => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => system.files.promises.writeFile(at(`b${i}`), 'b')));
      return known(system).position.head >= before.head + 40;
    };
    await until(isTrimmed, 'it is trimmed', LIMIT_MS);
    const { position } = known(system);
    const engine = await openEngine(server.url);
    const isForgotten = () =>
      new Promise((resolve) => {
        const stop = engine.follow(`fs-${id}`, position.seq - 1, () => {}, {
          onLost: ({ code }) => resolve(code === 'IGNIS_LOG_GAP'),
          onReady: () => {
            stop();
            resolve(false);
          },
        });
      });
    await until(isForgotten, 'the server has forgotten it', LIMIT_MS);
    await engine.close();
    await system.courier.close();
    system = begin({ root });
    system.files.writeFileSync(at('large'), Buffer.alloc(300_000, 'x'));
    system.files.appendFileSync(at('a'), '!');
    await areEqual(system, 'a', 'from files!');
    assert.equal(known(system).id, id);
    assert.deepEqual(reports, []);
    await system.courier.close();
    system = begin({ root, cluster: undefined });
    const refused = ({ cause }) => /its log is in a cluster: name that one/.test(cause.message);
    assert.throws(() => system.files.readFileSync(at('a')), refused);
  });

  it('reads on while the server is away, and writes wait, or fail and have not run; when it is back all goes on', async () => {
    const system = begin({ patienceMs: 300 });
    const { files, at } = system;
    await written(system, 'a', '1');
    await allServe(system);
    await server.kill();
    try {
      // The first one may be on its way when the loss is noticed.
      await until(
        () => files.promises.appendFile(at('b'), 'x').catch((error) => /out of reach/.test(error.cause.message)),
        'it is noticed',
        LIMIT_MS,
      );
      const error = await files.promises.appendFile(at('a'), '2').catch((thrown) => thrown);
      assert.deepEqual([error.code, isLoss(error), error.cause.ran], ['EIO', true, 'no']);
      assert.match(error.cause.message, /its log is out of reach \(.*nats:\/\/127\.0\.0\.1:\d+: /);
      assert.equal(files.readFileSync(at('a'), 'utf8'), '1');
      assert.equal(await states(system), 'serving serving');
      // A node that dies meanwhile has missed nothing.
      await loseNodes(system.nodes, 1);
      await allServe(system);
    } finally {
      await server.restart();
    }
    await written(system, 'c', '3');
    await areEqual(system, 'a', '1');
  });

  it('says of a write that the server did not answer that it may have run, and all copies have it or none', async () => {
    const system = begin({ patienceMs: 300 });
    const { files, at } = system;
    await written(system, 'a', '1');
    await allServe(system);
    let text = '1';
    let first;
    server.send('SIGSTOP');
    try {
      // All its threads stand still when each of them was told.
      const isStill = async () => {
        first = await files.promises.appendFile(at('a'), '2').catch((thrown) => thrown);
        if (first === undefined) text += '2';
        return first;
      };
      await until(isStill, 'the server does not answer', LIMIT_MS);
      const second = await files.promises.appendFile(at('a'), '3').catch((thrown) => thrown);
      assert.deepEqual([isLoss(first), first.cause.ran, isLoss(second), second.cause.ran], [true, 'maybe', true, 'no']);
      assert.match(first.cause.message, /its log on nats:\/\/127\.0\.0\.1:\d+ does not answer/);
      assert.equal(files.readFileSync(at('a'), 'utf8'), text);
    } finally {
      server.send('SIGCONT');
    }
    await until(() => files.readFileSync(at('a'), 'utf8') === `${text}2`, 'what was sent is done', LIMIT_MS);
    await written(system, 'c', '3');
    await areEqual(system, 'a', `${text}2`);
  });

  it('is EIO with the cause while the server was never there, and serves when it comes', async () => {
    const [port] = await freePorts(1);
    const system = begin({ cluster: `nats://someone:hidden@127.0.0.1:${port}`, patienceMs: 300 });
    const { files, at } = system;
    for (const work of [() => files.promises.readFile(at('a')), () => files.promises.writeFile(at('a'), 'text')]) {
      const error = await work().catch((thrown) => thrown);
      assert.deepEqual([error.code, isLoss(error), error.cause.ran], ['EIO', true, 'no']);
      assert.match(
        error.cause.message,
        /no holder came back in time: its log is (not open yet|out of reach \(.*nats:\/\/127\.0\.0\.1:\d+: .*\))$/,
      );
      assert.doesNotMatch(error.cause.message, /hidden|someone/);
    }
    const late = await startNats(binary, { port, more: 'authorization { user: someone, password: hidden }' });
    try {
      await written(system, 'a', 'text');
      await areEqual(system, 'a', 'text');
      const state = path.join(system.root, '.ignis-fs');
      for (const name of ['cluster', 'lock', 'node'])
        assert.doesNotMatch(fs.readFileSync(path.join(state, name), 'utf8'), /hidden|someone/);
      const seen = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout ?? '';
      assert.doesNotMatch(seen, new RegExp(`hidden@127\\.0\\.0\\.1:${port}`));
      await system.courier.close();
    } finally {
      await late.end();
    }
  });

  it('stops with a report, and changes nothing, where the server has lost the log: while it runs, and when it is started again', async () => {
    let system = begin();
    const { root, at } = system;
    system.files.writeFileSync(at('a'), 'text');
    await areEqual(system, 'a', 'text');
    await loseStore();
    await until(async () => (await states(system)) === 'stopped stopped', 'all stop', LIMIT_MS);
    assert.throws(() => system.files.writeFileSync(at('a'), 'other'), isLoss);
    assert.throws(() => system.files.readFileSync(at('a')), isLoss);
    await until(() => reports.length > 0, 'it is reported', LIMIT_MS);
    assert.match(reports[0], /no copy of .* is served any more: the log (does not hold what this root has written|cannot be gone on with)/);
    await system.courier.close();
    reports = [];
    system = begin({ root });
    assert.throws(() => system.files.readFileSync(at('a')), isLoss);
    await until(() => reports.length > 0, 'it is reported again', LIMIT_MS);
    assert.match(reports[0], /the log does not hold what this root has written, or no longer does/);
    await system.courier.close();
    assert.equal(fs.readFileSync(at('a'), 'utf8'), 'text');
    // Taken up as it stands, as docs/fs.md says.
    fs.rmSync(path.join(root, '.ignis-fs', 'cluster'));
    for (const folder of ['', 'copy-2'])
      fs.rmSync(path.join(root, '.ignis-fs', folder, ...(folder === '' ? [] : ['.ignis-fs']), 'applied'));
    system = begin({ root });
    system.files.appendFileSync(at('a'), ' again');
    await areEqual(system, 'a', 'text again');
  });

  it('is refused on a copy of a root that is in use, which goes on', async () => {
    const system = begin();
    const { root, files, at } = system;
    files.writeFileSync(at('a'), '1');
    await allServe(system);
    const copy = `${root}-copy`;
    fs.cpSync(root, copy, { recursive: true });
    for (const state of ['', 'copy-2']) {
      const below = path.join(copy, '.ignis-fs', state, ...(state === '' ? [] : ['.ignis-fs']));
      fs.rmSync(path.join(below, 'node'), { force: true });
      fs.rmSync(path.join(below, 'lock'), { force: true });
    }
    const second = begin({ root: copy });
    assert.throws(() => second.files.writeFileSync(second.at('a'), 'theirs'), isLoss);
    await until(() => reports.length > 0, 'it is reported', LIMIT_MS);
    assert.match(reports[0], new RegExp(`no copy of ${copy} is served: process ${process.pid} on .* has its log: two programs`));
    files.appendFileSync(at('a'), '2');
    await areEqual(system, 'a', '12');
    assert.equal(fs.readFileSync(path.join(copy, 'a'), 'utf8'), '1');
  });

  it('goes on where a program that was killed had come to, and does not keep the next one alive', async () => {
    const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-fs-'));
    try {
      const begun = `const fs = require('fs', { copies: 2, root: 'data', cluster: '${server.url}' });`;
      fs.mkdirSync(path.join(folder, 'data'));
      fs.writeFileSync(
        path.join(folder, 'app.js'),
        `${begun}
         let i = 0;
         const next = () => fs.promises.appendFile('data/log', i + '\\n').then(() => { process.stdout.write(i++ + '\\n'); next(); });
         next();`,
      );
      fs.writeFileSync(
        path.join(folder, 'again.js'),
        `${begun}\nconsole.log(JSON.stringify(fs.readFileSync('data/log', 'utf8').trim().split('\\n')));`,
      );
      const args = ['--import', pathToFileURL(REGISTER).href];
      const program = spawn(process.execPath, [...args, 'app.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
      let acknowledged = -1;
      program.stdout.on('data', (text) => (acknowledged = Math.max(acknowledged, ...String(text).trim().split('\n').map(Number))));
      await until(() => acknowledged > 20, 'lines are written', LIMIT_MS);
      const ended = new Promise((resolve) => program.once('close', resolve));
      program.kill('SIGKILL');
      await ended;
      const { status, stdout, stderr } = spawnSync(process.execPath, [...args, 'again.js'], {
        cwd: folder,
        encoding: 'utf8',
        timeout: LIMIT_MS,
      });
      assert.deepEqual([status, stderr], [0, '']);
      const lines = JSON.parse(stdout);
      assert.deepEqual(
        lines,
        lines.map((_, i) => String(i)),
      );
      assert.ok(lines.length > acknowledged, `${lines.length} lines, and line ${acknowledged} was acknowledged`);
    } finally {
      await remove(folder);
    }
  });
});
