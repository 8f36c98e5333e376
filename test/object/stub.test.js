'use strict';

// Bytes that home makes a member of an object in a replica: an addon of home's may hold their address, and relies on that object to keep
// them.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { setImmediate: turn } = require('node:timers/promises');
const { makeCollector } = require('../../lib/object/kept');
const { Residents } = require('../../lib/spawn/residents');
const { makePair } = require('./pair');

const collect = makeCollector();
const MODULE = 'exports.Base = class Base { size() { return this.state.byteLength; } };';

describe('bytes that are made a member of an object of the other side', function () {
  this.timeout(60_000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-stub-'));
  const filename = path.join(folder, 'base.js');
  fs.writeFileSync(filename, MODULE);
  /** @type {Residents} */
  let residents;
  /** @type {any} */
  let lib;

  before(() => {
    residents = new Residents({ startMs: 20_000, blockMs: 20_000, maxFrameBytes: 1 << 28 });
    lib = residents.require({ name: 'base.js', filename }, { where: 'thread', group: '', isFresh: false });
  });
  after(async () => {
    await residents.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** @param {(self: any, bytes: any) => void} put @returns {{object: any, held: WeakRef<any>}} */
  function give(put) {
    /** @type {any} */
    let held;
    class Mine extends lib.Base {
      constructor() {
        super();
        const bytes = new Uint8Array(5);
        held = new WeakRef(bytes);
        put(this, bytes);
      }
    }
    return { object: new Mine(), held };
  }

  const WAYS = {
    'by an assignment': (/** @type {any} */ self, /** @type {any} */ bytes) => void (self.state = bytes),
    'as a field': (/** @type {any} */ self, /** @type {any} */ value) =>
      void Object.defineProperty(self, 'state', { value, writable: true, configurable: true }),
  };
  for (const [how, put] of Object.entries(WAYS)) {
    it(`are not collected at home while that has them: ${how}`, async () => {
      const { object, held } = give(put);
      // What a turn has looked at is let go of when it is over.
      for (let i = 0; i < 3; i++) {
        await turn();
        collect();
      }
      assert.ok(held.deref() !== undefined, 'home has let go of memory that the object still has');
      assert.equal(object.size(), 5);
      assert.equal(object.state, held.deref());
    });
  }

  it('are let go of when the other side has done so', () => {
    const { home } = makePair();
    const { twins } = home.tables;
    const [held, id] = (() => {
      const bytes = new Uint8Array(5);
      home.pack([bytes]);
      twins.pin(bytes);
      return [new WeakRef(bytes), Number(twins.idOf(bytes))];
    })();
    twins.endTurn();
    collect();
    assert.ok(twins.get(id) !== undefined);
    twins.dissolve(id);
    collect();
    assert.equal(held.deref(), undefined);
  });
});
