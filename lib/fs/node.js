'use strict';
/*
 * One node: a process that has a folder. In: requests over the channel to the program, in order. Out: an answer to each. It answers reads,
 * runs writes (as the owner of a root), or applies entries of a log by number (as one of several holders). It ends with the program,
 * however that ends.
 */
// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('../boot/own-require').ownRequire(module, require);
const fs = require('node:fs');
const path = require('node:path');
const process = require('node:process');
const { leaveSignalsToHome } = require('../boot/started-by-home');
const { packError } = require('./far-error');
const { Journal } = require('./journal');
const { Links, OUTSIDE } = require('./links');
const { lock, unlock } = require('./lock');
const { STATE } = require('./modes');
const { Redo } = require('./redo');
const { Operations } = require('./operations');
const { level, put, seed, survey } = require('./snapshot');
const { SpreadOperations } = require('./spread-operations');

/** A node whose program was killed ends when it has finished what it is doing, or after this, ms. */
const PATIENCE_MS = 20_000;

class Node {
  #operations;
  #links;
  /** where files are put together, if others may need the folder's contents @type {string | undefined} */
  #aside;
  #journal;
  #blobs;
  #isSync;
  #redo;
  #applied;
  /** what may have run in part when this node last died */
  #torn;

  /**
   * @param {{folder: string, root: string, isSync: boolean, spread?: {id: string, secret: string}}} place spread: there are more nodes than
   *   copies
   */
  constructor({ folder, root, isSync, spread }) {
    const place = { folder, root, isSync };
    this.#operations = spread === undefined ? new Operations(place) : new SpreadOperations(place, spread);
    this.#links = new Links(place, this.#operations);
    this.#aside = spread === undefined ? undefined : path.join(folder, STATE, 'aside');
    this.#journal = new Journal(path.join(folder, STATE, 'applied'), isSync);
    this.#blobs = path.join(folder, STATE, 'blobs');
    this.#isSync = isSync;
    this.#redo = new Redo(path.join(folder, STATE), isSync);
    this.#runAgain();
    const last = this.#journal.read();
    this.#torn = last === null || last.facts.isDone ? null : last;
    this.#applied = last === null ? null : last.facts.isDone ? last.number : last.number - 1;
  }

  /** The number of the last entry that has run completely; null: this folder has no history. */
  get applied() {
    return this.#applied;
  }

