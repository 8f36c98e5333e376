'use strict';

const assert = require('node:assert/strict');
const { Order, jobOf } = require('../../lib/spawn/order');
const { Journal } = require('../../lib/spawn/journal');
const { Keys } = require('../../lib/spawn/keys');
const { Random } = require('../helpers/random');

/** @param {boolean} isOneByOne */
function orderOf(isOneByOne) {
  const order = new Order(isOneByOne);
  const events = [];
  const join = (name, follow = null, mark = 0) => {
    const job = jobOf(mark, () => events.push(`${name} begins`), follow);
    order.join(job);
    return () => order.settle(job, () => events.push(name));
  };
  return { order, events, join };
}

describe('an order', () => {
  it('lets each begin when the one before has settled', () => {
    const { order, events, join } = orderOf(true);
    const [a, b, c] = [join('a', null, 1), join('b', null, 2), join('c', null, 3)];
    assert.equal(order.mark, 2);
    a();
    b();
    c();
    a();
    assert.deepEqual(events, ['a begins', 'a', 'b begins', 'b', 'c begins', 'c']);
    assert.ok(order.isIdle);
    assert.equal(order.mark, Infinity);
  });

  it('lets some follow into the replica where the others are, and into no other', () => {
    const { events, join } = orderOf(true);
    let place = 7;
    const follow = { place: () => place };
    const [a, b] = [join('a', follow), join('b', follow)];
    place = 8;
    const c = join('c', follow);
    const d = join('d');
    assert.deepEqual(events, ['a begins', 'b begins']);
    place = 7;
    b();
    assert.deepEqual(events.splice(0), ['a begins', 'b begins', 'c begins']);
    a();
    c();
    d();
    assert.deepEqual(events, ['a', 'b', 'c', 'd begins', 'd']);
  });

  it('releases in order what runs at the same time', () => {
    const { events, join } = orderOf(false);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => join(name));
    c();
    b();
    assert.deepEqual(events.splice(0), ['a begins', 'b begins', 'c begins']);
    a();
    assert.deepEqual(events, ['a', 'b', 'c']);
  });

  it('takes many that settle as they begin without a deep stack', () => {
    const order = new Order(true);
    let released = 0;
    const first = jobOf(0, () => {}, null);
    order.join(first);
    for (let i = 0; i < 20000; i++) {
      const job = jobOf(0, () => order.settle(job, () => (released += 1)), null);
      order.join(job);
    }
    order.settle(first, () => {});
    assert.equal(released, 20000);
  });
});

describe('a journal', () => {
  const write = (...path) => ({ plan: null, path });

  it('gives what is between two marks', () => {
    const journal = new Journal();
    for (let i = 0; i < 5; i++) journal.add(write(`${i}`), false);
    assert.deepEqual(
      journal.between(1, 3).map(({ at }) => at),
      [2, 3],
    );
    assert.deepEqual(journal.between(5, 5), []);
  });

  it('forgets writes that a later one made void, unless a set-up call or a waiting call saw them', () => {
    const journal = new Journal();
    journal.add(write('a', 'b'), true);
    journal.add(write('c'), true);
    journal.add(write('a'), true);
    assert.deepEqual(
      journal.between(0, 9).map(({ at }) => at),
      [2, 3],
    );
    journal.add({ plan: {}, path: ['a'] }, true);
    journal.add(write('c'), true);
    journal.add(write('c'), false);
    assert.deepEqual(
      journal.between(0, 9).map(({ at }) => at),
      [2, 3, 4, 5, 6],
    );
    journal.refuse('first');
    journal.refuse('second');
    assert.deepEqual([journal.refusal, journal.length], ['first', 8]);
  });
});

describe('keys', () => {
  it('stay where they are while replicas come and go, and spread evenly', () => {
    const random = new Random(5);
    const keys = new Keys();
    let ready = [1, 2, 3].map((id) => ({ id, isOpen: true }));
    const places = new Map();
    for (let i = 0; i < 2000; i++) {
      if (i === 500) ready.push({ id: 4, isOpen: true });
      if (i === 1000) {
        const [gone] = ready;
        ready = ready.slice(1);
        for (const [key, place] of places) if (place === gone && keys.pick(key, ready) === null) places.delete(key);
        keys.forget(gone);
        assert.equal(keys.has(gone), false);
      }
      const key = `key ${random.below(300)}`;
      const place = keys.pick(key, ready);
      assert.equal(place, places.get(key) ?? place);
      places.set(key, place);
    }
    assert.equal(keys.replicas, 3);
    for (const replica of ready) assert.ok([...places.values()].filter((place) => place === replica).length > 30);
  });
});
