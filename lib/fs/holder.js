'use strict';
/*
 * One of several nodes that hold the same files, or the same names and part of the contents. In: entries of the log, by number. Out: their
 * outcomes. What it has missed it gets from the log or, if the log does not reach back that far, from another holder; only then does it
 * serve reads.
 *   away -> behind -> serving -> away ...      serving -> behind      any -> stopped
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { lostError } = require('./far-error');
const { copyFile } = require('./fill');
const { Gauge } = require('./gauge');
const { Link } = require('./link');
const { decodePointer } = require('./pointer');
const { Promise, Set } = require('../engine');

/** Larger contents do not go through the log. */
const BLOB_BYTES = 256 * 1024;

class Holder {
  #link;
  #spread;
  /** @type {Set<string>} */
  #blobs = new Set();
  /** @type {{number: number, entry: any, resolve: (value: any) => void, reject: (error: any) => void}[]} */
  #outbox = [];
  #isFetching = false;
  /** how often its node has come and gone */
  #life = 0;
  /** entries that it was given, and how many of those it has not answered */
  #given = 0;
  #unanswered = 0;
  /** @type {(() => void)[]} those that wait until it has answered all */
  #settlers = [];
  /** how fast its folder is read from here */
  #disk = new Gauge();
  /** @type {Promise<unknown>} the last read of the folder from here */
  #reading = Promise.resolve();

  /** @type {'away' | 'behind' | 'serving' | 'stopped'} */
  state = 'away';
  /** number of the last entry that it has answered @type {number | null} */
  applied = null;
  /** Called when the node is there. @type {(applied: number | null) => void} */
  onUp = () => {};
  /** Finds contents that this holder does not have. @type {(hash: string) => Promise<Uint8Array>} */
  fetchBlob = async (hash) => Promise.reject(new Error(`no other holder has ${hash}`));
  /** Called when its node cannot be started any more. @type {() => void} */
  onLost = () => {};
  /** @type {() => void} */
  onDown = () => {};
  /** The part of an entry's request that its node needs. @type {(request: any) => any} */
  partOf = (request) => request;

