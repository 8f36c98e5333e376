'use strict';

const assert = require('node:assert/strict');
const { Cores, SETTLE_MS, TURN_MS } = require('../../lib/rank/cores');

describe('turns to look for free cores', () => {
  let now;
  let idle;
  /** @type {string[]} */
  let turns;
  const make = (/** @type {boolean} */ isInside) => new Cores({ read: () => idle, isInside, now: () => now });
  const ask = (/** @type {Cores} */ cores, /** @type {any} */ who) => cores.ask(who, (ms) => turns.push(`${who.name} ${ms}`));
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  beforeEach(() => {
    [now, idle, turns] = [0, 1.5, []];
  });

  it("are all home's while nobody wishes", () => {
    const cores = make(false);
    assert.equal(cores.free(), 1.5);
    idle = null;
    assert.equal(cores.free(), null);
    assert.equal(cores.isAsked, false);
  });

  it('are given to one at a time, and to home between two of them', () => {
    const cores = make(false);
    ask(cores, a);
    ask(cores, b);
    assert.deepEqual(turns, [`a ${TURN_MS}`]);
    assert.equal(cores.free(), 0);
    now = TURN_MS + SETTLE_MS - 1;
    assert.equal(cores.free(), 0, 'what a has started does not show yet');
    now += 1;
    assert.equal(cores.free(), 1.5);
    assert.deepEqual(turns.length, 1);
    now = 2 * (TURN_MS + SETTLE_MS);
    ask(cores, a);
    assert.deepEqual(turns, [`a ${TURN_MS}`, `b ${TURN_MS}`], 'who has waited longest');
    assert.equal(cores.free(), 0);
  });

  it('are not given to who wishes no more', () => {
    const cores = make(false);
    ask(cores, a);
    ask(cores, b);
    cores.leave(b);
    now = 2 * (TURN_MS + SETTLE_MS);
    assert.equal(cores.free(), 1.5);
    assert.deepEqual(turns, [`a ${TURN_MS}`]);
  });

  describe('in a replica', () => {
    const hot = { allowed: true, copies: /** @type {[number, number]} */ ([0, 4]) };

    it('are needed for each replica that no recipe asks for', () => {
      const cores = make(true);
      assert.equal(cores.free(), 0);
      assert.equal(cores.bound('c', hot, 0).allowed, false);
      assert.match(String(cores.bound('c', hot, 0).why), /turn/);
      assert.deepEqual(cores.bound('c', { allowed: true, copies: [1, 4] }, 0).copies, [1, 1]);
      const refused = { allowed: false, copies: /** @type {[number, number]} */ ([0, 0]) };
      assert.equal(cores.bound('c', refused, 0), refused);
    });

    it('let it start as many as cores were free when its turn began, over all modules, and no more', () => {
      const cores = make(true);
      cores.bound('c', hot, 0);
      cores.bound('d', hot, 0);
      cores.give(TURN_MS);
      assert.equal(cores.free(), 1.5);
      assert.deepEqual(cores.bound('c', hot, 0).copies, [0, 2]);
      // The counters still show both as free.
      assert.deepEqual(cores.bound('c', hot, 1).copies, [0, 2]);
      assert.deepEqual(cores.bound('d', hot, 0).copies, [0, 1]);
      assert.deepEqual(cores.bound('d', hot, 1).copies, [0, 1]);
      assert.deepEqual(cores.bound('c', hot, 1), { allowed: true, copies: [0, 1], isHeld: true });
      now = TURN_MS;
      assert.equal(cores.free(), 0);
      assert.deepEqual(cores.bound('c', hot, 1).copies, [0, 1], 'it keeps what it has');
    });

    it('begin with a reading of the last half second, since the counters are read at each tick', () => {
      let reads = 0;
      const cores = new Cores({ read: () => ((reads += 1), idle), isInside: true, now: () => now });
      cores.free();
      cores.free();
      assert.equal(reads, 2);
    });

    it('are not kept for later: what it has not started in its turn it may not start after it', () => {
      const cores = make(true);
      cores.give(TURN_MS);
      now = TURN_MS - 1;
      assert.deepEqual(cores.bound('c', hot, 0).copies, [0, 2]);
      now = TURN_MS;
      assert.equal(cores.bound('c', hot, 0).allowed, false);
    });

    it('let it start none where no core is free', () => {
      const cores = make(true);
      idle = 0.1;
      cores.give(TURN_MS);
      assert.equal(cores.bound('c', hot, 0).allowed, false);
    });

    it('go on to those further inside every second time', () => {
      const cores = make(true);
      ask(cores, a);
      assert.deepEqual(turns, [], 'it has none to give');
      cores.give(TURN_MS);
      assert.deepEqual(turns, [`a ${TURN_MS}`]);
      assert.equal(cores.free(), 0);
      now = 4000;
      ask(cores, a);
      cores.give(TURN_MS);
      assert.equal(turns.length, 1);
      assert.equal(cores.free(), 1.5);
    });
  });
});
