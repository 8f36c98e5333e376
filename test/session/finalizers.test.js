'use strict';

// Finalizers of our tables, in a process of its own: what would be lost is lost for all of it.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const path = require('node:path');
const { promisify } = require('node:util');

const LIB = path.join(__dirname, '../../lib');
const PROGRAM = `
const { HeldTable } = require(${JSON.stringify(path.join(LIB, 'session/reference-table.js'))});
const { Symbols } = require(${JSON.stringify(path.join(LIB, 'object/symbols.js'))});
const make = () => {
  const tables = { held: new HeldTable(() => {}), symbols: new Symbols(true) };
  for (let i = 0; i < 3; i++) {
    tables.held.hold(i, () => () => {});
    tables.symbols.idOf(Symbol(i));
  }
  return tables;
};
let tables = make();
// In a turn in which nothing has looked at what is weak; the first collection finds what the tables had, the second the tables.
setImmediate(() => {
  gc();
  tables = null;
  gc();
  setImmediate(() => {
    const told = [];
    globalThis.registry = new FinalizationRegistry((name) => told.push(name));
    (() => registry.register({}, 'of the program'))();
    let turns = 0;
    const look = () => {
      gc();
      if (told.length === 0 && ++turns < 200) return void setImmediate(look);
      console.log(told.join());
    };
    setImmediate(look);
  });
});
`;

describe('tables of what is collected', function () {
  this.timeout(60_000);

  it('may themselves be collected while they are to be told: finalizers of the program run all the same', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '-e', PROGRAM]);
    assert.equal(stdout.trim(), 'of the program');
  });
});
