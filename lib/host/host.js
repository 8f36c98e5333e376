'use strict';
/*
 * One host, as home sees it: a link to its daemon, made when it is first needed and again after a loss; the bundles it has; the replicas
 * that run there. In: wishes for replicas. Out: streams to them, each of which has proved itself; or IGNIS_NO_HOST with the reason, and a
 * while in which the host is not asked again. It never keeps home alive.
 *      unlinked --first need--> linking --hello--> linked --link ends--> unlinked (its replicas are lost; asked again after 0.5 s, 1 s, ... 60 s)
 *                                                   ^  \--stream ends--> dialled again, 3 s at most: nobody notices
 *                                                   \-----------------------/
 */
const crypto = require('node:crypto');
const { addressText } = require('./address');
const { ControlLink, SILENT_MS } = require('./control-link');
const { VERSION } = require('./control-frames');
const { Farewell } = require('./farewell');
const { whyNotGood } = require('./identity');
const { KIND, TICKET_BYTES } = require('./opening');
const { aboutProcess, tellOfDead } = require('./own-process');
const { DIAL_MS, secureLink } = require('./secure-link');
const { sendBundle } = require('./shipment');
const { Word } = require('./word');
const { IgnisError, detailOf } = require('../errors');
const { Map, Math, Promise, Set, clearTimeout, performance, setTimeout } = require('../engine');

/** @typedef {{ip: string, port: number, name?: string, weight?: number, fingerprint?: string, others?: number, isSilent?: true}} Node the last three as a cluster knows them: its certificate, the number of replicas of other homes, and whether nobody has heard of it since home looks */
/** @typedef {{onExit: (why: string, end: import('./housed-replica').End | null) => void, onStopping?: () => void, isResident: boolean}} Guest what is told of a replica of ours there; onStopping: its host takes nothing new, and ends it when its time is over; isResident: for resident modules */
/** @typedef {{guest: Guest, ticket: Buffer, cert: string, stream: import('node:tls').TLSSocket | null}} Lodging and how to reach it */

/** How long each step of a handshake may take for a resumed link, ms: another try may do better. */
const REDIAL_MS = 1500;
const BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 60000;

class Host {
  #identity;
  #session;
  #onOutput;
  #conditions;
  /** @type {Promise<ControlLink> | null} */
  #link = null;
  /** @type {ControlLink | null} a link that said hello */
  #open = null;
  /** @type {Farewell | null} for that link; open while replicas of ours are there */
  #farewell = null;
  /** @type {Map<number, Lodging>} */
  #guests = new Map();
  /** @type {Map<string, Promise<void>>} digest -> it is there */
  #shipped = new Map();
  /** guests that `starting` still counts */
  #arriving = 0;
  #failures = 0;
  #retryAt = 0;
  #isClosed = false;

  /** its latest facts, and its distance */
  word = new Word();
  /** it takes no new replicas */
  isDraining = false;
  /** replicas that are about to start here */
  starting = 0;
  /** files of modules that arrived whole but could not be loaded; what is beside a file may change with each start @type {Set<string>} */
  misfits = new Set();

  /**
   * @param {Node} node
   * @param {import('./identity').Identity} identity
   * @param {Buffer} session 16 bytes: which of all processes with links to a daemon this is; what it has there is given to no other
   * @param {(fd: 1 | 2, text: string) => void} onOutput gets what its replicas print
   * @param {readonly string[]} [conditions] of home (conditions.js)
   */
  constructor(node, identity, session, onOutput, conditions = []) {
    this.#conditions = conditions;
    this.node = node;
    this.#identity = identity;
    this.#session = session;
    this.#onOutput = onOutput;
  }

  /** Its name in sentences. */
  get title() {
    const { ip, port, name } = this.node;
    const address = addressText(ip, port);
    return name === undefined ? address : `${name} (${address})`;
  }
  /** Our replicas there, including those being started. */
  get load() {
    return this.#guests.size + this.starting - this.#arriving;
  }
  /** Whether it is too early to ask again. */
  get isFailing() {
    return performance.now() < this.#retryAt;
  }
  /** Whether it failed last and nothing was heard since, or nothing is heard now. */
  get isDoubtful() {
    return this.#open === null ? this.#failures > 0 : this.#open.isBroken || this.#open.isQuiet;
  }
  get isLinked() {
    return this.#open !== null;
  }
  /** Whether a first link is on its way. */
  get isAsked() {
    return this.#link !== null && this.#open === null && this.#failures === 0;
  }

