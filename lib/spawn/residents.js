'use strict';
/*
 * The replicas of resident modules, which are never at home: each import of such a module gives a stub of its exports, and each use crosses
 * and waits. In: files to load, and where. Out: their exports. A group of modules shares one replica. Another one begins if that was lost,
 * if one of its modules was deleted from `require.cache`, or for a module that no replica had. It keeps home alive only while a replica has
 * work. Few programs have any, so the code that talks to them is loaded with the first.
 */
const { COVERAGE, LAST_MS, isCovered } = require('./coverage');
const { isFoundByNode, mayHaveHooks } = require('./resolver');
const { translated } = require('./sources');
const { IgnisError, detailOf } = require('../errors');
const engine = require('../engine');
// Before a program replaces any of these; the rest of that room only when there is a resident module.
require('../object/replaced');

const { Map, Promise, nextTick, performance } = engine;

/**
 * @typedef {object} ResidentOptions
 * @property {number} startMs
 * @property {number} [heartbeatMs] for how long a process may give no sign of life; 0: it is not asked
 * @property {number} blockMs limit for one answer
 * @property {number} maxFrameBytes
 * @property {string} [identity] who home is to other hosts, and whom it trusts: docs/hosts.md
 * @property {string} [trust]
 * @property {string} [deployKey]
 */

/**
 * @typedef {object} Place where modules are; what the first module of a replica says counts
 * @property {'thread' | 'process' | 'host'} where
 * @property {string} group
 * @property {'restore' | 'copy' | 'ref'} [args]
 * @property {number} [timeoutMs] for one answer
 * @property {import('./resident').Placing} [placing] which hosts may take them
 * @property {boolean} [isForced] only there
 */

/**
 * @typedef {object} Living
 * @property {string} id
 * @property {'thread' | 'process' | 'host'} where
 * @property {import('./resident').Resident} resident
 * @property {import('../object/conversation').Conversation} conversation
 * @property {import('../object/news').Side} side
 * @property {import('./resident-home').HomeOf} home
 * @property {string[]} modules
 * @property {number} startedMs
 * @property {number} begun when it was started, ms
 * @property {number} [loadedMs] from then until its first module was there
 * @property {boolean} hasEnded
 * @property {string | null} endedWhy
 */

/** No host takes a module, or this one does not, or not in time, or it went while its code was sent. */
const NOT_THERE = ['IGNIS_NO_HOST', 'IGNIS_HOST_REFUSED', 'IGNIS_BAD_BUNDLE', 'IGNIS_START_FAILED', 'IGNIS_REPLICA_LOST'];

/** @param {{where: string, group: string}} place */
const keyOf = ({ where, group }) => `${where} ${group}`;

/** How many of home's objects in a replica a report names. */
const MOST_LENT = 10;
/** How many ended ones are still shown, the latest. */
const MOST_ENDED = 100;

class Residents {
  #options;
  /** @type {Map<string, Living>} by group and place */
  #living = new Map();
  /** Whether it is worth starting a lost one again. @type {Map<string, import('./breaker').Breaker>} by group and place */
  #breakers = new Map();
  /** @type {Living[]} */
  #all = [];
  #count = 0;

  /** @param {ResidentOptions} options */
  constructor(options) {
    this.#options = options;
  }

