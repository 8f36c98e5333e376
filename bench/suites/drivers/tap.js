'use strict';

// Runs a file of tests for tap, which calls its assertions by the many names that tap had before version 15.
// In: a file on the command line. `tap` is that of the folder we run in, and writes TAP by itself.

const { createRequire } = require('node:module');
const path = require('node:path');

/** @type {Record<string, string>} assertion to its former names */
const FORMER = {
  ok: 'true assert',
  notOk: 'false assertNot',
  equal: 'is equals isEqual strictEqual strictEquals',
  not: 'isNot notEqual notEquals notStrictEqual inequal isInequal',
  same: 'isLoose looseEqual looseEquals deepEqual deepEquals equivalent isEquivalent',
  notSame: 'notDeepEqual notEquivalent inequivalent',
  strictSame: 'isDeeply isDeep strictDeepEqual strictDeepEquals deepIs',
  match: 'has hasFields matches similar like isLike includes include contains',
  notMatch: 'dissimilar unsimilar notLike unlike',
  type: 'isa isA',
  throws: 'raises expectException',
  doesNotThrow: 'notThrow',
  error: 'ifError ifErr iferror',
};

const { Test } = createRequire(path.resolve('package.json'))('tap');
for (const [name, former] of Object.entries(FORMER)) {
  for (const alias of former.split(' ')) if (!(alias in Test.prototype)) Test.prototype[alias] = Test.prototype[name];
}
require(path.resolve(String(process.argv[2])));
