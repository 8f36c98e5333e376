'use strict';

const assert = require('node:assert/strict');
const Module = require('node:module');
const path = require('node:path');
const { translateBy, untranslated } = require('../../lib/spawn/sources');

const LATE = require.resolve('../../lib/import/place');
const THEIRS = require.resolve('../fixtures/modules/functions');

describe('sources', () => {
  const was = Object.getOwnPropertyDescriptor(Module._extensions, '.js');
  /** @type {string[]} */
  let seen;
  const loader = (module, filename) => {
    seen.push(path.basename(filename));
    was.value(module, filename);
  };
  const fresh = (file) => {
    delete require.cache[file];
    return require(file);
  };

  beforeEach(() => (seen = []));
  afterEach(() => {
    Object.defineProperty(Module._extensions, '.js', was);
    delete Module._extensions['.own'];
    delete require.cache[THEIRS];
  });

  for (const [how, descriptor] of [
    ['an assignment', { value: loader, configurable: true, enumerable: true, writable: true }],
    ['an accessor', { get: () => loader, set: () => {}, configurable: true, enumerable: true }],
  ]) {
    it(`are those of Node for a while, and the program's own again after it, put there by ${how}`, () => {
      Object.defineProperty(Module._extensions, '.js', descriptor);
      assert.equal(typeof untranslated(() => fresh(LATE)).lineOf, 'function');
      assert.deepEqual(seen, []);
      assert.deepEqual(Object.getOwnPropertyDescriptor(Module._extensions, '.js'), descriptor);
      assert.throws(() => untranslated(() => assert.fail('it does not load')), /it does not load/);
      fresh(THEIRS);
      assert.deepEqual(seen, ['functions.js']);
    });
  }

  it('leaves loaders of other kinds of files', () => {
    Module._extensions['.own'] = loader;
    assert.equal(
      untranslated(() => Module._extensions['.own']),
      loader,
    );
  });

  it('in a replica, come from home, but those of Ignis', () => {
    const asked = [];
    translateBy(['.js'], (filename) => {
      asked.push(path.basename(filename));
      return 'exports.from = "home";';
    });
    assert.equal(typeof fresh(LATE).lineOf, 'function');
    assert.deepEqual(asked, []);
    assert.equal(fresh(THEIRS).from, 'home');
    assert.deepEqual(asked, ['functions.js']);
  });
});
