'use strict';
/*
 * Streams of blocks that were corrupted, or made to do harm, read by a true peer. In: a seed, and which stream. Out: how it ended. Allowed
 * are three errors of ours, each of which ends the link and gives its calls back, and values that are made of what values are made of.
 * Anything else throws, with the bytes.
 */
const assert = require('node:assert/strict');
const { types } = require('node:util');
const { BlockReader } = require('../../lib/wire/block');
const { Channel } = require('../../lib/wire/channel');
const { makeCodec, CODEC_NAMES } = require('../../lib/wire/codec');
const { Giver } = require('../../lib/session/giver');
const { Peer } = require('../../lib/session/peer');
const { marshal } = require('../../lib/session/marshal');
const { marshalNoting } = require('../../lib/session/restore-pack');
const { Random, seedOf } = require('../helpers/random');
const { RandomValue } = require('../session/random-value');
const { block } = require('../wire/golden');
const { HARMS, HARM_NAMES } = require('./corrupt');
const { hostileFrame } = require('./hostile');

const EXPECTED = new Set(['IGNIS_BAD_FRAME', 'IGNIS_FRAME_TOO_LARGE', 'IGNIS_VERSION_MISMATCH']);
const LIMITS = { maxBlockBytes: 1 << 20 };
const CODECS = CODEC_NAMES.map((name) => ({ name, codec: makeCodec(name) }));
/** Calls that wait for an answer when the stream comes. */
const WAITING = 4;

/** A channel that moves nothing: the stream is the other side. */
class Silent extends Channel {
  _write() {}
}

/** As a list: since Node 24 `deepStrictEqual` takes a member named Symbol.toStringTag for the class. @param {object} object */
const descriptorsOf = (object) => Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]);

/** Whether all is as it was in everything that other code stands on. */
class Watch {
  #kept = [Object, Array, Function, Map, Set, String, Number, Symbol, Error, Promise, Date, RegExp, Uint8Array, Buffer]
    .flatMap((Class) => [Class, Class.prototype])
    .map((object) => ({ object, keys: Reflect.ownKeys(object).length, all: descriptorsOf(object) }));

