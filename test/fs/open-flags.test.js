'use strict';

const assert = require('node:assert/strict');
const { constants } = require('node:fs');
const { appends, inclusive, isExclusive, truncates } = require('../../lib/fs/open-flags.js');

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_TRUNC, O_WRONLY } = constants;

/** Names, and numbers that mean the same to Node. */
const SAME = [
  ['r', constants.O_RDONLY],
  ['r+', O_RDWR],
  ['w', O_TRUNC | O_CREAT | O_WRONLY],
  ['wx', O_TRUNC | O_CREAT | O_WRONLY | O_EXCL],
  ['wx+', O_TRUNC | O_CREAT | O_RDWR | O_EXCL],
  ['a', O_APPEND | O_CREAT | O_WRONLY],
  ['ax+', O_APPEND | O_CREAT | O_RDWR | O_EXCL],
];

describe('flags of open', () => {
  it('say the same by name and by number', () => {
    for (const [name, number] of SAME)
      for (const ask of [appends, isExclusive, truncates]) assert.equal(ask(name), ask(number), `${ask.name} ${name}`);
    assert.deepEqual(
      SAME.map(([name]) => [appends(name), isExclusive(name), truncates(name)].map(Number).join('')),
      ['000', '000', '001', '011', '011', '100', '110'],
    );
  });

  it('are the same but that a file may be there', () => {
    assert.deepEqual(
      SAME.map(([name]) => inclusive(name)),
      ['r', 'r+', 'w', 'w', 'w+', 'a', 'a+'],
    );
    for (const [name, number] of SAME) assert.equal(inclusive(number), number & ~O_EXCL, name);
  });
});
