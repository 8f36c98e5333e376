'use strict';
/*
 * Frames that are well encoded and mean harm: wrong shapes, and specials that lead to prototypes, lengths and places where nothing is. In:
 * random numbers. Out: one frame. What is allowed in them is left to chance; what must be refused whatever else comes is in
 * test/wire/fuzz.test.js.
 */

const { KIND } = require('../../lib/wire/frame');

/** @typedef {import('../helpers/random').Random} Random */

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'length',
  'toString',
  'toJSON',
  'then',
  'stack',
  'buffer',
  'a',
  '',
  0,
  1,
  -1,
  0.5,
  4294967295,
];
const TAGS = [
  'undefined',
  '-0',
  'bigint',
  'text',
  'symbol',
  'known-symbol',
  'own-symbol',
  'date',
  'regexp',
  'raw-json',
  'engine-value',
  'url',
  'function',
  'bytes',
  'view',
  'null-prototype',
  'members',
  'sparse',
  'map',
  'set',
  'boxed',
  'arguments',
  'error',
  'same',
  'hole',
  'extras',
  'part',
  'closed',
  'signal',
  'argument',
  'argument-symbol',
  'own',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'nothing',
];
const TEXTS = [
  '',
  'Error',
  'Function',
  'Object',
  'DOMException',
  'iterator',
  'Buffer',
  'ArrayBuffer',
  'Float64Array',
  'ffff',
  '-1',
  'g',
  'a:b',
  '(',
];
const NUMBERS = [0, 1, -1, 0.5, 2, 7, 4096, 2 ** 31, 4294967295, 4294967296, 2 ** 53, 1e300, NaN, Infinity];
const KINDS = [0, ...Object.values(KIND), -1, 99, 1.5, '4', null];

/** @param {Random} random @param {number} depth @returns {any} what a codec can carry */
function anything(random, depth) {
  switch (random.below(depth > 0 ? 9 : 5)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return random.pick(TEXTS);
    case 2:
      return random.pick(NAMES);
    case 3:
      return random.pick([null, true, false]);
    case 4:
      return random.bytes(random.below(17));
    case 5:
    case 6:
      return some(random, 5, () => anything(random, depth - 1));
    default:
      return Object.fromEntries(some(random, 4, () => [memberName(random), anything(random, depth - 1)]));
  }
}

/** One that codecs encode as it is. @param {Random} random */
function memberName(random) {
  const name = String(random.pick(NAMES));
  return name === 'toJSON' ? 'x' : name;
}

/** @template T @param {Random} random @param {number} most @param {() => T} make @returns {T[]} */
function some(random, most, make) {
  return Array.from({ length: random.below(most) }, make);
}

/** @param {Random} random @param {any} value @returns {any[]} a path that leads somewhere in it, or nearly so */
function path(random, value) {
  const names = [];
  let at = value;
  while (typeof at === 'object' && at !== null && random.next() < 0.7) {
    const keys = Array.isArray(at) ? [...at.keys()] : Object.keys(at);
    const name = keys.length > 0 && random.next() < 0.9 ? random.pick(/** @type {any[]} */ (keys)) : random.pick(NAMES);
    names.push(name);
    at = Object.hasOwn(at, name) ? at[name] : null;
  }
  return names;
}

/** @param {Random} random @param {any} value @returns {any[]} [offset, ...entries] */
function specials(random, value) {
  const entries = some(random, 7, () => {
    if (random.next() < 0.03) return anything(random, 2);
    const data = some(random, 6, () => (random.next() < 0.25 ? path(random, value) : anything(random, 2)));
    return [random.next() < 0.05 ? anything(random, 1) : path(random, value), random.pick(TAGS), ...data];
  });
  return [random.pick([0, 0, 0, 1, 5]), ...entries];
}

/** @param {Random} random @returns {any[]} of arguments, or nearly so */
function changes(random) {
  return some(random, 4, () => [random.below(7), random.next() < 0.1 ? anything(random, 3) : change(random)]).flat(1);
}

/** @param {Random} random */
function change(random) {
  const names = () => some(random, 3, () => random.pick(NAMES));
  const members = some(random, 3, () => [random.pick(NAMES), anything(random, 2), random.next() < 0.8]).flat(1);
  const inner = random.pick([
    null,
    [0],
    [random.pick(NUMBERS)],
    [random.next() < 0.5, names(), members],
    [0, random.bytes(random.below(9))],
  ]);
  return [random.next() < 0.3, names(), members, inner, random.pick([0, 0, 0, 1, 2, 3])];
}

/** @param {Random} random @returns {any} one frame, or something in its place */
function hostileFrame(random) {
  const value = anything(random, 4);
  const special = random.next() < 0.9 ? specials(random, value) : anything(random, 2);
  const args = Array.isArray(value) ? value : [value];
  const id = random.below(5);
  switch (random.below(16)) {
    case 0:
    case 1:
      return [random.pick(KINDS), ...some(random, 6, () => anything(random, 3))];
    case 2:
      return anything(random, 2);
    case 3:
    case 4:
      return [KIND.RESULT, id, value, special];
    case 5:
      return [KIND.ERROR, id, value, special];
    case 6:
      return [KIND.THROWN, id, 1 + random.below(3), value, special];
    case 7:
      return [KIND.HEARD, random.below(3), random.below(3), value, special];
    case 8:
      return [KIND.CAST, 1, args, special];
    case 9:
      return [
        KIND.RESTORED,
        random.pick([1, id]),
        random.below(2),
        random.pick([0, 6]),
        [value, changes(random)],
        random.pick([null, special]),
      ];
    case 10:
      return [KIND.RECAST, 1, random.pick([0, 6]), [args, changes(random)], random.pick([null, special])];
    case 11:
      return [KIND.SIGNAL, random.below(3), random.below(2), value, special];
    case 12:
      return [random.pick([KIND.SETUP, KIND.WRITE]), id, random.pick([0, ['a', 'b']]), args, special];
    default:
      return [KIND.CALL, random.below(4), random.pick([0, 1, -1, -2]), args, special];
  }
}

exports.hostileFrame = hostileFrame;
