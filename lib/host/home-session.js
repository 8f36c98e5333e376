'use strict';
/*
 * What one home has on this host: the bundles it offered, and the replicas that run for it. In: its questions, over links that come and go
 * within a lease. Out: answers, or a refusal with a reason. This host's configuration decides what it may do; when a home is gone for
 * longer than its lease, it has nothing left here.
 *      linked --its link ends--> waiting --links again--> linked
 *         \\                        \--lease is over, another of its machine says that it is dead--> ended
 *          \--bye--------------------------------------------------------------------------------/
 */
const { readManifest, digestOf } = require('./manifest');
const { ownKind } = require('./bundle');
const { hearBye } = require('./farewell');
const { HousedReplica } = require('./housed-replica');
const { isOfFullDisk } = require('./store');
const { IgnisError, detailOf } = require('../errors');
const { Map, Promise, clearTimeout, setTimeout } = require('../engine');

/** @typedef {import('./control-link').ControlLink} ControlLink */
/** @typedef {import('./manifest').Manifest} Manifest */

/**
 * @typedef {object} Hospitality what the daemon lends to a session
 * @property {import('./store').Store} store
 * @property {import('node:crypto').KeyObject[]} deploy
 * @property {string} ca
 * @property {string} agentFile
 * @property {{uid: number, gid: number} | null} user
 * @property {number} memoryMb
 * @property {number} leaseMs
 * @property {number} maxBlockBytes
 * @property {() => string} whyFull '' while one more replica may start
 * @property {() => HousedReplica[]} housed all that run here, of all homes
 * @property {() => number} takeId
 * @property {() => boolean} giveUp makes each home give up one bundle that none of its replicas has; false: none had one
 * @property {(ticket: Buffer) => void} onExit a replica with this one has ended
 * @property {(session: HomeSession) => void} onEnd
 * @property {(text: string) => void} log
 */

/**
 * How many bundles of a home without replicas are remembered, with the names of all their files: a home that runs for long makes another
 * one whenever a file beside a module changes.
 */
const MOST_IDLE = 64;

/** @param {Manifest} manifest @throws {IgnisError} IGNIS_HOST_REFUSED when its addons do not work here */
function checkKind({ native }) {
  const own = ownKind();
  if (native === null || (native.platform === own.platform && native.arch === own.arch && native.modules === own.modules)) return;
  const [theirs, ours] = [native, own].map((one) => `${one.platform} ${one.arch}, modules ${one.modules}`);
  throw new IgnisError('IGNIS_HOST_REFUSED', `it has native addons for ${theirs}, and this host is ${ours}`);
}

class HomeSession {
  #hospitality;
  /** @type {ControlLink | null} */
  #link = null;
  /** @type {import('node:tls').TLSSocket | null} on which home says only that it ends */
  #farewell = null;
  /** @type {Map<number, HousedReplica>} */
  #replicas = new Map();
  /**
   * @type {Map<string, {manifest: Manifest, sizes: Map<string, number>}>} with the bytes of its files by hash; the latest offer comes last
   */
  #offered = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #lease;
  #hasEnded = false;
  /** The last refusal, and its reason. */
  #refused = '';
  #gone = () => {};

  /** @type {Promise<void>} settles when the session and its replicas have ended */
  gone = new Promise((resolve) => {
    this.#gone = () => resolve();
  });

  /** Which session of those with its certificate. */
  id = '';
  /** Which process its home is, if known. @type {import('./own-process').Mark | null} */
  mark = null;

  /** @param {string} home its name @param {string} fingerprint of its certificate @param {Hospitality} hospitality */
  constructor(home, fingerprint, hospitality) {
    this.home = home;
    this.fingerprint = fingerprint;
    this.#hospitality = hospitality;
  }

