'use strict';
/*
 * Compiled code of Ignis's own files, kept from one start to the next: nearly half of what Ignis adds to a start is to compile the same files again. In: a file's
 * name and source. Out: its script, and, a moment after the start, or at the end of a program that ends before, a file in a private folder that has the code of all files which had to be compiled.
 * Nobody waits for it, and whatever is wrong with it (missing, damaged, of another engine or source) only means that we compile, as without it.
 *
 * The engine refuses code of other flags, and of most other versions, but believes what it reads: code that was damaged on disk could do anything. So the file says a sum
 * for each piece, and the sources themselves, which have to be the same to the letter.
 */
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const { foldersToKeep, readKept, sumOfText, writeKept } = require('./kept-file');
const { openFirst } = require('./private-folder');

const { Map, clearTimeout, setTimeout } = globalThis;

const LIB = path.join(__dirname, '..', path.sep);
const [START, END] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/** The files are written when no file of ours was loaded for so long, ms. No multiple of five (see durationOf in lib/engine.js). */
const QUIET_MS = 101;

/** Files whose code is taken in one turn of the loop; a file takes some 0.06 ms. */
const FILES_A_TURN = 8;

/** Code is aligned to words, for its sum. */
const WORD = 4;

/**
 * @typedef {object} Kept
 * @property {Buffer} text its source
 * @property {Buffer} code
 * @property {number} sum of its code
 */

/** @param {Buffer} bytes whole words @returns {number} another one wherever a single word differs, and for most other differences */
function sumOf(bytes) {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD);
  let sum = words.length;
  for (let index = 0; index < words.length; index += 1) sum = (Math.imul(sum, 31) + words[index]) | 0;
  return sum;
}

/** @param {Buffer} bytes @returns {Buffer} with zeros up to the next whole word */
function padded(bytes) {
  const rest = bytes.length % WORD;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(WORD - rest)]);
}

/**
 * The engine's own tag leaves out what each release of Node mends in it (the same for 20.19.0 and 20.20.2, and for 22.10 to 22.15): it takes the code of another one, and crashes. So does Node's compile cache name its version; two
 * builds of one version lie at different places.
 *
 * @returns {string} of the file: which engine, with which flags, of which Node, and whose code
 */
function nameOf() {
  return `code-${v8.cachedDataVersionTag().toString(36)}-${sumOfText([process.version, process.arch, process.execPath, LIB].join('\n'))}.bin`;
}

/** What is read from the file, and what is added to it. */
class CodeCache {
  /** @type {string[]} */
  #folders;
  #name = nameOf();
  /** Read when it is asked for, and given up again after a while. @type {Map<string, Kept> | null} */
  #kept = null;
  /** Compiled here, for the next time. @type {Map<string, {source: string, script: vm.Script}>} */
  #fresh = new Map();
  /** What of it is ready to be written. @type {Map<string, Kept>} */
  #taken = new Map();
  /** Where it is written; null: there is no folder that can be trusted. @type {string | null} */
  #folder = null;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  /** A program that ends at once is started often. */
  #atExit = () => {
    this.#take(this.#fresh.size);
    this.#write();
  };

  /** @param {string[]} [folders] that may be used if they are private, the best first */
  constructor(folders = foldersToKeep()) {
    this.#folders = folders;
  }

  /**
   * @param {string} filename of a file below lib
   * @param {string} source
   * @returns {Function} as Node wraps a CommonJS module
   * @throws {SyntaxError}
   */
  compile(filename, source) {
    const name = filename.slice(LIB.length);
    const cachedData = this.#keptOf(name, source);
    const script = new vm.Script(START + source + END, { filename, columnOffset: -START.length, cachedData });
    // What the engine refuses though it is of its own version and flags, it would refuse the next time, too.
    if (cachedData === undefined) this.#add(name, { source, script });
    this.#later(QUIET_MS);
    return script.runInThisContext();
  }

  /** @param {string} name @param {string} source @returns {Buffer | undefined} its code, if it is whole */
  #keptOf(name, source) {
    this.#kept ??= this.#read();
    const kept = this.#kept.get(name);
    if (kept === undefined || kept.text.toString() !== source) return undefined;
    const { code, sum } = kept;
    // Where the numbers in the file are damaged it may not even lie at a word.
    return (code.byteOffset | code.length) % WORD === 0 && sumOf(code) === sum ? code : undefined;
  }

  /** @param {string} name @param {{source: string, script: vm.Script}} fresh */
  #add(name, fresh) {
    if (this.#fresh.size + this.#taken.size === 0) {
      this.#folder = openFirst(this.#folders);
      if (this.#folder !== null) process.once('exit', this.#atExit);
    }
    if (this.#folder !== null) this.#fresh.set(name, fresh);
  }

  /** @param {number} ms */
  #later(ms) {
    if (this.#timer === null) this.#timer = setTimeout(() => this.#settle(), ms).unref();
    else this.#timer.refresh();
  }

  #settle() {
    clearTimeout(/** @type {NodeJS.Timeout} */ (this.#timer));
    this.#timer = null;
    this.#kept = null;
    this.#take(FILES_A_TURN);
    if (this.#fresh.size > 0) this.#later(1);
    else this.#write();
  }

  /** @param {number} most files */
  #take(most) {
    for (const [name, { source, script }] of [...this.#fresh].slice(0, most)) {
      const code = padded(script.createCachedData());
      this.#taken.set(name, { text: Buffer.from(source), code, sum: sumOf(code) });
      this.#fresh.delete(name);
    }
  }

  /** @returns {Map<string, Kept>} nothing where there is no such file, or it is not whole */
  #read() {
    const kept = new Map();
    const bytes = readKept(this.#folders, this.#name);
    if (bytes === null) return kept;
    try {
      let at = WORD + bytes.readUInt32LE(0);
      for (const [name, textBytes, codeBytes, sum] of JSON.parse(bytes.toString('latin1', WORD, at))) {
        const code = bytes.subarray(at, (at += codeBytes));
        kept.set(name, { text: bytes.subarray(at, at + textBytes), code, sum });
        at += Math.ceil(textBytes / WORD) * WORD;
      }
    } catch {
      // As if it was not there.
    }
    return kept;
  }

  #write() {
    const folder = this.#folder;
    if (folder === null || this.#taken.size === 0) return;
    process.removeListener('exit', this.#atExit);
    const kept = new Map([...this.#read(), ...this.#taken]);
    this.#taken.clear();
    writeKept(folder, this.#name, () => this.#bytesOf(kept));
  }

  /** @param {Map<string, Kept>} kept */
  #bytesOf(kept) {
    const head = [];
    const parts = [];
    for (const [name, { text, code, sum }] of kept) {
      head.push([name, text.length, code.length, sum]);
      parts.push(code, padded(text));
    }
    const index = JSON.stringify(head);
    const start = Buffer.alloc(WORD);
    start.writeUInt32LE(Math.ceil(index.length / WORD) * WORD);
    return Buffer.concat([start, Buffer.from(index.padEnd(start.readUInt32LE(0))), ...parts]);
  }
}

exports.CodeCache = CodeCache;
