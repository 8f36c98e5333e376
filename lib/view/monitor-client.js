'use strict';
/*
 * The other side of a monitor socket: finds the programs that can be looked at, and asks them. In: a pid, a name, a path. Out: answers,
 * snapshots as they come, and news that the program has ended. It trusts the folder (which is the user's own), but not what comes over the
 * socket.
 */
const net = require('node:net');
const { IgnisError } = require('../errors');
const { nearest } = require('../option-table');
const { VERSION } = require('./monitor-link');
const { entries, isAlive, removeStale } = require('./run-folder');
const { TextLines, toLine } = require('./text-lines');
const { Map, Object, Promise, clearTimeout, setTimeout } = require('../engine');

/** An answer may be long: a profile, or thousands of boundaries. */
const MOST_ANSWER_BYTES = 256 * 1024 * 1024;

/** How long a program may take to answer, ms: its event loop may be busy. */
const ANSWER_MS = 60_000;

/** @typedef {import('./run-folder').Entry} Entry */

class Watching {
  #socket;
  #lines = new TextLines(MOST_ANSWER_BYTES);
  /**
   * @type
   *   {Map<number, {finish: (value: any) => void, fail: (error: Error) => void, onSnapshot?: (snapshot: any) => void, timer?: NodeJS.Timeout}>}
   */
  #asked = new Map();
  #nextId = 1;
  #met = (/** @type {any} */ _hello) => {};
  /** @type {Error | null} */
  #lost = null;

  /** @type {any} what the program said about itself */
  hello = null;
  /** @type {Promise<Error>} why the link has ended */
  ended;

  /** @param {string} place path of a socket */
  constructor(place) {
    /** @type {(error: Error) => void} */
    let tell = () => {};
    this.ended = new Promise((resolve) => (tell = resolve));
    this.#socket = net.connect(place);
    this.#socket.on('data', (chunk) => this.#take(/** @type {any} */ (chunk)));
    this.#socket.on('error', (error) => this.#end(error, tell));
    this.#socket.on('close', () => this.#end(new Error('the program has ended, or has closed this link'), tell));
  }

