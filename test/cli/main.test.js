'use strict';

const assert = require('node:assert/strict');
const { spawn: start, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { text } = require('node:stream/consumers');
const { COMMANDS } = require('../../lib/cli/main.js');
const { toFlag } = require('../../lib/cli/arguments.js');
const { call, spawn } = require('./call.js');
const { version } = require('../../package.json');

const BIN = path.join(__dirname, '..', '..', 'bin', 'ignis.js');

describe('ignis on the command line', () => {
  it('prints its commands with --help, and ends well', () => {
    const { code, out, err } = call(['--help']);
    assert.deepEqual([code, err], [0, '']);
    for (const name of Object.keys(COMMANDS)) assert.match(out, new RegExp(`ignis ${name} `));
  });

  it('prints the same on stderr without a command, and is misused', () => {
    const { code, out, err } = call([]);
    assert.deepEqual([code, out], [2, '']);
    assert.equal(err, call(['--help']).out);
  });

  for (const word of ['--version', '-v', 'version'])
    it(`prints the version of the package with ${word}`, () => {
      assert.deepEqual(call([word]), { code: 0, launch: undefined, out: `${version}\n`, err: '' });
    });

  it('prints the help of a command that is named behind help, as other tools do', () => {
    assert.deepEqual(call(['help', 'run']), call(['run', '--help']));
    assert.deepEqual(call(['help']), call(['--help']));
    assert.match(call(['help', 'reprot']).err, /'ignis report'/);
  });

  for (const name of Object.keys(COMMANDS)) {
    it(`prints every option of ${name} with --help, and runs nothing`, () => {
      const { code, out } = call([name, '--help']);
      assert.equal(code, 0);
      for (const row of COMMANDS[name].options) assert.match(out, new RegExp(`--${toFlag(row.name)}\\b`));
      assert.ok(out.split('\n').every((line) => line.length <= 100));
    });
  }

  it('knows of each option what would be right: its default is, and what is not is told in words', () => {
    const nonsense = [undefined, null, Symbol('nothing'), -1, NaN, 1e30, '', '\0', [], {}, () => 1];
    for (const [name, { options }] of Object.entries(COMMANDS))
      for (const { name: option, check, default: value } of options) {
        const at = `${name} --${toFlag(option)}`;
        if (value !== undefined) assert.equal(check(value), true, at);
        const said = nonsense.map((one) => check(one)).filter((one) => one !== true);
        assert.ok(said.length > 0, at);
        for (const words of said) assert.match(words, /^\S.+/, at);
      }
  });

  it('names the nearest command', () => {
    const { code, err } = call(['reprot']);
    assert.equal(code, 2);
    assert.match(err, /^ignis: .*'reprot'.*'ignis report'.*\(IGNIS_BAD_OPTION\)\n$/);
  });

  it('takes no command for another one that has hardly a letter in common with it', () => {
    for (const name of ['explain', 'nosuch', 'x'])
      assert.match(call([name]).err, /no command is called '\w+'; 'ignis --help' lists them \(/);
    for (const [name, meant] of Object.entries({ simulat: 'simulate', nods: 'nodes', p: 'ps', tpo: 'top' }))
      assert.match(call([name]).err, new RegExp(`did you mean 'ignis ${meant}'`), name);
  });

  it('needs no working directory where it reads nothing from there, and else says that it is gone', function () {
    if (process.platform === 'win32') this.skip();
    const there = (...argv) => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-gone-'));
      const script = 'rmdir "$1" && shift && exec "$@"';
      return spawnSync('sh', ['-c', script, 'sh', folder, process.execPath, BIN, ...argv], { encoding: 'utf8', cwd: folder });
    };
    const recipes = there('recipes');
    assert.deepEqual([recipes.status, recipes.stderr], [0, '']);
    const run = there('run', 'app.js');
    assert.deepEqual([run.status, run.stderr], [1, 'ignis: the working directory no longer exists\n']);
  });

  it('knows no command that every object has', () => {
    assert.equal(call(['constructor']).code, 2);
  });

  it('names the nearest option', () => {
    const { code, err } = call(['report', '--jsno', 'file']);
    assert.equal(code, 2);
    assert.match(err, /'jsno'.*'json'/);
  });

  it('prints one line for an error, and the stack only with IGNIS_DEBUG', () => {
    assert.equal(call(['report']).err.trimEnd().split('\n').length, 1);
    assert.match(call(['report'], { IGNIS_DEBUG: '1' }).err, /\n {4}at /);
  });

  it('does the same as a process', () => {
    const { code, out, err } = spawn(['report', 'nowhere.json']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /^ignis: .*nowhere\.json \(IGNIS_NOT_FOUND\)\n$/);
  });

  it('is over, and has not failed, when nobody reads on', async () => {
    const child = start(process.execPath, [BIN, 'recipes', '--json'], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000 });
    child.stdout.destroy();
    const said = text(child.stderr);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    assert.equal(await said, '');
  });

  it('says when its words cannot be written', function () {
    if (!fs.existsSync('/dev/full')) this.skip();
    const full = fs.openSync('/dev/full', 'w');
    try {
      const { status, stderr } = spawnSync(process.execPath, [BIN, 'recipes'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
      assert.equal(status, 1);
      assert.match(stderr, /^ignis: ENOSPC[^\n]*\n$/);
    } finally {
      fs.closeSync(full);
    }
  });
});
