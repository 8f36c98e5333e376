'use strict';

const assert = require('node:assert/strict');
const { makeChoose, SCHEDULER_NAMES } = require('../../lib/spawn/balance');
const { STUCK_MS } = require('../../lib/spawn/free');

const NOW = 1000;

/** A replica as the choice sees it: [pending, hasRoom, stuckMs, ahead]. */
function candidates(...rows) {
  return rows.map(([pending, hasRoom = true, stuck = 0, ahead = pending], i) => ({
    id: i + 1,
    pending,
    ahead,
    hasRoom: () => hasRoom,
    stuckMs: () => stuck,
  }));
}

const call = (args = [], affinity = null) => ({ plan: { affinity, path: ['lib', 'f'] }, args });
const choose = (sched, list, { made = call(), turn = 0 } = {}) => makeChoose(sched)(list, made, NOW, turn)?.id ?? null;

describe('the choice of a replica', () => {
  const TABLE = [
    ['least', 'none of none', [], null],
    ['least', 'the first that is idle', [[1], [0], [0]], 2],
    ['least', 'the one with fewest calls', [[5], [2], [3]], 2],
    ['least', 'the first of equals', [[2], [2]], 1],
    ['least', 'the one with the least that has not run yet, however many wait in it', [[2], [9, true, 0, 1], [3]], 2],
    [
      'least',
      'of those with as much ahead, the one with fewest calls',
      [
        [9, true, 0, 1],
        [3, true, 0, 1],
      ],
      2,
    ],
    ['least', 'not one without room', [[0, false], [4]], 2],
    [
      'least',
      'none when none has room',
      [
        [0, false],
        [1, false],
      ],
      null,
    ],
    ['least', 'not one that is stuck', [[1, true, STUCK_MS + 1], [3]], 2],
    [
      'least',
      'none when all are stuck',
      [
        [1, true, STUCK_MS + 1],
        [1, true, 500],
      ],
      null,
    ],
    ['least', 'one that is just not stuck yet', [[1, true, STUCK_MS], [3]], 1],
    ['least', 'an idle one, however long ago it was last stuck', [[0, true, 999]], 1],
    ['rr', 'none of none', [], null],
    ['rr', 'not one without room', [[0, false], [9]], 2],
    ['rr', 'not one that is stuck', [[1, true, STUCK_MS + 1], [9]], 2],
    [
      'rr',
      'none when all are stuck or full',
      [
        [1, true, 99],
        [0, false],
      ],
      null,
    ],
    ['hash', 'none of none', [], null],
  ];
  for (const [sched, what, rows, expected] of TABLE) {
    it(`${sched}: ${what}`, () => assert.equal(choose(sched, candidates(...rows)), expected));
  }

  it('rr: each in its turn, and the next when one cannot', () => {
    const list = candidates([0], [0], [0]);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((turn) => choose('rr', list, { turn })),
      [1, 2, 3, 1, 2],
    );
    const busy = candidates([0], [0, false], [0]);
    assert.deepEqual(
      [0, 1, 2, 3].map((turn) => choose('rr', busy, { turn })),
      [1, 3, 3, 1],
    );
  });

  it('hash: the same arguments or key go to the same replica, whatever its load', () => {
    const list = candidates([0], [9, false, 99], [3]);
    for (let key = 0; key < 20; key++) {
      const first = choose('hash', list, { made: call([key, { deep: key }]) });
      assert.equal(choose('hash', [...list].reverse(), { made: call([key, { deep: key }]) }), first);
      assert.equal(
        choose('hash', list, { made: call([key, 'a'], (args) => args[0]) }),
        choose('hash', list, { made: call([key, 'b'], (args) => args[0]) }),
      );
    }
  });

  it('hash: spreads keys evenly, and moves few of them when a replica comes or goes', () => {
    const keys = Array.from({ length: 4000 }, (_, i) => call([`key ${i}`]));
    const four = candidates([0], [0], [0], [0]);
    const five = candidates([0], [0], [0], [0], [0]);
    const before = keys.map((made) => choose('hash', four, { made }));
    const counts = [1, 2, 3, 4].map((id) => before.filter((chosen) => chosen === id).length);
    for (const count of counts) assert.ok(count > 800 && count < 1200, `spread ${counts}`);
    const after = keys.map((made) => choose('hash', five, { made }));
    const moved = after.filter((id, i) => id !== before[i]);
    assert.ok(
      moved.every((id) => id === 5),
      'a key only moves to the new one',
    );
    assert.ok(moved.length > 600 && moved.length < 1000, `${moved.length} moved`);
    const three = keys.map((made) => choose('hash', four.slice(0, 3), { made }));
    assert.ok(
      three.every((id, i) => id === before[i] || before[i] === 4),
      'only those of the one that left move',
    );
  });

  it('hash: does not fail on arguments that JSON cannot tell', () => {
    const cycle = {};
    cycle.self = cycle;
    for (const args of [[1n], [cycle], [undefined], undefined]) assert.ok(choose('hash', candidates([0], [0]), { made: call(args) }) > 0);
  });

  it('a function: sees ids and pending calls, path and arguments, and gives an index', () => {
    const seen = [];
    const made = call(['x']);
    assert.equal(
      choose((list, asked) => seen.push([list, asked]) && 1, candidates([4], [5]), { made }),
      2,
    );
    assert.deepEqual(seen, [
      [
        [
          { id: '1', pending: 4 },
          { id: '2', pending: 5 },
        ],
        { path: 'lib.f', args: ['x'] },
      ],
    ]);
  });

  it('a function: what it gives that is no index is taken for no opinion', () => {
    for (const index of [-1, 7, undefined, NaN, 'x'])
      assert.equal(
        choose(() => index, candidates([4], [1])),
        2,
      );
    assert.equal(
      choose(() => 9, candidates([4, false], [1, false]), { turn: 1 }),
      2,
    );
  });

  it('knows its names', () => {
    assert.deepEqual(SCHEDULER_NAMES, ['least', 'rr', 'hash', 'weighted', 'elu']);
  });
});
