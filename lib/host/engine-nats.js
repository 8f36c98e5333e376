'use strict';
/*
 * The engine on NATS with JetStream: a key-value bucket `ign_APP`, and a stream `ign_APP_LOG` for each log. In: where the servers are. Out:
 * an Engine. Reads go to the leader (allow_direct: false), an entry is acknowledged when its servers have it, and after any interruption
 * both ways of hearing start anew from what they know (engine-nats-reader.js). It uses no core publish, no queue groups and no object
 * store: docs/hosts-engine.md says why.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const { IgnisError } = require('../errors.js');
const { Engine } = require('./engine-base.js');
const { NatsBucket } = require('./engine-nats-bucket.js');
const { errorOf, isConflict, isMissing, isThere, versionWarning } = require('./engine-nats-errors.js');
const { identityOf } = require('./engine-identity.js');
const { NatsMarks } = require('./engine-nats-marks.js');
const { NatsReader } = require('./engine-nats-reader.js');
const { Map, Math, Promise, performance, setTimeout } = require('../engine');

/** @typedef {import('./engine-url.js').EngineAddress} EngineAddress */
/** @typedef {Required<Pick<import('./engine.js').EngineOptions, 'app' | 'node' | 'requestMs' | 'connectMs'>> & {warn?: (sentence: string) => void}} Settings */

const PACKAGES = ['@nats-io/transport-node', '@nats-io/jetstream', '@nats-io/kv'];
const DEDUPLICATE_NANOS = 120e9;
const FIRST_LEADER_MS = 250;
/** Node's own channel: reports each socket that begins to connect. */
const OPENED = 'net.client.socket';

/** @returns {{transport: any, jetstream: any, kv: any}} */
function load() {
  try {
    return { transport: require('@nats-io/transport-node'), jetstream: require('@nats-io/jetstream'), kv: require('@nats-io/kv') };
  } catch (cause) {
    const versions = PACKAGES.map((name) => `${name}@3.3.1`).join(' ');
    throw new IgnisError('IGNIS_BAD_OPTION', `a cluster on NATS needs its client: npm install ${versions}`, { cause, field: 'cluster' });
  }
}

