'use strict';
/*
 * Messages of the object layer from somebody who means harm: good ones with parts exchanged, and made-up ones of every kind. In: a seed,
 * the number of a case. Out: how it ended: 'read', or the code of the error. Throws when it was another error, when a prototype was
 * changed, or when the line did not end.
 */
const { Conversation } = require('../../lib/object/conversation');
const { operationOf } = require('../../lib/object/operations');
const { FORM, MESSAGE, OPERATION, TAG } = require('../../lib/object/tags');
const { Random, seedOf } = require('../helpers/random');
const { makePair } = require('../object/pair');
const { RandomValue } = require('../session/random-value');

/** @typedef {import('../helpers/random').Random} Random */

const REFUSED = ['IGNIS_BAD_FRAME', 'IGNIS_STALE_REFERENCE'];
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'length',
  'toString',
  'then',
  'Object.prototype',
  'Array.prototype.push',
  'iterator',
];
const NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7, -1, 0.5, 17, 99, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, NaN, Infinity];
const GUARDED = [Object.prototype, Array.prototype, Function.prototype, Map.prototype, Error.prototype, Promise.prototype];
const KEYS = GUARDED.map((prototype) => Reflect.ownKeys(prototype).length);

/** @param {Random} random @param {number} depth @returns {any} what a codec can carry */
function anything(random, depth) {
  switch (random.below(depth > 0 ? 9 : 5)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return random.pick(NAMES);
    case 2:
      return random.pick([null, true, false, '']);
    case 3:
      return new Uint8Array(random.bytes(random.below(9)));
    case 4:
      return random.below(6);
    case 5:
      return slot(random, depth);
    case 6:
      return node(random, depth);
    default:
      return Array.from({ length: random.below(5) }, () => anything(random, depth - 1));
  }
}

/** @param {Random} random @param {number} depth */
const slot = (random, depth) => [random.pick(Object.values(TAG)), anything(random, depth - 1), anything(random, depth - 1)];

/** A flat one. @param {Random} random @param {number} depth */
function node(random, depth) {
  const contents = Array.from({ length: random.below(5) }, () => (random.next() < 0.3 ? random.pick(NAMES) : anything(random, depth - 1)));
  const form = random.pick(Object.values(FORM).filter((one) => one !== FORM.SHARED));
  const prototype = random.next() < 0.7 ? 0 : anything(random, depth - 1);
  return [
    1 + 2 * random.below(9),
    form,
    random.below(5),
    prototype,
    random.next() < 0.8 ? null : anything(random, 1),
    contents.length,
    ...contents,
  ];
}

/** One part of it, at any depth, becomes another. @param {Random} random @param {any[]} message */
function harm(random, message) {
  let at = message;
  for (;;) {
    const index = random.below(at.length);
    const inner = at[index];
    if (Array.isArray(inner) && inner.length > 0 && random.next() < 0.85) at = inner;
    else {
      const kind = random.below(16);
      if (kind === 0) at.splice(index, 1);
      else if (kind === 1) at.splice(index, 0, anything(random, 2));
      else if (kind < 8 && (typeof inner === 'string' || inner === null)) at[index] = random.pick(NAMES);
      else at[index] = typeof inner === 'number' && kind < 12 ? inner + random.pick([-2, -1, 1, 2, 2, 4, 2 ** 32]) : anything(random, 3);
      return;
    }
  }
}

/** Values, then changes of them, as one side packs them. @param {Random} random @param {number} seed */
function checkValues(random, seed) {
  const pair = makePair();
  try {
    checkPair(pair, random, seed);
  } finally {
    // Whoever looks after twins now and then has no turn here, and would hold all of them.
    for (const { tables } of [pair.home, pair.away]) tables.clear();
  }
}

