'use strict';
/*
 * Random values of all kinds that can be sent, nested in all ways, with shared objects and cycles. In: a source of random numbers. Out: a
 * value.
 */
const { isPool } = require('../helpers/pool');
const { foreign } = require('./realm');

const NAMES = [
  'a',
  'b',
  'name',
  '',
  '0',
  '7',
  '__proto__',
  'constructor',
  'toJSON',
  'length',
  'hasOwnProperty',
  'ünï',
  '\ud800',
  'a b',
  'extras',
  'index',
];
const TEXTS = [
  '',
  'a',
  'text',
  'é',
  '😀',
  '\ud83d',
  'x'.repeat(40),
  '[object Object]',
  'undefined',
  'null',
  '-0',
  '\0',
  '__proto__',
  'я'.repeat(1100),
  'é'.repeat(1100),
];
const NUMBERS = [0, -0, 1, -1, NaN, Infinity, -Infinity, 0.1, 2 ** 31, 2 ** 32, -(2 ** 31) - 1, 2 ** 53, 1e-300, 255, 256, 65536];
const VIEWS = [Uint8Array, Int16Array, Float64Array, DataView, BigInt64Array, Uint8ClampedArray];

/** @param {any} holder @param {any} name @param {any} value */
function define(holder, name, value) {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}

/** @type {((random: any) => any)[]} objects without members */
const LEAVES = [
  (random) => new Date(random.pick([NaN, random.below(1e9) - 5e8])),
  (random) => Object.assign(/a(b)?/gu, { lastIndex: random.below(3) }),
  (random) => random.bytes(random.below(20)),
  (random) => new Float64Array(random.below(4)).fill(random.next()),
  (random) => (random.next() < 0.04 ? Buffer.alloc(4096 + random.below(9), 3) : new ArrayBuffer(random.below(9))),
  (random) => Object(random.pick([...NUMBERS, ...TEXTS, true, 7n, Symbol.iterator])),
  (random) => new URL(`https://host/${random.below(99)}?q=%20#${random.below(9)}`),
  (random) => new DOMException(random.pick(TEXTS), random.pick(['AbortError', 'DataCloneError', 'Other'])),
  (random) => random.pick([new foreign.Date(5), new foreign.RegExp('x', 'g'), new foreign.Uint8Array(3), new foreign.Number(2)]),
];

/** @type {((random: any) => any)[]} objects to fill, the frequent ones more than once */
const CONTAINERS = [
  () => [],
  () => [],
  () => ({}),
  () => ({}),
  () => Object.create(null),
  () => new Map(),
  () => new Set(),
  (random) => new (random.pick([Error, TypeError, RangeError]))(random.pick(TEXTS)),
  (random) => new (random.pick([foreign.Object, foreign.Array, foreign.Map, foreign.Set]))(),
  (random) => new AggregateError([], random.pick(TEXTS), { cause: 1 }),
];

class RandomValue {
  /** @type {any[]} */
  #known = [];
  /** @type {symbol[]} */
  #symbols = [];

  /** @param {import('../helpers/random').Random} random */
  constructor(random) {
    this.random = random;
  }

  /** @returns {any} */
  make() {
    this.#known = [];
    this.#symbols = [Symbol('own'), Symbol(), Symbol('\ud800')];
    return this.#value(4);
  }

  /** @param {number} depth levels left @returns {any} */
  #value(depth) {
    const { random } = this;
    if (depth === 0 || random.next() < 0.4) return this.#leaf();
    // Something that is there already: shared, or a cycle.
    if (this.#known.length > 0 && random.next() < 0.15) return random.pick(this.#known);
    return this.#container(depth - 1);
  }

  #leaf() {
    const { random } = this;
    switch (random.below(14)) {
      case 0:
        return undefined;
      case 1:
        return null;
      case 2:
        return random.next() < 0.5;
      case 3:
        return BigInt(random.below(1000)) ** BigInt(random.below(12)) * (random.next() < 0.5 ? 1n : -1n);
      case 4:
        return Symbol.for(random.pick(TEXTS));
      case 5:
        return random.next() < 0.5 ? Symbol.iterator : random.pick(this.#symbols);
      case 6:
      case 7:
      case 8:
        return this.#keep(random.pick(LEAVES)(random));
      case 9:
        return this.#view();
      case 10:
      case 11:
        return random.pick(TEXTS);
      default:
        return random.next() < 0.5 ? random.pick(NUMBERS) : random.next() * 1e9 - 5e8;
    }
  }

  /** @template T @param {T} made @returns {T} */
  #keep(made) {
    this.#known.push(made);
    return made;
  }

  /** A view into a buffer that is there already, or of a new one. */
  #view() {
    const { random } = this;
    const earlier = this.#known.filter((value) => ArrayBuffer.isView(value) && !isPool(value.buffer));
    const buffer = earlier.length > 0 ? random.pick(earlier).buffer : new ArrayBuffer(8 * random.below(5));
    const View = random.pick(VIEWS);
    const from = 8 * random.below(Math.floor(buffer.byteLength / 8) + 1);
    const elements = random.below(Math.floor((buffer.byteLength - from) / (View.BYTES_PER_ELEMENT ?? 1)) + 1);
    return this.#keep(random.next() < 0.3 ? Buffer.from(buffer, from) : new View(buffer, from, elements));
  }

  /** @param {number} depth */
  #container(depth) {
    const { random } = this;
    const made = this.#keep(random.pick(CONTAINERS)(random));
    // V8 words the stack at the first look, and cannot once the error has odd properties.
    if (made instanceof Error) void made.stack;
    for (let size = random.below(5); size > 0; size--) this.#fill(made, depth);
    if (Array.isArray(made)) this.#furnish(made, depth);
    else if (
      random.next() < 0.08 &&
      !(made instanceof Map || made instanceof Set || made instanceof foreign.Map || made instanceof foreign.Set)
    )
      define(made, random.next() < 0.5 ? random.pick(this.#symbols) : Symbol.for('key'), this.#value(depth));
    return made;
  }

  /** @param {any} made @param {number} depth */
  #fill(made, depth) {
    const { random } = this;
    if (Array.isArray(made)) {
      if (random.next() < 0.1) made.length += 1;
      else made.push(this.#value(depth));
    } else if (made instanceof Map || made instanceof foreign.Map) made.set(this.#value(depth), this.#value(depth));
    else if (made instanceof Set || made instanceof foreign.Set) made.add(this.#value(depth));
    else define(made, random.pick(NAMES), this.#value(depth));
  }

  /** Names that an array has besides its indices, and far elements. @param {any[]} made @param {number} depth */
  #furnish(made, depth) {
    const { random } = this;
    const kind = random.below(40);
    if (kind === 0) Object.assign(made, { index: this.#value(depth), groups: this.#value(depth) });
    else if (kind === 1) for (const name of NAMES) if (name !== 'length' && random.next() < 0.2) define(made, name, this.#value(depth));
    if (kind === 2) made[random.pick([60, 100, 5000])] = this.#value(depth);
    if (kind === 3) for (let i = random.below(120); i > 0; i--) made.push(i);
  }
}

exports.RandomValue = RandomValue;
