'use strict';

// Whose turn it is to take a core that is free. A machine's counters show a new load only after half a second, so of two that look at the
// same moment both would take the last core. In: a reading of free cores; wishes of replicas in which Ignis is active; in such a replica,
// turns that its home gives it. Out: the free cores that this side may count on now, and turns for others. Nobody who does not wish costs
// anything, and without wishes all that is free is home's, as ever.
//
//   at home:  | a replica's turn | settle | home's own | settle | the next replica's turn ...

const { LEAST_FREE_CORES } = require('./hosts');
const { Map, Math, performance } = require('../engine');

/** How long one may look and start, ms: some ticks, and the answer of a simulation. */
const TURN_MS = 1000;

/** How long it takes until the counters show what was started, ms: two spans of profile/machine.js, and a start. */
const SETTLE_MS = 750;

const NO_CORE = 'its home is a replica, which may take no core now: none is free, or another one has its turn to look';

/**
 * @typedef {{allowed: boolean, why?: string, copies: readonly [number, number], isHeld?: boolean}} Permission isHeld: fewer than its recipe
 *   allows, for want of a free core
 */

class Cores {
  #read;
  #now;
  /** @type {Map<object, (ms: number) => void>} who wishes, and how each is told; those that have waited longest first */
  #wishes = new Map();
  /** until when this side may look, ms; at home always */
  #until;
  /** until when it is another's turn, or what that one started does not show yet */
  #lentUntil = -Infinity;
  /** before that nobody else has a turn */
  #nextAt = -Infinity;
  #isPassing = false;
  /** replicas that may be started in this turn */
  #room = 0;
  /** @type {Map<string, number>} module to how many were wanted of it when it was asked about last */
  #wanted = new Map();

  /**
   * @param {object} given
   * @param {() => number | null} given.read free cores of the machine; null: not known
   * @param {boolean} given.isInside this is a replica: without a turn it may take none
   * @param {() => number} [given.now] ms, never backwards
   */
  constructor({ read, isInside, now = () => performance.now() }) {
    this.#read = read;
    this.#now = now;
    this.#until = isInside ? -Infinity : Infinity;
  }

  /** Whether somebody else wishes. */
  get isAsked() {
    return this.#wishes.size > 0;
  }

  /** @param {object} who @param {(ms: number) => void} grant tells it that it has the turn now, for so long */
  ask(who, grant) {
    this.#wishes.set(who, grant);
    this.#pass();
  }

  /** It wishes no more, or is gone. @param {object} who */
  leave(who) {
    this.#wishes.delete(who);
  }

  /** In a replica: it has the turn. Every second one goes on to those inside that wish. @param {number} ms */
  give(ms) {
    const now = this.#now();
    this.#until = now + ms;
    this.#isPassing = !this.#isPassing && this.isAsked;
    if (this.#isPassing) this.#grant(ms, now + ms);
    else this.#begin();
  }

  /** Asked at each tick. @returns {number | null} free cores that this side may count on; null: not known */
  free() {
    // Read in any case: a reading is of the time since the one before.
    const free = this.#read();
    return this.#mayLook() ? free : 0;
  }

  /**
   * In a replica, how many replicas a module may have: those it has, and in its turn as many more as cores are free. What its recipe asks
   * for at least it always gets.
   *
   * @template {Permission} T
   * @param {string} module
   * @param {T} permission
   * @param {number} wanted replicas that it has or that are on their way
   * @returns {T | Permission}
   */
  bound(module, permission, wanted) {
    const before = this.#wanted.get(module) ?? wanted;
    this.#wanted.set(module, wanted);
    this.#room = Math.max(0, this.#room - Math.max(0, wanted - before));
    if (!permission.allowed) return permission;
    const [least, most] = permission.copies;
    const limit = Math.max(least, Math.min(most, wanted + (this.#mayLook() ? this.#room : 0)));
    if (limit === most) return permission;
    if (limit === 0) return { ...permission, allowed: false, why: NO_CORE, copies: [0, 0] };
    return { ...permission, copies: [least, limit], isHeld: true };
  }

  #mayLook() {
    this.#pass();
    const now = this.#now();
    return now < this.#until && now >= this.#lentUntil;
  }

  /** At home: the next one's turn, if it is time. */
  #pass() {
    const now = this.#now();
    if (this.#until !== Infinity || !this.isAsked || now < this.#nextAt) return;
    this.#nextAt = now + 2 * (TURN_MS + SETTLE_MS);
    this.#grant(TURN_MS, now + TURN_MS + SETTLE_MS);
  }

  /** @param {number} ms @param {number} until */
  #grant(ms, until) {
    const [who, grant] = /** @type {[object, (ms: number) => void]} */ (this.#wishes.entries().next().value);
    this.#wishes.delete(who);
    this.#lentUntil = until;
    grant(ms);
  }

  /** What is free now is for this turn; later looks in it would count what it has started itself as free. */
  #begin() {
    this.#room = Math.ceil(Math.max(0, (this.#read() ?? 1) - LEAST_FREE_CORES));
  }
}

exports.Cores = Cores;
exports.SETTLE_MS = SETTLE_MS;
exports.TURN_MS = TURN_MS;
