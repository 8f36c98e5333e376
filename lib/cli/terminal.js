'use strict';
/*
 * A terminal that is drawn line by line and read key by key, and that is always restored to what it was. In: streams. Out: keys, sizes;
 * lines are drawn.
 */
const readline = require('node:readline');
const { clip, speaksUnicode } = require('../view/columns.js');

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';

/** What ends a process without 'exit'. Ctrl-C comes as a key. */
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** The smallest size that lines are made for; in a smaller terminal they are cut. */
const LEAST_COLUMNS = 40;
const LEAST_ROWS = 3;

class Terminal {
  #input;
  #output;
  #env;
  #isOpen = false;
  /** @type {(text: string | undefined, key: any) => void} */
  #onKey = () => {};
  /** @type {() => void} */
  #onResize = () => {};
  #leave = () => this.close();
  #end = (/** @type {NodeJS.Signals} */ signal) => {
    this.close();
    process.kill(process.pid, signal);
  };

  /** @param {{input: NodeJS.ReadStream, output: NodeJS.WriteStream, env: Record<string, string | undefined>}} given */
  constructor({ input, output, env }) {
    this.#input = input;
    this.#output = output;
    this.#env = env;
  }

  /** @returns {boolean} whether there is a terminal to draw on */
  get isFit() {
    return this.#output.isTTY === true && this.#input.isTTY === true && this.#env.TERM !== 'dumb';
  }

  /** @returns {import('../view/top-screen').Terminal} */
  get size() {
    const { columns, rows } = this.#room;
    const hasColour = !this.#env.NO_COLOR && this.#output.hasColors?.() !== false;
    return { columns: Math.max(LEAST_COLUMNS, columns), rows: Math.max(LEAST_ROWS, rows), isUnicode: speaksUnicode(this.#env), hasColour };
  }

  /** Some terminals report no size at all. */
  get #room() {
    return { columns: this.#output.columns || 80, rows: this.#output.rows || 24 };
  }

  /** @param {{onKey: (key: {name?: string, text?: string, ctrl?: boolean}) => void, onResize: () => void}} listeners */
  open({ onKey, onResize }) {
    this.#isOpen = true;
    this.#onKey = (text, key) => onKey({ name: key?.name, text, ctrl: key?.ctrl });
    this.#onResize = onResize;
    readline.emitKeypressEvents(this.#input);
    this.#input.setRawMode(true);
    this.#input.on('keypress', this.#onKey);
    this.#input.resume();
    this.#output.on('resize', this.#onResize);
    process.on('exit', this.#leave);
    for (const signal of SIGNALS) process.on(signal, this.#end);
    this.#output.write(ENTER);
  }

  /** @param {string[]} lines as many as the terminal has */
  draw(lines) {
    if (!this.#isOpen) return;
    const { columns, rows } = this.#room;
    // Longer lines would continue in the next one, and more lines would push out the first.
    const fitting = lines.slice(0, rows).map((line) => `${clip(line, columns)}\u001b[0m\u001b[K`);
    this.#output.write(`\u001b[H${fitting.join('\r\n')}\u001b[J`);
  }

  /** Puts text on the user's clipboard, also over ssh, if the terminal can (OSC 52). @param {string} text */
  copy(text) {
    if (this.#isOpen) this.#output.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  }

  /** Idempotent. */
  close() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.removeListener('exit', this.#leave);
    for (const signal of SIGNALS) process.removeListener(signal, this.#end);
    this.#input.removeListener('keypress', this.#onKey);
    this.#output.removeListener('resize', this.#onResize);
    this.#input.setRawMode(false);
    this.#input.pause();
    this.#output.write(LEAVE);
  }
}

exports.Terminal = Terminal;