/** NATS allows few characters in keys: a slash becomes a dot; all others but letters, digits, - and _ become =hhhh for each UTF-16 unit. @param {string} key @returns {string} */
function escapeKey(key) {
  return key
    .replace(/[^\w/-]/g, (char) =>
      [...Array(char.length).keys()].map((at) => `=${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
    )
    .replaceAll('/', '.');
}

/** @param {string} escaped @returns {string} */
function unescapeKey(escaped) {
  return escaped.replaceAll('.', '/').replace(/=([\da-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

class NatsEngine extends Engine {
  #nc;
  #js;
  #jsm;
  #bucket;
  #settings;
  #replicas;
  /** Streams known to exist. @type {Map<string, Promise<void>>} */
  #streams = new Map();

  /**
   * @param {any} nc
   * @param {{js: any, jsm: any, bucket: NatsBucket}} opened
   * @param {Settings & {replicas: number, name: string}} settings
   */
  constructor(nc, { js, jsm, bucket }, settings) {
    super({ name: settings.name, warn: settings.warn });
    this.#nc = nc;
    this.#js = js;
    this.#jsm = jsm;
    this.#bucket = bucket;
    this.#settings = settings;
    this.#replicas = settings.replicas;
    this.#hear();
  }

  async #hear() {
    for await (const { type } of this.#nc.status()) {
      if (type === 'disconnect') this._to('down', this._down('the connection is gone'));
      if (type !== 'reconnect') continue;
      this.#bucket.reconnected();
      this._to('up');
    }
  }

  /** @param {unknown} error @returns {Error} */
  #errorOf(error) {
    return errorOf(error, this.name);
  }

  /** @override @param {string} key */
  async _get(key) {
    try {
      const entry = await this.#bucket.with((records) => records.get(escapeKey(key)));
      return entry === null || entry.operation !== 'PUT' ? null : { text: entry.string(), rev: entry.revision };
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  /** @override @param {string} key @param {string} text @param {number} [ifRev] */
  async _put(key, text, ifRev) {
    const name = escapeKey(key);
    try {
      return await this.#bucket.with((records) => {
        if (ifRev === undefined) return records.put(name, text);
        return ifRev === 0 ? records.create(name, text) : records.update(name, text, ifRev);
      });
    } catch (error) {
      throw isConflict(error) ? this._conflict(key, ifRev) : this.#errorOf(error);
    }
  }

  /** @override @param {string} key @param {number} [ifRev] */
  async _delete(key, ifRev) {
    try {
      await this.#bucket.with((records) => records.delete(escapeKey(key), { previousSeq: ifRev }));
    } catch (error) {
      throw isConflict(error) ? this._conflict(key, ifRev) : this.#errorOf(error);
    }
  }

  /** @override @param {string} prefix @param {import('./engine-feed.js').Watch} watch */
  _watch(prefix, watch) {
    const below = `$KV.${this.#bucket.name}.`;
    const marks = new NatsMarks(this.#jsm, this.#bucket.stream);
    return this.#read(this.#bucket.stream, {
      hearing: watch,
      ahead: () => this.#checkBucket(),
      config: () => ({
        filter_subjects: `${below}${prefix === '' ? '>' : `${escapeKey(prefix.slice(0, -1))}.>`}`,
        deliver_policy: 'last_per_subject',
      }),
      begin: () => watch.look(),
      take: (/** @type {any} */ entry) => {
        const isGone = (entry.headers?.get('KV-Operation') ?? '') !== '';
        if (isGone && watch.tidies) marks.note(entry);
        watch.change(unescapeKey(entry.subject.slice(below.length)), isGone ? null : entry.string(), entry.seq);
        return true;
      },
      caughtUp: () => {
        watch.looked();
        void marks.takeAway();
      },
    });
  }

  /** @override @param {string} log @param {Uint8Array} bytes @param {string} id */
  async _append(log, bytes, id) {
    await this.#stream(log);
    try {
      const { seq } = await this.#js.publish(this.#subject(log), bytes, { msgID: id, timeout: this.#settings.requestMs });
      return seq;
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  /** @override @param {string} log @param {import('./engine-feed.js').Feed} feed */
  _follow(log, feed) {
    const stream = this.#streamName(log);
    return this.#read(stream, {
      hearing: feed,
      ahead: () => this.#checkHolds(log, feed.seq),
      config: () => ({ deliver_policy: 'by_start_sequence', opt_start_seq: feed.seq + 1 }),
      take: (/** @type {any} */ entry) => {
        // Numbers of a stream rise by one: a missing one is read anew, or is gone.
        if (entry.seq > feed.seq + 1) return false;
        feed.entry(entry.seq, entry.data, entry.headers?.get('Nats-Msg-Id') ?? '');
        return true;
      },
      caughtUp: () => feed.tell(() => feed.ready()),
    });
  }

  /** @override @param {string} log @param {number} throughSeq */
  async _trim(log, throughSeq) {
    await this.#stream(log);
    try {
      await this.#jsm.streams.purge(this.#streamName(log), { seq: throughSeq + 1 });
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  /** @override */
  async _close() {
    await this.#nc.close();
  }

  /** @param {string} stream @param {any} how */
  #read(stream, how) {
    const reader = new NatsReader({ nc: this.#nc, js: this.#js, stream, errorOf: (error) => this.#errorOf(error), ...how });
    return () => reader.stop();
  }

  /** Records that are gone come back when their nodes next write them. */
  async #checkBucket() {
    if (!(await this.#bucket.isThere())) throw this._down(`there is no bucket ${this.#bucket.name}, and this node may not create it`, 'no');
  }

  /** Whether a log has, or may still get, the entry after a number. @param {string} log @param {number} seq */
  async #checkHolds(log, seq) {
    await this.#stream(log);
    const { state } = await this.#jsm.streams.info(this.#streamName(log)).catch((/** @type {unknown} */ error) => {
      throw isMissing(error) ? new IgnisError('IGNIS_LOG_GAP', `${log} was deleted`) : error;
    });
    if (seq + 1 < state.first_seq || seq > state.last_seq) {
      throw new IgnisError('IGNIS_LOG_GAP', `${log} holds ${state.first_seq} to ${state.last_seq}, not what follows ${seq}`);
    }
  }

  /** @param {string} log */
  #streamName(log) {
    return `ign_${this.#settings.app}_${log}`;
  }

  /** @param {string} log */
  #subject(log) {
    return `ign.${this.#settings.app}.log.${log}`;
  }

  /** Makes the stream of a log, once. If it may not make it, the stream must be there. @param {string} log @returns {Promise<void>} */
  #stream(log) {
    const name = this.#streamName(log);
    let made = this.#streams.get(name);
    if (made === undefined) {
      made = makeStream(this.#jsm, {
        name,
        subjects: [this.#subject(log)],
        num_replicas: this.#replicas,
        storage: 'file',
        retention: 'limits',
        discard: 'new',
        allow_direct: false,
        deny_delete: true,
        duplicate_window: DEDUPLICATE_NANOS,
      }).catch((error) => {
        this.#streams.delete(name);
        throw this.#errorOf(error);
      });
      this.#streams.set(name, made);
    }
    return made;
  }
}

