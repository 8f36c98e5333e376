'use strict';
/*
 * Reads the frames of a block from MessagePack, as plain-encoder.js writes it and as other packages may. In: bytes. Out: frames; null for
 * anything rare, too deep or wrong, which the whole codec must read or refuse. A length that claims more than there is gets no memory.
 */
const { Buffer } = require('node:buffer');
const { Forms } = require('./forms');
const engine = require('../engine');

const { Array, Math, Symbol } = engine;
const { fromCharCode } = String;

/** Our copies are less deep, including their frame and block. */
const MOST_DEPTH = 64;
/** Only a list up to this length gets its memory at once: lists in lists may claim the same bytes again and again. */
const MOST_CLAIMED = 65_536;
/** Texts up to this are put together byte by byte, which is faster than asking the engine. */
const SHORT_TEXT = 12;
/** Byte arrays up to this are copied byte by byte, which is faster than asking the engine for unfilled memory. */
const FEW_BYTES = 256;
/** More than this many are read through a view, which reads in a third of a Buffer's time, but takes as long to make as four reads. */
const FEW_DOUBLES = 4;
/** Keys up to this length are cached, bytes. */
const SHORT_KEY = 24;
/** Strings of keys met before, by a hash of their bytes; a key may take another's place. */
const KEYS = 512;

const NO_BYTES = Buffer.alloc(0);

/** Means that the whole codec must do it. */
const NOT_PLAIN = Symbol('not plain');

class PlainDecoder {
  /** @type {Buffer} */
  #bytes = NO_BYTES;
  /** of these bytes, if there are many doubles in them @type {DataView | null} */
  #view = null;
  #doubles = 0;
  #at = 0;
  #end = 0;
  /** @type {string[]} */
  #keys = new Array(KEYS).fill('');
  #forms = new Forms();
  /** @type {any[]} members of the objects being read; undefined in between */
  #values = [];
  /** how many of them are taken */
  #taken = 0;

  /**
   * @param {Buffer} bytes
   * @param {number} [start]
   * @param {number} [end]
   * @returns {any} from the bytes between start and end; null: not plain, or wrong
   */
  decode(bytes, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    try {
      const value = this.#read(MOST_DEPTH);
      return this.#at === end ? value : null;
    } catch (error) {
      this.#values = [];
      this.#taken = 0;
      if (error === NOT_PLAIN || error instanceof RangeError) return null;
      throw error;
    } finally {
      this.#bytes = NO_BYTES;
      this.#view = null;
      this.#doubles = 0;
    }
  }