  /**
   * @param {string} place
   * @param {number} [limitMs]
   * @returns {Promise<Watching>}
   * @throws {IgnisError} IGNIS_NOT_FOUND, IGNIS_VERSION_MISMATCH, IGNIS_CALL_TIMEOUT
   */
  static async open(place, limitMs = ANSWER_MS) {
    const link = new Watching(place);
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const met = new Promise((resolve) => (link.#met = resolve));
    const late = new Promise((resolve) => (timer = setTimeout(resolve, limitMs, 'late')));
    const first = await Promise.race([met, link.ended, late]);
    clearTimeout(timer);
    if (first === 'late') {
      link.close();
      throw new IgnisError('IGNIS_CALL_TIMEOUT', `the program at ${place} did not answer within ${limitMs} ms; its event loop may be busy`);
    }
    if (first instanceof Error) throw new IgnisError('IGNIS_NOT_FOUND', `the program at ${place}`, { cause: first });
    if (link.hello.ignis !== 'monitor' || link.hello.version !== VERSION) {
      link.close();
      throw new IgnisError(
        'IGNIS_VERSION_MISMATCH',
        `the program speaks version ${link.hello.version} of the monitor's protocol, this one ${VERSION}`,
      );
    }
    return link;
  }

  /**
   * @param {'snapshot' | 'detail' | 'history' | 'report' | 'act' | 'watch' | 'stop'} ask
   * @param {Record<string, unknown>} [fields]
   * @param {number} [limitMs]
   * @returns {Promise<any>}
   * @throws {IgnisError} what the program refused with, IGNIS_CALL_TIMEOUT, IGNIS_CLOSED
   */
  ask(ask, fields = {}, limitMs = ANSWER_MS) {
    return this.#ask(this.#nextId++, ask, fields, limitMs);
  }

  /**
   * @param {number} everyMs
   * @param {(snapshot: import('../types').Snapshot) => void} onSnapshot
   * @param {{brief?: boolean}} [how] brief: without the functions of each boundary
   * @returns {Promise<() => void>} ends it
   */
  async watch(everyMs, onSnapshot, { brief = false } = {}) {
    const id = this.#nextId++;
    // It begins when the program is free again, however long that takes.
    await this.#ask(id, 'watch', { everyMs, brief }, Infinity, onSnapshot);
    return () => {
      if (this.#asked.delete(id) && this.#lost === null) this.ask('stop', { watch: id }).catch(() => {});
    };
  }

  /** Idempotent. */
  close() {
    this.#socket.destroy();
  }

  /**
   * @param {number} id
   * @param {string} ask
   * @param {Record<string, unknown>} fields
   * @param {number} limitMs Infinity: none
   * @param {(snapshot: any) => void} [onSnapshot]
   */
  #ask(id, ask, fields, limitMs, onSnapshot) {
    return new Promise((finish, fail) => {
      if (this.#lost !== null) return fail(new IgnisError('IGNIS_CLOSED', this.#lost.message));
      const late = () => {
        this.#asked.delete(id);
        fail(new IgnisError('IGNIS_CALL_TIMEOUT', `the program did not answer within ${limitMs} ms`));
      };
      const timer = limitMs === Infinity ? undefined : setTimeout(late, limitMs);
      this.#asked.set(id, { finish, fail, onSnapshot, timer });
      this.#socket.write(toLine({ ...fields, id, version: VERSION, ask }));
    });
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    try {
      for (const record of this.#lines.push(chunk)) this.#hear(record);
    } catch (error) {
      this.#socket.destroy(/** @type {Error} */ (error));
    }
  }

  /** @param {any} record */
  #hear(record) {
    if (this.hello === null) {
      this.hello = record;
      return this.#met(record);
    }
    if (record.id === null) return void this.#socket.destroy(failureOf(record.error));
    const asked = this.#asked.get(record.id);
    if (asked === undefined) return;
    if (record.snapshot !== undefined) return asked.onSnapshot?.(record.snapshot);
    clearTimeout(asked.timer);
    if (asked.onSnapshot === undefined || record.error !== undefined) this.#asked.delete(record.id);
    if (record.error !== undefined) asked.fail(failureOf(record.error));
    else asked.finish(record.result);
  }

  /** @param {Error} error @param {(error: Error) => void} tell */
  #end(error, tell) {
    if (this.#lost !== null) return;
    this.#lost = error;
    for (const { fail, timer } of this.#asked.values()) {
      clearTimeout(timer);
      fail(new IgnisError('IGNIS_CLOSED', error.message));
    }
    this.#asked.clear();
    tell(error);
  }
}

/** As the program threw it: the message already contains its sentence. @param {any} error @returns {Error} */
function failureOf(error) {
  const failure = Object.assign(new Error(String(error?.message)), { code: error?.code ?? null, nearest: error?.nearest });
  return typeof error?.code === 'string' ? Object.setPrototypeOf(failure, IgnisError.prototype) : failure;
}

/**
 * @param {string | undefined} wanted a pid, a name or a part of it; undefined: the only one
 * @param {Entry[]} [all]
 * @returns {Entry}
 * @throws {IgnisError} IGNIS_NOT_FOUND naming what there is; IGNIS_BAD_OPTION when several match
 */
function findProgram(wanted, all = entries()) {
  const main = all.filter(({ thread }) => thread === 0);
  const named = wanted === undefined ? main : all.filter(({ pid, name }) => String(pid) === wanted || name === wanted);
  const meant = named.length > 0 || wanted === undefined ? named : all.filter(({ name }) => wanted !== '' && name.includes(wanted));
  // A program that died of an exception, or was killed, may have left its socket behind. If its process is not visible here, it may still
  // live in another container.
  const living = meant.length > 1 ? meant.filter(({ pid }) => isAlive(pid)) : meant;
  const found = living.length > 0 ? living : meant;
  if (found.length === 1) return found[0];
  const list = (found.length > 1 ? found : all).map(({ pid, name }) => `${pid} ${name}`.trim()).join(', ');
  if (found.length > 1) throw new IgnisError('IGNIS_BAD_OPTION', `which program? Name one by its pid: ${list}`);
  if (all.length === 0)
    throw new IgnisError(
      'IGNIS_NOT_FOUND',
      'none of your running programs can be watched: start one with `ignis run PROGRAM`; it can be watched from its first watched import on, unless it runs with --no-monitor',
    );
  const hint = nearest(
    String(wanted),
    all.map(({ name }) => name),
  );
  throw new IgnisError('IGNIS_NOT_FOUND', `no running program '${wanted}'; there are ${list}`, { nearest: hint });
}

/** @returns {Promise<Entry[]>} running programs; removes what dead ones left behind */
async function listPrograms() {
  const all = entries();
  const gone = await Promise.all(all.map(({ place }) => removeStale(place)));
  return all.filter((_, i) => !gone[i]);
}

exports.Watching = Watching;
exports.findProgram = findProgram;
exports.listPrograms = listPrograms;
