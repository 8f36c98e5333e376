'use strict';
/*
 * The daemon: offers this host to homes that prove who they are. In: links, whose opening bytes say whether they are for the daemon or for
 * a replica. Out: sessions of homes, and replicas for them, within the limits of this host. Nothing that comes is parsed before a TLS 1.3
 * handshake with certificates on both sides; whoever fails too often must wait.
 *      closed --listen()--> open --drain()--> draining --close()--> closed
 */
const crypto = require('node:crypto');
const net = require('node:net');
const tls = require('node:tls');
const { addressOf, addressText } = require('./address');
const { Attempts } = require('./attempts');
const { ControlLink, SILENT_MS } = require('./control-link');
const { VERSION } = require('./control-frames');
const { factsOf } = require('./facts');
const { HomeSession } = require('./home-session');
const { clockFor, nameOf, whyNotGood } = require('./identity');
const { GO, KIND, readOpening } = require('./opening');
const { marksOf, unheardBeside } = require('./own-process');
const { PastTickets } = require('./past-tickets');
const { Store } = require('./store');
const { IgnisError, detailOf } = require('../errors');
const { Map, Math, Promise, Set, clearInterval, clearTimeout, setInterval, setTimeout } = require('../engine');

const HANDSHAKE_MS = 5000;
const FACTS_MS = 1000;
/** Links that have not yet proved who they are. */
const MAX_UNPROVED = 64;
/** How many of these one address may have, unless a home is linked from there: one that comes again dials all its replicas at once. */
const MAX_UNPROVED_EACH = 16;

/**
 * @typedef {object} DaemonOptions
 * @property {import('./identity').Identity} identity
 * @property {readonly string[]} homes names of those that may use this host
 * @property {string} agentFile what a replica runs
 * @property {string} store folder
 * @property {number} storeBytes
 * @property {number} maxReplicas
 * @property {number} memoryMb for each replica
 * @property {Record<string, string>} labels
 * @property {() => number | null} [freeCores] cores of this machine that nobody uses; null: unknown
 * @property {number} leaseMs
 * @property {{uid: number, gid: number} | null} user who replicas run as
 * @property {number} attempts how often an address may fail in a minute
 * @property {number} maxBlockBytes
 * @property {(text: string) => void} log
 */

/** @param {any} error @param {tls.TLSSocket} socket @param {import('./identity').Identity} own @returns {string} what was wrong with a handshake; OpenSSL's own message lists places in its source */
function whyFailed({ reason, code }, { authorizationError }, own) {
  const why = authorizationError ?? reason ?? code;
  return [`its handshake failed: ${why}${clockFor(why)}`, whyNotGood(own, 'host')].filter(Boolean).join('; ');
}

class Daemon {
  #options;
  #server;
  #tlsServer;
  #attempts;
  #past = new PastTickets();
  #store;
  /** @type {Map<string, HomeSession>} */
  #sessions = new Map();
  /** @type {Set<HomeSession>} sessions whose replicas are about to end */
  #ending = new Set();
  /** @type {Map<import('node:net').Socket, {address: string, opening: import('./opening').Opening | null}>} and their opening bytes */
  #unproved = new Map();
  /** @type {Map<string, ControlLink>} by home's certificate and ticket */
  #links = new Map();
  /** @type {Map<string, string>} by the same; the address of its last socket */
  #linkedFrom = new Map();
  /** @type {Map<string, HomeSession>} by the same; those that said hello */
  #linked = new Map();
  #nextId = 1;
  #isDraining = false;
  #bootedAt = Date.now();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #wake = () => {};

