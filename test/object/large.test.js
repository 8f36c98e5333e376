'use strict';

// Graphs of very many nodes cross, both deep and wide; test/contract has them of a million.

const assert = require('node:assert/strict');
const { makePair } = require('./pair');

const MANY = 2e5;

function chain() {
  let at = null;
  for (let i = 0; i < MANY; i++) at = { next: at };
  return at;
}

describe('a graph of very many nodes', function () {
  this.timeout(120000);

  it('arrives, however deep', () => {
    const sent = chain();
    const pair = makePair((message) => structuredClone(message));
    const [there] = pair.there(sent);
    let count = 0;
    for (let at = there; at !== null; at = at.next) count++;
    assert.equal(count, MANY);
    assert.equal(pair.back(there)[0], sent);
  });

  it('arrives, however wide', () => {
    const pair = makePair((message) => structuredClone(message));
    const [there] = pair.there(Array.from({ length: MANY }, (_, at) => ({ at })));
    assert.equal(there.length, MANY);
    assert.equal(there[MANY - 1].at, MANY - 1);
  });
});