  /** @returns {Promise<ControlLink>} @throws {IgnisError} IGNIS_NO_HOST */
  link() {
    if (this.#isClosed) return Promise.reject(new IgnisError('IGNIS_NO_HOST', 'Ignis is closing'));
    this.#link ??= this.#connect().catch((error) => {
      this.#link = null;
      this.fail();
      throw error;
    });
    return this.#link;
  }

  /** From now on it is not asked for a while. */
  fail() {
    this.#failures += 1;
    this.#retryAt = performance.now() + Math.min(MAX_BACK_OFF_MS, BACK_OFF_MS * 2 ** (this.#failures - 1));
  }

  /**
   * @param {import('./bundle').Bundle} bundle
   * @returns {Promise<void>} all of it is there; sent once
   * @throws {IgnisError} as the host says
   */
  ship(bundle) {
    const known = this.#shipped.get(bundle.digest);
    if (known !== undefined) return known;
    const shipped = this.link().then((link) => sendBundle(link, bundle, this.title));
    this.#shipped.set(bundle.digest, shipped);
    shipped.catch(() => this.#shipped.delete(bundle.digest));
    return shipped;
  }

  /**
   * Starts a replica there, and links to it.
   *
   * @param {Guest} guest
   * @returns {Promise<{id: number, pid: number, stream: import('node:tls').TLSSocket}>}
   * @throws {IgnisError} IGNIS_NO_HOST, IGNIS_HOST_REFUSED, IGNIS_START_FAILED
   */
  async start(guest) {
    const link = await this.link();
    // Do not start one that would accept no link of ours.
    const why = whyNotGood(this.#identity, 'home');
    if (why !== '') throw new IgnisError('IGNIS_NO_HOST', why);
    // Made while the replica starts: from its first call on, it can be told that home ends.
    const farewell = this.#farewell?.open();
    const { replica: id, pid, cert, ticket } = await link.ask('start', { env: process.env.NODE_ENV ?? null, conditions: this.#conditions });
    /** @type {Lodging} */
    const lodging = { guest, ticket: Buffer.from(ticket), cert, stream: null };
    this.#guests.set(id, lodging);
    this.#arriving += 1;
    if (this.isDraining) guest.onStopping?.();
    try {
      const stream = (lodging.stream = await this.#enter(lodging));
      await farewell;
      this.#failures = 0;
      return { id, pid, stream };
    } catch (error) {
      this.kill(id);
      // Its end may have been told together with the answer that named it, before it was known here.
      this.#guests.delete(id);
      throw error;
    } finally {
      this.#arriving -= 1;
    }
  }

  /** @param {number} id @returns {{dial: () => Promise<import('node:tls').TLSSocket>, isThere: () => boolean}} the way back to a replica whose stream has ended */
  wayTo(id) {
    return {
      dial: () => this.#relink(id),
      // Its daemon would have told its end. It answers when it no longer computes.
      isThere: () => this.#guests.has(id) && this.#open?.isBroken === false,
    };
  }

  /** @param {number} id @param {import('./bundle').Bundle} bundle it may load this from now on @returns {Promise<import('./grant').Grant>} the host's word for that */
  async grant(id, bundle) {
    const ask = async () => (await this.link()).ask('grant', { replica: id, digest: bundle.digest });
    await this.ship(bundle);
    try {
      return await ask();
    } catch (error) {
      if (/** @type {IgnisError} */ (error).code !== 'IGNIS_BAD_BUNDLE') throw error;
      // It was there, but without a replica; it had to make room for another one, or was changed.
      this.#shipped.delete(bundle.digest);
      await this.ship(bundle);
      return ask();
    }
  }

  /** @param {number} id */
  kill(id) {
    if (this.#guests.has(id)) this.#open?.tell('kill', { replica: id });
  }

  /** Home ends, and can wait for nothing more. */
  farewell() {
    this.#farewell?.say();
    // Used if there is nothing else; it is lost if this link said something in the same turn.
    this.#open?.tell('bye');
    this.#open?.flush();
  }

  /** Home ends, and its resident modules end by themselves. @returns {Promise<void>} when its daemon was told that no link follows this one, or cannot be told */
  sayLast() {
    return new Promise((resolve) => (this.#open === null ? resolve() : this.#open.sayLast(resolve)));
  }

  /** @returns {Promise<void>} its replicas end with this link */
  async close() {
    this.#isClosed = true;
    this.#farewell?.close();
    // A link that is not there yet ends as soon as it is.
    this.#open?.tell('bye');
    this.#open?.close();
  }

  async #connect() {
    const ticket = crypto.randomBytes(TICKET_BYTES);
    const stream = await this.#secure({ kind: KIND.CONTROL, ticket });
    const who = stream.getPeerX509Certificate()?.fingerprint256;
    /** @type {ControlLink} */
    const link = new ControlLink(
      stream,
      { onTell: (name, body) => this.#told(name, body), onClose: (error) => this.#lost(link, error) },
      SILENT_MS,
      () => this.#again(link, ticket, who),
    );
    /** @type {any} */
    let hello;
    this.isDraining = false;
    try {
      hello = await this.#within(link, link.ask('hello', { version: VERSION, session: this.#session, ...aboutProcess() }));
      if (hello.version !== VERSION)
        throw new IgnisError('IGNIS_VERSION_MISMATCH', `${this.title} speaks version ${hello.version}, this home ${VERSION}`);
      Object.assign(hello, await tellOfDead(link, hello.others));
    } catch (error) {
      // Otherwise both sides would keep it for good, and one more with each try.
      link.destroy();
      const why = whyNotGood(this.#identity, 'home');
      throw why === '' ? error : new IgnisError('IGNIS_NO_HOST', `${this.title}: ${why}`, { cause: error });
    }
    if (this.#isClosed) link.destroy();
    this.#open = link;
    this.#farewell = new Farewell(() => this.#secure({ kind: KIND.FAREWELL, ticket }));
    void this.word.take(hello.facts, link);
    // What a lost link had is given up.
    for (const id of hello.replicas) if (!this.#guests.has(id)) link.tell('kill', { replica: id });
    return link;
  }

  /** @param {import('./secure-link').Aim} aim @returns {Promise<import('node:tls').TLSSocket>} @throws {IgnisError} IGNIS_NO_HOST */
  #secure(aim) {
    return secureLink(this, this.#identity, aim);
  }

  /** @param {Lodging} lodging @returns {Promise<import('node:tls').TLSSocket>} a stream to that replica @throws {IgnisError} IGNIS_NO_HOST */
  #enter({ guest, ticket, cert }) {
    return this.#secure({ kind: guest.isResident ? KIND.RESIDENT : KIND.REPLICA, ticket, pinned: cert });
  }

  /** @param {number} id @returns {Promise<import('node:tls').TLSSocket>} @throws {IgnisError} IGNIS_NO_HOST */
  async #relink(id) {
    const lodging = this.#guests.get(id);
    if (lodging === undefined) throw new IgnisError('IGNIS_NO_HOST', 'the replica has ended');
    return (lodging.stream = await this.#enter(lodging));
  }

  /** @param {ControlLink} link whose stream has ended @param {Buffer} ticket @param {string | undefined} who its certificate @returns {Promise<import('node:tls').TLSSocket>} another stream */
  async #again(link, ticket, who) {
    try {
      const stream = await this.#secure({ kind: KIND.CONTROL, ticket, limitMs: REDIAL_MS });
      if (stream.getPeerX509Certificate()?.fingerprint256 === who) {
        // Whatever broke this link has probably broken the other one, whether that shows or not.
        this.#farewell?.shut();
        return stream;
      }
      stream.destroy();
      throw new IgnisError('IGNIS_NO_HOST', 'another host is in its place');
    } catch (error) {
      const isRefused = /** @type {any} */ (error).cause?.code === 'ECONNREFUSED';
      // Nobody listens, and nobody there can be reached any more: no need to wait.
      if (isRefused && [...this.#guests.values()].every(({ stream }) => stream === null || stream.destroyed))
        link.destroy(/** @type {Error} */ (error));
      throw error;
    }
  }

  /** @template T @param {ControlLink} link @param {Promise<T>} answer @returns {Promise<T>} */
  async #within(link, answer) {
    // A host that does not accept our certificate says so after the handshake, by ending the link.
    let why = `closed the link after this home had proved to be '${this.#identity.name}': its --homes do not name that home, it trusts another authority, its clock is far from ours, or it is about to end`;
    const late = () => ((why = 'does not answer'), link.destroy());
    const timer = setTimeout(late, DIAL_MS).unref();
    try {
      return await answer;
    } catch (error) {
      const { code, cause } = /** @type {any} */ (error);
      if (code !== 'IGNIS_NO_HOST' || cause?.code === 'IGNIS_BAD_FRAME') throw error;
      throw new IgnisError('IGNIS_NO_HOST', `${this.title} ${why}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {string} name @param {any} body */
  #told(name, body) {
    if (name === 'exited') this.#exited(body.replica, body.why, body.end);
    else if (name === 'output' && this.#guests.has(body.replica)) this.#onOutput(body.fd, body.text);
    else if (name === 'facts') this.#heardFacts(body.facts);
    else if (name === 'draining') this.#drain();
  }

  /** New calls would be in its replicas when they are ended. */
  #drain() {
    this.isDraining = true;
    for (const { guest } of [...this.#guests.values()]) guest.onStopping?.();
  }

  /** Comes once a second. @param {any} facts */
  #heardFacts(facts) {
    void this.word.take(facts, this.#open);
    if (this.#guests.size > 0) void this.#farewell?.open();
  }

  /** @param {number} id @param {string} why @param {import('./housed-replica').End | null} [end] */
  #exited(id, why, end = null) {
    const lodging = this.#guests.get(id);
    this.#guests.delete(id);
    lodging?.guest.onExit(why, end);
  }

  /** @param {ControlLink} link @param {Error | null} error */
  #lost(link, error) {
    if (this.#open !== link) return;
    this.#open = this.#link = null;
    this.#farewell?.shut();
    this.#farewell = null;
    this.#shipped.clear();
    this.misfits.clear();
    if (!this.#isClosed) this.fail();
    for (const id of [...this.#guests.keys()])
      this.#exited(id, `the link to the host ${this.title} ended${error === null ? '' : `: ${detailOf(error)}`}`);
  }
}

exports.Host = Host;
