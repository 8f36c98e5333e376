'use strict';
/*
 * Codecs turn the frames of one block into bytes and back. The contract is two functions: encode(frames) -> Buffer and
 * decode(Buffer) -> frames. Frames hold only what every such format can carry (null, booleans, numbers, strings, byte arrays, arrays,
 * plain objects): all else was lifted out by session/marshal.js, so a codec needs no extension types. Never executes anything.
 */
const { Buffer } = require('node:buffer');
const { IgnisError } = require('../errors');
const { checkBody } = require('./body-check');
const { SmallEncoder, SmallDecoder } = require('./small-codec');

/**
 * @typedef {object} Codec
 * @property {(frames: any[]) => Buffer} encode
 * @property {(bytes: Buffer) => any} decode keeps nothing of the bytes, which are read over afterwards; throws whatever the format throws on
 *   garbage, which the reader turns into IGNIS_BAD_FRAME
 */

/** @type {Record<string, () => Codec>} one maker a name; an optional package is loaded on first use */
const MAKERS = Object.assign(Object.create(null), {
  msgpackr() {
    const { Packr } = require('msgpackr');
    // Without structuredClone no value may point at another: a list of such would be printed in an error until the end of days.
    const packr = new Packr({
      useRecords: false,
      mapsAsObjects: true,
      moreTypes: false,
      variableMapSize: true,
      copyBuffers: true,
      structuredClone: false,
    });
    const encoder = new SmallEncoder();
    const decoder = new SmallDecoder();
    return {
      encode: (/** @type {any[]} */ frames) => encoder.encode(frames) ?? packr.pack(frames),
      decode: (/** @type {Buffer} */ bytes) => decoder.decode(bytes) ?? packr.unpack(bytes),
    };
  },
  'msgpack-lite'() {
    const lite = optional('msgpack-lite');
    return {
      encode: (/** @type {any[]} */ frames) => lite.encode(frames),
      decode: (/** @type {Buffer} */ bytes) => lite.decode(Buffer.from(checkBody(bytes))),
    };
  },
});

/** @param {string} name of an optional peer dependency */
function optional(name) {
  try {
    return require(name);
  } catch (cause) {
    throw new IgnisError('IGNIS_BAD_OPTION', `codec '${name}' needs the package ${name}: npm install ${name}`, { cause });
  }
}

/**
 * @param {string} name 'msgpackr' (default) or 'msgpack-lite'
 * @returns {Codec}
 * @throws {IgnisError} IGNIS_BAD_OPTION when there is no such codec or its package is not installed
 */
function makeCodec(name) {
  const make = MAKERS[name];
  if (make === undefined) throw new IgnisError('IGNIS_BAD_OPTION', `no codec '${name}'; there are ${Object.keys(MAKERS).join(', ')}`);
  return make();
}

exports.makeCodec = makeCodec;
exports.CODEC_NAMES = Object.freeze(Object.keys(MAKERS));
