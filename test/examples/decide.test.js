'use strict';

const assert = require('node:assert/strict');
const { EventEmitter, once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { predictedIn } = require('../../bench/decide/app.js');
const { bestOf, predictionsOf, stepsOf, verdictOf } = require('../../bench/decide/judge.js');
const { WORKLOADS, movable, statics } = require('../../bench/decide/list.js');
const { putLoad, timetable } = require('../../bench/decide/load.js');
const { Tally, rateOf } = require('../../bench/decide/tally.js');
const { texts } = require('../../bench/decide/texts.js');
const { RecipeBook } = require('../../lib/recipe/book.js');

const FOLDER = path.join(__dirname, '..', '..', 'bench', 'decide');

/** @param {number} atMs @param {number} from @param {number} to @param {string} [reason] @param {string} [module] */
const act = (atMs, from, to, reason = 'pressure', module = 'a') => ({
  atMs,
  module,
  action: to > from ? 'scale-out' : 'scale-in',
  from,
  to,
  reason,
  sentence: '',
  predicted: null,
  measured: null,
});

describe('decide: workloads', () => {
  it('each has a program and a recipe, and nothing else lies beside them', () => {
    const names = Object.keys(WORKLOADS)
      .map((name) => `${name}.js`)
      .sort();
    assert.deepEqual(fs.readdirSync(path.join(FOLDER, 'workloads')).sort(), names);
    assert.deepEqual(fs.readdirSync(path.join(FOLDER, 'recipes')).sort(), names);
  });

  for (const name of Object.keys(WORKLOADS)) {
    it(`the recipe of ${name} is valid, and names modules that are there`, () => {
      const book = new RecipeBook({ appRoot: FOLDER, recipeFile: path.join(FOLDER, 'recipes', `${name}.js`) });
      assert.ok(book);
      for (const target of movable(name)) assert.ok(require.resolve(target, { paths: [FOLDER] }));
    });
  }

  it('static configurations of one module go to twice the processors, in processes and in threads', () => {
    const plans = statics(['a'], 2);
    assert.deepEqual(
      plans.map(({ name }) => name),
      ['1 process', '2 processes', '3 processes', '4 processes', '1 thread', '2 threads', '3 threads', '4 threads'],
    );
    assert.deepEqual(plans[5], { name: '2 threads', kind: 'static', copies: { a: 2 }, where: 'thread' });
  });

  it('those of two modules are all combinations that have no more together', () => {
    const plans = statics(['a', 'b'], 2);
    assert.equal(plans.length, 28);
    assert.ok(plans.every(({ copies = {} }) => copies.a + copies.b >= 1 && copies.a + copies.b <= 4));
    assert.deepEqual(statics([], 2), []);
  });

  it('the static recipe fixes copies and place, and keeps the rest', () => {
    const before = { ...process.env };
    try {
      process.env.DECIDE_RECIPE = path.join(FOLDER, 'recipes', 'words-small.js');
      process.env.DECIDE_COPIES = '{"./modules/words.js":3}';
      process.env.DECIDE_WHERE = 'thread';
      const { modules } = require('../../bench/decide/fixed.js');
      assert.deepEqual(modules['./modules/words.js'], {
        copies: 3,
        where: 'thread',
        preload: true,
        call: 'await',
        pure: true,
      });
    } finally {
      for (const name of ['DECIDE_RECIPE', 'DECIDE_COPIES', 'DECIDE_WHERE']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });

  it('a job has 82,000 words, the same for the same seed', () => {
    const [first] = texts(1);
    assert.equal(first.split(' ').length, 82_000);
    assert.equal(first, texts(1)[0]);
    assert.notEqual(first, texts(2)[0]);
  });
});

describe('decide: load', () => {
  it('clients ask again when they were answered, in the phases they belong to', async () => {
    const phases = timetable([
      { name: 'one', seconds: 1, load: { clients: 1 }, isMeasured: false },
      { name: 'three', seconds: 60, load: { clients: 3 }, isMeasured: true },
    ]);
    /** @type {Record<string, number>} */
    const most = { one: 0, three: 0 };
    const hasAll = new EventEmitter();
    let pending = 0;
    await putLoad(phases, 1, async (_begun, phase) => {
      most[phase] = Math.max(most[phase], ++pending);
      // The first to come are not answered before all have: else who asks while another waits for its turn of the loop is a matter of luck.
      if (most.three === 3) hasAll.emit('all');
      else if (phase === 'three') await once(hasAll, 'all');
      await new Promise(setImmediate);
      pending--;
      if (most.three === 3) phases[1].to = 0;
    });
    assert.deepEqual(most, { one: 1, three: 3 });
    assert.equal(pending, 0);
  });

  it('open arrivals are timed from when they should have come, though the loop was kept', async () => {
    const phases = timetable([{ name: 'open', seconds: 0.2, load: { rate: 200 }, isMeasured: true }]);
    const [{ from, to }] = phases;
    /** @type {number[]} */
    const late = [];
    await putLoad(phases, 1, async (begun) => {
      assert.ok(begun >= from && begun < to);
      late.push(performance.now() - begun);
      if (late.length === 1) for (const end = performance.now() + 100; performance.now() < end;);
    });
    assert.ok(late.length > 20 && late.length < 70, String(late.length));
    assert.ok(Math.max(...late) > 60, 'those that should have come meanwhile waited for the loop');
  });

  it('the same seed gives the same arrivals', async () => {
    /** @param {number} seed */
    const arrivals = async (seed) => {
      const [phase] = timetable([{ name: 'open', seconds: 0.05, load: { rate: 400 }, isMeasured: true }]);
      /** @type {string[]} */
      const gaps = [];
      await putLoad([phase], seed, async (begun) => void gaps.push((begun - phase.from).toFixed(6)));
      return gaps.join();
    };
    assert.equal(await arrivals(1), await arrivals(1));
    assert.notEqual(await arrivals(1), await arrivals(2));
  });
});

describe('decide: tally', () => {
  it('a rate is taken from the last thing done before the span to the last one in it', () => {
    const done = [300, 600, 900, 1200, 1500].map((at) => ({ at, units: 3 }));
    assert.equal(rateOf(done, 700, 1400), 10);
  });

  it('a rate goes to the end of the span where nothing was done for long', () => {
    const done = [100, 200, 300].map((at) => ({ at, units: 1 }));
    assert.equal(rateOf(done, 100, 1100), 2);
    assert.equal(rateOf(done, 400, 1100), 0);
  });

  it('a request that was never answered counts with its age', () => {
    const tally = new Tally();
    const begun = performance.now() - 5000;
    tally.request(begun);
    tally.request(begun)();
    tally.close();
    const { requests, p99Ms } = tally.requestsOf(begun - 1, begun + 1);
    assert.equal(requests, 2);
    assert.ok(p99Ms >= 5000 && p99Ms < 60_000);
  });
});

describe('decide: judge', () => {
  it('plain is best when nothing beats it by more than two percent', () => {
    assert.equal(bestOf('throughput', new Map([['plain', [100]], ['two', [101]]])), 'plain'); // prettier-ignore
    assert.equal(bestOf('throughput', new Map([['plain', [100]], ['two', [103]]])), 'two'); // prettier-ignore
    assert.equal(bestOf('p99', new Map([['plain', [100]], ['two', [99]]])), 'plain'); // prettier-ignore
    assert.equal(bestOf('p99', new Map([['plain', [100]], ['two', [50]]])), 'two'); // prettier-ignore
  });

  it('the bar is ten percent to the best configuration, two to plain', () => {
    assert.deepEqual(verdictOf('throughput', 'two', 0.91), { bar: 0.9, holds: true });
    assert.deepEqual(verdictOf('throughput', 'plain', 0.97), { bar: 0.98, holds: false });
    assert.deepEqual(verdictOf('p99', 'two', 1.2), { bar: 1.1, holds: false });
    assert.deepEqual(verdictOf('p99', 'plain', 1.01), { bar: 1.02, holds: true });
  });

  it('several steps in one direction are one; each return after a scale-out begins another pair', () => {
    assert.equal(stepsOf([[act(0, 0, 1), act(500, 1, 2)]], false).pairs, 1);
    assert.equal(stepsOf([[act(0, 0, 2), act(9000, 2, 0, 'gone')]], false).pairs, 1);
    const oscillating = stepsOf([[act(0, 0, 2), act(9000, 2, 0, 'gone'), act(12_000, 0, 2)]], false);
    assert.equal(oscillating.pairs, 2);
    assert.equal(oscillating.holds, false);
    assert.equal(stepsOf([[act(0, 0, 1), act(1, 0, 1, 'pressure', 'b'), act(9000, 1, 0, 'gone')]], false).pairs, 1);
  });

  it('a step that was taken back is wrong, one whose load went is not', () => {
    const undone = stepsOf([[act(0, 0, 1), act(500, 1, 2), act(2000, 2, 1, 'no-gain')]], false);
    assert.deepEqual([undone.wrong, undone.slowestUndoMs, undone.holds], [1, 1500, true]);
    const followed = stepsOf([[act(0, 0, 2), act(2000, 2, 0, 'gone')]], false);
    assert.deepEqual([followed.wrong, followed.slowestUndoMs], [0, null]);
  });

  it('where plain is best, each scale-out is wrong, and one that stays is never undone', () => {
    assert.deepEqual(stepsOf([[act(0, 0, 1)], []], true), {
      outs: 1,
      ins: 0,
      wrong: 1,
      kept: 1,
      slowestUndoMs: null,
      pairs: 1,
      holds: false,
    });
    assert.equal(stepsOf([[act(0, 0, 1), act(1500, 1, 0, 'gone')]], true).holds, true);
    assert.equal(stepsOf([[]], true).holds, true);
  });

  it('a prediction is read from an object or from single figures, and is null where nothing was foretold', () => {
    assert.deepEqual(predictedIn({ predicted: { callsPerSecond: 5, p99Ms: 2, note: 'x' } }), { callsPerSecond: 5, p99Ms: 2 });
    assert.deepEqual(predictedIn({ predictedP50Ms: 1, predictedLoopShare: 0.5 }), { p50Ms: 1, loopShare: 0.5 });
    assert.equal(predictedIn({ calls: 3, predictedP99Ms: NaN }), null);
  });

  it('predictions are compared with what was measured after the last step that foretold something', () => {
    const measured = { callsPerSecond: 200, p50Ms: 5, p99Ms: 10, loopShare: 0.5 };
    const runs = [
      [
        { ...act(0, 0, 1), predicted: { callsPerSecond: 1 }, measured },
        { ...act(500, 1, 2), predicted: { callsPerSecond: 220, p99Ms: 14 }, measured },
        { ...act(900, 2, 3), predicted: { callsPerSecond: 9 }, measured: null },
      ],
    ];
    const found = predictionsOf(runs).map(({ figure, error, bar }) => [figure, Number(error.toFixed(3)), bar]);
    assert.deepEqual(found, [
      ['callsPerSecond', 0.1, 0.1],
      ['p99Ms', 0.4, 0.3],
    ]);
    assert.deepEqual(predictionsOf([[act(0, 0, 1)]]), []);
  });
});
