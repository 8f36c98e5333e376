'use strict';
/*
 * The replicas in which whole modules live, never at home: each import of such a module gives a stub of its exports, and each use crosses and waits. In: files to load, and where.
 * Out: their exports. One replica for a group of modules. It keeps home alive only while one of its replicas has something to do.
 */
const { setImmediate } = require('node:timers');
const { performance } = require('node:perf_hooks');
const { Conversation } = require('../object/conversation');
const { describe } = require('../object/describe');
const { prepare } = require('../object/intrinsics');
const { openResident } = require('./resident');
const { HomeOf } = require('./resident-home');
const { translated } = require('./sources');
const engine = require('../engine');

const { Map, Promise } = engine;

/**
 * @typedef {object} ResidentOptions
 * @property {number} startMs
 * @property {number} blockMs how long one answer may take
 * @property {number} maxFrameBytes
 */

/**
 * @typedef {object} Living
 * @property {import('./resident').Resident} resident
 * @property {Conversation} conversation
 * @property {import('../object/news').Side} side
 * @property {HomeOf} home
 * @property {string[]} modules
 * @property {number} startedMs
 * @property {string | null} endedWhy
 */

/** So many of what a replica holds of home are named in a report. */
const MOST_LENT = 10;

class Residents {
  #options;
  /** @type {Map<string, Living>} by group and place */
  #living = new Map();
  /** @type {Living[]} */
  #all = [];

  /** @param {ResidentOptions} options */
  constructor(options) {
    this.#options = options;
  }

  get #blockMs() {
    return this.#options.blockMs === 0 ? Infinity : this.#options.blockMs;
  }

  /** Some will be needed. */
  prepare() {
    prepare();
  }

  /**
   * @param {{name: string, filename: string}} module
   * @param {{where: 'thread' | 'process', group: string, isFresh: boolean, args?: 'restore' | 'copy' | 'ref', timeoutMs?: number}} how isFresh: loaded anew, whatever was loaded before; args, timeoutMs: of the recipe that starts the replica
   * @returns {any} its exports, as stubs
   * @throws what the module throws when it is loaded; IgnisError IGNIS_START_FAILED, IGNIS_REPLICA_LOST
   */
  require({ name, filename }, { where, group, isFresh, args, timeoutMs }) {
    const living = this.#open(where, group, args, timeoutMs);
    if (!living.modules.includes(name)) living.modules.push(name);
    const extensions = translated();
    const target = { kind: 'file', name, place: filename, isFresh, extensions };
    const { side } = living;
    const limitMs = side.timeoutMs;
    // A recipe's time is for calls: not for the start of the replica, and what it loads.
    side.timeoutMs = this.#blockMs;
    try {
      return living.conversation.load(target, living.home.ask);
    } finally {
      side.timeoutMs = limitMs;
    }
  }

  /** @returns {object[]} a record for each replica */
  records() {
    return this.#all.map(({ resident, conversation, modules, startedMs, endedWhy }, i) => ({
      id: `resident-${i + 1}`,
      module: modules.join(', '),
      where: resident.where,
      pid: resident.pid,
      startedMs,
      state: endedWhy === null ? 'ready' : 'ended',
      calls: conversation.mail.sent,
      rssBytes: null,
      endedWhy,
      lent: { count: conversation.mail.tables.counts.lent, oldest: conversation.mail.tables.lent.oldest(MOST_LENT).map(describe) },
    }));
  }

  /** @returns {Promise<void>} when all have ended */
  async close() {
    for (const { resident } of this.#all) resident.kill();
    await Promise.all(this.#all.map(({ resident }) => resident.ended));
  }

  /** @param {'thread' | 'process'} where @param {string} group @param {'restore' | 'copy' | 'ref'} [args] @param {number} [timeoutMs] for one answer */
  #open(where, group, args, timeoutMs) {
    const key = `${where} ${group}`;
    const known = this.#living.get(key);
    if (known !== undefined) return known;
    const begun = performance.now();
    const { startMs, maxFrameBytes } = this.#options;
    const resident = openResident({ where, startMs, maxBlockBytes: maxFrameBytes });
    /** @type {import('../object/news').Side} */
    const side = {
      isHome: true,
      args,
      timeoutMs: timeoutMs ?? this.#blockMs,
      // As one that the module's own timer met at home.
      onUncaught: (error) =>
        setImmediate(() => {
          throw error;
        }),
      onExit: (code) => process.exit(code),
      onExitCode: (code) => {
        process.exitCode = code;
      },
    };
    const conversation = new Conversation(resident.line, side);
    /** @type {Living} */
    const living = {
      resident,
      conversation,
      side,
      home: new HomeOf(),
      modules: [],
      startedMs: performance.now() - begun,
      endedWhy: null,
    };
    void resident.ended.then((why) => {
      living.endedWhy = why;
      living.home.leave();
    });
    this.#living.set(key, living);
    this.#all.push(living);
    return living;
  }
}

exports.Residents = Residents;