  get #blockMs() {
    return this.#options.blockMs === 0 ? Infinity : this.#options.blockMs;
  }

  /** Some will be needed: loads their code. */
  prepare() {
    require('../object/intrinsics').prepare();
  }

  /**
   * @param {{name: string, filename: string}} module
   * @param {Place & {isFresh: boolean, mayWait?: boolean, isWhole?: boolean, isEsModule?: boolean}} how isFresh: loaded anew, even if it
   *   was loaded before; mayWait: its top may wait; isWhole: the namespace is wanted; isEsModule: it is imported as one
   * @returns {any} its exports, as stubs
   * @throws what the module throws when it is loaded; IgnisError IGNIS_START_FAILED, IGNIS_REPLICA_LOST
   */
  require({ name, filename }, how) {
    const { isFresh, mayWait, isWhole, isEsModule, ...place } = how;
    const ways = { extensions: translated(), isFoundAtHome: !isFoundByNode(), isEsModule: isEsModule && mayHaveHooks() };
    /** @type {import('./load-target').Target} */
    const target = { kind: 'file', name, place: filename, isFresh, mayWait, isWhole, ...ways };
    tellWatcher(filename);
    const { living, found } = this.#locate(target, place);
    if (!living.modules.includes(name)) living.modules.push(name);
    try {
      return this.#load(living, found);
    } catch (error) {
      const why = whyUnfit(error, living, place);
      if (why === '') throw error;
      this.#bringNear(living, place, why);
      return this.require({ name, filename }, how);
    }
  }

  /** @param {Living} living @param {any} found the module, as the replica finds it @returns {any} its exports */
  #load(living, found) {
    const { side, conversation, home } = living;
    // A replica that waits for home runs no turn of its event loop meanwhile.
    if (conversation.isServing) found.mayWait = false;
    const limitMs = side.timeoutMs;
    // The recipe's limit is for calls, not for the start of the replica and what it loads.
    side.timeoutMs = this.#blockMs;
    // What is lent to it for good must not belong to the request (AsyncLocalStorage) that happens to import the module.
    const load = () => engine.apart(() => conversation.load(found, home.ask));
    try {
      const loaded = load();
      if (!home.isLoading(found.name)) return loaded;
      conversation.waitUntil(() => !home.isLoading(found.name));
      return load();
    } finally {
      side.timeoutMs = limitMs;
      living.loadedMs ??= performance.now() - living.begun;
    }
  }

  /** @returns {import('../types').ReplicaReport[]} one for each replica */
  records() {
    return this.#all.map(({ id, resident, conversation, modules, startedMs, endedWhy }) => ({
      id,
      module: modules.join(', '),
      where: resident.where,
      pid: resident.pid,
      startedMs,
      state: endedWhy === null ? 'ready' : 'ended',
      calls: conversation.mail.sent,
      rssBytes: null,
      endedWhy,
      lent: lentIn(conversation.mail.tables),
    }));
  }

  /** @returns {Promise<void>} when all have ended */
  async close() {
    this.#takeCoverage();
    process.off('exit', this.#takeCoverage);
    for (const breaker of this.#breakers.values()) breaker.close();
    for (const { resident } of this.#all) resident.kill();
    await Promise.all(this.#all.map(({ resident }) => resident.ended));
  }

  /** Before home's end, or home itself, ends them: they have not written their coverage by then. */
  #takeCoverage = () => {
    for (const { where, side, conversation, endedWhy } of this.#all) {
      if (where !== 'process' || endedWhy !== null || !isCovered(process.env)) continue;
      const limitMs = side.timeoutMs;
      side.timeoutMs = LAST_MS;
      try {
        conversation.load({ kind: COVERAGE });
      } catch {
        // It has ended, or computes: then there is no coverage of it.
      }
      side.timeoutMs = limitMs;
    }
  };

  /**
   * A module that no host takes goes to a process on this machine, together with the others of its group, unless it is forced.
   *
   * @param {import('./load-target').Target} target
   * @param {Place} place
   * @returns {{living: Living, found: any}} the replica, and the target as that finds it
   */
  #locate(target, place) {
    // No replica is started for a module that is not there.
    if (place.where === 'host') require('./resident').checkThere(target);
    const living = this.#open(place);
    try {
      const argv = living.where === 'host' ? { argv: process.argv.slice(1) } : {};
      return { living, found: living.resident.locate({ ...target, ...argv }) };
    } catch (error) {
      const { code, message } = /** @type {IgnisError} */ (error);
      if (!NOT_THERE.includes(code) || living.modules.length > 0 || place.isForced) throw error;
      return { living: this.#bringNear(living, place, message), found: target };
    }
  }

  /**
   * @param {Living} living no module of the group is in it yet
   * @param {Place} place
   * @param {string} why
   * @returns {Living} one on this machine, in its place
   */
  #bringNear(living, place, why) {
    living.resident.kill();
    living.hasEnded = true;
    living.endedWhy = why;
    const near = this.#open({ ...place, where: 'process' });
    this.#living.set(keyOf(place), near);
    return near;
  }

  /** @param {Place} place @returns {Living} */
  #open(place) {
    const key = keyOf(place);
    const known = this.#living.get(key);
    const breaker = this.#breakerOf(key);
    // Home may have been blocked, and not have heard yet how it ended.
    if (known?.resident.line.isClosed) noteEnd(known, breaker);
    // If a module ends each replica that it is in, it fails at once for a while.
    if (known !== undefined && !(known.hasEnded && breaker.mayTry)) return known;
    return engine.apart(() => this.#begin(place, key, breaker));
  }

  /** @param {Place} place @param {string} key @param {import('./breaker').Breaker} breaker @returns {Living} */
  #begin({ where, args, timeoutMs, placing }, key, breaker) {
    const begun = performance.now();
    const { Conversation } = require('../object/conversation');
    const { openResident } = require('./resident');
    const { HomeOf } = require('./resident-home');
    // The report needs this later, when the program may have given up reading files (process.permission.drop).
    require('../object/describe');
    const { startMs, heartbeatMs, maxFrameBytes, identity, trust, deployKey } = this.#options;
    const hosts = where === 'host' ? { placing, options: { identity, trust, deployKey } } : {};
    const resident = openResident({ where, startMs, heartbeatMs, maxBlockBytes: maxFrameBytes, ...hosts });
    /** @type {import('../object/news').Side} */
    const side = {
      isHome: true,
      args,
      timeoutMs: timeoutMs ?? this.#blockMs,
      whose: () => `${living.modules.join(', ')} (in a replica; its recipe's timeout limits that, else the option blockMs)`,
      onUncaught: (error) => throwNext(error, resident.line),
      onExit: (code) => process.exit(code),
      onExitCode: (code) => {
        process.exitCode = code;
      },
    };
    const conversation = new Conversation(resident.line, side);
    side.onPause = require('../object/collecting').makeHomeThinner(conversation.mail);
    /** @type {Living} */
    const living = {
      id: `resident-${++this.#count}`,
      where,
      resident,
      conversation,
      side,
      home: new HomeOf(),
      modules: [],
      startedMs: performance.now() - begun,
      begun,
      hasEnded: false,
      endedWhy: null,
    };
    void resident.ended.then((why) => {
      noteEnd(living, breaker);
      living.endedWhy ??= why;
      living.home.leave();
    });
    breaker.start(() => {});
    this.#living.set(key, living);
    this.#keep(living);
    return living;
  }

  /** @param {string} key @returns {import('./breaker').Breaker} */
  #breakerOf(key) {
    const known = this.#breakers.get(key);
    if (known !== undefined) return known;
    const { Breaker } = require('./breaker');
    const breaker = new Breaker();
    this.#breakers.set(key, breaker);
    return breaker;
  }

  /** @param {Living} living for reports, and for its end */
  #keep(living) {
    if (this.#count === 1 && isCovered(process.env)) process.on('exit', this.#takeCoverage);
    this.#all.push(living);
    const ended = this.#all.filter(({ endedWhy }) => endedWhy !== null);
    if (ended.length > MOST_ENDED) this.#all.splice(this.#all.indexOf(ended[0]), 1);
  }
}

