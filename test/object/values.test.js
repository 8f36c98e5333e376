'use strict';

// Random values there and back, by each codec and by the engine's own copy.

const assert = require('node:assert/strict');
const { makeCodec } = require('../../lib/wire/codec');
const { Random } = require('../helpers/random');
const { atHome } = require('../session/realm');
const { RandomValue } = require('../session/random-value');
const { sameGraph } = require('../session/same-graph');
const { makePair } = require('./pair');

const SEED = 20261;
const VALUES = 1500;
const CODECS = { msgpackr: makeCodec('msgpackr'), 'msgpack-lite': makeCodec('msgpack-lite') };
const CARRIERS = { 'the engine': (message) => structuredClone(message) };
for (const [name, codec] of Object.entries(CODECS)) CARRIERS[name] = (message) => codec.decode(Buffer.from(codec.encode(message)));

/**
 * Whether a part of it was made in another realm, and so keeps its prototype, by reference; or is a piece of a larger Buffer, and so
 * travels as that piece alone.
 *
 * @param {any} root
 */
function isPeculiar(root) {
  const met = new Set([root]);
  for (const value of met) {
    if (typeof value !== 'object' || value === null) continue;
    if (Buffer.isBuffer(value) && value.buffer.byteLength > value.byteLength) return true;
    const prototype = Object.getPrototypeOf(value);
    if (atHome(prototype) !== prototype) return true;
    if (value instanceof Map) for (const [key, item] of value) met.add(key).add(item);
    else if (value instanceof Set) for (const item of value) met.add(item);
    for (const key of ArrayBuffer.isView(value) ? [] : Reflect.ownKeys(value)) met.add(value[key]);
  }
  return false;
}

describe('values of the object layer', function () {
  this.timeout(60000);

  for (const [name, carry] of Object.entries(CARRIERS)) {
    it(`are the same there, and themselves when they come back (${name}, ${VALUES} from a seed)`, () => {
      const random = new Random(SEED);
      const values = new RandomValue(random);
      let pair = makePair(carry);
      let compared = 0;
      for (let number = 0; number < VALUES; number++) {
        if (number % 100 === 0) pair = makePair(carry);
        const value = values.make();
        if (isPeculiar(value)) continue;
        compared++;
        const [there] = pair.there(value);
        try {
          sameGraph(value, there);
          assert.ok(Object.is(pair.back(there)[0], value), 'another object came back');
        } catch (error) {
          error.message = `value ${number}: ${error.message}`;
          throw error;
        }
      }
      assert.ok(compared > VALUES / 3, `only ${compared}`);
    });
  }
});
