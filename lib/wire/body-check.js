'use strict';
/*
 * Checks a MessagePack body before a decoder that trusts its input gets it. In: bytes. Out: nothing, or an error for: lengths that claim
 * more than there is (a decoder takes memory for a list before it reads it, and lists in lists can claim the same bytes again and again),
 * extension types, keys that are no names or could reach a prototype, and nesting deeper than in any frame. It reads each mark once, and
 * takes memory only for the depth.
 */
const { badFrame } = require('../errors');
const { Object } = require('../engine');

/** No frame is this deep; any stack can hold it. */
const MOST_DEPTH = 256;

/** @type {Record<number, number>} number of bytes after the mark of a plain value */
const FIXED = Object.freeze({
  0xc0: 0,
  0xc2: 0,
  0xc3: 0,
  0xca: 4,
  0xcb: 8,
  0xcc: 1,
  0xcd: 2,
  0xce: 4,
  0xcf: 8,
  0xd0: 1,
  0xd1: 2,
  0xd2: 4,
  0xd3: 8,
});
/** @type {Record<number, number>} bytes of the length after the mark of bytes or text */
const SIZED = Object.freeze({ 0xc4: 1, 0xc5: 2, 0xc6: 4, 0xd9: 1, 0xda: 2, 0xdb: 4 });
/** @type {Record<number, number>} the same for lists and maps */
const COUNTED = Object.freeze({ 0xdc: 2, 0xdd: 4, 0xde: 2, 0xdf: 4 });

class BodyCheck {
  #bytes;
  #at = 0;
  /** values still to come, in all open lists and maps; each takes at least a byte */
  #owed = 1;
  /** @type {number[]} values left in each of them */
  #left = [];
  /** @type {boolean[]} */
  #isMap = [];

  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  run() {
    while (this.#owed > 0) {
      const top = this.#left.length - 1;
      const isKey = top >= 0 && this.#isMap[top] && this.#left[top] % 2 === 0;
      const mark = this.#number(1);
      if (isKey && !isText(mark)) throw badFrame('a key is no name');
      this.#owed -= 1;
      if (top >= 0) this.#left[top] -= 1;
      this.#take(mark, isKey);
      while (this.#left.length > 0 && this.#left[this.#left.length - 1] === 0) {
        this.#left.pop();
        this.#isMap.pop();
      }
    }
    if (this.#at !== this.#bytes.length) throw badFrame('bytes are left over');
  }

  /** @param {number} mark @param {boolean} isKey */
  #take(mark, isKey) {
    if (mark < 0x80 || mark >= 0xe0) return;
    if (mark < 0x90) this.#open((mark & 15) * 2, true);
    else if (mark < 0xa0) this.#open(mark & 15, false);
    else if (mark < 0xc0) this.#skip(mark & 31, isKey);
    else if (FIXED[mark] !== undefined) this.#skip(FIXED[mark], false);
    else if (SIZED[mark] !== undefined) this.#skip(this.#number(SIZED[mark]), isKey);
    else if (COUNTED[mark] !== undefined) {
      const count = this.#number(COUNTED[mark]);
      if (mark >= 0xde) this.#open(count * 2, true);
      else this.#open(count, false);
    } else throw badFrame(`mark ${mark} is none that frames have`);
  }

  /** @param {number} count @param {boolean} isMap */
  #open(count, isMap) {
    this.#owed += count;
    if (this.#owed > this.#bytes.length - this.#at) throw badFrame('a list is longer than the body');
    if (this.#left.push(count) > MOST_DEPTH) throw badFrame('nested too deep');
    this.#isMap.push(isMap);
  }

  /** @param {number} length @param {boolean} isKey */
  #skip(length, isKey) {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw badFrame('a text is longer than the body');
    if (isKey && length === 9 && this.#bytes.toString('latin1', this.#at, end) === '__proto__') throw badFrame('a key that is no name');
    this.#at = end;
  }

  /** @param {number} bytes @returns {number} */
  #number(bytes) {
    if (this.#at + bytes > this.#bytes.length) throw badFrame('the body is cut short');
    let value = 0;
    for (let i = 0; i < bytes; i++) value = value * 256 + this.#bytes[this.#at++];
    return value;
  }
}

/** @param {number} mark */
function isText(mark) {
  return (mark >= 0xa0 && mark < 0xc0) || (mark >= 0xd9 && mark <= 0xdb);
}

/**
 * @param {Buffer} bytes a body, whole
 * @returns {Buffer} the same
 * @throws {IgnisError} IGNIS_BAD_FRAME when it is not MessagePack of plain values
 */
function checkBody(bytes) {
  new BodyCheck(bytes).run();
  return bytes;
}

exports.checkBody = checkBody;
