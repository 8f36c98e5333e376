'use strict';

const assert = require('node:assert/strict');
const { sentenceOf } = require('../../lib/rank/explain');
const { foreseeing, promiseOf, refine, wishOf } = require('../../lib/rank/foresight');
const { finish } = require('../../lib/rank/parts');
const { measuredModule } = require('../../lib/rank/measured');
const { FRACTIONS } = require('../../lib/rank/service-time');

const source = { measured: ['a window'], assumed: ['a cost'] };
/** What a number of replicas would bring. */
const answer = (replicas, callsPerSecond, p99Ms, loopShare, feltP99Ms = p99Ms) => ({
  replicas,
  callsPerSecond,
  meanMs: p99Ms / 2,
  p50Ms: p99Ms / 2,
  p99Ms,
  feltP99Ms,
  loopShare,
  replicaShare: 0,
  isSaturated: false,
  calls: 1500,
  seed: 1,
  source,
});
const wanted = { to: 2, reason: 'pressure', figures: { share: 0.9 }, memory: {} };
/** What the question is about, of a module without replicas. */
const mostOf = (figures, isAlone) => {
  const { most, cores } = wishOf(/** @type {any} */ ({ module: 'm', from: 0, to: 1, figures: { most: 4, cores: 1, ...figures } }), isAlone);
  return [most, cores];
};
const decidedBy = (answers, { from = 0, isHeavy = false } = {}) => {
  const { to, reason } = refine(wanted, from, { answers }, { isHeavy });
  return [to, reason];
};

