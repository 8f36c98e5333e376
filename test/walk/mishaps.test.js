'use strict';

// What befalls programs in production, and is to change nothing of what they mean: a crash before this start, a reader of their stderr that
// goes, a folder that is removed under them, an end while state is in replicas.

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { removeStale } = require('../../lib/view/run-folder');

const ROOT = path.join(__dirname, '../..');
const REGISTER = path.join(ROOT, 'lib/register.js');

const FILES = {
  'package.json': '{"name":"mishaps"}',
  'work.js': `
    exports.pid = () => process.pid;
    exports.crash = () => { setTimeout(() => { throw new Error('late'); }, 10); return new Promise(() => {}); };`,
  'traces.js': `
    const fs = require('node:fs');
    const { prototype } = require('node:net').Socket;
    const { connect } = prototype;
    let traced = 0;
    prototype.connect = function () { traced++; return Reflect.apply(connect, this, arguments); };
    require('node:zlib').deflateSync('x');
    const look = () => (fs.existsSync(process.argv[2]) ? setTimeout(look, 10) : console.log('traced', traced));
    look();`,
  'counter.js': 'let n = 0; exports.next = () => ++n; exports.later = async () => ++n;',
  // Its replica ends with words on its stderr, which home repeats on its own.
  'crash.js': `
    const work = require('./work', { call: 'await', state: 'private', copies: [1, 1] });
    const ignis = require(process.argv[2]);
    const look = setInterval(async () => {
      if (!ignis.report().replicas.some(({ state }) => state === 'ready')) return;
      clearInterval(look);
      const code = await work.crash().catch((error) => error.code);
      while (!ignis.report().replicas.some(({ state }) => state === 'ended')) await new Promise((resolve) => setTimeout(resolve, 5));
      setTimeout(() => console.log(JSON.stringify(code)), 50);
    }, 5);`,
  'explain.js': 'setTimeout(() => console.log(\'"at its own end"\'), 500);',
  'removed.js': `
    const work = require('./work', { call: 'await', pure: true, copies: [1, 1] });
    require('node:fs').rmdirSync(process.cwd());
    const ignis = require(process.argv[2]);
    const replicas = () => ignis.report().replicas;
    work.pid();
    const look = setInterval(() => {
      if (replicas().length === 0 || replicas().some(({ state }) => state === 'starting')) return;
      clearInterval(look);
      console.log(JSON.stringify(replicas().map(({ state, endedWhy }) => [state, endedWhy ?? null])));
      void ignis.close();
    }, 5);`,
  'close.js': `
    const counter = require('./counter', { state: process.argv[2], ...(process.argv[2] === 'keyed' && { key: () => 'one' }), copies: 1, call: 'await' });
    const ignis = require(process.argv[3]);
    const code = (error) => error.code;
    (async () => {
      const seen = [];
      while (!ignis.report().replicas.some(({ calls }) => calls > 0)) seen.push(await counter.next());
      const closing = ignis.close();
      const during = await Promise.all([counter.next, counter.next, counter.later].map(async (f) => f())).catch(code);
      await closing;
      console.log(JSON.stringify([seen.every((n, i) => n === i + 1), during, await (async () => counter.next())().catch(code)]));
    })();`,
};

/**
 * @param {(pid: number | undefined) => string} placeOf
 * @returns {Promise<string>} path of the socket of a process that was killed, long ago as it seems
 */
async function leaveStale(placeOf) {
  const server = spawn(process.execPath, [
    '-e',
    "process.stdin.once('data', (place) => require('node:net').createServer().listen(String(place), () => console.log(1)))",
  ]);
  const place = placeOf(server.pid);
  server.stdin.write(place);
  await once(server.stdout, 'data');
  server.kill('SIGKILL');
  await once(server, 'exit');
  fs.utimesSync(place, 0, 0);
  return place;
}

