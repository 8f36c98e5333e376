'use strict';
/*
 * Random values of all kinds that can be sent, nested in all ways, with shared objects and cycles. In: a source of random numbers. Out: a value.
 */

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
const TEXTS = ['', 'a', 'text', 'é', '😀', '\ud83d', 'x'.repeat(40), '[object Object]', 'undefined', 'null', '-0', '\0'];
const NUMBERS = [0, -0, 1, -1, NaN, Infinity, -Infinity, 0.1, 2 ** 31, 2 ** 32, -(2 ** 31) - 1, 2 ** 53, 1e-300, 255, 256, 65536];

class RandomValue {
  /** @type {any[]} */
  #known = [];

  /** @param {import('../helpers/random').Random} random */
  constructor(random) {
    this.random = random;
  }

  /** @returns {any} */
  make() {
    this.#known = [];
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
        return BigInt(random.below(1000)) ** BigInt(random.below(12)) * -1n;
      case 4:
        return Symbol.for(random.pick(TEXTS));
      case 5:
        return Symbol.iterator;
      case 6:
        return this.#known[this.#known.push(new Date(random.below(1e9) - 5e8)) - 1];
      case 7:
        return this.#known[this.#known.push(Object.assign(/a(b)?/gu, { lastIndex: random.below(3) })) - 1];
      case 8:
        return this.#known[this.#known.push(random.bytes(random.below(20))) - 1];
      case 9:
        return this.#known[
          this.#known.push(
            random.next() < 0.02 ? Buffer.alloc(4096 + random.below(9), 3) : new Float64Array(random.below(4)).fill(random.next()),
          ) - 1
        ];
      case 10:
        return Object(random.pick([...NUMBERS, ...TEXTS, true]));
      case 11:
        return random.pick(TEXTS);
      default:
        return random.next() < 0.5 ? random.pick(NUMBERS) : random.next() * 1e9 - 5e8;
    }
  }

  /** @param {number} depth */
  #container(depth) {
    const { random } = this;
    const size = random.below(5);
    const kind = random.below(8);
    const made =
      kind <= 1
        ? []
        : kind <= 3
          ? {}
          : kind === 4
            ? Object.create(null)
            : kind === 5
              ? new Map()
              : kind === 6
                ? new Set()
                : new (random.pick([Error, TypeError, RangeError]))(random.pick(TEXTS));
    // V8 words the stack at the first look, and cannot once the error has odd properties.
    if (made instanceof Error) void made.stack;
    this.#known.push(made);
    for (let i = 0; i < size; i++) {
      if (Array.isArray(made)) {
        if (random.next() < 0.1) made.length += 1;
        else made.push(this.#value(depth));
      } else if (made instanceof Map) made.set(this.#value(depth), this.#value(depth));
      else if (made instanceof Set) made.add(this.#value(depth));
      else
        Object.defineProperty(made, random.pick(NAMES), {
          value: this.#value(depth),
          writable: true,
          enumerable: true,
          configurable: true,
        });
    }
    if (Array.isArray(made) && random.next() < 0.05) Object.assign(made, { index: this.#value(depth), groups: this.#value(depth) });
    return made;
  }
}

exports.RandomValue = RandomValue;