  /** @param {number} depth levels still allowed @returns {any} */
  #read(depth) {
    const bytes = this.#bytes;
    if (this.#at >= this.#end || depth < 0) throw NOT_PLAIN;
    const kind = bytes[this.#at++];
    if (kind < 0x80) return kind;
    if (kind < 0x90) return this.#readMembers(kind & 15, depth - 1);
    if (kind < 0xa0) return this.#readList(kind & 15, depth - 1);
    if (kind < 0xc0) return this.#readText(kind & 31);
    if (kind >= 0xe0) return kind - 256;
    switch (kind) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
        return this.#readBytes(this.#take(1));
      case 0xc5:
        return this.#readBytes(this.#take(2));
      case 0xc6:
        return this.#readBytes(this.#take(4));
      case 0xcb:
        return this.#readDouble();
      case 0xcc:
        return this.#take(1);
      case 0xcd:
        return this.#take(2);
      case 0xce:
        return this.#take(4);
      case 0xd2:
        this.#at += 4;
        return bytes.readInt32BE(this.#at - 4);
      case 0xd9:
        return this.#readText(this.#take(1));
      case 0xda:
        return this.#readText(this.#take(2));
      case 0xdb:
        return this.#readText(this.#take(4));
      case 0xdc:
        return this.#readList(this.#take(2), depth - 1);
      case 0xdd:
        return this.#readList(this.#take(4), depth - 1);
      case 0xde:
        return this.#readMembers(this.#take(2), depth - 1);
      case 0xdf:
        return this.#readMembers(this.#take(4), depth - 1);
    }
    throw NOT_PLAIN;
  }

  /** @param {1 | 2 | 4} size in bytes @returns {number} its value */
  #take(size) {
    const at = this.#at;
    this.#at += size;
    if (this.#at > this.#end) throw NOT_PLAIN;
    const bytes = this.#bytes;
    if (size === 1) return bytes[at];
    const high = (bytes[at] << 8) | bytes[at + 1];
    return size === 2 ? high : high * 65536 + ((bytes[at + 2] << 8) | bytes[at + 3]);
  }

  #readDouble() {
    const at = this.#at;
    this.#at += 8;
    if (this.#at > this.#end) throw NOT_PLAIN;
    if (this.#view === null) {
      this.#doubles += 1;
      const bytes = this.#bytes;
      if (this.#doubles <= FEW_DOUBLES) return bytes.readDoubleBE(at);
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    return this.#view.getFloat64(at);
  }

  /** @param {number} count @param {number} depth */
  #readList(count, depth) {
    if (count > MOST_CLAIMED || count > this.#end - this.#at) {
      const list = [];
      for (let i = 0; i < count; i++) list.push(this.#read(depth));
      return list;
    }
    const list = new Array(count);
    for (let i = 0; i < count; i++) list[i] = this.#read(depth);
    return list;
  }

  /** @param {number} count @param {number} depth */
  #readMembers(count, depth) {
    const values = this.#values;
    const first = this.#taken;
    let form = this.#forms.root;
    for (let i = 0; i < count; i++) {
      const { likely } = form;
      if (likely !== null && this.#isNext(likely.key)) form = likely;
      else {
        const name = this.#readKey();
        const next = this.#forms.next(form, name);
        if (next === null) return this.#readRest(this.#build({}, form.names, first), name, count - i, depth);
        form = next;
      }
      // What is inside the member takes the places behind it.
      this.#taken = first + i;
      values[first + i] = this.#read(depth);
    }
    // V8 copies a whole object by its shape faster than it adds one member.
    return this.#build({ ...(form.empty ?? this.#forms.emptyOf(form)) }, form.names, first);
  }

  /** @param {Record<string, any>} object @param {string[]} names @param {number} first place of the first value */
  #build(object, names, first) {
    const values = this.#values;
    for (let i = 0; i < names.length; i++) {
      object[names[i]] = values[first + i];
      values[first + i] = undefined;
    }
    this.#taken = first;
    return object;
  }

  /** @param {Record<string, any>} object @param {string} name of the next member @param {number} missing members @param {number} depth */
  #readRest(object, name, missing, depth) {
    for (let next = name, left = missing; ; next = this.#readKey()) {
      // Assigning it makes no member; the whole codec decides about it.
      if (next === '__proto__') throw NOT_PLAIN;
      object[next] = this.#read(depth);
      left -= 1;
      if (left === 0) return object;
    }
  }

  /** @param {Uint8Array} key as bytes @returns {boolean} whether it comes next; if so, it is taken */
  #isNext(key) {
    const bytes = this.#bytes;
    const at = this.#at;
    const { length } = key;
    if (at + length > this.#end) return false;
    for (let i = 0; i < length; i++) if (bytes[at + i] !== key[i]) return false;
    this.#at = at + length;
    return true;
  }

  /** @returns {string} */
  #readKey() {
    const bytes = this.#bytes;
    const at = this.#at;
    const length = bytes[at] - 0xa0;
    const end = at + 1 + length;
    if (!(length >= 0 && length <= SHORT_KEY && end <= this.#end)) return this.#readLongKey();
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
    // Comparing one by one is right only if each character is one byte.
    if (key.length === length) this.#keys[hash] = key;
    return key;
  }

  /** @returns {string} */
  #readLongKey() {
    const key = this.#read(0);
    if (typeof key !== 'string') throw NOT_PLAIN;
    return key;
  }

  /** @param {number} length @returns {Buffer} has memory of its own */
  #readBytes(length) {
    const at = this.#at;
    const end = at + length;
    if (end > this.#end) throw NOT_PLAIN;
    this.#at = end;
    if (length > FEW_BYTES) {
      const own = Buffer.allocUnsafeSlow(length);
      this.#bytes.copy(own, 0, at, end);
      return own;
    }
    // Faster than `slice`, which looks for a class; than unfilled memory, which optimized code does not make; and than a view to copy from.
    const own = Buffer.alloc(length);
    for (let i = 0; i < length; i++) own[i] = this.#bytes[at + i];
    return own;
  }

  /** @param {number} length in bytes */
  #readText(length) {
    const bytes = this.#bytes;
    const at = this.#at;
    const end = at + length;
    if (end > this.#end) throw NOT_PLAIN;
    this.#at = end;
    if (length <= SHORT_TEXT) {
      let i = at;
      while (i < end && bytes[i] < 128) i++;
      if (i === end) return shortText(bytes, at, length);
    }
    return bytes.toString('utf8', at, end);
  }
}

/** @param {Buffer} bytes each less than 128 @param {number} at @param {number} length @returns {string} */
function shortText(bytes, at, length) {
  switch (length) {
    case 0:
      return '';
    case 1:
      return fromCharCode(bytes[at]);
    case 2:
      return fromCharCode(bytes[at], bytes[at + 1]);
    case 3:
      return fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2]);
  }
  const begin = fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]);
  return length === 4 ? begin : begin + shortText(bytes, at + 4, length - 4);
}

exports.PlainDecoder = PlainDecoder;
exports.MOST_DEPTH = MOST_DEPTH;
