'use strict';
/*
 * The engine on etcd: records are below /ignis/APP/r/; entries of a log are below /ignis/APP/l/LOG/, each a key that is made once, ordered
 * by the revision that made it. In: where the servers are. Out: an Engine. For placement and light logs: a request has at most 1.5 MB and
 * the database is small, so logs need trimming. Once a second it asks whether the servers are there. A Watch or Feed whose stream ends
 * reads what it does not know, and goes on from there.
 */
const { IgnisError } = require('../errors.js');
const { Engine } = require('./engine-base.js');
const { EtcdServers } = require('./engine-etcd-servers.js');
const { Math, Promise, clearInterval, clearTimeout, performance, setInterval, setTimeout } = require('../engine');

/** @typedef {import('./engine-url.js').EngineAddress} EngineAddress */

const PING_MS = 1000;
const AGAIN_MS = 200;
/** After a refusal there is no hurry, ms. */
const REFUSED_MS = 2000;
const PAGE = 64;
/** A transaction has at most 128 operations. */
const DELETES = 100;

const base64 = (/** @type {string | Uint8Array} */ bytes) => Buffer.from(bytes).toString('base64');
const text = (/** @type {string | undefined} */ encoded) => Buffer.from(encoded ?? '', 'base64').toString();

/** All keys with this beginning. @param {string} prefix */
function below(prefix) {
  const end = Buffer.from(prefix);
  end[end.length - 1] += 1;
  return { key: base64(prefix), range_end: base64(end) };
}

class EtcdEngine extends Engine {
  #servers;
  #root;
  #pinging;
  #isAsking = false;

  /**
   * @param {EtcdServers} servers
   * @param {{app: string, name: string, warn?: (sentence: string) => void}} settings
   */
  constructor(servers, { app, name, warn }) {
    super({ name, warn });
    this.#servers = servers;
    this.#root = `/ignis/${app}/`;
    this.#pinging = setInterval(() => this.#ping(), PING_MS).unref();
  }

