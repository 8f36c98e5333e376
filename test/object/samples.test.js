'use strict';

// What Node's http keeps of a message under symbols of its own, which no module exports: its methods, taken from home's prototype, look for them upon a message that lives in a replica.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
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
