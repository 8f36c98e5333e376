'use strict';
/*
 * The file in which compiled code of our own files is kept. In: sources and their code. Out: the bytes of the file; and of bytes that were
 * read from it, what is in them, if they are whole.
 *
 * What is in it is listed, and the list and all code stand there twice: the engine believes what it reads, so code that was damaged on the
 * disk could do anything. (A sum of its words would be the first loop of a start that the engine optimizes, which takes memory.) Behind
 * them are all sources.
 */
const { isAscii } = require('node:buffer');

const { Map } = globalThis;

/** Numbers, and code, begin at a word. */
const WORD = 4;

/** Sources are parts of texts that are so long: those the engine does not move about in memory, and a start has less to leave behind. */
const BLOCK_BYTES = 150_000;

/** Sources that stand one behind the other. */
class Block {
  #file;
  #from;
  #to;
  /** Undefined until one of them is asked for; null: they have letters of more than a byte. @type {string | null | undefined} */
  #text;

  /** @param {Buffer} file @param {number} from */
  constructor(file, from) {
    this.#file = file;
    this.#from = from;
    this.#to = from;
  }

  /** What is left to the end of the file has to be long enough, too. */
  get isFull() {
    return Math.min(this.#to - this.#from, this.#file.length - this.#to) >= BLOCK_BYTES;
  }

  /** @param {number} bytes of the next source */
  add(bytes) {
    this.#to += bytes;
  }

  /** @param {number} from @param {number} to in the file @returns {string} */
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
 * @property {Buffer} text its source, as it is compiled
 * @property {Buffer} code
 *
 * @typedef {{textAt: number, textBytes: number, codeAt: number, codeBytes: number, block: Block}} Place where it lies
 */

/** What was read from a file, as long as its memory is not given back. */
class CodeFile {
  #file;
  /** By name. @type {Map<string, Place>} */
  #places = new Map();

  /** @param {Buffer} file maybe empty, cut, damaged, or of something else: nothing is in it then */
  constructor(file) {
    this.#file = file;
    try {
      const size = file.readUInt32LE(0);
      const [first, second] = [file.subarray(WORD, WORD + size), file.subarray(WORD + size, WORD + 2 * size)];
      if (first.equals(second)) this.#list(first, WORD + 2 * size);
    } catch {
      // As if it was not there.
    }
  }

  /** @param {Buffer} twice what stands there twice @param {number} texts where they begin */
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
   * @returns {{source: string, code: Buffer} | null} null: it is not there, or was another source
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

/** @param {number} bytes @returns {number} up to the end of their last word */
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
