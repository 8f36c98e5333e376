'use strict';

// Symbols of a program's own between two ends in one thread: they are the same, and no table keeps them.

const assert = require('node:assert/strict');
const { makeCollector } = require('../../lib/object/kept');
const { until } = require('../helpers/until');
const { makePair } = require('./pair');

const collect = makeCollector();

/** As a replica does between two calls of a long turn. @param {any[]} ends */
function sweep(...ends) {
  collect();
  for (const { tables } of ends) tables.symbols.sweep();
}

describe('symbols of a program', () => {
  it('are kept by no table', async () => {
    const { home, away, there, back } = makePair();
    (() => {
      for (let i = 0; i < 100; i++) there(Symbol('home'), { key: Symbol('value') });
      for (let i = 0; i < 100; i++) back(Symbol('away'));
    })();
    assert.deepEqual([home.tables.symbols.size, away.tables.symbols.size], [300, 300]);
    for (const { tables } of [home, away]) tables.twins.endTurn();
    home.kept = away.kept = undefined;
    // What a register of the turn before still has is collected in a later one.
    const sizes = () => (sweep(home, away), [home.tables.symbols.size, away.tables.symbols.size]);
    await until(
      () => String(sizes()) === '0,0',
      () => String(sizes()),
    );
  });

  it('are the same when they come back, also where the other side had lost its own', () => {
    const { home, away, there, back } = makePair();
    const own = Symbol('own');
    const [held] = there(own);
    sweep(home, away);
    assert.equal(there(own)[0], held);
    assert.equal(back(held)[0], own);
    const other = Symbol('other');
    (() => there(other))();
    sweep(home, away);
    assert.equal(away.tables.symbols.size, 1);
    const [anew] = there(other);
    assert.deepEqual([typeof anew, anew.description], ['symbol', 'other']);
    assert.equal(back(anew)[0], other);
  });

  it('are kept where a module knows something by them', () => {
    const { home, away, there } = makePair();
    const [early, late] = [Symbol('early'), Symbol('late')];
    const values = new WeakMap();
    (() => {
      values.set(there(early)[0], 1);
      there(late);
    })();
    sweep(home, away);
    assert.equal(away.tables.symbols.size, 1);
    assert.equal(values.get(there(early)[0]), 1);
  });
});
