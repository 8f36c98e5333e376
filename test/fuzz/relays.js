'use strict';
/*
 * Streams to a relay of the object layer, corrupted or made up: a relay cuts blocks without a look into them, and the line behind it
 * decodes. In: a seed, the number of a case. Out: how it ended: 'read', 'cut short', or the code of the error that ended the line. Throws
 * when it was another error, or when the line goes on after its socket was destroyed.
 */
const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { makeCodec } = require('../../lib/wire/codec');
const { makeParts } = require('../../lib/wire/line');
const { RelayedLine } = require('../../lib/wire/line-relayed');
const { relay } = require('../../lib/wire/relay');
const { Random, seedOf } = require('../helpers/random');
const { block } = require('../wire/golden');
const { HARMS, HARM_NAMES } = require('./corrupt');
const { EXPECTED } = require('./streams');

const LIMITS = { maxBlockBytes: 1 << 20 };
const codec = makeCodec('msgpackr');

/** What a relay needs of a socket, without one. */
class NoSocket extends EventEmitter {
  isDestroyed = false;

  _destroy() {}
  write() {
    return true;
  }
  end() {}
  destroy() {
    this.isDestroyed = true;
  }
}

/** @param {Random} random @param {number} depth @returns {any} what messages are made of, mostly */
function part(random, depth) {
  switch (random.below(depth > 0 ? 8 : 5)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick([0, 1, -1, 0.5, 2 ** 31, 1e300]);
    case 2:
      return random.pick(['', 'a', '__proto__', 'x'.repeat(300)]);
    case 3:
      return new Uint8Array(random.bytes(random.below(20)));
    case 4:
      return random.next() < 0.02 ? { a: 1 } : random.below(9);
    default:
      return Array.from({ length: random.below(5) }, () => part(random, depth - 1));
  }
}

/** @param {Random} random @returns {Buffer} blocks as they should be, mostly, and one that was harmed */
function streamOf(random) {
  const blocks = Array.from({ length: 1 + random.below(4) }, () => {
    const attachments = Array.from({ length: random.below(3) }, () => random.bytes(random.below(40)));
    const message = Array.from({ length: random.below(5) }, () => part(random, 4));
    // A byte array that rides apart leaves null in its place, which is named behind the message.
    const places = attachments.map(() => [random.next() < 0.95 ? message.push(null) - 1 : random.below(9)]);
    return block(codec, random.next() < 0.05 ? part(random, 2) : [message, ...places], attachments);
  });
  const at = random.below(blocks.length);
  if (random.next() < 0.9) blocks[at] = HARMS[random.pick(HARM_NAMES)](random, blocks[at]);
  return Buffer.concat(blocks);
}

/** @param {number} seed @param {number} number @returns {string} */
function checkRelay(seed, number) {
  const random = new Random(seedOf(seed, number));
  const bytes = streamOf(random);
  try {
    return read(random, bytes);
  } catch (error) {
    throw new Error(`relay ${number} of seed ${seed}: ${/** @type {any} */ (error).message}\n${bytes.toString('hex').slice(0, 1200)}`, {
      cause: error,
    });
  }
}

/** @param {Random} random @param {Buffer} bytes */
function read(random, bytes) {
  const [own, parts] = makeParts();
  const socket = new NoSocket();
  const line = new RelayedLine(own, codec, LIMITS);
  line.onClose = () => {};
  const joined = relay(parts, /** @type {any} */ (socket), LIMITS);
  joined.onEnd = (error) => (error === null ? joined.line.close() : joined.line.destroy(error));
  try {
    for (let from = 0; from < bytes.length && !socket.isDestroyed;) {
      const to = from + 1 + random.below(bytes.length);
      socket.emit('data', bytes.subarray(from, to));
      from = to;
    }
    socket.emit('close');
    // What came before the end, and then the end itself.
    while (!line.isClosed && line.poll() !== undefined);
    assert.ok(line.isClosed, 'the line goes on');
    const { error } = line;
    if (error === null) return 'read';
    // The end of a line that was never up says so, whatever led to it.
    assert.ok(EXPECTED.has(error.code) || error.code === 'IGNIS_START_FAILED', `${error}`);
    return error.code;
  } finally {
    line.close();
    joined.line.close();
  }
}

exports.checkRelay = checkRelay;
