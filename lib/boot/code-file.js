'use strict';
/*
 * The file that holds compiled code of our own files. In: sources and their code. Out: the bytes of the file; and from bytes that were
 * read, their contents, if they are intact.
 * The file begins with a list of its contents; the list and all code are there twice, since the engine trusts what it reads, so damaged
 * code could do anything. (A checksum would be the first loop of a start that the engine optimizes, which takes memory.) All sources
 * follow.
 */
const { isAscii } = require('node:buffer');

const { Map } = globalThis;

/** Numbers and code begin at multiples of this. */
const WORD = 4;

/** Sources are parts of texts this long: the engine does not move such texts in memory, so a start leaves less garbage. */
const BLOCK_BYTES = 150_000;

/** Consecutive sources. */
class Block {
  #file;
  #from;
  #to;
  /** Undefined until one of them is asked for; null: they have characters of more than a byte. @type {string | null | undefined} */
  #text;

  /** @param {Buffer} file @param {number} from */
  constructor(file, from) {
    this.#file = file;
    this.#from = from;
    this.#to = from;
  }

  /** The rest of the file must be long enough, too. */
  get isFull() {
    return Math.min(this.#to - this.#from, this.#file.length - this.#to) >= BLOCK_BYTES;
  }

  /** @param {number} bytes of the next source */
  add(bytes) {
    this.#to += bytes;
  }

  /** @param {number} from @param {number} to positions in the file @returns {string} */
  slice(from, to) {
    const whole = this.#file.subarray(this.#from, this.#to);
    if (this.#text === undefined) this.#text = isAscii(whole) ? whole.toString('latin1') : null;
    return this.#text === null ? this.#file.toString('utf8', from, to) : this.#text.slice(from - this.#from, to - this.#from);
  }
}

/**
 * One of our files.
 *
 * @typedef {object} Piece
 * @property {Buffer} text its source, in its compiled form
 * @property {Buffer} code
 * @typedef {{textAt: number, textBytes: number, codeAt: number, codeBytes: number, block: Block}} Place where it is
 */

/** What was read from a file, as long as its memory is kept. */
class CodeFile {
  #file;
  /** By name. @type {Map<string, Place>} */
  #places = new Map();

  /** @param {Buffer} file perhaps empty, cut, damaged, or something else: then it has no contents */
  constructor(file) {
    this.#file = file;
    try {
      const size = file.readUInt32LE(0);
      const [first, second] = [file.subarray(WORD, WORD + size), file.subarray(WORD + size, WORD + 2 * size)];
      if (first.equals(second)) this.#list(first, WORD + 2 * size);
    } catch {
      // As if it were missing.
    }
  }

  /** @param {Buffer} twice the part that is there twice @param {number} texts where they begin */
  #list(twice, texts) {
    let codeAt = 2 * WORD + twice.readUInt32LE(0);
    let textAt = texts;
    let block = new Block(this.#file, textAt);
    for (const { name, textBytes, codeBytes } of JSON.parse(twice.toString('latin1', WORD, codeAt - WORD))) {
      if (block.isFull) block = new Block(this.#file, textAt);
      this.#places.set(name, { textAt, textBytes, codeAt, codeBytes, block });
      block.add(textBytes);
      textAt += textBytes;
      codeAt += inWords(codeBytes);
    }
  }

  /**
   * @param {string} name
   * @param {Buffer} text
   * @returns {{source: string, code: Buffer} | null} null: it is missing, or has another source
   */
  find(name, text) {
    const place = this.#places.get(name);
    if (place === undefined) return null;
    const piece = this.#pieceAt(place);
    return text.equals(piece.text) ? { source: place.block.slice(place.textAt, place.textAt + place.textBytes), code: piece.code } : null;
  }

  /** @returns {[string, Piece][]} all that is in it */
  pieces() {
    return [...this.#places].map(([name, place]) => [name, this.#pieceAt(place)]);
  }

  /** @param {Place} place @returns {Piece} */
  #pieceAt({ textAt, textBytes, codeAt, codeBytes }) {
    return { text: this.#file.subarray(textAt, textAt + textBytes), code: this.#file.subarray(codeAt, codeAt + codeBytes) };
  }
}

/** @param {number} bytes @returns {number} with their last word filled up */
function inWords(bytes) {
  return Math.ceil(bytes / WORD) * WORD;
}

/** @param {number} number @returns {Buffer} */
function word(number) {
  const bytes = Buffer.alloc(WORD);
  bytes.writeUInt32LE(number);
  return bytes;
}

/** @param {Iterable<[string, Piece]>} pieces by name @returns {Buffer} */
function bytesOf(pieces) {
  const all = [...pieces];
  const list = JSON.stringify(all.map(([name, { text, code }]) => ({ name, textBytes: text.length, codeBytes: code.length })));
  const codes = all.map(([, { code }]) => Buffer.concat([code], inWords(code.length)));
  const twice = Buffer.concat([word(inWords(list.length)), Buffer.from(list.padEnd(inWords(list.length))), ...codes]);
  return Buffer.concat([word(twice.length), twice, twice, ...all.map(([, { text }]) => text)]);
}

exports.CodeFile = CodeFile;
exports.bytesOf = bytesOf;
