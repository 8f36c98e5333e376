'use strict';

// What a program has put on the engine's objects before anything crosses: in a process of its own, since names are given once.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const path = require('node:path');
const { promisify } = require('node:util');

const CONTRACT = path.join(__dirname, '..', 'contract', 'places');
const FIXTURE = path.join(__dirname, '..', 'fixtures', 'contract', 'intrinsics.js');
const PROGRAM = `
Error.Own = class Own extends Error {};
Object.defineProperty(Array.prototype, 'own', { value: function own() {}, configurable: true });
require('node:events').Own = { Inner: class Inner {} };
const { EventEmitter } = require('node:events');
const { open } = require(${JSON.stringify(CONTRACT)});
const place = open(process.argv[1]);
try {
  const m = place.require(${JSON.stringify(FIXTURE)});
  const error = new Error.Own('mine');
  console.log(JSON.stringify([
    m.isA('Error', error),
    m.isConstructedBy(error, Error.Own),
    m.prototypeOf(error) === Error.Own.prototype,
    m.construct(Error.Own, 'made') instanceof Error.Own,
    m.typeName([].own),
    m.construct(EventEmitter.Own.Inner) instanceof EventEmitter.Own.Inner,
    m.getClass('Map') === Map && m.isClass('Readable', require('node:stream').Readable),
    m.typeName(require('node:http').Agent) + typeof m.construct(Headers).get,
    ...['MessageEvent', 'CryptoKey'].map((name) => m.globalOf(name) === globalThis[name] && m.isGlobal(name, globalThis[name])),
  ]));
} finally {
  place.close();
}
`;

describe('what a program has put on objects of the engine and of Node', function () {
  this.timeout(60_000);

  for (const where of ['thread', 'process']) {
    it(`is its own to a module in a ${where}, and what both have is known by name`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', PROGRAM, where]);
      assert.deepEqual(JSON.parse(stdout), [true, true, true, true, 'function', true, true, 'functionfunction', true, true]);
    });
  }
});
