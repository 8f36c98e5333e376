'use strict';
/*
 * Keeps compiled code of Ignis's own files from one start to the next: nearly half of what Ignis adds to a start is compiling the same
 * files again. In: a file's name. Out: its script; and, a moment after the start (or at the end of a program that ends earlier), a file in
 * a private folder with the code of all files that had to be compiled. Nobody waits for it, and if anything is wrong with it (missing,
 * damaged, of another engine or source) we simply compile, as without it.
 * The engine refuses code with other flags, and of most other versions, but otherwise trusts what it reads: so the sources must match to
 * the letter, and the code must be intact (code-file.js).
 */
const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const { CodeFile, bytesOf } = require('./code-file');
const { forget, readKept, sumOfText, writeKept } = require('./kept-file');
const { openFirst } = require('./private-folder');

const { Map, clearTimeout, setTimeout } = globalThis;
const { closeSync, openSync, readSync } = fs;

const LIB = path.join(__dirname, '..', path.sep);
const [START, END] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'].map((text) => Buffer.from(text));

/** The files are written after no file of ours was loaded for this long, ms. No multiple of five (see durationOf in lib/engine.js). */
const QUIET_MS = 101;

/** Files whose code is taken in one turn of the loop; each takes some 0.06 ms. */
const FILES_A_TURN = 8;

/** Largest file compiled here, in its compiled form; Node loads larger ones. */
const TEXT_BYTES = 32768;

/** @typedef {import('./code-file').Piece} Piece */

/**
 * The engine's own tag leaves out what each release of Node changes in it (the tag is the same for 20.19.0 and 20.20.2, and for 22.10 to
 * 22.15): the engine accepts code of another release, and crashes. Node's compile cache names its version for that reason, too; two builds
 * of one version are at different places.
 *
 * @param {string} entry
 * @returns {string} name of the file: which engine, with which flags, of which Node, and whose code
 */
function nameOf(entry) {
  return `code-${v8.cachedDataVersionTag().toString(36)}-${sumOfText([process.version, process.arch, process.execPath, LIB, entry].join('\n'))}.bin`;
}

/** @param {Buffer} memory @param {number} from @param {string} filename @returns {number} bytes, as many as there is room for */
function readInto(memory, from, filename) {
  const file = openSync(filename, 'r');
  try {
    return readSync(file, memory, from, memory.length - from, null);
  } finally {
    closeSync(file);
  }
}

/** What was read from the file, and what is added to it. */
class CodeCache {
  /** @type {string[]} */
  #folders;
  #name;
  /** Read when it is asked for, and released after a while. @type {{bytes: Buffer, file: CodeFile} | null} */
  #kept = null;
  /**
   * Each file is read into the same memory: garbage of a start would stay in a replica that is idle.
   *
   * @type {Buffer | null}
   */
  #text = null;
  /** Compiled here, for the next time. @type {Map<string, {source: string, script: vm.Script}>} */
  #fresh = new Map();
  /** The part of it that is ready to be written. @type {Map<string, Piece>} */
  #taken = new Map();
  /** Where it is written; null: no folder can be trusted. @type {string | null} */
  #folder = null;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  /** Programs that end at once are started often. */
  #atExit = () => {
    this.#take(this.#fresh.size);
    this.#write();
  };

  /**
   * @param {string[]} folders that may be used if they are private, the best first
   * @param {string} entry where Node enters: what starts there reads no code that only others need
   */
  constructor(folders, entry) {
    this.#folders = folders;
    this.#name = nameOf(entry);
  }

  /**
   * @param {string} filename of a file below lib
   * @returns {Function | null} as Node wraps a CommonJS module; null: there is no such file, or it is too long
   * @throws {SyntaxError}
   */
  compile(filename) {
    this.#later(QUIET_MS);
    const text = this.#textOf(filename);
    if (text === null) return null;
    const name = filename.replace(LIB, '');
    const kept = (this.#kept ??= this.#open()).file.find(name, text);
    const source = kept?.source ?? text.toString();
    const script = new vm.Script(source, { filename, columnOffset: -START.length, cachedData: kept?.code });
    // If the engine refuses code though version and flags match, it would refuse it next time, too.
    if (kept === null) this.#add(name, { source, script });
    return script.runInThisContext();
  }

  /** @param {string} filename @returns {Buffer | null} valid until the next one is asked for */
  #textOf(filename) {
    this.#text ??= Buffer.concat([START], TEXT_BYTES);
    let end = START.length;
    try {
      end += readInto(this.#text, end, filename);
    } catch {
      return null;
    }
    if (end + END.length >= TEXT_BYTES) return null;
    this.#text.set(END, end);
    return this.#text.subarray(0, end + END.length);
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
    this.#text = null;
    if (this.#kept !== null) forget(this.#kept.bytes);
    this.#kept = null;
    this.#take(FILES_A_TURN);
    if (this.#fresh.size > 0) this.#later(1);
    else this.#write();
  }

  /** @param {number} most files */
  #take(most) {
    for (const [name, { source, script }] of [...this.#fresh].slice(0, most)) {
      this.#taken.set(name, { text: Buffer.from(source), code: script.createCachedData() });
      this.#fresh.delete(name);
    }
  }

  #open() {
    const bytes = readKept(this.#folders, this.#name);
    return { bytes, file: new CodeFile(bytes) };
  }

  #write() {
    const folder = this.#folder;
    if (folder === null || this.#taken.size === 0) return;
    process.removeListener('exit', this.#atExit);
    const { bytes, file } = this.#open();
    writeKept(folder, this.#name, () => bytesOf(new Map([...file.pieces(), ...this.#taken])));
    this.#taken.clear();
    forget(bytes);
  }
}

exports.CodeCache = CodeCache;
