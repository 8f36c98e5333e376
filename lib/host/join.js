'use strict';
/*
 * A daemon's seat in a cluster: its record in the engine, for as long as the daemon runs. In: where the engine is, and what to say of the
 * host. Out: lines for the daemon's log. The daemon does not depend on it: while the engine is away, has never answered, or another host
 * has the name, the daemon serves the homes that it knows, and this tries again.
 *      seeking --joined--> seated --another host has the name--> seeking        any --close()--> closed        seeking --the cluster cannot be used--> refused
 */
const { openEngine } = require('./engine.js');
const { Presence } = require('./presence.js');
const { Promise, Set, clearTimeout, setTimeout } = require('../engine');

const AGAIN_MS = 2000;
/** If the engine says nothing for this long, it is not told that this host leaves, ms: others soon find that its record stands still. */
const LEAVE_MS = 1500;

class Seat {
  /** @type {'seeking' | 'seated' | 'refused' | 'closed'} */
  #state = 'seeking';
  #settings;
  /** @type {import('./engine-base.js').Engine | null} */
  #engine = null;
  /** @type {Presence | null} */
  #presence = null;
  /** @type {Promise<void>} */
  #seeking;
  #wake = () => {};

  /**
   * @param {object} settings
   * @param {string} settings.cluster 'nats://...' or 'etcd://...'
   * @param {string} settings.name of the host, as in its certificate
   * @param {() => object} settings.about what the record says
   * @param {(text: string) => void} settings.log
   */
  constructor(settings) {
    this.#settings = settings;
    this.#seeking = this.#seek();
  }

  get state() {
    return this.#state;
  }

  /** Reports a change at once. @returns {Promise<void>} */
  async tell() {
    await this.#presence?.tell();
  }

  /**
   * Leaves. Idempotent.
   *
   * @returns {Promise<boolean>} false: the engine did not answer, which was logged; something of it may stay open as long as a request
   *   takes
   */
  async close() {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((/** @type {(hasLeft: false) => void} */ resolve) => {
      timer = setTimeout(resolve, LEAVE_MS, false);
    });
    const hasLeft = await Promise.race([this.#leave(), late]);
    clearTimeout(timer);
    const why = `its cluster has said nothing for ${LEAVE_MS} ms`;
    if (!hasLeft) this.#settings.log(`${why}${this.#presence === null ? '' : ', and does not learn that this host leaves'}`);
    return hasLeft;
  }

  /** @returns {Promise<true>} */
  async #leave() {
    this.#state = 'closed';
    this.#wake();
    await this.#presence?.close();
    await this.#seeking;
    await this.#presence?.close();
    await this.#engine?.close();
    return true;
  }

  async #seek() {
    const { cluster, name, about, log } = this.#settings;
    let said = '';
    const warned = new Set();
    /** Each try would log the same about a server. @param {string} text */
    const warn = (text) => {
      if (this.#engine === null && warned.has(text)) return;
      warned.add(text);
      log(text);
    };
    while (this.#state === 'seeking') {
      try {
        this.#engine ??= await openEngine(cluster, { node: name, warn });
        this.#presence = new Presence(this.#engine, { name, about, onState: (state, error) => this.#heard(state, error) });
        if (/** @type {string} */ (this.#state) === 'closed') return;
        await this.#presence.join();
        this.#state = 'seated';
        log(`has joined the cluster as ${name}`);
        return;
      } catch (error) {
        const { code, message } = /** @type {any} */ (error);
        if (/** @type {string} */ (this.#state) === 'closed') return;
        if (message !== said) log(`has not joined the cluster: ${message}`);
        said = message;
        // The name becomes free when the other host has ended, as one that this host was to replace.
        if (code === 'IGNIS_BAD_OPTION') return void (this.#state = 'refused');
      }
      await new Promise((/** @type {(value?: any) => void} */ resolve) => {
        const timer = setTimeout(resolve, AGAIN_MS);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** @param {import('./presence.js').PresenceState} state @param {Error} [error] */
  #heard(state, error) {
    const { log } = this.#settings;
    if (this.#state !== 'seated') return;
    if (state === 'unheard') log(`is no longer heard by the cluster, but keeps serving: ${error?.message}`);
    if (state === 'present') log('is heard by the cluster again');
    if (state === 'taken') {
      log(`is no longer in the cluster: ${error?.message}`);
      this.#state = 'seeking';
      this.#seeking = this.#seek();
    }
  }
}

exports.Seat = Seat;