  /** @param {DaemonOptions} options @throws {IgnisError} IGNIS_BAD_OPTION when the store cannot be made */
  constructor(options) {
    this.#options = options;
    const { key, cert, ca } = options.identity;
    this.#attempts = new Attempts(options.attempts);
    try {
      this.#store = new Store(options.store, options.storeBytes);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      throw new IgnisError('IGNIS_BAD_OPTION', `the store ${options.store} cannot be made: ${message}; name another one with --store`);
    }
    this.#tlsServer = tls.createServer(
      { key, cert, ca, minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: true, handshakeTimeout: HANDSHAKE_MS },
      (socket) => this.#proved(socket),
    );
    this.#tlsServer.on('tlsClientError', (error, socket) =>
      this.#refuse(socket, whyFailed(error, socket, options.identity), addressOf(socket)),
    );
    this.#server = net.createServer({ noDelay: true, pauseOnConnect: true }, (socket) => void this.#meet(socket));
  }

  /** @returns {number} number of running replicas */
  get replicas() {
    return [...this.#sessions.values(), ...this.#ending].reduce((sum, session) => sum + session.count, 0);
  }
  get name() {
    return this.#options.identity.name;
  }
  get isDraining() {
    return this.#isDraining;
  }
  /** @returns {string} SHA-256 of its certificate */
  get fingerprint() {
    return new crypto.X509Certificate(this.#options.identity.cert).fingerprint256;
  }
  get facts() {
    return factsOf(this.#options, this.replicas, this.#bootedAt);
  }

  /** @param {string} host @param {number} port 0: any free one @returns {Promise<number>} the port @throws {IgnisError} IGNIS_BAD_OPTION when the port cannot be had */
  async listen(host, port) {
    await new Promise((resolve, reject) => {
      this.#server.once('error', (error) => {
        const { code } = /** @type {NodeJS.ErrnoException} */ (error);
        const why = code === 'EADDRINUSE' ? 'the port is in use' : code;
        reject(new IgnisError('IGNIS_BAD_OPTION', `${addressText(host, port)} cannot be listened on: ${why}`, { cause: error }));
      });
      this.#server.listen({ host, port }, () => resolve(null));
    });
    this.#timer = setInterval(() => {
      for (const replica of this.housed()) replica.look();
      const { facts } = this;
      for (const session of this.#sessions.values()) session.tell('facts', { facts });
    }, FACTS_MS);
    return /** @type {net.AddressInfo} */ (this.#server.address()).port;
  }

  /** Takes no new replicas; done when the present ones have ended. @param {number} limitMs after that, they are ended @returns {Promise<void>} */
  async drain(limitMs) {
    this.#isDraining = true;
    for (const session of this.#sessions.values()) session.tell('draining', {});
    if (this.replicas > 0) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, limitMs, null);
        this.#wake = () => {
          if (this.replicas > 0) return;
          clearTimeout(timer);
          resolve(null);
        };
      });
    }
    await this.close('its host was stopped');
  }

  /** @param {string} [why] told about the replicas @returns {Promise<void>} */
  async close(why = 'its host was stopped') {
    this.#isDraining = true;
    clearInterval(this.#timer);
    for (const session of [...this.#sessions.values()]) session.end(why);
    for (const socket of this.#unproved.keys()) socket.destroy();
    for (const link of this.#links.values()) link.destroy();
    await Promise.all([...this.#ending].map((session) => session.gone));
    // Do not wait for it: it counts sockets that replicas took over as its own for ever.
    if (this.#server.listening) this.#server.close();
  }

  /** @param {net.Socket} socket */
  async #meet(socket) {
    const address = socket.remoteAddress ?? '';
    socket.on('error', () => {});
    if (!this.#attempts.mayTry(address) || !this.#hasRoom(address)) return void socket.destroy();
    const known = { address, opening: /** @type {import('./opening').Opening | null} */ (null) };
    this.#unproved.set(socket, known);
    socket.once('close', () => {
      if (!this.#unproved.delete(socket) || this.#isOfLink(known.opening) || !this.#attempts.note(address)) return;
      this.#options.log(
        `${address || 'somebody'} failed to prove itself ${this.#options.attempts} times in a minute: connections from there are refused for a while`,
      );
    });
    const opening = await readOpening(socket, HANDSHAKE_MS);
    if (opening === null) return this.#refuse(socket, 'it did not open the link as this version does', address);
    if (opening.kind === KIND.CONTROL || opening.kind === KIND.FAREWELL) {
      known.opening = opening;
      socket.write(GO);
      return void this.#tlsServer.emit('connection', socket);
    }
    const replica = this.#replicaOf(opening.ticket);
    if (replica === undefined) {
      // Its home has not heard yet that the replica has ended: a host that loses many at once must not shut out their home.
      if (this.#past.has(opening.ticket)) this.#unproved.delete(socket);
      return this.#refuse(socket, 'no replica has its ticket', address);
    }
    this.#unproved.delete(socket);
    replica.link(socket, opening.kind === KIND.RESIDENT);
  }

  /** While this host stands still, its homes dial anew and give up. @param {import('./opening').Opening | null} opening @returns {boolean} whether it belongs to a living link */
  #isOfLink(opening) {
    return opening !== null && [...this.#links.keys()].some((key) => key.endsWith(opening.ticket.toString('hex')));
  }

  /** @param {string} address @returns {boolean} whether one more link may prove who it is */
  #hasRoom(address) {
    if (this.#unproved.size >= MAX_UNPROVED) return false;
    const own = [...this.#unproved.values()].filter((other) => other.address === address);
    return own.length < MAX_UNPROVED_EACH || [...this.#linkedFrom.values()].includes(address);
  }

  /** @returns {import('./housed-replica').HousedReplica[]} the running ones */
  housed() {
    return [...this.#sessions.values()].flatMap((session) => [...session.replicas]);
  }

  /** @param {Buffer} ticket */
  #replicaOf(ticket) {
    return this.housed().find((replica) => crypto.timingSafeEqual(replica.ticket, ticket));
  }

  /** @param {net.Socket} socket @param {string} why @param {string} [address] */
  #refuse(socket, why, address = socket.remoteAddress ?? '') {
    this.#options.log(`refused ${address || 'somebody'}: ${why}`);
    socket.destroy();
  }

  /** @param {tls.TLSSocket} socket its certificate is one of ours */
  #proved(socket) {
    const cert = socket.getPeerX509Certificate();
    const name = cert === undefined ? '' : nameOf(cert);
    if (cert === undefined || !this.#options.homes.includes(name))
      return this.#refuse(socket, `'${name}' is not a home that may use this host`);
    const { kind, ticket } = this.#openingOf(socket);
    const key = `${cert.fingerprint256} ${ticket.toString('hex')}`;
    if (kind === KIND.FAREWELL) return this.#hear(socket, this.#linked.get(key));
    this.#linkedFrom.set(key, socket.remoteAddress ?? '');
    const known = this.#links.get(key);
    if (known !== undefined) {
      this.#options.log(`${name} is linked again, from ${socket.remoteAddress}`);
      return known.resume(socket);
    }
    /** @type {HomeSession | null} */
    let session = null;
    const hooks = /** @type {import('./control-link').ControlHooks} */ ({
      onAsk: async (asked, body, bytes) => {
        if (asked === 'dead') return this.#bury(this.#sessionOr(session), body.sessions);
        if (asked !== 'hello') return this.#sessionOr(session).ask(asked, body, bytes);
        // Otherwise, no link could end what the first session has here.
        if (session !== null) throw new IgnisError('IGNIS_BAD_FRAME', 'a link says hello once');
        if (body.version !== VERSION) {
          throw new IgnisError('IGNIS_VERSION_MISMATCH', `this host speaks ${VERSION}, home ${body.version}`);
        }
        session = this.#sessionFor(name, cert.fingerprint256, Buffer.from(body.session).toString('hex'));
        session.mark = body.mark ?? null;
        this.#linked.set(key, session);
        const replicas = session.attach(link);
        return {
          version: VERSION,
          name: this.#options.identity.name,
          replicas,
          facts: this.facts,
          others: marksOf(unheardBeside(session, this.#sessions.values())),
        };
      },
      onTell: (told, body) => {
        if (told === 'kill') session?.kill(body.replica);
        else if (told === 'bye') session?.end('its home has ended');
      },
      onDrain: () => session?.flow(),
      onClose: (error, wasSilent) => {
        this.#links.delete(key);
        this.#linkedFrom.delete(key);
        this.#linked.delete(key);
        // It does not matter how a link broke that has nothing left to carry.
        this.#options.log(session?.hasEnded ? `${name} has ended` : `${name} is gone${error === null ? '' : `: ${detailOf(error)}`}`);
        session?.detach(link, wasSilent);
      },
    });
    // A home that computes says nothing meanwhile.
    const link = new ControlLink(socket, hooks, Math.max(SILENT_MS, this.#options.leaseMs));
    this.#links.set(key, link);
    this.#options.log(`${name} is linked, from ${socket.remoteAddress}`);
  }

  /** @param {tls.TLSSocket} socket of a home that has proved itself @param {HomeSession | undefined} session that it belongs to */
  #hear(socket, session) {
    if (session === undefined) return this.#refuse(socket, 'no link to this host has its ticket');
    session.hear(socket);
  }

  /** Links to the daemon with the same ticket are one link, resumed. @param {tls.TLSSocket} socket that has proved itself @returns {import('./opening').Opening} */
  #openingOf({ remoteAddress, remotePort }) {
    for (const [raw, { opening }] of this.#unproved) {
      if (raw.remotePort !== remotePort || raw.remoteAddress !== remoteAddress) continue;
      this.#unproved.delete(raw);
      if (opening !== null) return opening;
    }
    return { kind: KIND.CONTROL, ticket: Buffer.alloc(0) };
  }

  /** @param {HomeSession | null} session */
  #sessionOr(session) {
    if (session === null) throw new IgnisError('IGNIS_BAD_FRAME', 'a link begins with hello');
    return session;
  }

  /** @param {HomeSession} session its home says so @param {readonly string[]} ids sessions whose homes are dead @returns {Promise<{facts: any}>} when nothing of them is left */
  async #bury(session, ids) {
    const dead = unheardBeside(session, this.#sessions.values()).filter(({ id }) => ids.includes(id));
    for (const one of dead) one.end('its home was killed');
    await Promise.all(dead.map(({ gone }) => gone));
    return { facts: this.facts };
  }

  /** @param {string} home @param {string} fingerprint @param {string} id @returns {HomeSession} */
  #sessionFor(home, fingerprint, id) {
    const key = `${fingerprint} ${id}`;
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const { identity, agentFile, user, memoryMb, leaseMs, maxBlockBytes, log } = this.#options;
    const session = new HomeSession(home, fingerprint, {
      ...{ store: this.#store, deploy: identity.deploy, ca: identity.ca, agentFile, user, memoryMb, leaseMs, maxBlockBytes },
      whyFull: () => this.#whyFull(),
      housed: () => this.housed(),
      takeId: () => this.#nextId++,
      giveUp: () => [...this.#sessions.values()].filter((one) => one.giveUp()).length > 0,
      onExit: (ticket) => this.#past.note(ticket),
      onEnd: (ended) => {
        this.#sessions.delete(key);
        this.#ending.add(ended);
        void ended.gone.then(() => this.#ending.delete(ended));
      },
      log: (text) => {
        log(text);
        this.#wake();
      },
    });
    session.id = id;
    this.#sessions.set(key, session);
    return session;
  }

  #whyFull() {
    if (this.#isDraining) return 'it is being stopped';
    const [has, most] = [this.replicas, this.#options.maxReplicas];
    return has < most ? '' : `it runs ${has === 1 ? '1 replica' : `${has} replicas`}, and may run ${most} (--max-replicas)`;
  }
}

exports.Daemon = Daemon;
