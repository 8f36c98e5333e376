'use strict';

// A program that runs, looked at from outside: ignis ps, top without a terminal, profile, doctor.

const assert = require('node:assert/strict');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { until } = require('../helpers/until.js');
const { LONG_MS, startSeen } = require('./seen.js');

const RECIPE = path.join(__dirname, '..', 'fixtures', 'seen', 'recipe.js');

// Other programs may run under Ignis on this machine, those of other tests too.

describe('a program that runs', function () {
  this.timeout(3 * LONG_MS);

  let seen;
  before(async () => {
    seen = await startSeen({ args: ['--recipe', RECIPE] });
    await seen.seen();
  });
  after(() => seen.end());

  const pid = () => String(seen.child.pid);
  const snapshot = async () => JSON.parse((await seen.ignis(['top', pid(), '--json'])).out);

  it('is listed by ignis ps', async () => {
    const { code, out, err } = await seen.ignis(['ps', '--json']);
    assert.deepEqual([code, err], [0, '']);
    const own = JSON.parse(out).filter((one) => one.pid === seen.child.pid);
    assert.deepEqual([own.length, own[0]?.name, own[0]?.state], [1, 'app.js', 'answers']);
    assert.match((await seen.ignis(['ps'])).out, new RegExp(`^ *pid +program[^]*\\n *${seen.child.pid} +app\\.js`));
  });

  it('is printed once by ignis top where there is no terminal, the hot module first, without colours', async () => {
    await until(async () => (await snapshot()).boundaries[0].heat > 0.1, 'the module is hot', LONG_MS);
    const { code, out, err } = await seen.ignis(['top', String(seen.child.pid)]);
    assert.deepEqual([code, err], [0, '']);
    const lines = out.split('\n');
    assert.match(lines[0], /^app\.js \(\d+\) {2}loop [#.]{8} \d+%/);
    assert.match(lines[3], /^heat\* .*module .*called by .*calls\/s own ms .*p50 .*p99 pend repl state$/);
    assert.match(lines[4], /^ *\d+% #.*work\.js +app\.js/);
    assert.match(out, /\napp\.js -> work\.js: \w+/);
    assert.ok(!out.includes('\u001b'));
  });

  it('gives a CPU profile of itself and of its replica, in the shape that Chrome reads', async () => {
    const { replicas } = await until(
      async () => {
        const now = await snapshot();
        return now.replicas.some(({ state }) => state === 'ready') ? now : null;
      },
      'a replica',
      LONG_MS,
    );
    const { id } = replicas.find(({ state }) => state === 'ready');
    const profiled = async (...args) => {
      const file = path.join(seen.folder, 'one.cpuprofile');
      const { code, out, err } = await seen.ignis(['profile', pid(), '--seconds', '0.5', '--out', file, ...args]);
      assert.deepEqual([code, err], [0, '']);
      const profile = JSON.parse(fs.readFileSync(file, 'utf8'));
      const ids = new Set(profile.nodes.map((node) => node.id));
      assert.ok(profile.endTime > profile.startTime && profile.samples.length > 0);
      assert.equal(profile.samples.length, profile.timeDeltas.length);
      assert.ok([...profile.samples, ...profile.nodes.flatMap(({ children = [] }) => children)].every((one) => ids.has(one)));
      assert.equal(profile.nodes[0].callFrame.functionName, '(root)');
      return { out, urls: profile.nodes.map(({ callFrame }) => path.basename(callFrame.url)) };
    };
    assert.match((await profiled()).out, /^app\.js \(home, pid \d+\): \d+ samples/);
    // On a busy machine half a second may pass without a call.
    const { out } = await until(
      async () => {
        const one = await profiled('--replica', id);
        return one.urls.includes('work.js') ? one : null;
      },
      'a profile with the module in it',
      LONG_MS,
    );
    assert.match(out, /^\.\/work\.js \(replica \d+, process, pid \d+\): \d+ samples/);
    const none = await seen.ignis(['profile', pid(), '--replica', '999', '--out', path.join(seen.folder, 'no.cpuprofile')]);
    assert.deepEqual([none.code, fs.existsSync(path.join(seen.folder, 'no.cpuprofile'))], [2, false]);
    const lost = await seen.ignis(['profile', pid(), '--out', path.join(seen.folder, 'nowhere', 'a.cpuprofile')]);
    assert.deepEqual([lost.code, lost.out], [2, '']);
    assert.match(lost.err, /^ignis: .*a\.cpuprofile cannot be written: ENOENT[^\n]*\n$/);
    assert.match(none.err, /no replica 999.*there are \d+ \(\.\/work\.js\)/);
  });

  it('names its replica after the module and itself', async function () {
    if (process.platform !== 'linux') return this.skip();
    const { replicas } = await snapshot();
    const { pid } = replicas.find(({ state }) => state === 'ready');
    assert.equal(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(), 'ignis: ./work.js (of app.js)');
  });

  it('has noted what was before anybody looked, which stands in its report, too', async () => {
    const { timeline } = await until(
      async () => {
        const report = JSON.parse((await seen.ignis(['report', pid(), '--json'])).out);
        return report.timeline.some(({ heats }) => './work.js' in heats) && report;
      },
      'a moment',
      LONG_MS,
    );
    for (const { at, loop, replicas } of timeline)
      assert.ok(Math.abs(at - Date.now()) < 3_600_000 && loop >= 0 && loop <= 1 && replicas >= 0);
  });

  it('is examined by ignis doctor while it runs', async () => {
    const { out, err } = await seen.ignis(['doctor', pid(), '--json']);
    assert.equal(err, '');
    assert.match(JSON.parse(out).verdict, /the event loop was \d+ % busy/);
  });

  it('has its report printed, written as a page, and reckoned with, while it runs', async () => {
    const printed = await seen.ignis(['report', pid()]);
    assert.deepEqual([printed.code, printed.err], [0, '']);
    assert.match(printed.out, /app\.js, node v\d[^]*app\.js -> \.?\/?work\.js/);
    const html = path.join(seen.folder, 'seen.html');
    const page = await seen.ignis(['report', pid(), '--html', html]);
    assert.deepEqual([page.code, page.out, page.err], [0, '', `ignis: the page is ${html}\n`]);
    assert.match(fs.readFileSync(html, 'utf8'), /id="saved">\{.*work\.js/);
    const { out, err, code } = await seen.ignis(['simulate', pid(), '--quiet', '--replicas', './work.js=0..1', '--json']);
    assert.deepEqual([code, err], [0, '']);
    assert.equal(JSON.parse(out).answers.length, 2);
    const wrong = await seen.ignis(['simulate', pid(), '--quiet', '--replicas', 'wrok=1']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /no module 'wrok' was used in the busiest window of the program \d+/);
  });

  it('is examined where a file has its name and is no report, as its own file is', async () => {
    // By its pid, since programs of other tests have the name, too.
    fs.writeFileSync(path.join(seen.folder, pid()), 'no report');
    const { out, err } = await seen.ignis(['doctor', pid(), '--json'], {}, seen.folder);
    assert.equal(err, '');
    assert.match(JSON.parse(out).verdict, /the event loop was \d+ % busy/);
  });

  it('is listed without one that has died a moment ago and left its socket behind', async () => {
    const [own] = seen.sockets();
    const left = path.join(seen.folder, 'ignis', own.replace(pid(), '4194997'));
    const dead = net.createServer().listen(`${left}.tmp`);
    await once(dead, 'listening');
    fs.renameSync(`${left}.tmp`, left);
    dead.close();
    await once(dead, 'close');
    try {
      const listed = JSON.parse((await seen.ignis(['ps', '--json'])).out).map((/** @type {any} */ one) => one.pid);
      assert.deepEqual([listed.includes(seen.child.pid), listed.includes(4194997)], [true, false]);
      assert.ok(fs.existsSync(left), 'it is young: another container may be about to serve it');
    } finally {
      fs.rmSync(left, { force: true });
    }
  });

  it('is not found under another name, which is said with what there is', async () => {
    const { code, err } = await seen.ignis(['top', 'ap.jss']);
    assert.equal(code, 2);
    assert.match(err, /^ignis: .*no running program 'ap\.jss'; there are (.*, )?\d+ app\.js.* \(IGNIS_NOT_FOUND\)\n$/);
  });
});

describe('a program that nobody may look at', function () {
  this.timeout(3 * LONG_MS);

  it('ends by itself, and leaves no socket', async () => {
    const seen = await startSeen();
    await seen.seen();
    assert.equal(seen.sockets().length, 1);
    seen.child.stdin.end();
    assert.deepEqual(await seen.exited, [0, null]);
    assert.deepEqual(seen.sockets(), []);
    const { out } = await seen.ignis(['ps', '--json']);
    assert.ok(!JSON.parse(out).some(({ pid }) => pid === seen.child.pid));
    await seen.end();
  });

  it('has no socket where the option says so, and ignis top says that there is none', async () => {
    const seen = await startSeen({ env: { IGNIS_MONITOR: 'false' } });
    const { code, err } = await seen.ignis(['top', String(seen.child.pid)]);
    assert.equal(code, 2);
    assert.match(err, /none of your running programs can be watched|no running program '\d+'/);
    assert.deepEqual(seen.sockets(), []);
    const doctor = await seen.ignis(['doctor', 'repotr']);
    assert.equal(doctor.code, 2);
    assert.match(doctor.err, /there is no report file 'repotr', and (none of your running programs|no running program)/);
    for (const command of ['report', 'simulate']) {
      const none = await seen.ignis([command, '1048576']);
      assert.equal(none.code, 2);
      assert.match(none.err, /there is no report file '1048576', and (none of your running programs|no running program)/);
    }
    await seen.end();
  });
});
