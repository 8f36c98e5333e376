'use strict';

// The one class of this room with effects: it ticks, asks for what was measured, decides, and tells the replica sets. In: sources of
// readings, loop, sets and permissions. Out: calls of `effects`, kept decisions, diagnostics. It must never keep the program alive (its
// timer and its immediate are unref'd), and never reads a meter or starts a replica itself.
//
//   idle ---start---> running ---close---> closed

const { publish } = require('../diagnostics');
const { Busiest } = require('./busiest');
const { Companions } = require('./carried');
const { LONG_CALL_MS } = require('./ranking');
const { decide, wantsForesight } = require('./decision');
const { demandsOf, turnMsOf } = require('./demand');
const { sentenceOf } = require('./explain');
const { Guide } = require('./guidelines');
const { Inquiry } = require('./inquiry');
const { measuredNow } = require('./measured');
const { wishOf } = require('./foresight');
const { Newcomers, momentOf } = require('./moment');
const { News } = require('./news');
const { Reach } = require('./reach');
const { Rest } = require('./rest');
const { Rising } = require('./rising');
const { Settled } = require('./settled');
const { situationsIn } = require('./situations');
const { byModule, coresFor } = require('./placement');
const { Map, Math, Set, clearImmediate, clearInterval, performance, setImmediate, setInterval } = require('../engine');

/**
 * @typedef {import('./decision').Decision} Decision
 * @typedef {import('./decision').Permission} Permission
 * @typedef {import('./decision').SetState} SetState
 * @typedef {import('./decision').Limits} Limits
 * @typedef {import('./demand').Demand} Demand
 * @typedef {import('./memory').Memory} Memory
 *
 * @typedef {object} Sources
 * @property {() => import('../profile/window').Reading[]} readings of the boundaries in use, up to now
 * @property {() => import('../profile/event-loop').LoopReading} loop
 * @property {() => Iterable<SetState> | Map<string, SetState>} sets `wanted` must follow `resize` at once
 * @property {(module: string) => Permission} permission
 * @property {() => number | null} [freeCores] of the machine, no matter who uses the others; null: unknown
 * @property {() => number} [beside] cores that this program keeps busy beside its event loop, by the same count
 * @property {() => number} [busy] at ticks between rounds: books what was measured, and gives the recent utilisation of the loop; without
 *   it each tick is a round
 * @property {(spanMs: number, isFromFirst: boolean) => {readings: import('../profile/window').Reading[], loop:
 *   import('../profile/event-loop').LoopReading, sets: SetState[]}} [lately] the first three, for the end of the window; isFromFirst:
 *   nothing was called before
 *
 * @typedef {object} Effects
 * @property {(module: string, replicas: number, decision: Decision) => unknown} resize
 * @property {(module: string, guidelines: import('./guidelines').Guidelines) => unknown} [guide]
 * @property {(module: string, level: number) => unknown} [saturated] once each time that it becomes saturated; level 0 to 1
 *
 * @typedef {object} Timers
 * @property {(run: () => void, ms: number) => any} setInterval
 * @property {(timer: any) => void} clearInterval
 * @property {(run: () => void) => any} setImmediate
 * @property {(immediate: any) => void} clearImmediate
 */

/** @type {Record<string, string[]>} */
const TRANSITIONS = { idle: ['running', 'closed'], running: ['closed'], closed: [] };

/** Below this utilisation, the loop has time for what may be needed later. */
const AT_REST = 0.3;

/** How many decisions are kept; the oldest go. */
const MOST_DECISIONS = 1000;

class Coordinator {
  #state = 'idle';
  #options;
  #sources;
  #effects;
  #now;
  #timers;
  /** @type {any} */
  #timer = null;
  /** @type {any} */
  #immediate = null;
  /** @type {Map<string, Memory>} */
  #memories = new Map();
  /** @type {Map<string, Decision>} by module: its last decision, kept or not */
  #latest = new Map();
  #news = new News();
  /** @type {Map<string, number>} by module: when it was last seen saturated */
  #saturatedAt = new Map();
  /** @type {Set<string>} */
  #registered = new Set();
  /** @type {Decision[]} oldest first */
  #decisions = [];
  #inquiry;
  #settled = new Settled();
  #newcomers = new Newcomers();
  #reach = new Reach();
  #rest;
  #rising;
  #guide;
  #companions;
  /** number of all decisions ever kept */
  decided = 0;
  /** the busiest window so far, for reports and predictions */
  busiest = new Busiest();

