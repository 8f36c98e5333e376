'use strict';

// Asks about a program that does not exist, so that the engine has compiled the simulation before it is asked about a real one. In:
// nothing. Out: work in small parts, without a result. Pure.

const { foreseeing } = require('./foresight');
const { measuredModule } = require('./measured');
const { FRACTIONS } = require('./service-time');

/** How often each of the two is asked: some 50 ms of work, after which the next question costs half (docs/prediction.md). */
const TIMES = 2;

/** @returns {Generator<void, void>} */
function* warmingUp() {
  for (let asked = 0; asked < TIMES; asked++) {
    for (const utilisation of [0.8, 1]) {
      const measured = exampleOf(utilisation);
      const wishes = measured.modules.map(({ module }) => ({ module, from: 0, to: 1, most: 1, isHeavy: false }));
      yield* foreseeing({ measured, wishes, cores: 2, asked });
    }
  }
}

/** @param {number} utilisation of the loop: full or not makes two models @returns {import('./measured').Measured} */
function exampleOf(utilisation) {
  return {
    from: 'an example',
    at: new Date(0).toISOString(),
    windowMs: 1000,
    utilisation,
    ownShare: 0,
    runDelay: 0,
    deaf: 0,
    cores: 2,
    poolThreads: 4,
    modules: ['one', 'another'].map((module) =>
      measuredModule(module, {
        callsPerSecond: 80,
        share: 0.38,
        payload: { bytes: 100, values: 10 },
        quantiles: FRACTIONS.map((fraction) => 3 + 4 * fraction),
        pressure: 0.4,
      }),
    ),
  };
}

exports.warmingUp = warmingUp;
