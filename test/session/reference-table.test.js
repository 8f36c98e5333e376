'use strict';

const assert = require('node:assert/strict');
const { LentTable, HeldTable } = require('../../lib/session/reference-table');
const { collect } = require('../helpers/link');
const { until } = require('../helpers/until');

describe('LentTable', () => {
  it('gives the same function the same id while it is lent', () => {
    const table = new LentTable();
    const [one, two] = [() => {}, () => {}];
    assert.deepEqual([table.lend(one), table.lend(two), table.lend(one)], [1, 2, 1]);
    assert.equal(table.size, 2);
    assert.equal(table.get(1), one);
  });

  it('forgets a function when all its sendings are given back, in parts or at once', () => {
    const table = new LentTable();
    const fn = () => {};
    for (let i = 0; i < 5; i++) table.lend(fn);
    table.release(1, 2);
    table.release(1, 2);
    assert.equal(table.get(1), fn);
    table.release(1, 1);
    assert.equal(table.get(1), undefined);
    assert.equal(table.size, 0);
  });

  it('survives a release that crosses a new sending', () => {
    const table = new LentTable();
    const fn = () => {};
    const id = table.lend(fn);
    table.lend(fn); // on its way when the other side releases the first
    table.release(id, 1);
    assert.equal(table.get(id), fn);
  });

  it('gives a new id to a function that comes back, so that a late release frees nothing', () => {
    const table = new LentTable();
    const fn = () => {};
    const first = table.lend(fn);
    table.release(first, 1);
    const second = table.lend(fn);
    assert.notEqual(second, first);
    table.release(first, 1);
    assert.equal(table.get(second), fn);
  });

  it('knows one that was loosened by its id also when it was given back, and lends it again under that', () => {
    const table = new LentTable();
    const [loose, other] = [() => {}, () => {}];
    const id = table.lend(loose);
    table.loosen(loose);
    table.loosen(other);
    table.release(id, 1);
    assert.deepEqual([table.size, table.get(id)], [0, loose]);
    assert.equal(table.lend(loose), id);
    assert.equal(table.size, 1);
    table.clear();
    assert.equal(table.get(id), undefined);
  });

  it('takes no notice of ids it never gave, and of too much given back', () => {
    const table = new LentTable();
    table.release(9, 1);
    const id = table.lend(() => {});
    table.release(id, 100);
    assert.equal(table.size, 0);
  });
});

describe('HeldTable', () => {
  it('makes one stub for an id while anybody can reach it', () => {
    const table = new HeldTable(() => {});
    const stub = table.hold(1, () => () => 'made');
    assert.equal(
      table.hold(1, () => assert.fail('made again')),
      stub,
    );
    assert.equal(table.size, 1);
  });

  it('tells in one batch what was collected, with the number of receipts', async () => {
    const told = [];
    const table = new HeldTable((counts) => told.push(counts));
    const kept = table.hold(50, () => () => {});
    for (let id = 1; id <= 20; id++) for (let i = 0; i < id; i++) table.hold(id, () => () => {});
    await until(() => {
      collect();
      return table.size === 1;
    }, 'the stubs to be collected');
    await until(() => told.flat().length === 40, 'all to be told');
    const counts = new Map();
    const flat = told.flat();
    for (let i = 0; i < flat.length; i += 2) counts.set(flat[i], flat[i + 1]);
    assert.deepEqual(
      [...counts].sort(([a], [b]) => a - b),
      Array.from({ length: 20 }, (_, i) => [i + 1, i + 1]),
    );
    assert.ok(told.length < 20);
    assert.equal(
      table.hold(50, () => assert.fail('made again')),
      kept,
    );
  });
});
