'use strict';

const assert = require('node:assert/strict');
const { format } = require('node:util');
const { hasOwnText } = require('../../lib/object/own-text');

class Own {
  toString() {
    return 'own text';
  }
}
class Below extends Own {}
class Primitive {
  [Symbol.toPrimitive]() {
    return 'own text';
  }
}
class Dated extends Date {
  toString() {
    return 'own text';
  }
}

/** @type {Record<string, [object, boolean]>} */
const OBJECTS = {
  'a class with a method of its own': [new Own(), true],
  'a class below that': [new Below(), true],
  'a class that becomes a primitive': [new Primitive(), true],
  'a class that extends one of the engine': [new Dated(0), true],
  'an object that has its own': [{ toString: () => 'own text' }, true],
  'an object that inherits from one': [Object.create({ toString: () => 'own text' }), true],
  'a plain object': [{ a: 1 }, false],
  'an object without a prototype': [Object.create(null), false],
  'a class without any': [new (class {})(), false],
  'a list': [[1, 2], false],
  'a Map': [new Map(), false],
  'a class of Node': [new URLSearchParams('own text'), true],
};

describe('the text of an object', () => {
  for (const [what, [object, isOwn]] of Object.entries(OBJECTS))
    it(`is its own for ${what} where Node says so: ${isOwn}`, () => {
      assert.equal(hasOwnText(object), isOwn);
      assert.equal(format('%s', object).startsWith('own+text') || format('%s', object) === 'own text', isOwn);
    });
});
