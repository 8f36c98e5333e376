'use strict';

// One line that says what a long command is doing, and disappears when that is over. In: words. Out: the line, on a terminal only; output
// to a file or a pipe stays as it is.

const { cut, plain } = require('../view/columns.js');

class Progress {
  #stream;
  #isShown = false;
  #begunAt = Date.now();

  /** @param {NodeJS.WriteStream} stream stderr, so that results stay clean @param {boolean} [isQuiet] */
  constructor(stream, isQuiet = false) {
    this.#stream = stream.isTTY === true && !isQuiet ? stream : null;
  }

  /** @param {string} text one line; the elapsed time is put in front of it */
  say(text) {
    if (this.#stream === null) return;
    this.#isShown = true;
    const seconds = Math.round((Date.now() - this.#begunAt) / 1000);
    this.#stream.write(`\r\u001b[K${cut(`${seconds} s  ${plain(text)}`, (this.#stream.columns || 80) - 1)}`);
  }

  /** Takes the line away. Idempotent. */
  end() {
    if (!this.#isShown || this.#stream === null) return;
    this.#isShown = false;
    this.#stream.write('\r\u001b[K');
  }
}

exports.Progress = Progress;
