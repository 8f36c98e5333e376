'use strict';
/*
 * Writes the frames of a block as MessagePack: only what our copies consist of, so it looks at each value once and knows no types of its
 * own. A codec for all kinds takes twice as long. In: frames. Out: bytes; null if something in them is rare, or too deep, which the whole
 * codec must write or refuse. The way back is plain-decoder.js.
 */
const { Buffer } = require('node:buffer');
const { MOST_DEPTH } = require('./plain-decoder');
const engine = require('../engine');

const { Math, Object, isArray } = engine;

const SLAB_BYTES = 64 * 1024;
/** If this much of a slab is left, it serves another block that may be small, bytes. */
const LEAST_ROOM = 1024;
/** A slab that grew beyond this serves only one block, bytes. */
const MOST_KEPT = 4 * SLAB_BYTES;
/** Anything that is no text and no bytes takes less, including the mark of what comes next, bytes. */
const MARGIN = 16;
/** Shorter texts are written character by character, which is faster than calling the engine. */
const SHORT = 28;
/** For longer texts, bytes are counted first, instead of making room for three bytes a character. */
const LONG = 4096;

class PlainEncoder {
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #view = new DataView(this.#slab.buffer);
  /** where the next block begins */
  #at = 0;
  /** below this, there is room for a value without text */
  #limit = SLAB_BYTES - MARGIN;

  /**
   * @param {any[]} frames
   * @param {number} [room] bytes left in front, for the caller
   * @returns {Buffer | null} never written to again; null: not plain
   */
  encode(frames, room = 0) {
    if (this.#at + room + LEAST_ROOM > this.#slab.length) this.#renew(SLAB_BYTES);
    const begun = this.#at;
    const end = this.#write(frames, begun + room, MOST_DEPTH);
    const slab = this.#slab;
    if (slab.length > MOST_KEPT) this.#renew(SLAB_BYTES);
    else if (end >= 0) this.#at = end;
    return end < 0 ? null : slab.subarray(begun, end);
  }

  /** @param {number} size in bytes */
  #renew(size) {
    this.#slab = Buffer.allocUnsafeSlow(size);
    this.#view = new DataView(this.#slab.buffer);
    this.#at = 0;
    this.#limit = size - MARGIN;
  }

  /** Makes room for more bytes: what is written keeps its place, in a larger slab. @param {number} at @param {number} bytes */
  #grow(at, bytes) {
    const slab = this.#slab;
    const begun = this.#at;
    this.#renew(Math.max(slab.length * 2, at + bytes + MARGIN));
    slab.copy(this.#slab, begun, begun, at);
    this.#at = begun;
  }

  // Each of these writes at a place, and returns the place behind it, or -1.

  /** @param {any} value @param {number} at @param {number} depth levels still allowed @returns {number} */
  #write(value, at, depth) {
    if (at > this.#limit) this.#grow(at, 0);
    switch (typeof value) {
      case 'string':
        return this.#writeText(value, at);
      case 'number':
        return this.#writeNumber(value, at);
      case 'boolean':
        this.#slab[at] = value ? 0xc3 : 0xc2;
        return at + 1;
      case 'object':
        if (value === null) {
          this.#slab[at] = 0xc0;
          return at + 1;
        }
        if (depth === 0) return -1;
        return isArray(value) ? this.#writeList(value, at, depth - 1) : this.#writeMembers(value, at, depth - 1);
      default:
        return -1;
    }
  }

  /** @param {any[]} list @param {number} at @param {number} depth */
  #writeList(list, at, depth) {
    const { length } = list;
    let next = this.#writeCount(length, at, 0x90, 0xdc);
    for (let i = 0; i < length && next >= 0; i++) next = this.#write(list[i], next, depth);
    return next;
  }

  /** @param {any} object @param {number} at @param {number} depth */
  #writeMembers(object, at, depth) {
    const prototype = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null) return prototype === Buffer.prototype ? this.#writeBytes(object, at) : -1;
    const names = Object.keys(object);
    const { length } = names;
    let next = this.#writeCount(length, at, 0x80, 0xde);
    for (let i = 0; i < length && next >= 0; i++) next = this.#write(object[names[i]], this.#writeText(names[i], next), depth);
    return next;
  }

  /**
   * @param {number} count
   * @param {number} at
   * @param {number} few mark for up to 15
   * @param {number} many mark for up to 65535; the next mark is for more
   */
  #writeCount(count, at, few, many) {
    if (count < 16) {
      this.#slab[at] = few | count;
      return at + 1;
    }
    return this.#writeWide(count, at, many);
  }

  /** @param {number} size @param {number} at @param {number} mark for up to 65535; the next one is for more */
  #writeWide(size, at, mark) {
    const slab = this.#slab;
    if (size < 65536) {
      slab[at] = mark;
      slab[at + 1] = size >> 8;
      slab[at + 2] = size & 255;
      return at + 3;
    }
    slab[at] = mark + 1;
    this.#view.setUint32(at + 1, size);
    return at + 5;
  }

  /** @param {Buffer} bytes @param {number} at */
  #writeBytes(bytes, at) {
    const { length } = bytes;
    if (at + length > this.#limit) this.#grow(at, length);
    const begun = this.#writeLength(length, at, 0xc4);
    this.#slab.set(bytes, begun);
    return begun + length;
  }

  /** @param {number} length in bytes @param {number} at @param {number} mark for up to 255; the next ones are for more */
  #writeLength(length, at, mark) {
    const slab = this.#slab;
    if (length < 256) {
      slab[at] = mark;
      slab[at + 1] = length;
      return at + 2;
    }
    return this.#writeWide(length, at, mark + 1);
  }

  /** @param {string} text @param {number} at */
  #writeText(text, at) {
    const { length } = text;
    const most = length > LONG ? Buffer.byteLength(text) : length * 3;
    if (at + most > this.#limit) this.#grow(at, most);
    const slab = this.#slab;
    if (length < SHORT) {
      let i = 0;
      for (; i < length; i++) {
        const code = text.charCodeAt(i);
        if (code > 127) break;
        slab[at + 1 + i] = code;
      }
      if (i === length) {
        slab[at] = 0xa0 | length;
        return at + 1 + length;
      }
    }
    // The length goes behind the mark, and is known only when the text is written.
    const begun = this.#writeLength(most, at, 0xd9);
    const bytes = slab.write(text, begun);
    if (most < 256) slab[at + 1] = bytes;
    else if (most < 65536) {
      slab[at + 1] = bytes >> 8;
      slab[at + 2] = bytes & 255;
    }
    return begun + bytes;
  }

  /** @param {number} value @param {number} at */
  #writeNumber(value, at) {
    const slab = this.#slab;
    if (value === value >>> 0 && (value !== 0 || 1 / value > 0)) {
      if (value < 128) {
        slab[at] = value;
        return at + 1;
      }
      if (value < 256) {
        slab[at] = 0xcc;
        slab[at + 1] = value;
        return at + 2;
      }
      if (value < 65536) {
        slab[at] = 0xcd;
        slab[at + 1] = value >> 8;
        slab[at + 2] = value & 255;
        return at + 3;
      }
      slab[at] = 0xce;
      this.#view.setUint32(at + 1, value);
      return at + 5;
    }
    if (value === (value | 0) && value < 0) {
      slab[at] = 0xd2;
      this.#view.setInt32(at + 1, value);
      return at + 5;
    }
    slab[at] = 0xcb;
    this.#view.setFloat64(at + 1, value);
    return at + 9;
  }
}

exports.PlainEncoder = PlainEncoder;
