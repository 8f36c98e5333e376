'use strict';

// Ignis in replicas (recipe field `nested`), as one program sees it: the replicas below it, and, if it runs in a replica itself, the home
// above. In: what this program is, its fleet, its event loop. Out: what such replicas are told, who may look for free cores, and whether
// this program needs to.

const path = require('node:path');
const { Insides } = require('../spawn/insides');
const { Cores } = require('./cores');
const { isCrowded } = require('./decide-home');
const { Map, Object } = require('../engine');

/** What a replica loads in which Ignis is active. It is in a room above this one, so it is named by its path. */
const ENTRY = path.join(__dirname, '..', 'nested', 'inside.js');

/** Options that name files, relative to home's working directory. */
const FILES = ['recipe', 'identity', 'trust', 'deployKey'];

/** From this utilisation of the event loop on, calls wait for it. */
const PRESSED = 0.5;

/**
 * @typedef {object} InsideOf the replica that a program runs in
 * @property {number} depth
 * @property {Uint8Array} recipes that home was given in code, and, for another host, in its recipe file
 * @property {Set<string>} served files that home calls here
 * @property {boolean} isEsModule whether they are ES modules
 * @property {string} [root] of the program on this host, which has no other files of home
 * @property {import('../spawn/spare-pool').Admit} [admit] asks the daemon of this host for each replica
 */
/**
 * @typedef
 *   {{fleet: import('../spawn/fleet').Fleet, loop: {readLately: () => {utilisation: number}}, book: {pack: (how: {withFile: boolean}) => Uint8Array}}}
 *   Rooms
 */

class Nesting {
  #cores;
  /** @type {Map<string, Cores>} by name of another host; there only replicas look */
  #coresAt = new Map();
  #machine;
  #rooms;
  #isInside;

  /**
   * @param {object} given
   * @param {InsideOf} [given.inside] given if this is a replica
   * @param {string} given.root of the program
   * @param {Record<string, any>} given.options of this program
   * @param {{readFree: () => number | null, beside: number}} given.machine tells of cores
   * @param {() => Rooms} given.rooms of this program, once they exist
   */
  constructor({ inside, root, options, machine, rooms }) {
    this.#isInside = inside !== undefined;
    this.#rooms = rooms;
    this.#machine = machine;
    this.#cores = new Cores({ read: () => machine.readFree(), isInside: this.#isInside });
    /** what replicas report */
    this.insides = new Insides({
      entry: ENTRY,
      root,
      depth: inside?.depth ?? 0,
      told: ({ isFar }) => ({ options: insideOptions(options, isFar), recipes: rooms().book.pack({ withFile: isFar }) }),
      turns: ({ isFar, where }) => (isFar ? this.#turnsAt(where) : this.#cores),
      nameOf: (replica) => rooms().fleet.nameOf(replica),
    });
  }

  /** @returns {number | null} cores of the machine that this program may count on */
  free() {
    return this.#cores.free();
  }

  /** Cores that this program keeps busy beside its event loop, by the same count. */
  get beside() {
    return this.#machine.beside;
  }

  /** Whether a new start takes a core from what runs. */
  isFull() {
    return isCrowded({ free: this.free() });
  }

  /**
   * @template {import('./cores').Permission} T
   * @param {string} module
   * @param {T} permission by recipes and state
   * @returns {T} in a replica also by free cores
   */
  bound(module, permission) {
    if (!this.#isInside) return permission;
    return /** @type {T} */ (this.#cores.bound(module, permission, this.#rooms().fleet.get(module)?.wanted ?? 0));
  }

  /** In a replica: whether something here or further inside presses that could use a core. */
  get wishes() {
    const { fleet, loop } = this.#rooms();
    const sets = [...fleet.sets];
    const presses = loop.readLately().utilisation >= PRESSED || sets.some(({ pending, ready }) => ready > 0 && pending > ready);
    return this.#cores.isAsked || (presses && sets.length > 0);
  }

  /** @param {string} host @returns {Cores} */
  #turnsAt(host) {
    const known = this.#coresAt.get(host);
    if (known !== undefined) return known;
    const cores = new Cores({ read: () => null, isInside: false });
    this.#coresAt.set(host, cores);
    return cores;
  }

  /** In a replica: lets it look for free cores. @param {number} ms from now */
  giveTurn(ms) {
    this.#cores.give(ms);
  }
}

/**
 * @param {Record<string, any>} options of home
 * @param {boolean} isFar on another host, which has none of home's files
 * @returns {Record<string, unknown>} those that apply in a replica: nobody but home looks at it, and it keeps no spares
 */
function insideOptions({ level, tickMs, windowMs, reclaimMs, startMs, closeMs, heartbeatMs, maxFrameBytes, blockMs, ...others }, isFar) {
  const files = isFar
    ? {}
    : Object.fromEntries(FILES.flatMap((name) => (others[name] === undefined ? [] : [[name, path.resolve(others[name])]])));
  const depth = level === undefined ? {} : { level };
  const same = { tickMs, windowMs, reclaimMs, startMs, closeMs, heartbeatMs, maxFrameBytes, blockMs };
  return { ...files, ...depth, ...same, spares: 0, quiet: true, monitor: false };
}

exports.Nesting = Nesting;
