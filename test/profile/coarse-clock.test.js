'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const {
  ticks,
  spanSince,
  startCoarseClock,
  stopCoarseClock,
  restCoarseClock,
  isCoarseClockRunning,
  TICK_MS,
} = require('../../lib/profile/coarse-clock');

const FILE = require.resolve('../../lib/profile/coarse-clock');

/** Keeps this thread busy. @param {number} ms */
function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/**
 * A call that keeps this thread busy for so long.
 *
 * @param {number} ms
 * @returns {{span: number, took: number, count: number}} what the clock says of it, what it took, and the ticks in it
 */
function callOf(ms) {
  const before = ticks[0];
  const start = performance.now();
  spin(ms);
  const span = spanSince(before);
  return { span, took: performance.now() - start, count: ticks[0] - before };
}

/** Until the clock has ticked some times. @param {number} count */
async function ticked(count) {
  const before = ticks[0];
  while (ticks[0] - before < count) await new Promise((resolve) => setImmediate(resolve));
}

describe('coarse-clock', () => {
  afterEach(() => {
    restCoarseClock(false);
    return stopCoarseClock();
  });

  it('stands still until it is started, and after it was stopped', async () => {
    const before = ticks[0];
    spin(3 * TICK_MS);
    assert.equal(ticks[0], before);
    startCoarseClock();
    startCoarseClock();
    assert.equal(isCoarseClockRunning(), true);
    await ticked(3);
    await stopCoarseClock();
    await stopCoarseClock();
    assert.equal(isCoarseClockRunning(), false);
    const after = ticks[0];
    spin(3 * TICK_MS);
    assert.equal(ticks[0], after);
  });

  it('goes on where it stopped', async () => {
    startCoarseClock();
    await ticked(2);
    await stopCoarseClock();
    const before = ticks[0];
    startCoarseClock();
    await ticked(2);
    assert.ok(ticks[0] > before);
  });

  it('tells how long something took that kept this thread, within two ticks and its own lateness', async () => {
    startCoarseClock();
    await ticked(3);
    const { span, took } = callOf(120);
    assert.ok(span > 60 && span < 200, `said ${span} of ${took}`);
  });

  it('ticks more seldom at rest, where a call of some length is still found, and as often as before after it', async () => {
    startCoarseClock();
    restCoarseClock(true);
    await ticked(2);
    const { span, took, count } = callOf(240);
    assert.ok(count <= took / 50 + 1, `${count} ticks in ${took} ms`);
    assert.ok(span > 120 && span < took + 60, `said ${span} of ${took}`);
    restCoarseClock(false);
    // On a busy machine ticks come late: what is waited for is a tenth of a second with more of them than a rest has.
    for (;;) {
      const from = ticks[0];
      spin(100);
      if (ticks[0] - from > 3) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('says nothing of what had fewer than two ticks inside', async () => {
    startCoarseClock();
    await ticked(3);
    assert.equal(spanSince(ticks[0]), 0);
    assert.equal(spanSince(ticks[0] - 1), 0);
    assert.ok(spanSince(ticks[0] - 2) > 0);
  });

  it('answers by the number of ticks for what is older than it remembers', async () => {
    startCoarseClock();
    await ticked(2);
    const span = spanSince(ticks[0] - 5000);
    assert.ok(span >= 5000 * TICK_MS && span < 5010 * TICK_MS);
  });

  it('neither keeps a program alive nor runs its preloads again', () => {
    const script = `require(${JSON.stringify(FILE)}).startCoarseClock(); setTimeout(() => console.log('end'), 60)`;
    const preload = require.resolve('../fixtures/modules/says-loaded.js');
    const env = { ...process.env, NODE_OPTIONS: `-r ${preload}` };
    const out = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env, timeout: 25_000 });
    assert.equal(out, 'loaded\nend\n');
  });

  it('leaves the standard streams of a program alone, so that a pipe stays one that can be written to and waited for', () => {
    const script = `require(${JSON.stringify(FILE)}).startCoarseClock();
      require('node:fs').writeSync(2, JSON.stringify([process.stdout, process.stderr].map((stream) => stream.listenerCount('unpipe'))));`;
    const { stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 25_000 });
    assert.equal(stderr, '[0,0]');
  });

  it('stands still where Node gives no threads to a program', () => {
    const script = `const { startCoarseClock, isCoarseClockRunning } = require(${JSON.stringify(FILE)}); startCoarseClock(); console.log(isCoarseClockRunning());`;
    const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
    const out = execFileSync(process.execPath, [flag, '--no-warnings', '--allow-fs-read=*', '-e', script], {
      encoding: 'utf8',
      timeout: 25_000,
    });
    assert.equal(out, 'false\n');
  });

  it('ends with its thread when a program is killed from inside', async () => {
    const script = `require(${JSON.stringify(FILE)}).startCoarseClock(); setTimeout(() => process.exit(3), 50)`;
    const child = require('node:child_process').spawn(process.execPath, ['-e', script]);
    const [code] = await once(child, 'exit');
    assert.equal(code, 3);
  });
});
