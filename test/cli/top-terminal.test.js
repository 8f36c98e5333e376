/* eslint-disable no-control-regex */
'use strict';

// ignis top in a real terminal, that of `script` (util-linux): keys go in, the screen comes out.

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');
const { until } = require('../helpers/until.js');
const { BIN, LONG_MS, startSeen } = require('./seen.js');

const RECIPE = path.join(__dirname, '..', 'fixtures', 'seen', 'recipe.js');

const hasScript = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

/** A terminal in which ignis runs. */
class Screen {
  #child;
  #text = '';

  /**
   * @param {string[]} argv
   * @param {{columns: number, rows: number, env: Record<string, string>, after?: string}} how after: what the shell does when ignis has
   *   ended
   */
  constructor(argv, { columns, rows, env, after }) {
    const top = `"${process.execPath}" "${BIN}" ${argv.join(' ')}`;
    const last = after === undefined ? `exec ${top}` : `sh -c 'echo pid $$; exec ${top}'; ${after}`;
    const command = `tty; stty cols ${columns} rows ${rows}; ${last}`;
    this.#child = spawn('script', ['-qfec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'], env });
    this.#child.stdout.setEncoding('utf8');
    this.#child.stdout.on('data', (text) => (this.#text += text));
    this.exited = once(this.#child, 'exit');
  }

  get text() {
    return this.#text;
  }

  /** Where the shell stays behind. */
  get pid() {
    return Number(/pid (\d+)/.exec(this.#text)?.[1]);
  }

  /** Lines of the last whole screen. */
  get lines() {
    const frames = this.#text.split('\u001b[H').slice(1);
    const whole = frames.findLast((frame) => frame.includes('\u001b[J')) ?? '';
    return whole
      .split('\u001b[J')[0]
      .replace(/\u001b\[\d*[mK]/g, '')
      .split(/\r+\n/);
  }

  end() {
    this.#child.kill('SIGHUP');
  }

  press(keys) {
    this.#child.stdin.write(keys);
  }

  /** As a window that is drawn larger. */
  resize(columns, rows) {
    const [, device] = /(\/dev\/\S+)/.exec(this.#text);
    const { status, stderr } = spawnSync('stty', ['-F', device, 'cols', String(columns), 'rows', String(rows)], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }

  shows(expression) {
    return until(() => expression.test(this.lines.join('\n')), `${expression} on the screen:\n${this.lines.join('\n')}`, LONG_MS);
  }
}

describe('ignis top in a terminal', function () {
  this.timeout(2 * LONG_MS);

  let seen = null;
  let screen = null;
  afterEach(async () => {
    screen?.end();
    await seen?.end();
    [seen, screen] = [null, null];
  });

  before(function () {
    if (hasScript) return;
    const message = '`script` of util-linux is missing, so ignis top was not tried in a terminal';
    if (process.env.IGNIS_TEST_TERMINAL === 'required') throw new Error(message);
    console.log(`      ${message}`);
    this.skip();
  });

  it('shows the program, takes keys, follows the size, acts, and ends with the program', async () => {
    seen = await startSeen({ args: ['--recipe', RECIPE] });
    await seen.seen();
    const env = { ...seen.env, TERM: 'xterm-256color', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
    screen = new Screen(['top', '--every-ms', '200', String(seen.child.pid)], { columns: 80, rows: 24, env });
    await screen.shows(/^app\.js \(\d+\) [^]*work\.js +app\.js/);
    assert.equal(screen.lines.length, 24);
    const isDressed = () => screen.text.includes('\u001b[?1049h') && screen.text.includes('\u001b[7m');
    await until(isDressed, 'the other screen, and colours', LONG_MS);

    screen.resize(120, 30);
    await until(() => screen.lines.length === 30, 'thirty lines', LONG_MS);
    await screen.shows(/ max +pend/);

    screen.press('/work\r');
    await screen.shows(/\[only 'work'\]/);
    screen.press('\r');
    await screen.shows(/Functions[^]*spin +sync/);
    screen.press('\u001b');
    await screen.shows(/called by/);
    screen.press('h');
    await screen.shows(/comes home and stays there/);
    const { out, err } = await seen.ignis(['top', String(seen.child.pid), '--json']);
    assert.equal(err, '');
    const { recipes } = JSON.parse(out);
    assert.match(recipes.find(({ module }) => module === './work.js').text, /cold: true/);
    screen.press('u');
    await screen.shows(/is as its recipes say: 1 replica/);

    await seen.end();
    assert.deepEqual(await screen.exited, [0, null]);
    assert.match(screen.text, /\u001b\[\?25h\u001b\[\?1049l[^]*ignis: app\.js \(\d+\) has ended/);
  });

  it('shows no colour with NO_COLOR, and leaves the program alone when it quits', async () => {
    seen = await startSeen();
    await seen.seen();
    screen = new Screen(['top', String(seen.child.pid)], {
      columns: 80,
      rows: 24,
      env: { ...seen.env, TERM: 'xterm', NO_COLOR: '1', LC_ALL: 'C', LANG: 'C' },
    });
    await screen.shows(/> *\d+% [#.]+ +work\.js/);
    assert.ok(!/\u001b\[[1-9]\d*m/.test(screen.text) && !/[\u0080-\uffff]/.test(screen.text));
    screen.press('q');
    assert.deepEqual(await screen.exited, [0, null]);
    assert.equal(seen.child.exitCode, null);
  });

  it('says when the program does not answer, and goes on when it does again', async () => {
    seen = await startSeen();
    await seen.seen();
    const env = { ...seen.env, TERM: 'xterm-256color', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
    screen = new Screen(['top', '--every-ms', '100', String(seen.child.pid)], { columns: 80, rows: 24, env });
    await screen.shows(/work\.js/);
    seen.child.kill('SIGSTOP');
    try {
      await screen.shows(/app\.js [^]*it has not answered for \d+ s: its event loop is busy, or it is stopped[^]*work\.js/);
    } finally {
      seen.child.kill('SIGCONT');
    }
    await screen.shows(/app\.js [^\n]*\n(?!it has not)[^]*work\.js/);
  });

  it('fits into a window that is tiny', async () => {
    seen = await startSeen({ args: ['--recipe', RECIPE] });
    await seen.seen();
    const env = { ...seen.env, TERM: 'xterm-256color', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
    screen = new Screen(['top', '--every-ms', '200', String(seen.child.pid)], { columns: 30, rows: 5, env });
    await screen.shows(/^app\.js \(\d+\)[^]*work\.js/);
    assert.deepEqual([screen.lines.length, screen.lines.filter((line) => line.length > 30)], [5, []]);
    screen.resize(20, 2);
    await until(() => screen.lines.length === 2, 'two lines', LONG_MS);
    await screen.shows(/^app\.js \(\d+\)/);
    assert.deepEqual(
      screen.lines.filter((line) => line.length > 20),
      [],
    );
  });

  it('gives the terminal back also when it is ended by a signal, and ends by that', async () => {
    seen = await startSeen();
    await seen.seen();
    const env = { ...seen.env, TERM: 'xterm-256color', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
    // A shell stays behind it, to tell how it ended.
    screen = new Screen(['top', String(seen.child.pid)], { columns: 80, rows: 24, env, after: 'echo "ended by $?"; stty -a' });
    await screen.shows(/work\.js/);
    process.kill(screen.pid, 'SIGTERM');
    await until(() => /icanon/.test(screen.text), 'the shell', LONG_MS);
    assert.match(screen.text, /\u001b\[\?25h\u001b\[\?1049l[^]*ended by 143[^]* icanon/);
  });
});
