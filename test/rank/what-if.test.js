'use strict';

const assert = require('node:assert/strict');
const { whatIf } = require('../../lib/rank/what-if');

const boundary = (child, share) => ({
  id: `a.js -> ${child}`,
  child,
  callsPerSecond: 100,
  share,
  meanMs: 10 * share,
  pending: 0,
  bytes: 100,
  values: 3,
  latencyMs: null,
  isLater: false,
  quantiles: Array(17).fill(10 * share),
});

const REPORT = /** @type {any} */ ({
  cpus: 4,
  busiest: {
    at: '2026-11-22T11:00:00.000Z',
    windowMs: 1000,
    poolThreads: 4,
    loop: { utilisation: 1, delayMs: 20 },
    boundaries: [boundary('hot', 0.9), boundary('cool', 0.05)],
    replicas: [],
  },
});

describe('rank/what-if', function () {
  this.timeout(60_000);

  it('says what each number of replicas brings, of the most pressed module by default', async () => {
    const { module, answers, modules, cores, ready } = await whatIf(REPORT);
    assert.deepEqual([module, modules, cores, ready], ['hot', ['hot', 'cool'], 4, 0]);
    assert.deepEqual(
      answers.map(({ replicas }) => replicas),
      [0, 1, 2, 3, 4],
    );
    assert.ok(answers[2].callsPerSecond > 1.2 * answers[0].callsPerSecond, JSON.stringify(answers));
    assert.equal(answers.filter(({ isSmallest }) => isSmallest).length, 1);
  });

  it('takes a module, a load and cores, and gives the same answer again', async () => {
    const asked = { module: 'cool', most: 1, load: 2, cores: 8 };
    const first = await whatIf(REPORT, asked);
    assert.deepEqual([first.module, first.load, first.cores, first.answers.length], ['cool', 2, 8, 2]);
    assert.deepEqual(await whatIf(REPORT, asked), first);
  });

  it('leaves the event loop to others meanwhile', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await whatIf(REPORT, { most: 24 });
    clearInterval(timer);
    assert.ok(turns > 5, `${turns}`);
  });

  for (const [asked, why] of [
    [{ module: 'hott' }, /'hott'.*did you mean 'hot'/],
    [{ most: 1e9 }, /replicas must be a whole number from 0 to 64/],
    [{ load: 0 }, /load must be/],
    [{ load: 'x' }, /load must be/],
    [{ cores: 0.5 }, /cores must be/],
    [{ cores: 2.5 }, /cores must be a whole number from 1 to 1024/],
    [{ most: 1.5 }, /replicas must be a whole number from 0 to 64/],
    [{ load: '2' }, /load must be a number from 0.01 to 100/],
  ])
    it(`refuses ${JSON.stringify(asked)}`, () =>
      assert.rejects(whatIf(REPORT, /** @type {any} */ (asked)), { code: 'IGNIS_BAD_OPTION', message: why }));

  it('takes a load that is no whole number', async () => {
    assert.equal((await whatIf(REPORT, { load: 1.5, most: 0 })).load, 1.5);
  });

  it('refuses a program of which no call was seen, and one that had ended before its calls were measured', async () => {
    await assert.rejects(whatIf({ ...REPORT, busiest: null, boundaries: [] }), /no busiest window, because no call was seen/);
    await assert.rejects(whatIf({ ...REPORT, busiest: null, boundaries: [{ calls: 0 }] }), /because no call was seen/);
    await assert.rejects(whatIf({ ...REPORT, busiest: null, boundaries: [{ calls: 3 }] }), /because the program ended before/);
  });
});