describe('rank/foresight', () => {
  it('is asked with the cores that fall to a module, where it alone asks with those of others, too', () => {
    assert.deepEqual(mostOf({}, false), [1, undefined]);
    assert.deepEqual(mostOf({ cores: 3 }, false), [3, undefined]);
    assert.deepEqual(mostOf({}, true), [4, undefined]);
    assert.deepEqual(mostOf({ most: 2 }, true), [2, undefined]);
    // Where its hosts have no more, there are no others to take from.
    assert.deepEqual(mostOf({ hosts: 1, cores: 2 }, true), [2, 2]);
  });

  it('takes the smallest number that is about as good as the best', () => {
    assert.deepEqual(decidedBy([answer(0, 800, 40, 1), answer(1, 850, 38, 0.2), answer(2, 1500, 20, 0.3), answer(3, 1520, 19, 0.3)]), [
      2,
      'pressure',
    ]);
    assert.deepEqual(decidedBy([answer(0, 800, 40, 1), answer(1, 1500, 20, 0.2), answer(2, 1510, 19, 0.3)]), [1, 'pressure']);
  });

  it('takes more where only the waiting gets shorter', () => {
    assert.deepEqual(decidedBy([answer(0, 500, 90, 0.8), answer(1, 500, 40, 0.1), answer(2, 500, 8, 0.1)]), [2, 'pressure']);
  });

  it('stays where nothing is promised, and says what it looked at', () => {
    const answers = [answer(0, 800, 40, 1), answer(1, 700, 44, 1), answer(2, 720, 43, 1)];
    const { to, reason, figures } = refine(wanted, 0, { answers }, { isHeavy: false });
    assert.deepEqual([to, reason, figures.wouldBe, figures.predictedCallsPerSecond], [0, 'no-promise', 2, 720]);
  });

  it('does not buy a free event loop with calls that wait longer, or with fewer calls', () => {
    assert.deepEqual(decidedBy([answer(0, 500, 10, 0.7), answer(1, 500, 30, 0.1)]), [0, 'no-promise']);
    assert.deepEqual(decidedBy([answer(0, 500, 10, 0.7), answer(1, 400, 5, 0.1)]), [0, 'no-promise']);
    assert.deepEqual(decidedBy([answer(0, 500, 10, 0.7), answer(1, 500, 10.5, 0.1)]), [1, 'pressure']);
    assert.deepEqual(
      decidedBy([answer(0, 500, 10, 1), answer(1, 470, 10.5, 0.5)]),
      [0, 'no-promise'],
      'one caller, who waits for each answer',
    );
    assert.deepEqual(decidedBy([answer(0, 500, 10, 1), answer(1, 493, 10.5, 0.5)]), [1, 'pressure']);
  });

  it('does not buy shorter waiting in one module with longer waiting in the next', () => {
    assert.deepEqual(decidedBy([answer(1, 190, 50, 0.2, 60), answer(2, 189, 9, 0.2, 90)], { from: 1 }), [1, 'no-promise']);
    assert.deepEqual(decidedBy([answer(1, 190, 50, 0.2, 60), answer(2, 190, 9, 0.2, 45)], { from: 1 }), [2, 'pressure']);
    assert.deepEqual(decidedBy([answer(1, 190, 50, 0.2, 60), answer(2, 230, 9, 0.2, 90)], { from: 1 }), [2, 'pressure']);
  });

  it('leaves spare replicas for long calls, which no average shows', () => {
    assert.deepEqual(decidedBy([answer(0, 500, 90, 0.8), answer(1, 500, 40, 0.1), answer(2, 500, 39, 0.1)], { isHeavy: true }), [
      2,
      'pressure',
    ]);
    assert.deepEqual(decidedBy([answer(0, 500, 90, 0.8), answer(1, 500, 90, 0.8)], { isHeavy: true }), [2, 'pressure']);
  });

  it('says that it promises nothing by them where the average would be worse', () => {
    const figuresOf = (then, isHeavy) => refine(wanted, 0, { answers: [answer(0, 162, 367, 0.8), then] }, { isHeavy }).figures;
    const worse = figuresOf(answer(2, 121, 736, 0.7), true);
    assert.equal(worse.isUnforeseen, true);
    assert.equal(figuresOf(answer(2, 300, 90, 0.4), true).isUnforeseen, undefined);
    const figures = { calls: 9, exclusiveMs: 900, windowMs: 1000, share: 0.9, maxMs: 300, startMs: 100, callMs: 1, spares: 1, ...worse };
    const said = sentenceOf({ module: 'm', reason: 'pressure', from: 0, to: 2, figures });
    assert.match(said, /start 2, 1 of them to let short calls pass long ones; the prediction, which only knows averages, says 121 calls/);
  });

  it('does not tell the same figure twice, nor of a time without calls', () => {
    const figures = { calls: 9, exclusiveMs: 900, windowMs: 1000, share: 0.9, maxMs: 300, startMs: 100, callMs: 1, spares: 1 };
    const said = (own) => sentenceOf({ module: 'm', reason: 'pressure', from: 0, to: 2, figures: { ...figures, ...own } });
    const same = refine(wanted, 0, { answers: [answer(0, 500, 40, 0.02), answer(2, 500, 40, 0.02)] }, { isHeavy: true }).figures;
    assert.match(said(same), /500 calls a second as now, a p99 of 40 ms as now, and an event loop that is busy 2 % of the time as now$/);
    const none = refine(wanted, 0, { answers: [answer(0, 0, 0, 0.01), answer(2, 0, 0, 0.01)] }, { isHeavy: true }).figures;
    assert.match(said(none), /start 2, 1 of them to let short calls pass long ones$/);
  });

  it('leaves a verdict alone that it has no answer for', () => {
    assert.deepEqual(decidedBy([answer(3, 1, 1, 1)]), [2, 'pressure']);
    assert.deepEqual(decidedBy([]), [2, 'pressure']);
  });

  it('promises what is measured times what is predicted, so that a common error is no error', () => {
    const { figures } = refine(wanted, 0, { answers: [answer(0, 400, 80, 1), answer(2, 800, 20, 0.4)] }, { isHeavy: false });
    const promise = promiseOf(figures, { rate: 500, utilisation: 0.98 });
    assert.equal(promise.rate, 1000);
    assert.ok(Math.abs(promise.utilisation - 0.38) < 1e-9);
    assert.equal(promiseOf({}, { rate: 500, utilisation: 0.98 }), null);
    assert.match(figures.predictedFrom, /a window; a cost/);
  });

  describe('asks the simulation', () => {
    const one = (changes) =>
      measuredModule('hot', {
        callsPerSecond: 800,
        share: 0.9,
        quantiles: FRACTIONS.map((fraction) => 0.8 + 0.6 * fraction),
        pressure: 1,
        ...changes,
      });
    const measured = (...modules) => ({
      from: 'a test',
      at: new Date(0).toISOString(),
      windowMs: 1000,
      utilisation: 0.99,
      ownShare: 0,
      runDelay: 0,
      deaf: 0,
      cores: 2,
      poolThreads: 4,
      modules,
    });
    const foresee = ({ measured: now, module = 'hot', from = 0, most = 4, cores = 2, ...given }) =>
      finish(foreseeing({ measured: now, wishes: [{ module, from, to: from + 1, most, isHeavy: false }], cores, ...given })).get(module);
    const rates = (given) => foresee(given).answers.map((one) => one.callsPerSecond);

    it('for each number up to the most, and to the cores, six at most', () => {
      const { answers } = foresee({ measured: measured(one()), cores: 1.7 });
      assert.deepEqual(
        answers.map(({ replicas }) => replicas),
        [0, 1, 2],
      );
      assert.equal(foresee({ measured: measured(one()), from: 1, most: 90, cores: 64 }).answers.length, 6);
    });

    it('on the cores that nobody else uses', () => {
      const [home, , two] = rates({ measured: measured(one()) });
      assert.ok(two > 1.5 * home, `${two} of ${home}`);
      const [alone, shared] = rates({ measured: measured(one()), cores: 1 });
      assert.ok(shared < 1.1 * alone, `${shared} of ${alone}`);
    });

    it('with the payload that a call has', () => {
      const [home, , two] = rates({ measured: measured(one({ payload: { bytes: 0, values: 10_000 } })) });
      assert.ok(two < home, `${two} of ${home}`);
    });

    it('with what is decided for others in the same moment', () => {
      const both = measured(one({ share: 0.45, callsPerSecond: 400 }), one({ module: 'other', share: 0.45, callsPerSecond: 400 }));
      const decided = new Map([['other', 2]]);
      const [, before] = rates({ measured: both, cores: 4 });
      const [, after] = rates({ measured: both, cores: 4, decided });
      assert.ok(after > 1.1 * before, `${after} of ${before}`);
      // Home and three replicas are more than two cores can keep busy.
      const [, crowded] = rates({ measured: both, cores: 2, decided });
      assert.ok(crowded < 0.9 * after, `${crowded} of ${after}`);
    });

    it('on full cores with what callers of several modules then wait for in the others; on more cores a module is looked at alone', () => {
      const two = measured(
        one({ module: 'long', callsPerSecond: 150, ready: 2, busyMsPerSecond: 1200, waiting: 8, quantiles: FRACTIONS.map(() => 8) }),
        one({ module: 'short', callsPerSecond: 150, ready: 1, busyMsPerSecond: 900, waiting: 8, quantiles: FRACTIONS.map(() => 4) }),
      );
      for (const module of two.modules) module.share = 0;
      two.utilisation = 0.2;
      const ask = (cores) => {
        const foresight = foresee({ measured: { ...two, cores }, module: 'short', from: 1, most: 2, cores });
        return { now: foresight.answers[0], then: foresight.answers[1], to: refine(wanted, 1, foresight, { isHeavy: false }).to };
      };
      const full = ask(2);
      assert.ok(full.then.p99Ms < 0.8 * full.now.p99Ms, 'it alone would be faster');
      assert.ok(full.then.feltP99Ms > 0.85 * full.now.feltP99Ms, 'its callers would not');
      assert.equal(full.to, 1);
      const free = ask(8);
      assert.equal(free.then.feltP99Ms, free.then.p99Ms);
      assert.equal(free.to, 2);
    });

    it('for several together: each needs more where the others no longer keep the loop', () => {
      const four = measured(
        ...['a', 'b', 'c', 'd'].map((module) => one({ module, callsPerSecond: 15, share: 0.24, quantiles: FRACTIONS.map(() => 16) })),
      );
      const wishes = four.modules.map(({ module }) => ({ module, from: 0, to: 1, most: 3, isHeavy: false }));
      const counts = (asked) =>
        [...finish(foreseeing({ measured: four, wishes: asked, cores: 16 }))].map(
          ([, foresight]) => refine(wanted, 0, foresight, { isHeavy: false }).to,
        );
      const [alone] = counts(wishes.slice(0, 1));
      assert.equal(alone, 1, 'the rest of the loop is full');
      assert.ok(counts(wishes)[0] > 1, `${counts(wishes)}`);
      assert.equal(counts(wishes).length, 4);
    });
  });
});
