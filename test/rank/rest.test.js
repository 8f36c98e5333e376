'use strict';

const assert = require('node:assert/strict');
const { Rest } = require('../../lib/rank/rest');

const stay = (reason) => ({ from: 0, to: 0, reason });

/** What becomes of so many ticks: '-' for one that is not needed, 'l' for a look, 'R' for a round. */
function ticks(rest, round, utilisation, count, tickMs = 100) {
  rest.begin(round, utilisation(0), 0);
  let seen = '';
  for (let at = 1; at <= count; at++) {
    if (rest.goesOnUnseen()) seen += '-';
    else if (rest.goesOn(utilisation(at), at * tickMs)) seen += 'l';
    else {
      seen += 'R';
      rest.begin(round, utilisation(at), at * tickMs);
    }
  }
  return seen;
}

describe('rank/rest', () => {
  const rest = () => new Rest({ tickMs: 100, windowMs: 1000 });
  const always = (utilisation) => () => utilisation;

  it('leaves out two of three rounds while the load is the same, and nine of ten while there is none', () => {
    assert.equal(ticks(rest(), [stay('no-pressure')], always(0.8), 6), 'llRllR');
    assert.equal(ticks(rest(), [stay('no-pressure')], always(0.01), 11), 'lllllllllRl');
    assert.equal(ticks(rest(), [], always(0.8), 3), 'llR');
  });

  it('leaves out none where the load is another one, or it is a matter of time', () => {
    assert.equal(
      ticks(rest(), [stay('no-pressure')], (at) => at / 5, 3),
      'RRR',
    );
    assert.equal(ticks(rest(), [stay('starting')], always(0.8), 3), 'RRR');
    assert.equal(ticks(rest(), [stay('no-pressure'), { from: 1, to: 1, reason: 'enough' }], always(0.8), 3), 'RRR');
    assert.equal(ticks(new Rest({ tickMs: 300, windowMs: 1000 }), [stay('not-allowed')], always(0.8), 3), 'RRR');
  });

  it('leaves out none where ticks come so late that others would have been due meanwhile', () => {
    assert.equal(ticks(rest(), [stay('no-core')], always(1), 4, 150), 'lRlR');
    assert.equal(ticks(rest(), [stay('no-core')], always(1), 3, 2700), 'RRR');
  });

  it('leaves out nine of ten, and looks at every third tick, where nothing may leave, whatever comes', () => {
    const barred = [stay('not-allowed'), stay('not-allowed')];
    const one = rest();
    assert.equal(ticks(one, barred, always(0.8), 27), 'llR'.repeat(9), 'the first rounds');
    assert.equal(
      ticks(one, barred, (at) => (at % 2) * 0.9, 20),
      '--l--l--lR--l--l--lR',
    );
    assert.equal(ticks(rest(), [stay('not-allowed'), stay('no-pressure')], always(0.8), 3), 'llR');
  });

  it('lasts while nothing is called, where all stay at home until the load is another one, or have what their recipes want', () => {
    const isLasting = (round, options = { tickMs: 100, windowMs: 1000 }) => {
      const one = new Rest(options);
      one.begin(round, 0, 0);
      return one.isLasting;
    };
    const kept = { from: 2, to: 2, reason: 'enough' };
    assert.equal(isLasting([]), true);
    assert.equal(isLasting([stay('idle'), stay('not-allowed'), kept]), true);
    for (const other of [stay('starting'), { from: 2, to: 2, reason: 'reclaim' }, { from: 2, to: 1, reason: 'enough' }])
      assert.equal(isLasting([kept, other]), false);
    assert.equal(isLasting([kept], { tickMs: 300, windowMs: 1000 }), false);
  });

  it('is over when something is registered', () => {
    const one = rest();
    for (let round = 0; round < 11; round++) one.begin([stay('not-allowed')], 0.8, 0);
    assert.deepEqual([one.goesOnUnseen(), one.isLasting], [true, true]);
    one.end();
    assert.equal(one.isLasting, false);
    assert.equal(one.goesOnUnseen() || one.goesOn(0.8, 100), false);
  });
});