/** @param {Living} living @param {import('./breaker').Breaker} breaker of its place */
function noteEnd(living, breaker) {
  if (living.hasEnded) return;
  living.hasEnded = true;
  if (breaker.lose(1, living.loadedMs) > 0) breaker.fail();
}

/**
 * An error that nobody caught there is home's: it is thrown as if home's own loop had met it, before home hears anything that came after
 * it. If nobody listens, the program ends; home does nothing that the module wants meanwhile.
 *
 * @param {any} error @param {import('../wire/line').Line} line
 */
function throwNext(error, line) {
  const { onMessage } = line;
  line.onMessage = null;
  nextTick(() => {
    // If several came during one call, the first has the listener to restore. What came meanwhile is for the next turn of the loop.
    if (onMessage !== null) line.onMessage = onMessage;
    throw error;
  });
}

/**
 * A host with another Node may not know what home's does: then the module is loaded once more here, which shows whose fault it is.
 *
 * @param {any} error why the module could not be loaded @param {Living} living @param {Place} place
 * @returns {string} why it must be loaded on this machine; '' if it need not
 */
function whyUnfit(error, { where, resident, modules }, { isForced }) {
  if (where !== 'host' || modules.length > 1 || isForced || error instanceof IgnisError) return '';
  const { isOtherNode, withVersions } = require('../host/other-node');
  return isOtherNode(resident.node) ? withVersions(detailOf(error), resident.node) : '';
}

/** @param {import('../object/tables').Tables} tables @returns {import('../types').ReplicaReport['lent']} objects of home in a replica */
function lentIn({ counts, lent }) {
  const { describe } = require('../object/describe');
  return { count: counts.lent, oldest: lent.oldest(MOST_LENT).map(describe) };
}

/**
 * `node --watch` restarts the program when a file has changed that it was told of, as Node tells it of all that it loads here.
 *
 * @param {string} filename
 */
function tellWatcher(filename) {
  if (process.env.WATCH_REPORT_DEPENDENCIES) process.send?.({ 'watch:require': [filename] });
}

exports.Residents = Residents;
