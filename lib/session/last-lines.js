'use strict';
/*
 * The last lines that a process wrote on stderr, for a sentence about its end. In: text as it came. Out: its last lines, without stack
 * frames: an error that ends a process prints mostly these, and prints them last. Pure.
 */

/** How much is kept, characters. */
const KEPT_CHARACTERS = 16384;
const LAST_LINES = 10;
const LINE_CHARACTERS = 300;
const SAID_CHARACTERS = 600;

/** When Node gives up, these of its lines only say where in the code: nobody needs them here. */
const FRAME = /^\s*(?:at |\d+: 0x|\d+: .*:\d+:\d+\)?$|-+ (?:Native|JavaScript) stack trace -+|<--- )/;

class LastLines {
  #text = '';

  /** @param {string} text */
  add(text) {
    this.#text = (this.#text + text).slice(-KEPT_CHARACTERS);
  }

  get text() {
    return this.#text;
  }

  /** @returns {string[]} the lines without stack frames */
  get lines() {
    const told = this.#text.split('\n').filter((line) => line.trim() !== '' && !FRAME.test(line));
    return told.slice(-LAST_LINES).map((line) => line.slice(0, LINE_CHARACTERS));
  }
}

/** @param {readonly string[]} lines @returns {string} the end of a sentence about a process; '' if it wrote nothing */
function wrote(lines) {
  return lines.length === 0 ? '' : `; it last wrote: ${lines.join(' | ').slice(-SAID_CHARACTERS)}`;
}

exports.LastLines = LastLines;
exports.wrote = wrote;
