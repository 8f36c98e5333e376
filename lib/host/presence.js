'use strict';
/*
 * Says in the registry that this host is there: its record `members/NAME`, written anew with each beat. In: an engine, a name, and what to
 * say of the host, asked for each time. Out: the record, until `close()` removes it. A name that another host uses is refused: two hosts
 * with one name would take each other's replicas. If a beat fails, the next one tries again; the state shows it.
 */
const { randomUUID } = require('node:crypto');
const { IgnisError } = require('../errors.js');
const { OWN_CLOCK } = require('./engine-clock.js');
const { Promise } = require('../engine');

/** @typedef {import('./engine-base.js').Engine} Engine */
/**
 * @typedef {'joining' | 'present' | 'unheard' | 'taken' | 'gone'} PresenceState unheard: the last beat failed; taken: another host has the
 *   name
 */

const BEAT_MS = 1000;
const DEAD_MS = 5000;

/** @type {Record<PresenceState, PresenceState[]>} */
const NEXT = {
  joining: ['present', 'taken', 'gone'],
  present: ['unheard', 'taken', 'gone'],
  unheard: ['present', 'taken', 'gone'],
  taken: ['gone'],
  gone: [],
};

class Presence {
  /** @type {PresenceState} */
  #state = 'joining';
  #engine;
  #key;
  #about;
  #beatMs;
  #deadMs;
  #clock;
  #onState;
  /** Which run we are, of all that ever had this name. */
  #run = randomUUID();
  #beats = 0;
  #rev = 0;
  /** @type {() => void} */
  #callOff = () => {};
  /** @type {Promise<void>} the beat under way */
  #beating = Promise.resolve();

  /**
   * @param {Engine} engine
   * @param {object} settings
   * @param {string} settings.name of the host
   * @param {string} [settings.below] where its record is, 'members/' by default
   * @param {() => object} settings.about what to say of it: plain data
   * @param {number} [settings.beatMs] 1000 by default
   * @param {number} [settings.deadMs] how long a record of an earlier run must stand still before its name is free, 5000 by default
   * @param {import('./engine-clock.js').Clock} [settings.clock]
   * @param {(state: PresenceState, error?: Error) => void} [settings.onState] each change
   */
  constructor(engine, { name, below = 'members/', about, beatMs = BEAT_MS, deadMs = DEAD_MS, clock = OWN_CLOCK, onState = () => {} }) {
    this.#engine = engine;
    this.name = name;
    this.#key = below + name;
    this.#about = about;
    this.#beatMs = beatMs;
    this.#deadMs = deadMs;
    this.#clock = clock;
    this.#onState = onState;
  }

  /** @returns {PresenceState} */
  get state() {
    return this.#state;
  }

  /**
   * @returns {Promise<void>} when the record is there
   * @throws {IgnisError} IGNIS_NAME_TAKEN when another host writes it; those of the engine
   */
  async join() {
    await this.#settle();
    this.#to('present');
    this.#later();
  }

  /** Writes the record now, for what cannot wait until the next beat. @returns {Promise<void>} */
  tell() {
    this.#callOff();
    const before = this.#beating;
    this.#beating = before.then(() => this.#beat());
    return this.#beating.finally(() => this.#later());
  }

  /** Removes the record. Idempotent. @returns {Promise<void>} */
  async close() {
    if (this.#state === 'gone') return;
    const { state } = this;
    this.#to('gone');
    this.#callOff();
    await this.#beating;
    // One that is still joining removes what it has written itself.
    if (state !== 'joining' && state !== 'taken') await this.#remove();
  }

  async #remove() {
    try {
      await this.#engine.delete(this.#key, { ifRev: this.#rev });
    } catch {
      // Others find that it stands still.
    }
  }

  /** @param {PresenceState} next @param {Error} [error] */
  #to(next, error) {
    if (!NEXT[this.#state].includes(next)) return;
    this.#state = next;
    this.#onState(next, error);
  }

  #record() {
    this.#beats += 1;
    return { ...this.#about(), name: this.name, run: this.#run, beat: this.#beats };
  }

  /** Gets the name: at once if nobody has it; otherwise when its record has stood still for long enough. */
  async #settle() {
    let found = await this.#engine.get(this.#key);
    let since = this.#clock.now();
    for (;;) {
      const isFree = found === null || found.value?.run === this.#run || this.#clock.now() - since >= this.#deadMs;
      if (isFree) {
        try {
          this.#rev = await this.#engine.put(this.#key, this.#record(), { ifRev: found?.rev ?? 0 });
          if (this.#state !== 'gone') return;
          await this.#remove();
        } catch (error) {
          if (/** @type {any} */ (error).code !== 'IGNIS_ENGINE_CONFLICT') throw error;
        }
      }
      if (this.#state !== 'gone')
        await new Promise((/** @type {(value?: any) => void} */ resolve) => this.#clock.after(this.#beatMs, resolve));
      if (this.#state === 'gone') throw new IgnisError('IGNIS_CLOSED', `${this.name} left before it had joined`);
      const next = await this.#engine.get(this.#key);
      if (next !== null && found !== null && next.value?.beat !== found.value?.beat && next.value?.run !== this.#run) throw this.#taken();
      if (next?.rev !== found?.rev) since = this.#clock.now();
      found = next;
    }
  }

  #taken() {
    const error = new IgnisError('IGNIS_NAME_TAKEN', this.name);
    this.#to('taken', error);
    return error;
  }

  #later() {
    this.#callOff();
    if (this.#state !== 'present' && this.#state !== 'unheard') return;
    this.#callOff = this.#clock.after(this.#beatMs, () => void this.tell());
  }

  async #beat() {
    if (this.#state !== 'present' && this.#state !== 'unheard') return;
    try {
      this.#rev = await this.#engine.put(this.#key, this.#record(), { ifRev: this.#rev });
      this.#to('present');
    } catch (error) {
      if (/** @type {any} */ (error).code === 'IGNIS_ENGINE_CONFLICT') await this.#reconcile();
      else this.#to('unheard', /** @type {Error} */ (error));
    }
  }

  /** Our record is at another revision: a beat of ours was made without an answer, the record was removed, or another host has the name. */
  async #reconcile() {
    try {
      const found = await this.#engine.get(this.#key);
      if (found !== null && found.value?.run !== this.#run) return void this.#taken();
      this.#rev = await this.#engine.put(this.#key, this.#record(), { ifRev: found?.rev ?? 0 });
      this.#to('present');
    } catch (error) {
      this.#to('unheard', /** @type {Error} */ (error));
    }
  }
}

exports.Presence = Presence;
