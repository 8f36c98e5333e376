'use strict';

// The script for bash is asked as bash asks it. That for zsh is read by zsh where there is one, and its text looked at.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { COMMANDS } = require('../../lib/cli/main.js');
const { toFlag } = require('../../lib/cli/arguments.js');
const { call } = require('./call.js');

const flagsOf = (name) => COMMANDS[name].options.map((row) => `--${toFlag(row.name)}`);

/** @param {string[]} words as bash splits what was typed; the last is completed @returns {string[]} what is proposed; nothing: paths */
function proposed(...words) {
  const { out } = call(['completion', 'bash']);
  const ask = 'eval "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ignis; printf "%s\\n" "${COMPREPLY[@]}"';
  const { status, stderr, stdout } = spawnSync('bash', ['--norc', '-c', ask, out, 'ignis', ...words], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completion in a shell', () => {
  it('proposes the commands', () => {
    assert.deepEqual(proposed(''), [...Object.keys(COMMANDS), 'help', 'version', '--help', '--version']);
    assert.deepEqual(proposed('re'), ['report', 'recipes']);
    assert.deepEqual(proposed('help', ''), Object.keys(COMMANDS));
    assert.deepEqual(proposed('nothing', '--'), []);
  });

  for (const name of Object.keys(COMMANDS))
    it(`proposes the options of ${name}`, () => {
      assert.deepEqual(proposed(name, '-'), [...flagsOf(name), '--help']);
      assert.deepEqual(proposed(name, '--he').includes('--help'), true);
    });

  it('proposes what an option may be, also behind an equals sign', () => {
    const all = ['process', 'thread', 'host'];
    assert.deepEqual(proposed('run', '--where', ''), all);
    assert.deepEqual(proposed('run', '--where', '='), all);
    assert.deepEqual(proposed('run', '--where', '=', 't'), ['thread']);
    assert.deepEqual(proposed('run', '--recipe', ''), [], 'a path');
    assert.deepEqual(proposed('run', '--recipe', '=', '-'), [], 'a path');
    assert.deepEqual(proposed('completion', ''), ['bash', 'zsh']);
    assert.deepEqual(proposed('top', ''), []);
  });

  it('proposes options as long as no program is named, whose own they are then', () => {
    for (const before of [
      ['--quiet'],
      ['--recipe', 'a.js'],
      ['--recipe', '=', 'a.js'],
      ['--dash'],
      ['--dash', '80'],
      ['--dash', '=', '80'],
    ]) {
      assert.deepEqual(proposed('run', ...before, '--qui'), ['--quiet'], before.join(' '));
      assert.deepEqual(proposed('run', ...before, 'server.js', '--qui'), [], before.join(' '));
      assert.deepEqual(proposed('run', ...before, '--', '--qui'), [], before.join(' '));
    }
    assert.deepEqual(proposed('check', '--', 'npm', '--'), []);
    assert.deepEqual(proposed('report', 'report.json', '--js'), ['--json']);
  });

  it('is a script for zsh, too, with all commands, options and their choices', () => {
    const { code, out, err } = call(['completion', 'zsh']);
    assert.deepEqual([code, err], [0, '']);
    const { error, stderr } = spawnSync('zsh', ['-f', '-n'], { encoding: 'utf8', input: out });
    if (/** @type {any} */ (error)?.code !== 'ENOENT') assert.equal(stderr, '');
    for (const name of Object.keys(COMMANDS)) {
      assert.match(out, new RegExp(`^ {4}'${name}:[A-Z]`, 'm'));
      const [line] = out.match(new RegExp(`^ {4}${name}\\) .*`, 'm')) ?? assert.fail(name);
      for (const flag of flagsOf(name)) assert.ok(line.includes(`${flag}=`) || line.includes(`${flag}[`), `${name} ${flag}`);
    }
    assert.match(out, /--where=\[[^\]]+\]:one of:\(process thread host\)'/);
  });

  it('is for shells that are known, and says which', () => {
    for (const [args, told] of [
      [['fish'], /'fish'.* bash and zsh/],
      [['constructor'], /'constructor'.* bash and zsh/],
      [[], /one shell must be named.*<bash\|zsh>/],
    ]) {
      const { code, err } = call(['completion', .../** @type {string[]} */ (args)]);
      assert.equal(code, 2);
      assert.match(err, /** @type {RegExp} */ (told));
    }
  });
});
