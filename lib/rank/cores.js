'use strict';

// Decides whose turn it is to take a free core. A machine's counters show a new load only after half a second: if two looked at the same
// moment, both would take the last core. In: a reading of free cores; wishes of replicas in which Ignis is active; in such a replica, turns
// that its home gives it. Out: the free cores that this side may count on now, and turns for others. A replica that does not wish costs
// nothing; without wishes, home may use all free cores.
//
//   at home:  | a replica's turn | settle | home's own | settle | the next replica's turn ...

const { LEAST_FREE_CORES } = require('./hosts');
const { Map, Math, performance } = require('../engine');

/** How long a turn to look and start lasts, ms: some ticks, and the answer of a simulation. */
const TURN_MS = 1000;

/** How long until the counters show what was started, ms: two spans of profile/machine.js, and a start. */
const SETTLE_MS = 750;

const NO_CORE = 'its home is a replica, which may take no core now: none is free, or another one has its turn to look';

/**
 * @typedef {{allowed: boolean, why?: string, copies: readonly [number, number], isHeld?: boolean}} Permission isHeld: fewer than its recipe
 *   allows, for lack of a free core
 */

class Cores {
  #read;
  #now;
  /** @type {Map<object, (ms: number) => void>} who wishes, and how to tell each; longest waiting first */
  #wishes = new Map();
  /** until when this side may look, ms; at home always */
  #until;
  /** until when it is another side's turn, or the effect of that turn does not show yet */
  #lentUntil = -Infinity;
  /** nobody else has a turn before this */
  #nextAt = -Infinity;
  #isPassing = false;
  /** replicas that may start in this turn */
  #room = 0;
  /** @type {Map<string, number>} by module: how many replicas were wanted when it was last asked about */
  #wanted = new Map();

  /**
   * @param {object} given
   * @param {() => number | null} given.read free cores of the machine; null: unknown
   * @param {boolean} given.isInside this is a replica: without a turn it may take no core
   * @param {() => number} [given.now] ms, never backwards
   */
  constructor({ read, isInside, now = () => performance.now() }) {
    this.#read = read;
    this.#now = now;
    this.#until = isInside ? -Infinity : Infinity;
  }

  /** Whether any other side wishes. */
  get isAsked() {
    return this.#wishes.size > 0;
  }

  /** @param {object} who @param {(ms: number) => void} grant tells it that its turn begins, and how long it lasts */
  ask(who, grant) {
    this.#wishes.set(who, grant);
    this.#pass();
  }

  /** It no longer wishes, or is gone. @param {object} who */
  leave(who) {
    this.#wishes.delete(who);
  }

  /** In a replica: its turn begins. Every second turn is passed on to wishing replicas inside. @param {number} ms */
  give(ms) {
    const now = this.#now();
    this.#until = now + ms;
    this.#isPassing = !this.#isPassing && this.isAsked;
    if (this.#isPassing) this.#grant(ms, now + ms);
    else this.#begin();
  }

  /** Called at each tick. @returns {number | null} free cores that this side may count on; null: unknown */
  free() {
    // Read in any case: a reading covers the time since the one before.
    const free = this.#read();
    return this.#mayLook() ? free : 0;
  }

  /**
   * In a replica: how many replicas a module may have. These are those it has and, in its turn, as many more as cores are free. It always
   * gets the minimum of its recipe.
   * @template {Permission} T
   * @param {string} module
   * @param {T} permission
   * @param {number} wanted replicas that it has, or that are on their way
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

  /** At home: starts the next turn, if it is time. */
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

  /** What is free now is for this turn; later looks in the same turn would still count as free what it has started itself. */
  #begin() {
    this.#room = Math.ceil(Math.max(0, (this.#read() ?? 1) - LEAST_FREE_CORES));
  }
}

exports.Cores = Cores;
exports.SETTLE_MS = SETTLE_MS;
exports.TURN_MS = TURN_MS;