  async #ping() {
    // If a server leaves several of these open, each would report that all are away, when the next one has answered already.
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#ask('kv/range', { key: base64(this.#root), keys_only: true });
      this._to('up');
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'IGNIS_ENGINE_DOWN' || this.state !== 'up') return;
      this._to('down', /** @type {Error} */ (error));
      // A server that stands still does not end its streams.
      this.#servers.endStreams();
    } finally {
      this.#isAsking = false;
    }
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  #ask(path, body) {
    return this.#servers.ask(path, body);
  }

  /** @param {string} key */
  #record(key) {
    return base64(`${this.#root}r/${key}`);
  }

  /** @override @param {string} key */
  async _get(key) {
    const { kvs = [] } = await this.#ask('kv/range', { key: this.#record(key) });
    return kvs.length === 0 ? null : { text: text(kvs[0].value), rev: Number(kvs[0].mod_revision) };
  }

  /**
   * @param {string} key
   * @param {object} operation
   * @param {number} [ifRev]
   */
  async #change(key, operation, ifRev) {
    const compare = ifRev === undefined ? [] : [{ key: this.#record(key), target: 'MOD', result: 'EQUAL', mod_revision: String(ifRev) }];
    const { succeeded, header } = await this.#ask('kv/txn', { compare, success: [operation] });
    if (!succeeded) throw this._conflict(key, ifRev);
    return Number(header.revision);
  }

  /** @override @param {string} key @param {string} value @param {number} [ifRev] */
  async _put(key, value, ifRev) {
    return this.#change(key, { request_put: { key: this.#record(key), value: base64(value) } }, ifRev);
  }

  /** @override @param {string} key @param {number} [ifRev] */
  async _delete(key, ifRev) {
    await this.#change(key, { request_delete_range: { key: this.#record(key) } }, ifRev);
  }

  /** @override @param {string} prefix @param {import('./engine-feed.js').Watch} watch */
  _watch(prefix, watch) {
    const root = `${this.#root}r/`;
    const range = below(root + prefix);
    const keyOf = (/** @type {any} */ kv) => text(kv.key).slice(root.length);
    return this.#hear(watch, range, {
      look: async () => {
        const { kvs = [], header } = await this.#ask('kv/range', range);
        watch.look();
        for (const kv of kvs) watch.change(keyOf(kv), text(kv.value), Number(kv.mod_revision));
        watch.looked();
        return Number(header.revision);
      },
      event: ({ type, kv }) => watch.change(keyOf(kv), type === 'DELETE' ? null : text(kv.value), Number(kv.mod_revision)),
    });
  }

  /** @param {string} log */
  #log(log) {
    return { entries: `${this.#root}l/${log}/e/`, trimmed: base64(`${this.#root}l/${log}/trimmed`) };
  }

  /** @override @param {string} log @param {Uint8Array} bytes @param {string} id */
  async _append(log, bytes, id) {
    const key = base64(this.#log(log).entries + id);
    const { succeeded, header, responses } = await this.#ask('kv/txn', {
      compare: [{ key, target: 'CREATE', result: 'EQUAL', create_revision: '0' }],
      success: [{ request_put: { key, value: base64(bytes) } }],
      failure: [{ request_range: { key } }],
    });
    return Number(succeeded ? header.revision : responses[0].response_range.kvs[0].mod_revision);
  }

  /** @override @param {string} log @param {import('./engine-feed.js').Feed} feed */
  _follow(log, feed) {
    const { entries, trimmed } = this.#log(log);
    const range = below(entries);
    const entry = (/** @type {any} */ kv) => {
      feed.entry(Number(kv.mod_revision), Buffer.from(kv.value ?? '', 'base64'), text(kv.key).slice(entries.length));
    };
    const look = async () => {
      for (;;) {
        const ask = { ...range, min_mod_revision: String(feed.seq + 1), sort_target: 'MOD', sort_order: 'ASCEND', limit: String(PAGE) };
        // Both in one transaction: a trim in between would look like a gap.
        const { header, responses } = await this.#ask('kv/txn', { success: [{ request_range: { key: trimmed } }, { request_range: ask }] });
        const least = Number(text(responses[0].response_range.kvs?.[0]?.value));
        const head = Number(header.revision);
        if (feed.seq < least || feed.seq > head) {
          throw new IgnisError(
            'IGNIS_LOG_GAP',
            `${log} is trimmed through ${least} and ends before ${head + 1}: not what follows ${feed.seq}`,
          );
        }
        const { kvs = [] } = responses[1].response_range;
        for (const kv of kvs) entry(kv);
        if (kvs.length < PAGE || feed.isStopped) {
          feed.tell(() => feed.ready());
          return head;
        }
      }
    };
    return this.#hear(feed, range, { look, event: ({ type, kv }) => type !== 'DELETE' && entry(kv) });
  }

  /** @override @param {string} log @param {number} throughSeq */
  async _trim(log, throughSeq) {
    const { entries, trimmed } = this.#log(log);
    const { kvs = [], header } = await this.#ask('kv/range', { key: trimmed });
    const through = Math.min(throughSeq, Number(header.revision));
    if (through > Number(text(kvs[0]?.value))) await this.#ask('kv/put', { key: trimmed, value: base64(String(through)) });
    for (;;) {
      const old = await this.#ask('kv/range', {
        ...below(entries),
        max_mod_revision: String(through),
        keys_only: true,
        limit: String(DELETES),
      });
      if (old.kvs === undefined) return;
      await this.#ask('kv/txn', { success: old.kvs.map((/** @type {any} */ { key }) => ({ request_delete_range: { key } })) });
    }
  }

  /**
   * A look, then each event after it; and again when the stream ends.
   *
   * @param {import('./engine-feed.js').Watch | import('./engine-feed.js').Feed} hearing
   * @param {{key: string, range_end: string}} range
   * @param {{look: () => Promise<number>, event: (event: any) => void}} how look gives the revision that it saw
   */
  #hear(hearing, range, { look, event }) {
    /** @type {{destroy: () => void} | null} */
    let stream = null;
    let wake = () => {};
    const run = async () => {
      while (!hearing.isStopped) {
        let pauseMs = AGAIN_MS;
        try {
          const revision = await look();
          if (hearing.isStopped) return;
          const opened = this.#servers.watch({ ...range, start_revision: String(revision + 1) }, event);
          stream = opened;
          await opened.ended;
        } catch (error) {
          if (!hearing.passes(error)) return void hearing.lost(error);
          if (/** @type {any} */ (error).code === 'IGNIS_ENGINE_REFUSED') pauseMs = REFUSED_MS;
        }
        if (hearing.isStopped) return;
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, pauseMs).unref();
          wake = () => {
            clearTimeout(timer);
            resolve(undefined);
          };
        });
      }
    };
    run();
    return () => {
      stream?.destroy();
      wake();
    };
  }

  /** @override */
  async _close() {
    clearInterval(this.#pinging);
    this.#servers.close();
  }
}

/**
 * @param {EngineAddress} address
 * @param {{app: string, requestMs: number, connectMs: number, warn?: (sentence: string) => void}} settings
 * @returns {Promise<EtcdEngine>}
 * @throws {IgnisError} as openEngine
 */
async function openEtcd(address, { app, requestMs, connectMs, warn }) {
  const name = `etcd://${address.servers.join(',')}`;
  const servers = new EtcdServers(address, { name, requestMs });
  const end = performance.now() + connectMs;
  for (;;) {
    try {
      await servers.ask('kv/range', { key: base64(`/ignis/${app}/`), keys_only: true });
      return new EtcdEngine(servers, { app, name, warn });
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'IGNIS_ENGINE_DOWN' || performance.now() > end) {
        servers.close();
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

exports.openEtcd = openEtcd;
