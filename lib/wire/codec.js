'use strict';
/*
 * Codecs turn the frames of one block into bytes and back. The contract is two functions: encode(frames) -> Buffer and decode(Buffer) ->
 * frames. Frames hold only what every such format can carry (null, booleans, numbers, strings, byte arrays, arrays, plain objects):
 * session/marshal.js has lifted out all else, so a codec needs no extension types. It never executes anything.
 */
const { Buffer } = require('node:buffer');
const { IgnisError } = require('../errors');
const { checkBody } = require('./body-check');
const { PlainDecoder } = require('./plain-decoder');
const { PlainEncoder } = require('./plain-encoder');
const { Object } = require('../engine');

/**
 * @typedef {object} Codec
 * @property {boolean} [keepsBuffers] byte arrays are decoded as Buffers, each with memory of its own
 * @property {(frames: any[], room?: number) => Buffer} encode room: bytes that the caller writes in front of the result, 0 to 255; 0
 * @property {(bytes: Buffer, start?: number, end?: number) => any} decode of all these bytes, or those from start to end; keeps no
 *   reference to them, since they are overwritten afterwards; on garbage it throws whatever the format throws, which the reader turns into
 *   IGNIS_BAD_FRAME
 */

/** A flag of msgpackr, for when that is not loaded yet: the bits below say how many bytes to leave free in front. */
const RESERVE_START_SPACE = 2048;

/** @type {Record<string, (isLazy: boolean) => Codec>} one maker for each name; an optional package is loaded on first use */
const MAKERS = Object.assign(Object.create(null), {
  /** @param {boolean} isLazy */
  msgpackr(isLazy) {
    /** @type {import('msgpackr').Packr | null} */
    let packr = null;
    const whole = () => (packr ??= makePackr());
    if (!isLazy) whole();
    const encoder = new PlainEncoder();
    const decoder = new PlainDecoder();
    return {
      keepsBuffers: true,
      encode: (/** @type {any[]} */ frames, room = 0) => encoder.encode(frames, room) ?? whole().pack(frames, RESERVE_START_SPACE | room),
      decode: (/** @type {Buffer} */ bytes, start = 0, end = bytes.length) =>
        decoder.decode(bytes, start, end) ?? whole().unpack(bytes.subarray(start, end)),
    };
  },
  'msgpack-lite'() {
    const lite = msgpackLite();
    return {
      encode: (/** @type {any[]} */ frames, room = 0) => {
        const bytes = lite.encode(frames);
        return room === 0 ? bytes : Buffer.concat([Buffer.allocUnsafe(room), bytes]);
      },
      decode: (/** @type {Buffer} */ bytes, start = 0, end = bytes.length) =>
        lite.decode(Buffer.from(checkBody(bytes.subarray(start, end)))),
    };
  },
});

function makePackr() {
  const { Packr } = require('msgpackr');
  // Without structuredClone, no value may refer to another: an error that prints a list of such values would never end.
  return new Packr({
    useRecords: false,
    mapsAsObjects: true,
    moreTypes: false,
    variableMapSize: true,
    copyBuffers: true,
    structuredClone: false,
  });
}

/** An optional peer dependency. */
function msgpackLite() {
  try {
    return require('msgpack-lite');
  } catch (cause) {
    throw new IgnisError('IGNIS_BAD_OPTION', "codec 'msgpack-lite' needs the package msgpack-lite: npm install msgpack-lite", { cause });
  }
}

/**
 * @param {string} name 'msgpackr' (default) or 'msgpack-lite'
 * @param {{isLazy?: boolean}} [how] isLazy: its package (2 MB of a replica, and a tenth of its start) is loaded only for the first block
 *   that is not plain
 * @returns {Codec}
 * @throws {IgnisError} IGNIS_BAD_OPTION when there is no such codec or its package is not installed
 */
function makeCodec(name, { isLazy = false } = {}) {
  const make = MAKERS[name];
  if (make === undefined) throw new IgnisError('IGNIS_BAD_OPTION', `no codec '${name}'; there are ${Object.keys(MAKERS).join(', ')}`);
  return make(isLazy);
}

exports.makeCodec = makeCodec;
exports.CODEC_NAMES = Object.freeze(Object.keys(MAKERS));