  get hasEnded() {
    return this.#hasEnded;
  }
  /** Whether its home can be heard now. */
  get isLinked() {
    return this.#link !== null && !this.#link.isBroken;
  }
  /** @returns {Iterable<HousedReplica>} */
  get replicas() {
    return this.#replicas.values();
  }
  /** Includes those that replicas have started themselves. */
  get count() {
    return [...this.#replicas.values()].reduce((sum, { inside }) => sum + 1 + inside, 0);
  }

  /** @param {ControlLink} link from now on; an earlier one ends @returns {number[]} replicas that live */
  attach(link) {
    clearTimeout(this.#lease);
    const before = this.#link;
    this.#link = link;
    before?.destroy();
    this.flow();
    return [...this.#replicas.keys()];
  }

  /** @param {import('node:tls').TLSSocket} socket for its last word; an earlier one ends */
  hear(socket) {
    if (this.#hasEnded) return void socket.destroy();
    this.#farewell?.destroy();
    this.#farewell = socket;
    hearBye(socket, () => this.end('its home has ended'));
  }

  /** @param {ControlLink} link that has ended @param {boolean} wasSilent for as long as a lease */
  detach(link, wasSilent) {
    if (this.#link !== link || this.#hasEnded) return;
    this.#link = null;
    this.flow();
    if (this.#replicas.size === 0) return this.end('its home is gone');
    const end = () => this.end('its home is gone past its lease');
    if (wasSilent) end();
    else this.#lease = setTimeout(end, this.#hospitality.leaseMs);
  }

  /** @param {string} name @param {Record<string, any>} body */
  tell(name, body) {
    this.#link?.tell(name, body);
  }

  /** Home again takes what replicas print, or there is no link that could carry it. */
  flow() {
    for (const replica of this.#replicas.values()) replica.listen(true);
  }

  /** @param {HousedReplica} replica @param {1 | 2} fd @param {string} text */
  #print(replica, fd, text) {
    this.tell('output', { replica: replica.id, fd, text });
    // Otherwise it would pile up here. A replica that goes on printing waits, as for a stopped terminal.
    if (this.#link?.isFull) replica.listen(false);
  }

  /** @param {string} name @param {any} body @param {Buffer | null} bytes @returns {Promise<any>} */
  async ask(name, body, bytes) {
    try {
      const answer = await this.#answer(name, body, bytes);
      if (name === 'start') this.#refused = '';
      return answer;
    } catch (error) {
      this.#complain(name, error);
      throw error;
    }
  }

  /**
   * Whoever looks after this host finds in its log what otherwise only home would hear; what home asks repeatedly is logged once.
   *
   * @param {string} asked
   * @param {any} error
   */
  #complain(asked, error) {
    const { code, cause } = error;
    // What must be sent once more is no trouble, and how a replica ended is told anyway.
    if (code !== 'IGNIS_HOST_REFUSED' && asked !== 'offer') return;
    const why = `${detailOf(error)}${cause === undefined ? '' : ` (${cause.message ?? cause})`}`;
    if (why === this.#refused) return;
    this.#refused = why;
    this.#hospitality.log(`refused ${this.home}: ${why}`);
  }

  /** @param {string} name @param {any} body @param {Buffer | null} bytes @returns {Promise<any>} */
  async #answer(name, body, bytes) {
    // Nobody would own what it starts or offers now, and it would never end.
    if (this.#hasEnded) throw new IgnisError('IGNIS_NO_HOST', 'this home has ended');
    switch (name) {
      case 'offer':
        return this.#offer(body.text, body.signature);
      case 'chunk':
        return this.#chunk(body, bytes);
      case 'start':
        return this.#start(body.env, body.conditions ?? []);
      case 'grant':
        return this.#grant(body.replica, body.digest);
      case 'echo':
        return {};
      default:
        throw new IgnisError('IGNIS_BAD_FRAME', `'${name}' is not asked here`);
    }
  }

  /** @param {number} id */
  kill(id) {
    this.#replicas.get(id)?.kill('home ended it');
  }

  /** @param {string} why */
  end(why) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#lease);
    for (const replica of this.#replicas.values()) {
      // When its process has ended, there is no link any more to tell it over.
      this.tell('exited', { replica: replica.id, why, end: null });
      replica.kill(why);
    }
    for (const digest of this.#offered.keys()) this.#hospitality.store.use(digest, -1);
    // An offer that is still being looked at would give some of them up a second time.
    this.#offered.clear();
    // Nothing leaves on a broken link.
    if (this.isLinked) this.#link?.close();
    else this.#link?.destroy();
    this.#farewell?.destroy();
    this.#hospitality.onEnd(this);
    if (this.#replicas.size === 0) this.#gone();
  }

  /** @param {string} text @param {Uint8Array} signature */
  async #offer(text, signature) {
    const { store, deploy } = this.#hospitality;
    const manifest = readManifest(text, signature, ...deploy);
    checkKind(manifest);
    const digest = digestOf(text);
    if (!this.#offered.delete(digest)) store.use(digest, 1);
    this.#offered.set(digest, { manifest, sizes: new Map(manifest.files.map(([, hash, bytes]) => [hash, bytes])) });
    const missing = await this.#withRoom(
      () => store.expect(digest, manifest),
      () => true,
    );
    while (this.#idle.length > MOST_IDLE) this.giveUp();
    return { missing };
  }

  /**
   * If there is no room, bundles without replicas are given up one by one.
   *
   * @template T @param {() => Promise<T>} work @param {(error: unknown) => boolean} isForRoom whether it failed for lack of room
   * @returns
   *   {Promise<T>}
   */
  async #withRoom(work, isForRoom = isOfFullDisk) {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isForRoom(error) || !this.#hospitality.giveUp()) throw error;
      }
    }
  }

  /** Gives up the oldest bundle that no replica here has; home offers it again if it needs it. @returns {boolean} whether there was one */
  giveUp() {
    const [oldest] = this.#idle;
    if (oldest === undefined) return false;
    this.#offered.delete(oldest);
    this.#hospitality.store.use(oldest, -1);
    return true;
  }

  /** @returns {string[]} digests of bundles that no replica here has, the oldest first; without the last, which is meant for one */
  get #idle() {
    const replicas = [...this.#replicas.values()];
    return [...this.#offered.keys()].slice(0, -1).filter((digest) => !replicas.some(({ digests }) => digests.has(digest)));
  }

  /** @param {{digest: string, hash: string, offset: number}} chunk @param {Buffer | null} bytes */
  async #chunk({ digest, hash, offset }, bytes) {
    const size = this.#offerOf(digest).sizes.get(hash);
    if (size === undefined || bytes === null) throw new IgnisError('IGNIS_BAD_BUNDLE', `nobody asked for the file ${hash}`);
    return { have: await this.#withRoom(() => this.#hospitality.store.add(digest, hash, size, offset, bytes)) };
  }

  /** @param {string} digest */
  #offerOf(digest) {
    const offer = this.#offered.get(digest);
    if (offer === undefined) throw new IgnisError('IGNIS_BAD_BUNDLE', `the bundle ${digest} was not offered`);
    return offer;
  }

  /** @param {string | null} nodeEnv @param {readonly string[]} conditions */
  async #start(nodeEnv, conditions) {
    const why = this.#hospitality.whyFull();
    if (why !== '') throw new IgnisError('IGNIS_HOST_REFUSED', why);
    const { agentFile, user, memoryMb, leaseMs, ca, maxBlockBytes, takeId, whyFull, log } = this.#hospitality;
    const id = takeId();
    // When a home makes another link, it has given up what it had over the one before.
    const link = this.#link;
    const replica = new HousedReplica({
      ...{ id, agentFile, user, memoryMb, leaseMs, ca, maxBlockBytes, nodeEnv, conditions, whyFull, homeFingerprint: this.fingerprint },
      rootOf: (digest) => this.#hospitality.store.rootOf(digest),
      whenSure: (tell) => link?.whenSure(tell),
      onOutput: (fd, text) => this.#print(replica, fd, text),
      onExit: (exit, end) => {
        this.#replicas.delete(id);
        this.#hospitality.onExit(replica.ticket);
        this.tell('exited', { replica: id, why: exit.slice(0, 4000), end });
        log(`replica ${id} of ${this.home} ended: ${exit}`);
        if (this.#hasEnded && this.#replicas.size === 0) this.#gone();
        else if (this.#link === null && this.#replicas.size === 0) this.end('its home is gone');
      },
    });
    this.#replicas.set(id, replica);
    await replica.start();
    log(`replica ${id} of ${this.home} started, pid ${replica.pid}`);
    return { replica: id, pid: replica.pid, cert: replica.cert, ticket: replica.ticket };
  }

  /** @param {number} id @param {string} digest */
  async #grant(id, digest) {
    const replica = this.#replicas.get(id);
    if (replica === undefined) throw new IgnisError('IGNIS_START_FAILED', `replica ${id} has ended`);
    replica.digests.add(digest);
    const { store, housed } = this.#hospitality;
    const isInUse = () => housed().some(({ granted }) => granted.has(digest));
    const { manifest } = this.#offerOf(digest);
    await this.#withRoom(() => store.build(digest, manifest, isInUse));
    return replica.grant(digest);
  }
}

exports.HomeSession = HomeSession;