  /**
   * @param {{folder: string, root: string, isSync: boolean, spread?: {id: string, secret: string}}} given spread: there are more nodes than
   *   copies
   */
  constructor(given) {
    this.#spread = given.spread;
    this.#link = new Link(given);
    this.#link.onUp = (applied) => {
      this.applied = applied;
      this.#blobs.clear();
      this.#to('behind');
      this.onUp(applied);
    };
    this.#link.onDown = () => {
      this.#forget();
      const isLost = this.state !== 'stopped' && this.#link.state === 'stopped';
      if (this.state !== 'stopped') this.#to(isLost ? 'stopped' : 'away');
      if (isLost) this.onLost();
      this.onDown();
    };
  }

  get folder() {
    return this.#link.folder;
  }

  /** Its name among the holders of a file; '' if all have all files. */
  get id() {
    return this.#spread?.id ?? '';
  }

  get pid() {
    return this.#link.pid;
  }

  /** How long its node has been at one request, ms. */
  get stuckMs() {
    return this.#link.gauge.stuckMs;
  }

  /** How long its node has said nothing, ms. */
  get quietMs() {
    return this.#link.gauge.quietMs;
  }

  /** @param {any} request changes nothing @returns {number} when its answer can be expected, in ms from now */
  expectedMs({ op }) {
    return (op === 'readFile' && this.#unanswered === 0 ? this.#disk : this.#link.gauge).expectedMs;
  }

  get why() {
    return this.#link.why;
  }

  start() {
    this.#link.start();
  }

  /** It is level with the log. */
  serve() {
    if (this.state === 'behind') this.#to('serving');
  }

  /**
   * Its folder differs from the log: it has no history any more, and serves again once it is brought level.
   *
   * @returns {Promise<void>} when nothing is on its way to it
   */
  async renew() {
    this.#to('behind');
    this.applied = null;
    await this.settled();
    // If its node is gone it forgets nothing; when it is back, it matches the log, or differs again.
    await this.request({ kind: 'forget' }).catch(() => {});
    this.applied = null;
  }

  /** @param {string} why */
  stop(why) {
    this.#to('stopped');
    this.#link.stop(why);
  }

  /** @param {object} message @returns {Promise<any>} */
  request(message) {
    return this.#link.request(message);
  }

  /**
   * @param {any} request changes nothing
   * @param {number} least the entry that it must have applied
   * @returns {Promise<any>} rejects with a FarError
   */
  async read(request, least) {
    const content = request.op === 'readFile' ? await this.#readHere(request.path) : null;
    return content ?? this.request({ kind: 'read', request, least });
  }

  /**
   * Whole files are read without the node, since its folder is on this machine: while it has nothing to apply, the folder does not change.
   * One at a time: a disk that hangs takes a thread of Node's pool with it.
   *
   * @param {string} relative
   * @returns {Promise<Uint8Array | null>} null: only the node can tell
   */
  async #readHere(relative) {
    if (this.#unanswered > 0) return null;
    this.#disk.sent();
    const reading = this.#reading.then(() => this.#readStill(path.join(this.folder, relative)));
    this.#reading = reading;
    const content = await reading;
    this.#disk.answered();
    return content;
  }

  /** @param {string} file @returns {Promise<Uint8Array | null>} null: it cannot be read, or may have been written meanwhile */
  async #readStill(file) {
    const [given, life] = [this.#given, this.#life];
    if (this.state !== 'serving' || this.#unanswered > 0) return null;
    try {
      const content = await fs.promises.readFile(file);
      const isElsewhere = this.#spread !== undefined && decodePointer(content, this.#spread.secret) !== null;
      return this.#given === given && this.#life === life && !isElsewhere ? content : null;
    } catch {
      return null;
    }
  }

  /**
   * @param {number} number follows the previous one
   * @param {any} entry
   * @returns {Promise<import('./outcome').Said>} its outcome; rejects with a FarError
   */
  apply(number, { request, timeMs }) {
    const entry = { request: this.partOf(request), timeMs };
    return new Promise((resolve, reject) => {
      this.#given += 1;
      this.#unanswered += 1;
      this.#outbox.push({ number, entry, resolve, reject });
      this.#pump();
    });
  }

  /** Entries go in order; the next one may go while this one runs, but not while its contents are on their way. */
  #pump() {
    while (this.#outbox.length > 0 && !this.#isFetching) {
      const { hash } = this.#outbox[0].entry.request;
      if (hash !== undefined && !this.#blobs.has(hash)) return void this.#fetch(hash);
      const { number, entry, resolve, reject } = /** @type {any} */ (this.#outbox.shift());
      this.#send(number, entry).then(resolve, reject);
    }
  }

  /** @param {string} hash */
  async #fetch(hash) {
    this.#isFetching = true;
    const life = this.#life;
    try {
      await this.keep(hash, await this.fetchBlob(hash));
    } catch (error) {
      if (life === this.#life) this.stop(`the content ${hash} of an entry is nowhere: ${/** @type {any} */ (error).message}`);
    } finally {
      if (life === this.#life) {
        this.#isFetching = false;
        this.#pump();
      }
    }
  }

  /** @param {number} number @param {any} entry */
  async #send(number, entry) {
    const life = this.#life;
    try {
      const value = await this.#link.request({ kind: 'apply', number, entry });
      return this.#spread === undefined ? { value } : value;
    } finally {
      if (life === this.#life) {
        this.applied = number;
        this.#unanswered -= 1;
        if (this.isSettled) this.#settle();
      }
    }
  }

  /** Whether its folder has all entries that it was given: contents of some may be on their way. */
  get isSettled() {
    return this.#unanswered === 0;
  }

  /** @returns {Promise<void>} when it has answered everything, or is gone */
  async settled() {
    if (!this.isSettled) await new Promise((/** @type {(value: void) => void} */ resolve) => this.#settlers.push(resolve));
  }

  #settle() {
    for (const settler of this.#settlers.splice(0)) settler();
  }

  #forget() {
    this.#life += 1;
    this.#unanswered = 0;
    this.#settle();
    this.#isFetching = false;
    const outbox = this.#outbox;
    this.#outbox = [];
    for (const { reject } of outbox) reject(lostError(`the node of ${this.folder} is gone: ${this.why}`, 'maybe'));
  }

  /** @param {string} hash @param {Uint8Array} data */
  async keep(hash, data) {
    await this.#link.request({ kind: 'blob', hash, data });
    this.#blobs.add(hash);
  }

  /** @param {string[]} hashes */
  drop(hashes) {
    for (const hash of hashes) this.#blobs.delete(hash);
    if (this.#link.state === 'up') void this.#link.request({ kind: 'drop', items: hashes }).catch(() => {});
  }

  /**
   * Brings its folder level with another, which must not change meanwhile.
   *
   * @param {Holder} source @param {number} number of the last entry that the source was given
   */
  async copyFrom(source, number) {
    await source.settled();
    const items = await source.request({ kind: 'survey' });
    const lacking = await this.request({ kind: 'level', items });
    for (const item of lacking) await copyFile(source, this, item);
    await this.adopt(number);
  }

  /** @param {number} number of the last entry whose outcome its folder has, whoever put it there */
  async adopt(number) {
    await this.request({ kind: 'adopt', number });
    this.applied = number;
  }

  /** @param {Holder['state']} next */
  #to(next) {
    this.state = next;
  }
}

/** @param {Uint8Array} data */
function hashOf(data) {
  return createHash('sha256').update(data).digest('hex');
}

exports.BLOB_BYTES = BLOB_BYTES;
exports.Holder = Holder;
exports.hashOf = hashOf;
