'use strict';

// The script for bash is asked as bash asks it. That for zsh is read by zsh where there is one, and its text looked at.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { COMMANDS } = require('../../lib/cli/main.js');
const { toFlag } = require('../../lib/cli/arguments.js');
const { completions } = require('../../lib/cli/completion.js');
const { BIN, call } = require('./call.js');

const flagsOf = (name) => COMMANDS[name].options.map((row) => `--${toFlag(row.name)}`);

/** @param {string[]} words as bash splits what was typed; the last is completed @returns {string[]} what is proposed; nothing: paths */
function proposed(...words) {
  const { out } = call(['completion', 'bash']);
  // It asks `ignis`, as it is found on the path.
  const ask = `ignis() { "$NODE" "$BIN" "$@"; }
    eval "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ignis_yargs_completions; printf "%s\n" "\${COMPREPLY[@]}"`;
  const env = { ...process.env, NODE: process.execPath, BIN };
  const { status, stderr, stdout } = spawnSync('bash', ['--norc', '-c', ask, out, 'ignis', ...words], { encoding: 'utf8', env });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

const asked = (...words) => completions(COMMANDS, ['ignis', ...words]);

describe('completion in a shell', function () {
  this.timeout(60_000);

  it('proposes commands, options and what they may be, as bash asks', () => {
    assert.deepEqual(proposed('re'), ['report', 'recipes']);
    assert.deepEqual(proposed('run', '--qui'), ['--quiet']);
    assert.deepEqual(proposed('run', '--where', 't'), ['thread']);
    assert.deepEqual(proposed('run', '--where', '=', 't'), ['thread']);
    assert.deepEqual(proposed('run', '--recipe', ''), [], 'a path');
  });

  it('knows the commands', () => {
    assert.deepEqual(asked(''), [...Object.keys(COMMANDS), 'help', 'version', '--help', '--version']);
    assert.deepEqual(asked(), asked(''));
    assert.deepEqual(asked('help', ''), Object.keys(COMMANDS));
    for (const name of ['nothing', 'constructor']) assert.deepEqual(asked(name, '--'), []);
  });

  it('knows the options of each', () => {
    for (const name of Object.keys(COMMANDS)) assert.deepEqual(asked(name, '-'), [...flagsOf(name), '--help']);
  });

  it('knows what an option or an argument may be', () => {
    assert.deepEqual(asked('run', '--where', ''), ['process', 'thread', 'host']);
    assert.deepEqual(asked('run', '--where', '='), ['process', 'thread', 'host']);
    assert.deepEqual(asked('run', '--quiet', ''), [], 'a program');
    assert.deepEqual(asked('completion', ''), ['bash', 'zsh']);
    assert.deepEqual(asked('top', ''), []);
  });

  it('knows that what stands behind a program is its own', () => {
    for (const before of [['--quiet'], ['--recipe', 'a.js'], ['--recipe', '=', 'a.js'], ['--dash'], ['--dash', '80']]) {
      assert.ok(asked('run', ...before, '--qui').includes('--quiet'), before.join(' '));
      assert.deepEqual(asked('run', ...before, 'server.js', '--qui'), [], before.join(' '));
      assert.deepEqual(asked('run', ...before, '--', '--qui'), [], before.join(' '));
    }
    assert.deepEqual(asked('check', '--', 'npm', '--'), []);
    assert.ok(asked('report', 'report.json', '--js').includes('--json'));
  });

  it('is for bash or zsh, whatever the shell of who asks for it, and says so of others', () => {
    const before = process.env.SHELL;
    for (const shell of ['bash', 'zsh']) {
      const { code, out, err } = call(['completion', shell]);
      assert.deepEqual([code, err, process.env.SHELL], [0, '', before]);
      assert.equal(/^#compdef ignis/.test(out), shell === 'zsh');
      const { error, stderr } = spawnSync(shell, shell === 'zsh' ? ['-f', '-n'] : ['-n'], { encoding: 'utf8', input: out });
      if (/** @type {any} */ (error)?.code !== 'ENOENT') assert.equal(stderr, '');
    }
    for (const [args, told] of [
      [['fish'], /'fish'.* bash and zsh/],
      [['constructor'], /'constructor'.* bash and zsh/],
      [[], /name one shell.*<bash\|zsh>/],
    ]) {
      const { code, err } = call(['completion', .../** @type {string[]} */ (args)]);
      assert.equal(code, 2);
      assert.match(err, /** @type {RegExp} */ (told));
    }
  });
});