/** @param {any} jsm @param {any} config */
async function makeStream(jsm, config) {
  try {
    await jsm.streams.info(config.name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await jsm.streams.add(config).catch(async (/** @type {any} */ failure) => {
      if (!isThere(failure)) throw failure;
      await jsm.streams.info(config.name);
    });
  }
}

/**
 * If a server accepts a connection and says nothing, the client (3.3.1) gives up but leaves its socket open, which keeps a program alive.
 *
 * @template T
 * @param {() => Promise<T>} dial
 * @returns {Promise<T>} rejects as dial does, once all that it opened is closed
 */
async function orNothing(dial) {
  const asked = new AsyncLocalStorage();
  /** @type {import('node:net').Socket[]} */
  const opened = [];
  const note = (/** @type {any} */ { socket }) => void (asked.getStore() === opened && opened.push(socket));
  subscribe(OPENED, note);
  try {
    return await asked.run(opened, dial);
  } catch (error) {
    for (const socket of opened) socket.destroy();
    throw error;
  } finally {
    unsubscribe(OPENED, note);
  }
}

/**
 * @param {any} transport
 * @param {EngineAddress} address
 * @param {Settings} settings
 */
async function connect(transport, { servers, user, password, tls, nkey }, { node, requestMs, connectMs }) {
  return transport.connect({
    servers,
    name: `ignis ${node}`,
    inboxPrefix: `_INBOX_${escapeKey(node)}`,
    ...(password === undefined ? { token: user } : { user, pass: password }),
    ...(nkey && { authenticator: transport.nkeyAuthenticator(new TextEncoder().encode(nkey)) }),
    ...(tls && { tls: { ...tls, checkServerIdentity: identityOf(servers) } }),
    timeout: Math.max(requestMs, connectMs),
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    ignoreAuthErrorAbort: true,
    pingInterval: 5000,
    maxPingOut: 2,
  });
}

/**
 * @param {EngineAddress} address
 * @param {Settings} settings
 * @returns {Promise<NatsEngine>}
 * @throws {IgnisError} as openEngine
 */
async function openNats(address, settings) {
  const { transport, jetstream, kv: keyValue } = load();
  const name = `nats://${address.servers.join(',')}`;
  const replicas = address.replicas ?? (address.servers.length >= 3 ? 3 : 1);
  const onRemade = () => settings.warn?.(`${name}: its servers came back without their records; all nodes write them again`);
  /** @type {any} */
  let nc;
  try {
    nc = await orNothing(() => connect(transport, address, settings));
    const warning = versionWarning(nc.info?.version);
    if (warning !== null) settings.warn?.(`${name}: ${warning}`);
    const js = jetstream.jetstream(nc, { timeout: settings.requestMs });
    const end = performance.now() + settings.connectMs;
    for (;;) {
      try {
        const jsm = await jetstream.jetstreamManager(nc, { timeout: settings.requestMs });
        const bucket = new NatsBucket(`ign_${settings.app}`, { makers: new keyValue.Kvm(js), jsm, replicas, onRemade });
        await bucket.make();
        return new NatsEngine(nc, { js, jsm, bucket }, { ...settings, replicas, name });
      } catch (error) {
        // A cluster that has just started has no leader for some seconds; another node that opens it may be making the same bucket.
        const passes = isThere(error) || /** @type {any} */ (errorOf(error, name)).code === 'IGNIS_ENGINE_DOWN';
        if (!passes || performance.now() > end) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, FIRST_LEADER_MS));
    }
  } catch (error) {
    await nc?.close();
    throw errorOf(error, name);
  }
}

exports.escapeKey = escapeKey;
exports.openNats = openNats;
exports.unescapeKey = unescapeKey;
