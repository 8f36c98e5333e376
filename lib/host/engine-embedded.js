'use strict';
/*
 * The engine without a server: records and logs in the memory of this process, gone with it. All engines of one `app` in a process share
 * them, so that several nodes in one process (and tests) meet there. In and out: as for every engine. It is never down.
 */
const { Math, queueMicrotask } = require('../engine.js');
const { IgnisError } = require('../errors.js');
const { Engine } = require('./engine-base.js');
const { Map, Set } = require('../engine');

/** @typedef {import('./engine-feed.js').Watch} Watch */
/** @typedef {import('./engine-feed.js').Feed} Feed */

class Store {
  rev = 0;
  /** @type {Map<string, {text: string, rev: number}>} */
  records = new Map();
  /**
   * @type {Map<string, {entries: {seq: number, bytes: Uint8Array, id: string}[], head: number, trimmed: number, ids: Map<string, number>}>}
   */
  logs = new Map();
  /** @type {Set<{prefix: string, watch: Watch}>} */
  watches = new Set();
  /** @type {Set<{log: string, feed: Feed}>} */
  feeds = new Set();
  users = 0;

  /** @param {string} name */
  log(name) {
    let log = this.logs.get(name);
    if (log === undefined) this.logs.set(name, (log = { entries: [], head: 0, trimmed: 0, ids: new Map() }));
    return log;
  }

  /** Later, as from a server: never inside the call that caused it. @param {string} key @param {string | null} text @param {number} rev */
  tell(key, text, rev) {
    for (const { prefix, watch } of this.watches) if (key.startsWith(prefix)) queueMicrotask(() => watch.change(key, text, rev));
  }
}

/** @type {Map<string, Store>} by app */
const stores = new Map();

class EmbeddedEngine extends Engine {
  #store;
  #app;

  /** @param {{app: string}} options */
  constructor({ app }) {
    super({ name: 'embedded' });
    this.#app = app;
    const store = stores.get(app) ?? new Store();
    stores.set(app, store);
    store.users += 1;
    this.#store = store;
  }

  /** @override @param {string} key */
  async _get(key) {
    return this.#store.records.get(key) ?? null;
  }

  /** @param {string} key @param {number} [ifRev] */
  #check(key, ifRev) {
    if (ifRev !== undefined && (this.#store.records.get(key)?.rev ?? 0) !== ifRev) throw this._conflict(key, ifRev);
  }

  /** @override @param {string} key @param {string} text @param {number} [ifRev] */
  async _put(key, text, ifRev) {
    this.#check(key, ifRev);
    const rev = ++this.#store.rev;
    this.#store.records.set(key, { text, rev });
    this.#store.tell(key, text, rev);
    return rev;
  }

  /** @override @param {string} key @param {number} [ifRev] */
  async _delete(key, ifRev) {
    this.#check(key, ifRev);
    if (this.#store.records.delete(key)) this.#store.tell(key, null, ++this.#store.rev);
  }

  /** @override @param {string} prefix @param {Watch} watch */
  _watch(prefix, watch) {
    const own = { prefix, watch };
    const { records, watches } = this.#store;
    queueMicrotask(() => {
      if (watch.isStopped) return;
      watch.look();
      for (const [key, { text, rev }] of records) if (key.startsWith(prefix)) watch.change(key, text, rev);
      watches.add(own);
      watch.looked();
    });
    return () => void watches.delete(own);
  }

  /** @override @param {string} name @param {Uint8Array} bytes @param {string} id */
  async _append(name, bytes, id) {
    const log = this.#store.log(name);
    const known = log.ids.get(id);
    if (known !== undefined) return known;
    const seq = ++log.head;
    log.ids.set(id, seq);
    const entry = { seq, bytes: Uint8Array.from(bytes), id };
    log.entries.push(entry);
    for (const { log: followed, feed } of this.#store.feeds) if (followed === name) queueMicrotask(() => feed.entry(seq, entry.bytes, id));
    return seq;
  }

  /** @override @param {string} name @param {Feed} feed */
  _follow(name, feed) {
    const own = { log: name, feed };
    const { feeds } = this.#store;
    queueMicrotask(() => {
      if (feed.isStopped) return;
      const log = this.#store.log(name);
      if (feed.seq < log.trimmed || feed.seq > log.head) {
        return void feed.lost(
          new IgnisError('IGNIS_LOG_GAP', `${name} holds ${log.trimmed + 1} to ${log.head}, not what follows ${feed.seq}`),
        );
      }
      for (const { seq, bytes, id } of log.entries) feed.entry(seq, bytes, id);
      feeds.add(own);
      feed.tell(() => feed.ready());
    });
    return () => void feeds.delete(own);
  }

  /** @override @param {string} name @param {number} throughSeq */
  async _trim(name, throughSeq) {
    const log = this.#store.log(name);
    log.trimmed = Math.max(log.trimmed, Math.min(throughSeq, log.head));
    for (const { seq, id } of log.entries) if (seq <= log.trimmed) log.ids.delete(id);
    log.entries = log.entries.filter(({ seq }) => seq > log.trimmed);
  }

  /** @override */
  async _close() {
    this.#store.users -= 1;
    if (this.#store.users === 0 && stores.get(this.#app) === this.#store) stores.delete(this.#app);
  }
}

exports.EmbeddedEngine = EmbeddedEngine;
