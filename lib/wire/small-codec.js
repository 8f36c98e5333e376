'use strict';
/*
 * The same bytes as any MessagePack, for small blocks of plain values and short byte arrays: most calls are such, and a codec for all kinds costs more than their journey through
 * it needs. In: frames or bytes. Out: bytes or frames; null for whatever is large, deep, rare, or wrong, which is the whole codec's to do or to refuse.
 */
const { Buffer } = require('node:buffer');
const engine = require('../engine');

const { Array, Object, Symbol } = engine;

/** Encoded so far at most; what may be more is not small, bytes. */
const MOST_BYTES = 1024;
const MOST_DEPTH = 32;
const SLAB_BYTES = 32 * 1024;
/** Texts up to this are written one by one, keys up to this are known again (bytes). */
const SHORT = 64;
const SHORT_KEY = 24;
/** Strings of keys met before, by a hash of their bytes; any key may take another's place. */
const KEYS = 512;

/** Says that the whole codec must do it. */
const NOT_SMALL = Symbol('not small');

class SmallEncoder {
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #view = new DataView(this.#slab.buffer);
  #at = 0;
  #limit = 0;

  /** @param {any[]} frames @param {number} [room] bytes before them, which are the caller's @returns {Buffer | null} not written to again; null: not small */
  encode(frames, room = 0) {
    if (SLAB_BYTES - this.#at < MOST_BYTES) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#view = new DataView(this.#slab.buffer);
      this.#at = 0;
    }
    const begun = this.#at;
    this.#at += room;
    // Nothing but a text is longer than 9 bytes, and that looks for itself.
    this.#limit = begun + MOST_BYTES - 9;
    if (this.#write(frames, MOST_DEPTH)) return this.#slab.subarray(begun, this.#at);
    this.#at = begun;
    return null;
  }

  /** @param {any} value @param {number} depth that is left @returns {boolean} whether it is written */
  #write(value, depth) {
    if (this.#at > this.#limit) return false;
    switch (typeof value) {
      case 'string':
        return this.#writeText(value);
      case 'number':
        return this.#writeNumber(value);
      case 'boolean':
        this.#slab[this.#at++] = value ? 0xc3 : 0xc2;
        return true;
      case 'object':
        if (value === null) {
          this.#slab[this.#at++] = 0xc0;
          return true;
        }
        return depth > 0 && (Array.isArray(value) ? this.#writeList(value, depth - 1) : this.#writeMembers(value, depth - 1));
      default:
        return false;
    }
  }

  /** @param {any[]} list @param {number} depth */
  #writeList(list, depth) {
    const { length } = list;
    if (length > 15) return false;
    this.#slab[this.#at++] = 0x90 | length;
    for (let i = 0; i < length; i++) if (!this.#write(list[i], depth)) return false;
    return true;
  }

  /** @param {any} object @param {number} depth */
  #writeMembers(object, depth) {
    const prototype = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null) return prototype === Buffer.prototype && this.#writeBytes(object);
    const names = Object.keys(object);
    if (names.length > 15 || typeof object.toJSON === 'function') return false;
    this.#slab[this.#at++] = 0x80 | names.length;
    for (let i = 0; i < names.length; i++) {
      if (this.#at > this.#limit || !this.#writeText(names[i]) || !this.#write(object[names[i]], depth)) return false;
    }
    return true;
  }

  /** @param {Buffer} bytes */
  #writeBytes(bytes) {
    const { length } = bytes;
    if (length > 255 || this.#at + length > this.#limit) return false;
    const slab = this.#slab;
    slab[this.#at++] = 0xc4;
    slab[this.#at++] = length;
    slab.set(bytes, this.#at);
    this.#at += length;
    return true;
  }

  /** @param {string} text */
  #writeText(text) {
    const { length } = text;
    const slab = this.#slab;
    const begun = this.#at;
    if (begun + length * 3 > this.#limit) return false;
    if (length <= SHORT) {
      let at = begun;
      if (length < 32) slab[at++] = 0xa0 | length;
      else {
        slab[at++] = 0xd9;
        slab[at++] = length;
      }
      let i = 0;
      for (; i < length; i++) {
        const code = text.charCodeAt(i);
        if (code > 127) break;
        slab[at++] = code;
      }
      if (i === length) {
        this.#at = at;
        return true;
      }
    }
    const bytes = slab.write(text, begun + 3, 'utf8');
    slab[begun] = 0xda;
    slab[begun + 1] = bytes >> 8;
    slab[begun + 2] = bytes & 255;
    this.#at = begun + 3 + bytes;
    return true;
  }

  /** @param {number} value */
  #writeNumber(value) {
    if (value === value >>> 0 && !Object.is(value, -0)) {
      if (value < 128) this.#slab[this.#at++] = value;
      else if (value < 256) {
        this.#slab[this.#at++] = 0xcc;
        this.#slab[this.#at++] = value;
      } else if (value < 65536) {
        this.#slab[this.#at++] = 0xcd;
        this.#view.setUint16(this.#at, value);
        this.#at += 2;
      } else {
        this.#slab[this.#at++] = 0xce;
        this.#view.setUint32(this.#at, value);
        this.#at += 4;
      }
      return true;
    }
    if (value === (value | 0) && value < 0) {
      this.#slab[this.#at++] = 0xd2;
      this.#view.setInt32(this.#at, value);
      this.#at += 4;
      return true;
    }
    this.#slab[this.#at++] = 0xcb;
    this.#view.setFloat64(this.#at, value);
    this.#at += 8;
    return true;
  }
}

class SmallDecoder {
  /** @type {Buffer} */
  #bytes = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  /** @type {string[]} */
  #keys = new Array(KEYS).fill('');

  /** @param {Buffer} bytes @param {number} [start] @param {number} [end] @returns {any} of the bytes from start to end; null: not small, or not right */
  decode(bytes, start = 0, end = bytes.length) {
    if (end - start > MOST_BYTES) return null;
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    try {
      const value = this.#read(MOST_DEPTH);
      return this.#at === end ? value : null;
    } catch (error) {
      if (error === NOT_SMALL || error instanceof RangeError) return null;
      throw error;
    }
  }

  /** @param {number} depth that is left @returns {any} */
  #read(depth) {
    const bytes = this.#bytes;
    if (this.#at >= this.#end || depth < 0) throw NOT_SMALL;
    const kind = bytes[this.#at++];
    if (kind < 0x80) return kind;
    if (kind < 0x90) return this.#readMembers(kind & 15, depth - 1);
    if (kind < 0xa0) return this.#readList(kind & 15, depth - 1);
    if (kind < 0xc0) return this.#readText(kind & 31);
    if (kind >= 0xe0) return kind - 256;
    const at = this.#at;
    switch (kind) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
        this.#at += 1;
        return this.#readBytes(bytes.readUInt8(at));
      case 0xcb:
        this.#at += 8;
        return bytes.readDoubleBE(at);
      case 0xcc:
        this.#at += 1;
        return bytes.readUInt8(at);
      case 0xcd:
        this.#at += 2;
        return bytes.readUInt16BE(at);
      case 0xce:
        this.#at += 4;
        return bytes.readUInt32BE(at);
      case 0xd2:
        this.#at += 4;
        return bytes.readInt32BE(at);
      case 0xd9:
        this.#at += 1;
        return this.#readText(bytes.readUInt8(at));
      case 0xda:
        this.#at += 2;
        return this.#readText(bytes.readUInt16BE(at));
    }
    throw NOT_SMALL;
  }

  /** @param {number} count @param {number} depth */
  #readList(count, depth) {
    const list = [];
    for (let i = 0; i < count; i++) list.push(this.#read(depth));
    return list;
  }

  /** @param {number} count @param {number} depth */
  #readMembers(count, depth) {
    /** @type {Record<string, any>} */
    const object = {};
    for (let i = 0; i < count; i++) {
      const name = this.#readKey();
      // Assigned, it would be no member; what becomes of it is the whole codec's to say.
      if (name === '__proto__') throw NOT_SMALL;
      object[name] = this.#read(depth);
    }
    return object;
  }

  #readKey() {
    const bytes = this.#bytes;
    const at = this.#at;
    const length = bytes[at] - 0xa0;
    const end = at + 1 + length;
    if (!(length >= 0 && length <= SHORT_KEY && end <= this.#end)) throw NOT_SMALL;
    this.#at = end;
    let hash = length;
    for (let i = at + 1; i < end; i++) hash = (Math.imul(hash, 31) + bytes[i]) & (KEYS - 1);
    const known = this.#keys[hash];
    if (known.length === length) {
      let i = 0;
      while (i < length && known.charCodeAt(i) === bytes[at + 1 + i]) i++;
      if (i === length) return known;
    }
    const key = bytes.toString('utf8', at + 1, end);
    // Only where bytes and characters are the same may they be compared one by one.
    if (key.length === length) this.#keys[hash] = key;
    return key;
  }

  /** @param {number} length @returns {Buffer} memory of its own */
  #readBytes(length) {
    const at = this.#at;
    const end = at + length;
    if (end > this.#end) throw NOT_SMALL;
    this.#at = end;
    // Quicker than `slice`, which asks for a class, than unfilled memory, which fast code does not make, and than a view to copy from.
    const own = Buffer.alloc(length);
    for (let i = 0; i < length; i++) own[i] = this.#bytes[at + i];
    return own;
  }

  /** @param {number} length in bytes */
  #readText(length) {
    const at = this.#at;
    const end = at + length;
    if (end > this.#end) throw NOT_SMALL;
    this.#at = end;
    return this.#bytes.toString('utf8', at, end);
  }
}

exports.SmallEncoder = SmallEncoder;
exports.SmallDecoder = SmallDecoder;