describe('a program', function () {
  this.timeout(60_000);
  /** @type {string} */
  let folder;
  const file = (/** @type {string} */ name) => path.join(folder, name);
  const quoted = (/** @type {string[]} */ words) => words.map((word) => `'${word}'`).join(' ');
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-mishaps-')));
    for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(file(name), text);
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  it('finds its linked packages after it has removed what one that crashed has left', async function () {
    if (process.platform === 'win32') this.skip();
    const socket = await leaveStale(() => file('1-stale.sock'));
    fs.symlinkSync(file('work.js'), file('link.js'));
    // From now on Node knows the folder.
    require(file('counter.js'));
    assert.equal(await removeStale(socket), true);
    assert.equal(require.resolve(file('link.js')), file('work.js'));
    assert.equal(fs.existsSync(socket), false);
  });

  it('does not see in what it traces of its connections that Ignis asks after the sockets of others', async function () {
    if (process.platform === 'win32') this.skip();
    fs.mkdirSync(file('ignis'), { mode: 0o700 });
    const gone = await leaveStale((pid) => file(`ignis/${pid}.sock`));
    const { stdout, stderr } = spawnSync(process.execPath, ['-r', REGISTER, file('traces.js'), gone], {
      encoding: 'utf8',
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
      timeout: 30_000,
    });
    assert.deepEqual([stdout, stderr], ['traced 0\n', '']);
  });

  for (const [name, env, what] of /** @type {[string, Record<string, string>, string][]} */ ([
    ['crash.js', {}, 'IGNIS_REPLICA_LOST'],
    ['explain.js', { IGNIS_STATUS_MS: '50', IGNIS_EXPLAIN: '1' }, 'at its own end'],
  ]))
    it(`goes on when the reader of its stderr has gone: ${name}`, function () {
      if (process.platform === 'win32') this.skip();
      const words = quoted([process.execPath, '-r', REGISTER, file(name), ROOT]);
      // The reader ends at once; what is written to it then fails.
      const shell = `(${words}; echo "code $?") 2>&1 >&3 | true`;
      const { stdout } = spawnSync('/bin/sh', ['-c', `{ ${shell}; } 3>&1`], {
        encoding: 'utf8',
        env: { ...process.env, ...env },
        timeout: 30_000,
      });
      assert.equal(stdout, `${JSON.stringify(what)}\ncode 0\n`);
    });

  it('has replicas though its folder was removed', function () {
    // There a folder that somebody is in cannot be removed.
    if (process.platform === 'win32') this.skip();
    const gone = file('gone');
    fs.mkdirSync(gone);
    const args = ['-r', REGISTER, file('removed.js'), ROOT];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: gone, timeout: 30_000 });
    assert.equal(stdout, '[["ready",null]]\n', stderr);
  });

  it('imports on while Ignis is laid anew under it', () => {
    const ours = file('ignis');
    const kept = file('ignis-before');
    for (const name of ['lib', 'recipes', 'package.json']) fs.cpSync(path.join(ROOT, name), path.join(ours, name), { recursive: true });
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(ours, 'node_modules'));
    fs.writeFileSync(
      file('deployed.js'),
      `require('./work').pid();
       require('node:fs').renameSync(${JSON.stringify(ours)}, ${JSON.stringify(kept)});
       console.log(require('zlib').gzipSync('x').length > 0, typeof require('crypto').randomUUID(), require('./counter').next());
       import('./counter.js').then(({ default: counter }) => console.log(counter.next()));`,
    );
    const args = ['-r', path.join(ours, 'lib/register.js'), file('deployed.js')];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
    assert.deepEqual([stdout, stderr], ['true string 1\n2\n', '']);
  });

  for (const state of ['shared', 'keyed'])
    it(`gets no state from anew while Ignis closes, and after: ${state}`, () => {
      const { stdout, stderr } = spawnSync(process.execPath, ['-r', REGISTER, file('close.js'), state, ROOT], {
        encoding: 'utf8',
        timeout: 30_000,
      });
      assert.equal(stdout, '[true,"IGNIS_REFUSED","IGNIS_REFUSED"]\n', stderr);
    });
});
