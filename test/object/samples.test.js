'use strict';

// What Node keeps of a message of http, and of a stream, under symbols of its own, which no module exports: its methods, taken from one
// side's prototype, look for them upon an object of the other.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { Readable, Writable } = require('node:stream');
const { finished } = require('node:stream/promises');
const { Residents } = require('../../lib/spawn/residents');
const { TAG } = require('../../lib/object/tags');
const { makePair } = require('./pair');

const MODULE = `
const http = require('node:http');
exports.respond = () => {
  const response = new http.ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 });
  response.setHeader('first', 'yes');
  return response;
};
exports.headersOf = (response) => ({ ...response.getHeaders() });`;

describe("symbols of Node's http", function () {
  this.timeout(60_000);

  it('are the same on both sides', () => {
    const { there } = makePair();
    const request = new http.IncomingMessage(/** @type {any} */ (null));
    const samples = [request, new http.ServerResponse(request), new http.OutgoingMessage(), new http.Server(), new http.Agent()];
    const symbols = samples.flatMap((sample) => [
      ...Object.getOwnPropertySymbols(sample),
      ...Object.getOwnPropertySymbols(Object.getPrototypeOf(sample)),
    ]);
    assert.ok(symbols.length > 10);
    assert.deepEqual(there(...symbols), symbols);
  });

  it('let a response of a replica be given the prototype of another framework, as express does, and be used by its methods', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-http-'));
    const filename = path.join(folder, 'http.js');
    fs.writeFileSync(filename, MODULE);
    const residents = new Residents({ startMs: 20_000, blockMs: 20_000, maxFrameBytes: 1 << 28 });
    try {
      const lib = /** @type {any} */ (residents.require({ name: 'http.js', filename }, { where: 'thread', group: '', isFresh: false }));
      const response = lib.respond();
      Object.setPrototypeOf(response, Object.create(http.ServerResponse.prototype));
      response.setHeader('Second', 'too');
      assert.deepEqual(response.getHeaderNames(), ['first', 'second']);
      assert.deepEqual(lib.headersOf(response), { first: 'yes', second: 'too' });
    } finally {
      await residents.close();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  it('that only the other side has, being another version of Node, have others that stand for them, and go back as what they are', () => {
    const { away } = makePair();
    const slot = [TAG.INTRINSIC_SYMBOL, 'ServerResponse kOfAnotherNode'];
    const [symbol, again] = away.open([null, [slot, slot]]);
    assert.deepEqual([typeof symbol, symbol.description, again], ['symbol', 'kOfAnotherNode', symbol]);
    assert.deepEqual(away.pack([symbol])[1], [slot]);
    assert.throws(() => away.open([null, [[TAG.INTRINSIC_SYMBOL, '__proto__']]]), { code: 'IGNIS_BAD_FRAME' });
  });
});

describe("symbols in the state of Node's streams", function () {
  this.timeout(60_000);

  it('are the same on both sides, also those that are there only once something was set', () => {
    const { there } = makePair();
    const readable = new Readable({ read() {}, encoding: 'latin1' });
    const writable = new Writable({ write() {}, defaultEncoding: 'latin1' });
    writable.write('.');
    writable.end(() => {});
    const states = [/** @type {any} */ (readable)._readableState, /** @type {any} */ (writable)._writableState];
    for (const state of states) state.errored = new Error('.');
    const symbols = states.flatMap((state) => Object.getOwnPropertySymbols(state));
    assert.deepEqual(there(...symbols), symbols);
  });

  it('let a stream of home be given a prototype that lives in a replica, as express does with requests, and be told as ended', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-streams-'));
    const filename = path.join(folder, 'streams.js');
    fs.writeFileSync(
      filename,
      `const prototype = Object.create(require('node:stream').Readable.prototype);
      exports.dress = (stream) => Object.setPrototypeOf(stream, prototype);
      exports.look = ({ readable, readableEnded }) => ({ readable, readableEnded });`,
    );
    const residents = new Residents({ startMs: 20_000, blockMs: 20_000, maxFrameBytes: 1 << 28 });
    try {
      const lib = /** @type {any} */ (residents.require({ name: 'streams.js', filename }, { where: 'thread', group: '', isFresh: false }));
      const stream = lib.dress(new Readable({ read() {} }));
      stream.setEncoding('latin1');
      const parts = /** @type {string[]} */ ([]);
      stream.on('data', (/** @type {string} */ part) => parts.push(part));
      stream.push('x');
      stream.push(null);
      await finished(stream);
      assert.deepEqual([parts, stream.readable, stream.readableEnded], [['x'], false, true]);
      assert.deepEqual({ ...lib.look(stream) }, { readable: false, readableEnded: true });
    } finally {
      await residents.close();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
