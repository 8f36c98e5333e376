'use strict';

// A function of an instance that a module exports: by the recipe that names it, its calls go to a replica.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');

const FILE = path.join(__dirname, '..', 'fixtures', 'modules', 'stemmer.js');

describe('a function of an exported instance', function () {
  this.timeout(30000);

  for (const where of /** @type {const} */ (['thread', 'process'])) {
    it(`is served in a ${where} when its recipe names it`, async () => {
      const functions = { 'english.stem': { call: /** @type {const} */ ('await'), pure: true } };
      const on = new Distributed(FILE, { call: 'await', copies: [0, 1], functions }, where);
      try {
        assert.equal(on.lib.english.stem('walking'), 'walk', 'at home');
        await on.set.resize(1);
        const promise = on.lib.english.stem('talking');
        assert.ok(promise instanceof Promise);
        assert.equal(await promise, 'talk');
        assert.equal(on.lib.other.stem('talking'), 'talk', 'another instance stays');
      } finally {
        await on.close();
      }
    });
  }
});
