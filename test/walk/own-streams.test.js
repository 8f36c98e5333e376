'use strict';

// Home's `process.stdout` is made when the program asks for it, not by Ignis: Node sets a pipe non-blocking then, and
// `fs.writeSync(1, ...)` may fail with EAGAIN. (`process.stderr` Node itself makes, whenever a socket closes.)

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const REGISTER = require.resolve('../../lib/register.js');
const NONBLOCKING = 0o4000;

const PROGRAM = `
  const fs = require('node:fs');
  const flags = (fd) => /flags:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/fdinfo/' + fd, 'utf8'))[1];
  const { whoIs } = require('./who', JSON.parse(process.argv[2]));
  const replicas = () => require(process.argv[3]).report().replicas.filter(({ calls }) => calls > 0);
  (async () => {
    while (replicas().length < Number(process.argv[4])) {
      await whoIs();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    fs.writeSync(1, JSON.stringify([replicas().map(({ where }) => where), flags(1)]));
    process.exit();
  })();`;

describe("home's standard output, a pipe", function () {
  this.timeout(30000);

  let folder;
  before(function () {
    if (process.platform !== 'linux') return this.skip();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-streams-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"streams"}');
    fs.writeFileSync(path.join(folder, 'who.js'), 'exports.whoIs = () => process.pid;');
    fs.writeFileSync(path.join(folder, 'program.js'), PROGRAM);
  });
  after(() => {
    if (folder !== undefined) fs.rmSync(folder, { recursive: true });
  });

  for (const [wheres, recipe] of /** @type {[string[], object][]} */ ([
    [[], {}],
    [['thread'], { where: 'thread', call: 'await', pure: true, copies: 1 }],
    [['process'], { where: 'process', call: 'await', pure: true, copies: 1 }],
  ]))
    it(`stays as it was given, with ${wheres.length === 0 ? 'no replica' : `a replica in a ${wheres[0]}`}`, () => {
      const words = [process.execPath, '-r', REGISTER, path.join(folder, 'program.js'), JSON.stringify(recipe)];
      const args = [...words, path.dirname(path.dirname(REGISTER)), String(wheres.length)].map((word) => `'${word}'`).join(' ');
      // A shell's pipes: those that Node gives to a child are sockets, and non-blocking from the start.
      const { stdout } = spawnSync('/bin/sh', ['-c', `(${args} | cat) 2>&1 | cat`], { encoding: 'utf8', timeout: 25000 });
      const [seen, flags] = JSON.parse(stdout);
      assert.deepEqual(seen, wheres);
      assert.equal(parseInt(flags, 8) & NONBLOCKING, 0, stdout);
    });
});

describe('a module that ends or destroys its standard streams', function () {
  this.timeout(30000);

  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-streams-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"streams"}');
    fs.writeFileSync(
      path.join(folder, 'ends.js'),
      `exports.end = (name, how, done) => process[name].once('close', done)[how]();
      exports.say = (name, text) => process[name].write(text + '\\n');`,
    );
    fs.writeFileSync(
      path.join(folder, 'program.js'),
      `const { end, say } = require('./ends');
      const goOn = ([name, how] = [], ...others) => name && end(name, how, () => (say(name, 'after ' + how), goOn(...others)));
      goOn(['stdout', 'end'], ['stdout', 'destroy'], ['stderr', 'end'], ['stderr', 'destroy']);`,
    );
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  for (const where of ['home', 'process', 'thread'])
    it(`prints on, as at home where they lead to files: ${where}`, () => {
      const env = where === 'home' ? process.env : { ...process.env, IGNIS_FORCE: './ends.js', IGNIS_WHERE: where };
      const words = [...(where === 'home' ? [] : ['-r', REGISTER]), 'program.js'];
      const files = ['stdout', 'stderr'].map((name) => path.join(folder, name));
      const [out, err] = files.map((file) => fs.openSync(file, 'w'));
      spawnSync(process.execPath, words, { cwd: folder, env, stdio: ['ignore', out, err], timeout: 25000 });
      fs.closeSync(out);
      fs.closeSync(err);
      for (const file of files) assert.equal(fs.readFileSync(file, 'utf8'), 'after end\nafter destroy\n');
    });
});

describe('what is preloaded into a thread and prints', function () {
  this.timeout(30000);

  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-preload-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"preload"}');
    fs.writeFileSync(path.join(folder, 'who.js'), "exports.thread = () => require('node:worker_threads').threadId;");
    const print = "console.log('out', threadId); console.error('err', threadId);";
    fs.writeFileSync(path.join(folder, 'prints.js'), `const { threadId } = require('node:worker_threads'); if (threadId > 0) { ${print} }`);
    fs.writeFileSync(
      path.join(folder, 'program.js'),
      `const who = require('./who', JSON.parse(process.argv[2]));
      (async () => {
        let thread;
        while ((thread = await who.thread()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        console.log('served by', thread);
      })();`,
    );
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  for (const recipe of [{ call: 'await', pure: true, copies: 1 }, { call: 'block' }])
    it(`lets the program end (call: '${recipe.call}')`, () => {
      const args = ['-r', path.join(folder, 'prints.js'), '-r', REGISTER, path.join(folder, 'program.js')];
      const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...args, JSON.stringify({ ...recipe, where: 'thread' })], {
        encoding: 'utf8',
        timeout: 25000,
      });
      assert.deepEqual([status, signal], [0, null], stderr);
      const [, thread] = /** @type {RegExpExecArray} */ (/served by (\d+)/.exec(stdout));
      assert.ok(Number(thread) > 0, stdout);
      // A program whose last turn is over does not wait for it.
      if (recipe.call === 'block') return;
      assert.match(stdout, new RegExp(`^out ${thread}$`, 'm'));
      assert.match(stderr, new RegExp(`^err ${thread}$`, 'm'));
    });
});
