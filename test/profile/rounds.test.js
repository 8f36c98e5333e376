'use strict';

const assert = require('node:assert/strict');
const { Meter } = require('../../lib/profile/meter');
const { Window } = require('../../lib/profile/window');

/** Counts how often somebody looks at it. */
class SeenMeter extends Meter {
  static looks = 0;

  get calls() {
    SeenMeter.looks++;
    return super.calls;
  }
}

const MANY = 2000;

function build() {
  const clock = { time: 0 };
  const window = new Window({ now: () => clock.time, turns: () => 0 });
  const boundaries = Array.from({ length: MANY }, (_, i) => {
    const points = new Map([['parse', { meter: new SeenMeter() }]]);
    return { id: `app.js -> ${i}`, parent: { name: './app.js' }, child: { name: `./${i}.js` }, points, onTouch: null };
  });
  for (const boundary of boundaries) window.track(/** @type {any} */ (boundary));
  const tick = (times = 1) => {
    for (let i = 0; i < times; i++) {
      clock.time += 100;
      window.tickInTurn();
    }
  };
  return { window, boundaries, tick };
}

const meterOf = ({ points }) => points.get('parse').meter;

/** As a wrapper counts a call. */
function call(meter) {
  meter.countCall();
  const weight = meter.beginSample();
  meter.bookTimed(0.01, 0, weight);
}

function looksOf(act) {
  const before = SeenMeter.looks;
  act();
  return SeenMeter.looks - before;
}

describe('profile/rounds', () => {
  it('look at few of many boundaries that nothing goes on at', () => {
    const { boundaries, tick } = build();
    for (const boundary of boundaries) call(meterOf(boundary));
    assert.ok(looksOf(() => tick()) >= MANY);
    tick(15);
    assert.ok(looksOf(() => tick()) < MANY / 4);
  });

  it('see at the next tick whichever is called again', () => {
    const { window, boundaries, tick } = build();
    for (const boundary of boundaries) call(meterOf(boundary));
    tick(15);
    assert.deepEqual(window.readings(), []);
    for (const boundary of boundaries.slice(-50)) call(meterOf(boundary));
    tick();
    assert.deepEqual(
      window.readings().map((reading) => [reading.boundary, reading.calls]),
      boundaries.slice(-50).map(({ id }) => [id, 1]),
    );
  });

  it('see a call of any kind: one that is timed, one that is only counted, and a completion', () => {
    const { window, boundaries, tick } = build();
    tick(15);
    const [timed, counted, completed] = boundaries.slice(-3).map(meterOf);
    timed.bookTimed(0.01, 0, timed.beginSample());
    timed.slots[0]++;
    counted.countCall();
    completed.complete(5);
    tick();
    assert.equal(window.readings().length, 3);
  });

  it('has the next call of a function timed before nobody looks at it', () => {
    const { boundaries, tick } = build();
    const meter = meterOf(boundaries.at(-1));
    for (let i = 0; i < 100; i++) call(meter);
    assert.ok(meter.slots[2] > 1);
    tick(15);
    assert.equal(meter.slots[2], 1);
  });

  it('see a function that is new at a boundary', () => {
    const { window, boundaries, tick } = build();
    tick(15);
    const boundary = boundaries.at(-1);
    const meter = new Meter();
    boundary.points.set('lexer', { meter });
    boundary.onTouch();
    call(meter);
    tick();
    assert.deepEqual(
      window.readings().map(({ calls }) => calls),
      [1],
    );
  });

  it('come to each in its turn, whatever was counted there without a word', () => {
    const { window, boundaries, tick } = build();
    tick(15);
    const { slots } = meterOf(boundaries.at(-1));
    slots[0] += 7;
    slots[18] += 7;
    tick(MANY / 64);
    assert.equal(window.totals(boundaries.at(-1).id).calls, 7);
    assert.ok(looksOf(() => tick()) < MANY / 4);
  });

  it('forget one that is forgotten while it rests', () => {
    const { window, boundaries, tick } = build();
    tick(15);
    for (const { id } of boundaries.slice(1)) window.forget(id);
    assert.equal(boundaries.at(-1).onTouch, null);
    assert.equal(
      looksOf(() => tick()),
      1,
    );
  });
});