/** @param {ReturnType<typeof makePair>} pair @param {Random} random @param {number} seed */
function checkPair(pair, random, seed) {
  const values = new RandomValue(new Random(seed));
  const value = { a: values.make(), list: [1, {}], map: new Map(), error: new Error('e') };
  const kept = [pair.away.open(structuredClone(pair.home.pack([value]))), pair.away.kept];
  /** @type {any} */ (value).list.push(values.make());
  value.map.set('key', value);
  value.error.message = 'changed';
  const message = structuredClone(pair.home.pack([value, values.make()]));
  for (let i = 1 + random.below(3); i > 0; i--) harm(random, message);
  kept.push(pair.away.open(message));
}

/** A line that gives what it is told to. */
class GivenLine {
  sharesMemory = true;
  isClosed = false;
  /** @type {any} */
  error = null;
  /** @type {(message: any[]) => void} */
  onMessage = () => {};
  onClose = () => {};
  /** @type {any[][]} */
  inbox = [];
  post() {}
  ref() {}
  unref() {}
  receive() {
    return this.inbox.shift();
  }
  destroy(/** @type {any} */ error) {
    this.isClosed = true;
    this.error ??= error;
  }
}

/** @param {Random} random @returns {any[]} a message */
function madeUp(random) {
  const kind = random.next() < 0.5 ? MESSAGE.CALL : random.pick([...Object.values(MESSAGE), 99, -1, 'x']);
  const baggage = random.next() < 0.5 ? null : [[...node(random, 2), ...node(random, 2)], random.next() < 0.5 ? [] : node(random, 2)];
  if (kind !== MESSAGE.CALL) return [kind, baggage, ...Array.from({ length: random.below(5) }, () => anything(random, 3))];
  const operation = random.next() < 0.9 ? random.pick(Object.values(OPERATION)) : anything(random, 1);
  const length = random.next() < 0.05 ? random.below(4) : (OPERANDS[operation] ?? 2);
  const operands = Array.from({ length }, () => (random.next() < 0.6 ? random.pick([[], 'a', slot(random, 2)]) : anything(random, 2)));
  return [kind, baggage, 1 + random.below(4), random.below(3), operation, random.below(4), ...operands];
}

/** How many operands each operation has. @type {Record<number, number>} */
const OPERANDS = Object.fromEntries(Object.values(OPERATION).map((operation) => [operation, operationOf(operation).operands.length]));

/** Messages of any kind to a replica that serves. @param {Random} random */
function checkConversation(random) {
  const line = new GivenLine();
  const conversation = new Conversation(/** @type {any} */ (line), {
    isHome: false,
    timeoutMs: 0,
    load: () => ({ a: 1, method: () => 'm' }),
  });
  line.onMessage([MESSAGE.CALL, null, 1, 0, OPERATION.LOAD, 0, '{}', [TAG.UNDEFINED], 0]);
  for (let i = 0; i < 8 && !line.isClosed; i++) {
    line.inbox.push([...madeUp(random), random.below(9)], [MESSAGE.TURN, 0]);
    line.onMessage([...madeUp(random), random.below(9)]);
  }
  const { error } = line;
  // What a promise of theirs is broken with is no news.
  conversation.mail.sweep();
  if (error !== null) throw error;
}

/** @param {number} seed @param {number} number @returns {string} */
function checkObject(seed, number) {
  const random = new Random(seedOf(seed, number));
  let outcome = 'read';
  try {
    if (number % 2 === 0) checkValues(random, seedOf(seed, number) + 1);
    else checkConversation(random);
  } catch (error) {
    outcome = /** @type {any} */ (error).code;
    // It asked the other side, which says nothing here.
    if (outcome === 'IGNIS_CALL_TIMEOUT') outcome = 'read';
    else if (!REFUSED.includes(outcome)) throw error;
  }
  GUARDED.forEach((prototype, i) => {
    if (Reflect.ownKeys(prototype).length !== KEYS[i] || !Object.isExtensible(prototype)) throw new Error('a prototype was changed');
  });
  return outcome;
}

exports.REFUSED = REFUSED;
exports.checkObject = checkObject;
