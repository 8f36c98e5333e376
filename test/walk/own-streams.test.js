'use strict';

// Home's `process.stdout` is made when the program asks for it, not by Ignis: Node sets a pipe non-blocking then, and `fs.writeSync(1, ...)` may fail with EAGAIN. (`process.stderr` Node itself makes, whenever a socket closes.)

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
