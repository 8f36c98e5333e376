'use strict';
/*
 * The door of a replica on a host: takes the socket that its daemon has accepted, ends TLS here, and lets in only the home that it was
 * started for. In: its own certificate and the fingerprint of home's, through the channel to the daemon. Out: streams that have proved
 * themselves; for resident modules, the socket as it came, for a thread that ends TLS (home-door.js). It hides that channel from the
 * module, and ends with the daemon.
 */
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { IgnisError } = require('../errors');
const { isProved } = require('./grant');
const { HomeDoor } = require('./home-door');
const { Promise, setImmediate } = require('../engine');

const WATCHDOG = path.join(__dirname, 'watchdog.js');

/**
 * @typedef {object} Beginning
 * @property {'begin'} kind
 * @property {string} key PEM
 * @property {string} cert PEM
 * @property {string} ca PEM
 * @property {string} homeFingerprint
 * @property {number} leaseMs
 * @property {number} maxBlockBytes
 * @property {string} sideDoor for resident modules: local socket to which the daemon leads a home that comes again
 * @property {string} secret signs what may be loaded here (grant.js)
 * @property {number} daemon its pid
 */

class ReplicaDoor {
  /** @type {Beginning | null} */
  #beginning = null;
  /** @type {HomeDoor | null} */
  #tls = null;
  /** @type {'' | 'calls' | 'lives'} what home came for */
  #home = '';
  /** to the daemon */
  #send = (/** @type {object} */ _told) => {};
  /** @type {((why: string) => void)[]} those who wait for the daemon's word, in order */
  #asking = [];
  /** waits for the daemon's word that home has not given this replica up */
  #sure = (/** @type {number} */ _ms) => {};
  #hear = (/** @type {any} */ told, /** @type {any} */ socket) => this.#told(told, socket);

  /** @type {(socket: import('node:tls').TLSSocket, beginning: Beginning) => void} called when home is there, or there again */
  onHome = () => {};
  /**
   * @type {(socket: import('node:net').Socket, beginning: Beginning) => void} called when somebody asks to be let in as home, for resident
   *   modules; nothing was read from the socket
   */
  onResident = () => {};

  open() {
    this.#send = /** @type {any} */ (process.send).bind(process);
    // A module that sees a channel would talk to whoever it takes for its parent.
    process.send = undefined;
    // Node calls it when the channel has ended (`onread` in its lib/internal/child_process.js). Without it that would throw, and what is
    // thrown in a replica of resident modules is thrown at home. It disconnects nothing else.
    const { exit } = process;
    const look = () => this.#lookForDaemon(exit);
    Object.defineProperty(process, 'disconnect', { value: () => void setImmediate(look), enumerable: false });
    process.on('message', this.#hear);
  }

  /**
   * If the daemon is still there, its watchdog looks again.
   *
   * @param {typeof process.exit} exit Node's own: with resident modules, that of the process is home's
   */
  #lookForDaemon(exit) {
    if (this.#beginning !== null && process.ppid === this.#beginning.daemon) return;
    this.#send = () => {};
    // Without a code: with resident modules, home is told its code and would end with it, and nobody else would see it.
    Reflect.apply(exit, process, []);
  }

  /**
   * @param {string} digest
   * @param {any} grant shown by home
   * @returns {string | undefined} where the bundle is; undefined if the daemon did not confirm it
   */
  rootOf(digest, grant) {
    return this.#beginning !== null && isProved(this.#beginning.secret, digest, grant) ? grant.root : undefined;
  }

  /**
   * Asks whether this replica may start one of its own, which counts as a replica of this host.
   *
   * @returns {Promise<() => void>} call it when that one has ended
   * @throws {IgnisError} IGNIS_HOST_REFUSED
   */
  async admit() {
    const why = await new Promise((resolve) => {
      this.#asking.push(resolve);
      this.#send({ kind: 'take' });
    });
    if (why !== '') throw new IgnisError('IGNIS_HOST_REFUSED', why);
    return () => this.#send({ kind: 'leave' });
  }

  /**
   * @returns {Promise<number>} how long home has certainly not given this replica up, ms from now on; if it has, this never settles
   */
  sure() {
    // A module may have removed all listeners of its process.
    if (!process.listeners('message').includes(this.#hear)) process.on('message', this.#hear);
    return new Promise((resolve) => {
      this.#sure = resolve;
      this.#send({ kind: 'doubt' });
    });
  }

  /** @param {any} told @param {import('node:net').Socket | undefined} socket */
  #told(told, socket) {
    switch (told.kind) {
      case 'begin':
        this.#begin(told);
        this.#send({ kind: 'ready' });
        break;
      case 'taken':
        this.#asking.shift()?.(told.why);
        break;
      case 'sure':
        this.#sure(told.ms);
        break;
      case 'link':
        if (socket === undefined || this.#beginning === null) return void socket?.destroy();
        if (told.isResident !== true) return this.#tls?.open(socket);
        // Until somebody has proved to be home, all who ask are alike, and for resident modules that is checked in a thread: it takes the
        // first.
        if (this.#home !== '') return void socket.destroy();
        this.#home = 'lives';
        this.onResident(socket, this.#beginning);
    }
  }

  /** @param {import('node:tls').TLSSocket} home @param {Beginning} beginning */
  #enter(home, beginning) {
    if (this.#home === 'lives') return void home.destroy();
    this.#home = 'calls';
    this.onHome(home, beginning);
  }

  /** @param {Beginning} beginning */
  #begin(beginning) {
    // A module that computes for ever would not see the channel end.
    new Worker(WATCHDOG, { workerData: { daemon: beginning.daemon } }).unref();
    this.#beginning = beginning;
    this.#tls = new HomeDoor(beginning, (home) => this.#enter(home, beginning));
  }
}

exports.ReplicaDoor = ReplicaDoor;
