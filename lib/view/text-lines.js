'use strict';

// Records as lines of JSON over a stream of bytes: what the monitor socket speaks, in both directions. In: chunks, cut anywhere. Out: the
// objects in them, one for each line. It trusts neither the length of a line nor its contents.

const { IgnisError } = require('../errors');
const { JSON, isArray } = require('../engine');
const { inDigits } = require('./figures');

const NEWLINE = 10;

class TextLines {
  #maxBytes;
  /** @type {Buffer[]} of the unfinished line */
  #open = [];
  #openBytes = 0;

  /** @param {number} maxBytes of one line */
  constructor(maxBytes) {
    this.#maxBytes = maxBytes;
  }

  /**
   * @param {Buffer} chunk
   * @returns {Record<string, any>[]} records that ended with it
   * @throws {IgnisError} IGNIS_BAD_FRAME, IGNIS_FRAME_TOO_LARGE; after that it takes nothing more
   */
  push(chunk) {
    const found = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      found.push(parse(Buffer.concat(this.#open).toString('utf8')));
      this.#open = [];
      this.#openBytes = 0;
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return found;
  }

  /** @param {Buffer} part */
  #keep(part) {
    this.#openBytes += part.length;
    if (this.#openBytes > this.#maxBytes) throw new IgnisError('IGNIS_FRAME_TOO_LARGE', `a line has at most ${this.#maxBytes} bytes here`);
    if (part.length > 0) this.#open.push(part);
  }
}

/** @param {string} line @returns {Record<string, any>} @throws {IgnisError} IGNIS_BAD_FRAME */
function parse(line) {
  let value;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new IgnisError('IGNIS_BAD_FRAME', 'a line is no JSON', { cause });
  }
  if (typeof value !== 'object' || value === null || isArray(value)) throw new IgnisError('IGNIS_BAD_FRAME', 'a line is no object of JSON');
  return value;
}

/** @param {object} record @returns {string} a line */
function toLine(record) {
  return `${JSON.stringify(record, inDigits(6))}\n`;
}

exports.TextLines = TextLines;
exports.toLine = toLine;
