'use strict';

const assert = require('node:assert/strict');
const { Rising } = require('../../lib/rank/rising');

describe('rank/rising', () => {
  /** @type {{run: () => void, ms: number, isRef: boolean}[]} */
  let timers;
  let rounds;
  let rising;

  beforeEach(() => {
    timers = [];
    rounds = 0;
    rising = new Rising({
      timers: {
        setInterval: (run, ms) => {
          const timer = { run, ms, isRef: true, unref: () => (timer.isRef = false) };
          timers.push(timer);
          return timer;
        },
        clearInterval: (timer) => timers.splice(timers.indexOf(timer), 1),
      },
      ms: 50,
      run: () => rounds++,
    });
  });

  it('looks once more between two ticks where a load comes, and keeps no program alive for it', () => {
    rising.note(0.05);
    assert.equal(timers.length, 0, 'there was no round before');
    rising.note(0.35);
    assert.deepEqual([timers.length, timers[0].ms, timers[0].isRef], [1, 50, false]);
    rising.note(0.65);
    assert.equal(timers.length, 1, 'one at a time');
    timers[0].run();
    assert.deepEqual([rounds, timers.length], [1, 0]);
    rising.note(0.9);
    assert.equal(timers.length, 1);
  });

  it('leaves a load alone that stays, grows slowly, or goes', () => {
    for (const utilisation of [0.5, 0.5, 0.62, 0.74, 0.86, 0.98, 0.2, 0.3]) rising.note(utilisation);
    assert.equal(timers.length, 0);
  });

  it('ends with the coordinator', () => {
    rising.note(0);
    rising.note(1);
    rising.close();
    rising.close();
    assert.deepEqual([rounds, timers.length], [0, 0]);
  });
});