  /**
   * @param {object} given
   * @param {Limits & {tickMs: number}} given.options
   * @param {Sources} given.sources
   * @param {Effects} given.effects
   * @param {() => number} [given.now] ms since the epoch, never backwards
   * @param {Timers} [given.timers]
   * @param {() => number} [given.clock] ms, to measure what questions cost
   */
  constructor({ options, sources, effects, now, clock, timers = { setInterval, clearInterval, setImmediate, clearImmediate } }) {
    this.#options = options;
    this.#sources = sources;
    this.#effects = effects;
    this.#now = now ?? (() => performance.timeOrigin + performance.now());
    this.#timers = timers;
    this.#rest = new Rest(options);
    this.#rising = new Rising({ timers, ms: options.tickMs / 2, run: () => this.tick() });
    this.#guide = new Guide(effects.guide);
    this.#companions = new Companions(sources.permission);
    this.#inquiry = new Inquiry({ timers, clock, onAnswer: () => void this.tick() });
  }

  /** @returns {'idle' | 'running' | 'closed'} */
  get state() {
    return /** @type {'idle' | 'running' | 'closed'} */ (this.#state);
  }

  /** Whether a round would find the same as the last one, as long as nothing is called. */
  get isCalm() {
    return this.#rest.isLasting && this.#immediate === null;
  }

  /** Decisions kept, oldest first; a 'stay' only if its reason changed. */
  get decisions() {
    return this.#decisions.slice();
  }

  /** Starts to tick. Idempotent. */
  start() {
    if (this.#state !== 'idle') return;
    this.#to('running');
    this.#timer = this.#timers.setInterval(() => this.#beat(), this.#options.tickMs);
    this.#timer.unref?.();
  }

  /**
   * Boundary registration (paper, section 4.2): a module that wants replicas before its first call is also decided on.
   * @param {string} module
   */
  register(module) {
    this.#registered.add(module);
    this.#guide.forget(module);
    this.#rest.end();
  }

  /**
   * A long call was seen: decide now rather than at the next tick. Several nudges in a row make one extra tick.
   * @param {string} module @param {number} callMs
   */
  nudge(module, callMs) {
    if (this.#state !== 'running' || this.#immediate !== null || callMs < this.longCallMs(module)) return;
    this.#immediate = this.#timers.setImmediate(() => {
      this.#immediate = null;
      this.tick(callMs);
    });
    // Unref'd: under load the loop turns anyway, and a program that is about to end must not wait for us.
    this.#immediate.unref?.();
  }

  /** @param {string} module @returns {number} the length from which on a call of it is worth a nudge */
  longCallMs(module) {
    const latest = this.#latest.get(module);
    return latest?.reason === 'not-allowed' ? Infinity : LONG_CALL_MS;
  }

  /** A round, unless it would find the same as the last one; and not even a look if nothing can come of it. */
  #beat() {
    const { busy } = this.#sources;
    if (busy === undefined || !(this.#rest.goesOnUnseen() || this.#rest.goesOn(busy(), this.#now()))) this.tick();
  }

  /**
   * One round over all modules that were used, have replicas, or are registered.
   * @param {number} [deafMs] how long the event loop has been in one call until now
   * @returns {Decision[]} of this round, most pressed first
   */
  tick(deafMs = 0) {
    if (this.#state === 'closed') return [];
    const seen = this.#look();
    const { time, measured, readings, loop, sets } = seen;
    const situations = situationsIn(seen, this.#options, this.#memories);
    const nears = new Map(situations.map(({ module, hosts }) => [module, hosts?.near]));
    const supposing = (/** @type {string} */ module) => this.#companions.supposing(measured, time, module);
    this.busiest.note({ time, readings, supposing, loop, sets: [...sets.values()], poolThreads: this.#options.poolThreads, nears });
    const round = this.#decide(situations, seen, { nears, deafMs });
    const utilisation = loop.lately ?? loop.utilisation;
    this.#rest.begin(round, utilisation, seen.time);
    this.#rising.note(utilisation);
    if (this.#registered.size > 0 && loop.utilisation < AT_REST && !this.#inquiry.isWarm) {
      this.#inquiry.warm();
      this.#rest.end();
    }
    for (const decision of round) this.#act(decision);
    return round;
  }

  /** @returns {import('./situations').Seen & {measured: import('../profile/window').Reading[], readings: import('../profile/window').Reading[]}} what was measured up to now */
  #look() {
    const time = this.#now();
    const loop = this.#sources.loop();
    const measured = this.#sources.readings();
    const readings = this.#companions.join(measured, time);
    const demands = demandsOf(readings, loop, this.#options.poolThreads);
    const sets = byModule(this.#sources.sets());
    this.#settled.note(sets, time, this.#options.windowMs);
    const modules = new Set([...demands.keys(), ...sets.keys(), ...this.#registered]);
    const permissions = new Map([...modules].map((module) => [module, this.#companions.permission(module)]));
    const free = this.#sources.freeCores?.() ?? null;
    const reach = this.#reach.note(coresFor(free, loop, sets.values(), this.#sources.beside?.()), this.#options.cpus);
    return { time, loop, measured, readings, demands, sets, permissions, free, reach };
  }

  /**
   * Decides on each module by itself; then once more on those that want to know what replicas would bring, as far as that is known by now.
   * @param {import('./decision').Situation[]} situations
   * @param {import('./situations').Seen} seen
   * @param {{nears: Map<string, import('./places').Near | undefined>, deafMs: number}} beside
   * @returns {Decision[]}
   */
  #decide(situations, { time, demands, sets, loop, reach }, beside) {
    const decided = situations.map((situation) => decide(situation));
    const answers = this.#foresee(
      decided.map(({ decision }) => decision),
      { demands, loop },
      (wanting) => ({ measured: this.#measure({ time, demands, sets, loop, ...beside }, wanting), cores: reach }),
    );
    return decided.map((without, index) => {
      const { module, from } = without.decision;
      const foresight = answers?.get(module);
      const isAnswered = foresight?.from === from;
      const { decision, memory } = wantsForesight(without.decision)
        ? decide({ ...situations[index], foresight: isAnswered ? foresight : null })
        : without;
      this.#memories.set(module, memory);
      return decision;
    });
  }

  /**
   * @param {Decision[]} decisions made without foresight, most pressed first
   * @param {Pick<import('./situations').Seen, 'demands' | 'loop'>} seen
   * @param {(wanting: string[]) => {measured: import('./measured').Measured, cores: number}} now
   * @returns {Map<string, import('./foresight').Foresight> | null} for those that want it; null: unknown yet
   */
  #foresee(decisions, { demands, loop }, now) {
    const answers = this.#inquiry.take();
    const wanting = decisions.filter(wantsForesight);
    if (answers !== null || wanting.length === 0 || this.#settled.isFresh) return answers;
    const modules = wanting.map(({ module }) => module);
    if (this.#newcomers.areAmong(demands, modules, this.#options, () => now(modules).measured)) return null;
    const question = () => ({
      ...now(modules),
      wishes: wanting.map((decision) => wishOf(decision, modules.length === 1)),
      decided: new Map(decisions.map(({ module, to }) => [module, to])),
    });
    // In the tick in which a load came, only some turns had calls. How late ticks are tells about all that belongs to a turn.
    const turnMs = Math.max(turnMsOf(demands), loop.longestMs, ...wanting.map(({ figures }) => figures.maxMs));
    return this.#inquiry.ask(question, turnMs);
  }

  /**
   * @param {import('./moment').Moment & {time: number, nears: Map<string, import('./places').Near | undefined>, deafMs: number}} round
   * @param {string[]} wanting modules
   */
  #measure(round, wanting) {
    const limits = this.#options;
    const knownMs = Math.min(this.#settled.spanMs(round.time, limits.windowMs) ?? Infinity, round.loop.windowMs);
    const join = (/** @type {any[]} */ readings) => this.#companions.joinMore(readings, round.time);
    const moment = momentOf({ round, wanting, limits, knownMs, lately: this.#sources.lately, join });
    return measuredNow({ ...moment, limits, atHome: this.busiest });
  }

  /** @param {Decision} decision */
  #act(decision) {
    const { module } = decision;
    this.#keep(decision);
    this.#guide.give(decision, this.longCallMs(module));
    if (decision.figures.isSaturated) this.#noteSaturation(decision);
    // An effect may close us.
    if (decision.action !== 'stay' && this.#state !== 'closed') this.#effects.resize(module, decision.to, decision);
  }

  /** @param {Decision} decision */
  #keep(decision) {
    this.#latest.set(decision.module, decision);
    this.#companions.note(decision);
    if (!this.#news.note(decision)) return;
    decision.sentence = sentenceOf(decision);
    this.#decisions.push(decision);
    this.decided += 1;
    if (this.#decisions.length > MOST_DECISIONS) this.#decisions.shift();
    publish('ignis:decision', decision);
  }

  /** A short pause between two ticks does not end a saturation. @param {Decision} decision */
  #noteSaturation({ module, time, figures }) {
    const before = this.#saturatedAt.get(module) ?? -Infinity;
    this.#saturatedAt.set(module, time);
    if (time - before > this.#options.windowMs) this.#effects.saturated?.(module, Math.min(1, figures.level));
  }

  /**
   * @param {string} module
   * @returns {Decision | null} the last one, even a 'stay' that was not kept, with its sentence; null before the first
   */
  latest(module) {
    const decision = this.#latest.get(module);
    if (decision === undefined) return null;
    if (decision.sentence === '') decision.sentence = sentenceOf(decision);
    return decision;
  }

  /** Stops ticking and deciding. Idempotent. */
  close() {
    if (this.#state === 'closed') return;
    this.#to('closed');
    if (this.#timer !== null) this.#timers.clearInterval(this.#timer);
    if (this.#immediate !== null) this.#timers.clearImmediate(this.#immediate);
    this.#timer = null;
    this.#immediate = null;
    this.#inquiry.close();
    this.#rising.close();
  }

  /** @param {string} next */
  #to(next) {
    if (!TRANSITIONS[this.#state].includes(next)) throw new Error(`coordinator: no way from ${this.#state} to ${next}`);
    this.#state = next;
  }
}

exports.Coordinator = Coordinator;
