'use strict';

// Who has a log, and what counts in it: records as programs write them, in the order in which an engine may have them.

const assert = require('node:assert/strict');
const { ClusterOrder } = require('../../lib/fs/cluster-order');
const { decodeRecord, encodeRecord } = require('../../lib/fs/cluster-record');

const WHO = { machine: 'm', host: 'h', pid: 1, begin: '' };
const take = (token, after) => ({ kind: 'take', token, after, who: WHO });
const begin = (token, turn, head) => ({ kind: 'begin', token, turn, head });
const entries = (token, turn, first, count = 1) => ({ kind: 'entries', token, turn, first, entries: Array(count).fill(Buffer.from('e')) });
const orderOf = (...records) => {
  const order = new ClusterOrder({ seq: 0, token: null, turn: 0, head: 0 });
  const counted = records.map((record, i) => order.take(record, 10 * (i + 1)));
  return { order, counted };
};

describe('the order of a log in a cluster', () => {
  it('gives the log to one program after the other, and counts nothing of one that has it no more', () => {
    const { order, counted } = orderOf(
      take('a', null),
      begin('a', 1, 0),
      entries('a', 2, 1, 3),
      take('b', 'a'),
      entries('a', 3, 4),
      entries('b', 1, 4),
    );
    assert.deepEqual(counted, [true, true, true, true, false, true]);
    assert.deepEqual([order.token, order.head, order.first], ['b', 4, 1]);
  });

  it('gives it to the first of two that want it at once', () => {
    const { order, counted } = orderOf(take('a', null), take('b', 'a'), take('c', 'a'), begin('c', 1, 7), begin('b', 1, 5));
    assert.deepEqual(counted, [true, true, false, false, true]);
    assert.deepEqual([order.token, order.head], ['b', 5]);
  });

  it('does not count what is there twice, whenever it comes again', () => {
    const { order, counted } = orderOf(
      take('a', null),
      begin('a', 1, 0),
      entries('a', 2, 1),
      entries('a', 2, 1),
      entries('a', 3, 2),
      begin('a', 1, 0),
      take('a', null),
    );
    assert.deepEqual(counted, [true, true, true, false, true, false, false]);
    assert.deepEqual([order.head, order.token], [2, 'a']);
  });

  it('finds what is missing', () => {
    assert.throws(() => orderOf(take('a', null), begin('a', 1, 0), entries('a', 3, 2)), /goes on with record 3, and 2 is missing/);
    assert.throws(() => orderOf(take('a', null), begin('a', 1, 0), entries('a', 2, 2)), /goes on with entry 2, and 1 is missing/);
  });

  it('knows whether who has it has ended, and no other can say so', () => {
    assert.equal(orderOf(take('a', null), { kind: 'end', token: 'b' }).order.isEnded, false);
    assert.equal(orderOf(take('a', null), { kind: 'end', token: 'a' }).order.isEnded, true);
    assert.equal(orderOf(take('a', null), { kind: 'end', token: 'a' }, take('b', 'a')).order.isEnded, false);
  });

  it('forgets whole records below a number', () => {
    const { order } = orderOf(take('a', null), begin('a', 1, 0), entries('a', 2, 1, 4), entries('a', 3, 5, 4), entries('a', 4, 9));
    assert.equal(order.forget(4), null);
    assert.deepEqual(order.forget(8), { seq: 30, first: 1, last: 4, turn: 2 });
    assert.equal(order.first, 5);
    assert.deepEqual(order.forget(100), { seq: 50, first: 9, last: 9, turn: 4 });
    assert.deepEqual([order.first, order.head], [10, 9]);
  });
});

describe('a record of a log in a cluster', () => {
  it('is read with the key that it was written with, and no other, and not when a bit of it has changed', () => {
    const record = entries('a', 2, 1, 2);
    const bytes = encodeRecord(record, 'key');
    assert.deepEqual(decodeRecord(bytes, 'key'), record);
    assert.throws(() => decodeRecord(bytes, 'other'), /that this root has not written/);
    for (const at of [0, 31, 32, bytes.length - 1]) {
      const broken = Buffer.from(bytes);
      broken[at] ^= 1;
      assert.throws(() => decodeRecord(broken, 'key'), /that this root has not written/);
    }
    assert.throws(() => decodeRecord(bytes.subarray(0, 20), 'key'), /that this root has not written/);
  });
});