  /** @param {any} message @returns {any} the answer @throws errors of the file system */
  serve({ kind, request, number, entry, item, data, position, isLast, items, source, hash, least, keepsHistory }) {
    switch (kind) {
      case 'run':
        return this.#runFollowed(request, (followed) => this.#runWhole(followed));
      case 'read':
        if ((this.#applied ?? 0) < least) throw inconsistent(`this node has applied ${this.#applied}, and ${least} was wanted`);
        return this.#runFollowed(request, (followed) => this.#operations.run(followed));
      case 'apply':
        return this.#apply(number, entry);
      case 'survey':
        return survey(this.#operations);
      case 'forget':
        return this.#forget();
      case 'level':
        if (!keepsHistory) this.#forget();
        return level(this.#operations, items);
      case 'put':
        return put(this.#operations, item, data, position, isLast, this.#aside);
      case 'stub':
        return this.#stub(items);
      case 'seed':
        return seed(this.#operations, source);
      case 'adopt':
        return this.#adopt(number);
      case 'blob':
        return this.#keepBlob(hash, data);
      case 'readBlob':
        return fs.readFileSync(path.join(this.#blobs, hash));
      default:
        return this.#dropBlobs(items);
    }
  }

  /** @param {any} request @param {(followed: any) => any} run @returns {any} @throws as if nothing had been followed */
  #runFollowed(request, run) {
    const followed = this.#links.followed(request);
    try {
      return run(followed);
    } catch (error) {
      this.#links.asGiven(error, followed, request);
      throw error;
    }
  }

  /** @param {any} request of the only one that asks this node @returns {any} */
  #runWhole(request) {
    if (!this.#redo.isFor(request)) return this.#operations.run(request);
    this.#redo.note(request, this.#operations.prepare(request));
    try {
      return this.#operations.run(request);
    } finally {
      this.#redo.clear();
    }
  }

  /** Repeats what a crash has interrupted. */
  #runAgain() {
    const torn = this.#redo.read();
    if (torn === null) return;
    try {
      this.#operations.run(torn.request, torn.facts);
    } catch {
      // It was refused, then as now.
    }
    this.#redo.clear();
  }

  /** @param {number} number @param {any} entry @returns {any} */
  #apply(number, { request, timeMs }) {
    this.#checkNext(number);
    try {
      return this.#runFollowed(request, (followed) => this.#applyFollowed(number, followed, timeMs));
    } catch (error) {
      // It is not one of ours, and nothing else comes of it.
      if (/** @type {any} */ (error).code === OUTSIDE) this.#adopt(number);
      throw error;
    }
  }

  /** @param {number} number */
  #checkNext(number) {
    if (this.#applied === null || number !== this.#applied + 1)
      throw inconsistent(`entry ${number} does not follow ${this.#applied}, which this node has applied last`);
  }

  /** @param {number} number @param {any} request @param {number} timeMs */
  #applyFollowed(number, request, timeMs) {
    const isAgain = this.#torn !== null && this.#torn.number === number;
    const facts = isAgain ? /** @type {any} */ (this.#torn).facts : this.#operations.prepare(request);
    // Before anything is noted: without its contents it cannot begin.
    const whole = facts.isElsewhere ? request : this.#withBlob(request);
    this.#journal.note(number, facts);
    const startedMs = Date.now();
    const existed = request.op === 'create' && this.#operations.has(request.path);
    let isDone = false;
    try {
      const value = this.#operations.run(whole, isAgain ? facts : undefined);
      isDone = true;
      return this.#operations instanceof SpreadOperations ? { value, isElsewhere: this.#operations.isElsewhere } : value;
    } finally {
      this.#operations.stamp(request, { timeMs, startedMs, existed, isDone });
      this.#applied = number;
      this.#torn = null;
    }
  }

  /** @param {any} request */
  #withBlob(request) {
    if (request.hash === undefined) return request;
    const file = path.join(this.#blobs, request.hash);
    if (!fs.existsSync(file)) throw inconsistent(`the content ${request.hash} of an entry is not here`);
    return { ...request, data: fs.readFileSync(file) };
  }

  #forget() {
    this.#journal.clear();
    this.#dropBlobs(null);
  }

  /** @param {import('./snapshot').Item[]} items their contents are on other nodes by now */
  #stub(items) {
    for (const item of items) /** @type {any} */ (this.#operations).stub(item, this.#aside);
  }

  /** @param {number} number */
  #adopt(number) {
    this.#journal.note(number, { offset: 0, existed: false, isDone: true });
    this.#applied = number;
    this.#torn = null;
  }

  /** @param {string} hash @param {Uint8Array} data */
  #keepBlob(hash, data) {
    const file = path.join(this.#blobs, hash);
    // Not for others, whatever the file is: no umask applies here.
    fs.mkdirSync(this.#blobs, { recursive: true, mode: 0o700 });
    // Its entry, too, is on disk only with `sync`.
    fs.writeFileSync(`${file}.part`, data, { mode: 0o600, flush: this.#isSync });
    fs.renameSync(`${file}.part`, file);
  }

  /** @param {string[] | null} hashes that nobody will ask for any more; null: all */
  #dropBlobs(hashes) {
    if (hashes === null) return fs.rmSync(this.#blobs, { recursive: true, force: true });
    for (const hash of hashes) fs.rmSync(path.join(this.#blobs, hash), { force: true });
  }

  /** @param {string} real */
  relative(real) {
    return this.#operations.relative(real);
  }
}

/** @param {string} message something that no file system says: only a fault of ours causes it */
function inconsistent(message) {
  return Object.assign(new Error(message), { code: 'IGNIS_NODE' });
}

/**
 * A folder whose files are partly elsewhere says so, since nobody else could tell.
 *
 * @param {string} state folder
 * @param {{secret: string} | undefined} spread
 * @returns {boolean} whether it may be used so
 */
function isOfThisKind(state, spread) {
  const file = path.join(state, 'elsewhere');
  const secret = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  if (secret === null && spread !== undefined) fs.writeFileSync(file, spread.secret, { mode: 0o600, flush: true });
  return secret === null || secret === spread?.secret;
}

/** @param {{folder: string, root: string, isSync: boolean, spread?: {id: string, secret: string}}} given */
function begin(given) {
  const state = path.join(given.folder, STATE);
  fs.mkdirSync(path.dirname(given.folder), { recursive: true });
  // What nobody else may see in the root must not be visible in a copy either.
  fs.mkdirSync(given.folder, { recursive: true, mode: fs.statSync(given.root).mode & 0o777 });
  fs.mkdirSync(state, { recursive: true });
  const folder = fs.realpathSync(given.folder);
  const file = path.join(state, 'node');
  const other = lock(file, PATIENCE_MS);
  if (other !== null) return void process.send?.({ refused: `process ${other} has ${given.folder}` }, () => process.exit(1));
  process.umask(0);
  process.on('exit', () => unlock(file));
  const refused = `${given.folder} holds a part of the files of a file system with more disks than copies, which are served only together and from their root`;
  if (!isOfThisKind(state, given.spread)) return void process.send?.({ refused }, () => process.exit(1));
  process.on('disconnect', () => process.exit(0));
  // They are for the program, which may have something left to write.
  leaveSignalsToHome();
  const node = new Node({ ...given, folder });
  process.on('message', (/** @type {any} */ message) => {
    let answer;
    try {
      answer = { id: message.id, value: node.serve(message) };
    } catch (error) {
      answer = { id: message.id, error: packError(error, (real) => node.relative(real)) };
    }
    // A program that is gone hears nothing, and the channel ends this node.
    if (process.connected) process.send?.(answer, undefined, undefined, () => {});
  });
  process.send?.({ ready: true, applied: node.applied }, undefined, undefined, () => {});
}

begin(JSON.parse(process.argv[2]));