  /** A new name anywhere. */
  glance() {
    for (const { object, keys } of this.#kept) assert.equal(Reflect.ownKeys(object).length, keys, 'a built-in object has other names');
  }

  /** Another value anywhere. */
  look() {
    for (const { object, all } of this.#kept) assert.deepStrictEqual(descriptorsOf(object), all);
  }
}

/** What arrived is made of what values are made of, all the way down. @param {any} value */
function checkKinds(value) {
  const open = [value];
  const seen = new Set();
  while (open.length > 0) {
    const at = open.pop();
    if (typeof at !== 'object' || at === null || seen.has(at)) continue;
    seen.add(at);
    const prototype = Object.getPrototypeOf(at);
    const isBuiltIn = prototype === null || (Object.hasOwn(prototype, 'constructor') && typeof prototype.constructor === 'function');
    assert.ok(isBuiltIn && prototype?.constructor?.prototype === (prototype ?? undefined), 'a prototype from the wire');
    if (types.isMap(at)) open.push(...[...at].flat(1));
    else if (types.isSet(at)) open.push(...at);
    else if (!ArrayBuffer.isView(at)) for (const name of Object.keys(at)) open.push(at[name]);
  }
}

/** @param {(args: any) => void} onValue @param {string[]} lost */
function makePeer(onValue, lost) {
  const channel = new Silent();
  const counts = { settled: 0, given: 0 };
  const peer = new Peer(channel, {
    onCall: (_peer, _id, _frame, args) => onValue(args),
    onLost: (error, pending) => {
      counts.given += pending.length;
      lost.push(/** @type {any} */ (error)?.code ?? String(error));
    },
  });
  const settle = (/** @type {any} */ value) => {
    counts.settled += 1;
    onValue(value);
  };
  // Of one the arguments are restored.
  const { met } = marshalNoting([{ a: [0], map: new Map([[1, new Date(0)]]), bytes: new Uint8Array(4) }], () => null);
  for (let i = 0; i < WAITING; i++) peer.load({}, { id: -1, sequence: 0, finish: settle, fail: settle, ...(i === 1 && { met }) });
  // Of what could not be called, or threw, its call is told.
  const giver = new Giver(/** @type {any} */ ({ plan: { mode: 'await' }, fail: () => giver.close(true) }));
  peer.lent.lend((/** @type {any[]} */ ...args) => onValue(args), giver);
  return { channel, counts };
}

/** @param {Random} random @returns {{frames: any[], attachments: any[]}} a batch as it should be */
function goodBatch(random) {
  const values = new RandomValue(random);
  const args = marshal([values.make(), 'text', random.below(1000)], null, 'args');
  const result = marshal(random.next() < 0.2 ? Buffer.alloc(4096 + random.below(100), 5) : values.make(), null, 'result');
  const frames = [
    [3, 0, ['parse', 'inner']],
    [4, random.below(9), 0, args.value, args.special],
    [6, 1, result.value, result.special],
    [5, 1, ['cast'], null],
    [8, [2, 2]],
    [9, 5, 1.5, 0.25],
  ];
  if (args.attachments !== null && result.special !== null) result.special[0] = args.attachments.length;
  return { frames, attachments: [...(args.attachments ?? []), ...(result.attachments ?? [])] };
}

/** @param {Random} random @param {import('../../lib/wire/codec').Codec} codec @returns {{harm: string, bytes: Buffer}} */
function harmfulStream(random, codec) {
  if (random.next() < 0.4) {
    const frames = Array.from({ length: 1 + random.below(3) }, () => hostileFrame(random));
    return { harm: 'hostile frames', bytes: block(codec, frames, [Buffer.alloc(5000, 1)]) };
  }
  if (random.next() < 0.002) return { harm: 'depth', bytes: deepBlock(random) };
  const { frames, attachments } = goodBatch(random);
  const harm = random.pick(HARM_NAMES);
  let bytes = HARMS[harm](random, block(codec, frames, attachments));
  if (random.next() < 0.2 && bytes.length > 0) bytes = HARMS[random.pick(HARM_NAMES)](random, bytes);
  return { harm, bytes };
}

/** Encoded by hand, as the codecs' own encoders would run out of stack. @param {Random} random */
function deepBlock(random) {
  const levels = random.pick([1000, 20000, 100000]);
  const [open, last] = random.pick([
    [Buffer.from([0x91]), Buffer.from([0xc0])],
    [Buffer.from([0x81, 0xa1, 0x61]), Buffer.from([0xc0])],
    [Buffer.from([0xdd, 0, 0, 0xff, 0xff]), Buffer.alloc(70000, 0xc0)],
  ]);
  const body = Buffer.concat([Buffer.from([0x91, 0x95, 4, 0, 0]), ...Array.from({ length: levels }, () => open), last]);
  const head = Buffer.alloc(12);
  head.write('IG\x01', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** Begins with the first stream: whoever ran before in this process may have put names on built-ins. @type {Watch | null} */
let watch = null;

/**
 * @param {number} seed
 * @param {number} number of the stream
 * @returns {string} 'read', 'cut short', or the code of the error
 */
function checkStream(seed, number) {
  const random = new Random(seedOf(seed, number));
  const { name, codec } = CODECS[number % CODECS.length];
  watch ??= new Watch();
  let made = { harm: 'not made', bytes: Buffer.alloc(0) };
  try {
    made = harmfulStream(random, codec);
    // Some come behind blocks as they should be.
    if (random.next() < 0.3) {
      const good = Array.from({ length: 1 + random.below(3) }, () => goodBatch(random)).map((one) =>
        block(codec, one.frames, one.attachments),
      );
      made.bytes = Buffer.concat([...good, made.bytes]);
    }
    const outcome = readStream(random, codec, made.bytes);
    watch.glance();
    if (number % 1000 === 0) watch.look();
    return outcome;
  } catch (error) {
    const where = `stream ${number} of seed ${seed}, ${made.harm}, by ${name}`;
    throw new Error(`${where}: ${/** @type {any} */ (error).message}\n${made.bytes.toString('hex').slice(0, 1200)}`, { cause: error });
  }
}

/** @param {Random} random @param {import('../../lib/wire/codec').Codec} codec @param {Buffer} bytes */
function readStream(random, codec, bytes) {
  /** @type {string[]} */
  const lost = [];
  /** @type {any[]} */
  const arrived = [];
  const { channel, counts } = makePeer((value) => arrived.push(value), lost);
  const reader = new BlockReader(codec, (frames, attachments) => channel._arrived(frames, attachments), LIMITS);
  let outcome = 'read';
  try {
    const cut = random.below(bytes.length + 1);
    reader.push(bytes.subarray(0, cut));
    reader.push(bytes.subarray(cut));
    if (!reader.isBetweenBlocks) outcome = 'cut short';
  } catch (error) {
    outcome = /** @type {any} */ (error).code;
    if (!EXPECTED.has(outcome)) throw error;
  }
  if (lost.length > 0) [outcome] = lost;
  channel.destroy(null);
  assert.ok(outcome === 'read' || outcome === 'cut short' || EXPECTED.has(outcome), `ended with ${outcome}`);
  assert.equal(counts.settled + counts.given, WAITING, 'calls were lost');
  arrived.forEach(checkKinds);
  return outcome;
}

exports.checkStream = checkStream;
exports.EXPECTED = EXPECTED;
exports.WAITING = WAITING;
exports.makePeer = makePeer;
