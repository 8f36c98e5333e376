'use strict';

// Ignis in replicas (recipe field `nested`), as one program sees it: those below it, and, where it runs in a replica itself, the home
// above. In: what this program is, its fleet, its event loop. Out: what such replicas are told, who may look for free cores, and whether
// this one needs to.

const path = require('node:path');
const { Insides } = require('../spawn/insides');
const { Cores } = require('./cores');
const { isCrowded } = require('./decide-home');
const { Map, Object } = require('../engine');

/** What a replica loads in which Ignis is active: in a room above this one, so it is named by its place. */
const ENTRY = path.join(__dirname, '..', 'nested', 'inside.js');

/** Options that name files, from home's working directory. */
const FILES = ['recipe', 'identity', 'trust', 'deployKey'];

/** Utilisation of the event loop from which on calls wait for it. */
const PRESSED = 0.5;

/**
 * @typedef {object} InsideOf the replica that a program runs in
 * @property {number} depth
 * @property {Uint8Array} recipes that home was given in code, and, on another host, in its recipe file
 * @property {Set<string>} served the files that home calls here
 * @property {boolean} isEsModule whether they are ES modules
 * @property {string} [root] of the program, as it lies on this host, which has no other files of home
 * @property {import('../spawn/spare-pool').Admit} [admit] asks the daemon of this host for each replica
 */
/**
 * @typedef
 *   {{fleet: import('../spawn/fleet').Fleet, loop: {readLately: () => {utilisation: number}}, book: {pack: (how: {withFile: boolean}) => Uint8Array}}}
 *   Rooms
 */

class Nesting {
  #cores;
  /** @type {Map<string, Cores>} of other hosts, by name: there only replicas look */
  #coresAt = new Map();
  #machine;
  #rooms;
  #isInside;

  /**
   * @param {object} given
   * @param {InsideOf} [given.inside] of the replica that this is
   * @param {string} given.root of the program
   * @param {Record<string, any>} given.options of this program
   * @param {{readFree: () => number | null, beside: number}} given.machine tells of cores
   * @param {() => Rooms} given.rooms of this program, once they are there
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

  /** Whether what is started now takes a core from what runs. */
  isFull() {
    return isCrowded({ free: this.free() });
  }

  /**
   * @template {import('./cores').Permission} T
   * @param {string} module
   * @param {T} permission by recipes and state
   * @returns {T} in a replica by free cores, too
   */
  bound(module, permission) {
    if (!this.#isInside) return permission;
    return /** @type {T} */ (this.#cores.bound(module, permission, this.#rooms().fleet.get(module)?.wanted ?? 0));
  }

  /** In a replica: whether something presses, here or further inside, that could use a core. */
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

  /** In a replica: it may look for free cores. @param {number} ms from now */
  giveTurn(ms) {
    this.#cores.give(ms);
  }
}

/**
 * @param {Record<string, any>} options of home
 * @param {boolean} isFar on another host, which has none of home's files
 * @returns {Record<string, unknown>} those that hold in a replica: nobody looks at it but home, and it keeps no spares
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
