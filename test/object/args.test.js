'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { Residents } = require('../../lib/spawn/residents');

const FILE = path.join(__dirname, '../fixtures/restore/resident.js');

for (const where of /** @type {const} */ (['thread', 'process'])) {
  describe(`arguments of a module that lives in a ${where}`, function () {
    this.timeout(20000);
    /** @type {Residents} */
    let residents;

    /** @param {'restore' | 'copy' | 'ref'} [args] */
    const open = (args) => {
      residents = new Residents({ startMs: 30_000, blockMs: 30_000, maxFrameBytes: 1 << 28 });
      return residents.require({ name: 'resident', filename: FILE }, { where, group: 'resident', isFresh: false, args });
    };

    afterEach(() => residents.close());

    it('are twins without a recipe: changes cross both ways, and identity holds', () => {
      const lib = open();
      const object = { name: 'home', list: [1] };
      assert.equal(lib.change(object), object);
      assert.deepEqual(object, { name: 'changed', list: [1, 'changed'] });
      lib.keep(object);
      object.name = 'later';
      assert.equal(lib.readKept(), 'later');
      assert.equal(lib.isKept(object), true);
    });

    it("are copied once with args: 'copy', and nothing stays", () => {
      const lib = open('copy');
      const object = { name: 'home', list: [1], self: /** @type {any} */ (null) };
      object.self = object;
      const back = lib.change(object);
      assert.deepEqual([object.name, object.list], ['home', [1]]);
      assert.notEqual(back, object);
      assert.equal(back.self, back);
      assert.deepEqual([back.name, back.list], ['changed', [1, 'changed']]);
      lib.keep(object);
      object.name = 'later';
      assert.deepEqual([lib.readKept(), lib.isKept(object)], ['home', false]);
    });

    it("stay where they are with args: 'ref'", () => {
      const lib = open('ref');
      const seen = /** @type {string[]} */ ([]);
      const target = /** @type {any} */ ({ name: 'home', list: [1] });
      assert.equal(lib.change(target), target);
      assert.deepEqual(target, { name: 'changed', list: [1, 'changed'] });
      lib.keep(target);
      Object.defineProperty(target, 'name', { get: () => seen.push('read') && 'by reference' });
      assert.equal(lib.readKept(), 'by reference');
      assert.deepEqual(seen, ['read']);
      assert.equal(lib.isKept(target), true);
    });
  });
}
