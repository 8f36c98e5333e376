'use strict';

const assert = require('node:assert/strict');
const { History } = require('../../lib/view/history.js');

/** A program whose figures stand where `state` says. */
function program() {
  const state = { time: 0, loop: 0, shares: {}, replicas: {} };
  const rooms = () => ({
    loop: { read: () => ({ utilisation: state.loop }) },
    window: { readings: () => Object.entries(state.shares).map(([module, share]) => ({ module, share })) },
    fleet: { sets: Object.entries(state.replicas).map(([module, replicas]) => ({ module, replicas })) },
  });
  const history = new History(rooms, () => state.time);
  const pass = (ms) => {
    state.time += ms;
    history.note();
  };
  return { state, history, pass };
}

describe('view/history', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('notes once a second, however often there are ticks', () => {
    const { history, pass } = program();
    for (let i = 0; i < 50; i++) pass(100);
    assert.equal(history.read().length, 5);
  });

  it('is what kept event loops busy, at home and in replicas, and how many replicas were ready', () => {
    const { state, history, pass } = program();
    Object.assign(state, {
      loop: 0.9,
      shares: { a: 0.5, b: 0.25, c: 0.001 },
      replicas: { b: [{ state: 'ready', utilisation: 0.75 }, { state: 'starting' }] },
    });
    Date.now = () => 42;
    pass(1000);
    assert.deepEqual(history.read(), [{ at: 42, loop: 0.9, known: 0.751, replicas: 1, heats: { b: 1, a: 0.5 } }]);
  });

  it('keeps five minutes, and of each moment the four hottest modules', () => {
    const { state, history, pass } = program();
    state.shares = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`m${i}`, i / 10]));
    for (let i = 0; i < 400; i++) pass(1000);
    assert.equal(history.read().length, 300);
    assert.deepEqual(Object.keys(history.read()[0].heats), ['m8', 'm7', 'm6', 'm5']);
  });

  it('is told in means of five for a report, the last of which is whole', () => {
    const { state, history, pass } = program();
    let at = 0;
    Date.now = () => ++at;
    for (let i = 1; i <= 12; i++) {
      Object.assign(state, { loop: i / 100, shares: i % 5 === 0 ? { a: 0.5 } : {}, replicas: { a: Array(i).fill({ state: 'ready' }) } });
      pass(1000);
    }
    const thin = history.readThin();
    assert.deepEqual(
      thin.map((one) => [one.at, one.replicas, Math.round(one.loop * 1000)]),
      [
        [2, 2, 15],
        [7, 7, 50],
        [12, 12, 100],
      ],
    );
    assert.deepEqual(
      thin.map(({ heats }) => heats),
      [{}, { a: 0.1 }, { a: 0.1 }],
    );
    assert.deepEqual(new History(() => assert.fail()).readThin(), []);
  });

  it('begins anew where the clock of the system was set back', () => {
    const { history, pass } = program();
    Date.now = () => 5000;
    pass(1000);
    Date.now = () => 4000;
    pass(1000);
    assert.deepEqual(
      history.read().map(({ at }) => at),
      [4000],
    );
  });
});
