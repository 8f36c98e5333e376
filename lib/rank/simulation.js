'use strict';

// A discrete-event simulation of one program: its event loop, replicas, cores and queues. In: a Model (model.js) with arrivals and service
// times as measured. Out: calls a second, latencies, shares. Pure, and the same for the same seed: it has its own random numbers and clock.
// Each module draws from generators of its own, so that the same calls come, with the same lengths, whatever the number of replicas: two
// answers differ only by the replicas.
//
// Asking such a model before a program is changed is the idea of Flux: Burns, Grimaldi, Kostadinov, Berger and Corner, "Flux: A Language
// for Programming High-Performance Servers", USENIX ATC 2006.

const { Agenda } = require('./agenda');
const { Crowd } = require('./crowd');
const { FIRST, Journeys } = require('./journeys');
const { kindOf } = require('./kind');
const { POOL_THREADS, checkModel, checkSettings, loadOf, placesOf } = require('./model');
const { finish } = require('./parts');
const { Place } = require('./place');
const { randomFrom } = require('./random');
const { Station } = require('./station');
const { answerOf } = require('./tally');
const { Math, Object } = require('../engine');

/**
 * @typedef {import('./model').Model} Model
 * @typedef {import('./tally').Answer} Answer
 * @typedef {import('./kind').Kind} Kind
 *
 * @typedef {object} Settings
 * @property {number} [seed] 1 by default
 * @property {number} [calls] how many answered calls to count, 2000 by default
 * @property {number} [warmUp] part of the calls answered before counting begins, 0 to 0.9; 0.1 by default
 *
 * @typedef {object} Call one call, or one of home's own tasks; a caller who waits reuses the record
 * @property {Kind} kind
 * @property {number} caller of the crowd, or NOBODY
 * @property {number} at ms
 * @property {number} workMs
 * @property {number} stage
 */

const DEFAULT_SEED = 1;
const DEFAULT_CALLS = 2000;
const DEFAULT_WARM_UP = 0.1;

/** A call away has 4 events. Home's own tasks may have many times as many as the calls; then fewer calls must do. */
const MOST_EVENTS_A_CALL = 25;

/** This many take a tenth of a millisecond, or one while the engine has not compiled them. */
const EVENTS_AT_ONCE = 100;

/** A caller outside of the crowd. */
const NOBODY = -1;

// Where a call is. Each names what has just ended when its task ends.
const ARRIVED = 0;
const SENT = 1;
const AWAY = 2;
const BACK = 3;
const LAST = 4;
const STARTING = 5;

class Simulation {
  #model;
  #settings;
  #now = 0;
  #events = 0;
  #answered = 0;
  /**
   * what comes: the index of a kind (arrivals, or one of its own callers); higher numbers are callers of the crowd, lower ones travelling
   * calls (journeys.js)
   */
  #agenda = new Agenda();
  /** @type {Kind[]} */
  #kinds = [];
  /** @type {Station[]} by lane */
  #stations = [];
  /** @type {(Call | null)[]} by lane */
  #calls = [];
  /** @type {{place: Place, at: number}[]} by lane: the machine, and the lane's number there */
  #lanes = [];
  /** @type {Place[]} home's first */
  #places;
  #journeys = new Journeys();
  #home;
  #pool;
  #crowd;
  #thinkRandom;

  /** @param {Model} model @param {Required<Settings>} settings */
  constructor(model, settings) {
    this.#model = model;
    this.#places = [model, ...(model.hosts ?? [])].map((machine) => new Place(machine));
    this.#settings = settings;
    const poolThreads = model.poolThreads ?? POOL_THREADS;
    this.#thinkRandom = randomFrom(settings.seed ^ 0x2545f491);
    this.#home = this.#station(1);
    this.#pool = this.#station(model.modules.some(({ isLater, replicas = 0 }) => isLater === true && replicas === 0) ? poolThreads : 0);
    for (const one of model.modules) {
      const kind = this.#add(one, false);
      const places = placesOf(model, one);
      for (let count = 0; count < (one.replicas ?? 0); count++)
        kind.replicas.push(this.#station(one.isLater === true ? poolThreads : 1, places[count]));
      if ((one.startMs ?? 0) === 0) kind.ready = kind.replicas.slice();
    }
    for (const task of model.home?.background ?? []) this.#add(task, true);
    const shares = this.#kinds.map(({ arrivals }) => arrivals.share ?? 0);
    this.#crowd = new Crowd({ clients: model.crowd?.clients ?? 0, shares, random: randomFrom(settings.seed ^ 0x5bd1e995) });
  }

  /** @returns {Generator<void, Answer>} may be left for a while after every few events */
  *run() {
    const { calls, warmUp } = this.#settings;
    const warm = Math.round((calls * warmUp) / (1 - warmUp));
    const mostEvents = MOST_EVENTS_A_CALL * (calls + warm);
    this.#begin();
    yield* this.#until(warm, mostEvents * warmUp);
    this.#count('startOver');
    const begunAt = this.#now;
    yield* this.#until(this.#answered + Math.ceil(calls / 2), mostEvents * (1 + warmUp) * 0.5);
    this.#count('halve');
    yield* this.#until(this.#answered + Math.floor(calls / 2), mostEvents);
    this.#count('settle');
    return answerOf({
      model: this.#model,
      load: loadOf(this.#model),
      seed: this.#settings.seed,
      events: this.#events,
      spanMs: this.#now - begunAt,
      home: this.#home,
      kinds: this.#kinds,
    });
  }

  /** @param {'startOver' | 'halve' | 'settle'} what to do with all counts */
  #count(what) {
    this.#home[what](this.#now);
    for (const { replicas, tally } of this.#kinds) {
      for (const replica of replicas) replica[what](this.#now);
      tally[what](this.#now);
    }
  }

  /** Schedules first arrivals, callers, and starts of replicas. */
  #begin() {
    const { crowd, modules } = this.#model;
    for (const kind of this.#kinds) {
      const { perSecond, clients, thinkMs } = kind.arrivals;
      if (perSecond > 0) this.#agenda.add(this.#gapMs(kind), kind.index);
      for (let client = 0; client < (clients ?? 0); client++) this.#think(kind.index, thinkMs ?? 0);
      const startMs = kind.isBackground ? 0 : (modules[kind.index].startMs ?? 0);
      if (startMs === 0) continue;
      for (const replica of kind.replicas) this.#enter(replica, { kind, caller: NOBODY, at: 0, workMs: startMs, stage: STARTING });
    }
    for (let caller = 0; caller < this.#crowd.clients; caller++) this.#think(this.#kinds.length + caller, crowd?.thinkMs ?? 0);
  }

  /**
   * @param {number} answered stops when this many calls have been answered since the beginning
   * @param {number} mostEvents or after this many events
   */
  *#until(answered, mostEvents) {
    while (this.#goOn(answered, Math.min(mostEvents, this.#events + EVENTS_AT_ONCE)) && this.#events < mostEvents) yield;
  }

  /** @param {number} answered @param {number} mostEvents @returns {boolean} whether there is more to do */
  #goOn(answered, mostEvents) {
    const places = this.#places;
    while (this.#answered < answered && this.#events < mostEvents) {
      let next = places[0];
      let endsAt = next.look(this.#now);
      for (let other = 1; other < places.length; other++) {
        if (places[other].look(this.#now) >= endsAt) continue;
        next = places[other];
        endsAt = next.endsAt;
      }
      const comesAt = this.#agenda.soonest;
      if (endsAt === Infinity && comesAt === Infinity) return false;
      this.#events++;
      const isEnd = endsAt <= comesAt;
      const ms = (isEnd ? endsAt : comesAt) - this.#now;
      this.#now = isEnd ? endsAt : comesAt;
      for (let other = 0; other < places.length; other++) if (!isEnd || places[other] !== next) places[other].pass(ms);
      if (isEnd) this.#leave(next.reach());
      else this.#come(this.#agenda.take());
    }
    return this.#answered < answered;
  }

  /** @param {number} what as in the agenda */
  #come(what) {
    if (what <= FIRST) {
      const { call, station } = this.#journeys.arrive(what);
      return this.#enter(station, call, true);
    }
    const caller = what - this.#kinds.length;
    if (caller >= 0) return this.#arrive(this.#kinds[this.#crowd.next(caller)], caller);
    const kind = this.#kinds[what];
    const { perSecond, burst = 1 } = kind.arrivals;
    if (perSecond === undefined) return this.#arrive(kind);
    for (let left = burst; left > 0; left--) this.#arrive(kind);
    // If the queue grows without end, no more come than will be counted: the answers are the same, and memory stays bounded.
    kind.isPaused = kind.tally.pending > 2 * this.#settings.calls;
    if (!kind.isPaused) this.#agenda.add(this.#now + this.#gapMs(kind), kind.index);
  }

  /** @param {Kind} kind @param {number} [caller] of the crowd */
  #arrive(kind, caller = NOBODY) {
    kind.tally.arrive(this.#now);
    this.#enter(this.#home, { kind, caller, at: this.#now, workMs: kind.sample(kind.serviceRandom()), stage: ARRIVED });
  }

  /** @param {Station} station @param {Call} call @param {boolean} [isExpected] */
  #enter(station, call, isExpected = false) {
    const lane = station.enter(call, this.#now, isExpected);
    if (lane !== -1) this.#start(lane, station, call);
  }

  /** @param {Call} call @param {Station} station @param {number} ms */
  #travel(call, station, ms) {
    if (ms === 0) return this.#enter(station, call);
    this.#agenda.add(this.#now + ms, this.#journeys.depart(call, station));
  }

  /** @param {number} lane which is free @param {Station} station @param {Call} call */
  #start(lane, station, call) {
    this.#calls[lane] = call;
    const { place, at } = this.#lanes[lane];
    place.begin(at, station === this.#home ? this.#atHome(call) : this.#beside(station, call));
  }

  /** @param {Call} call whose turn on the loop begins @returns {number} ms that it takes */
  #atHome(call) {
    const { kind, stage } = call;
    if (stage === BACK) {
      call.stage = LAST;
      return kind.ready.length > 0 ? kind.sendMs : 0;
    }
    if (kind.ready.length > 0) {
      call.stage = SENT;
      return kind.besideMs + kind.sendMs;
    }
    call.stage = kind.isLater ? SENT : LAST;
    return kind.besideMs + kind.loopMs + (kind.isLater ? 0 : call.workMs);
  }

  /** @param {Station} station not home @param {Call} call @returns {number} ms of its task there */
  #beside(station, { kind, workMs, stage }) {
    return station === this.#pool || stage === STARTING ? workMs : workMs + kind.replicaMs;
  }

  /** @param {number} lane whose task has ended; -1: none */
  #leave(lane) {
    if (lane === -1) return;
    const call = /** @type {Call} */ (this.#calls[lane]);
    const station = this.#stations[lane];
    const { place, at } = this.#lanes[lane];
    place.end(at);
    this.#calls[lane] = null;
    const next = station.leave(lane, this.#now);
    if (next !== null) this.#start(lane, station, next);
    const { kind, stage } = call;
    if (stage === LAST) return this.#answer(call);
    if (stage === SENT) {
      call.stage = AWAY;
      const to = kind.ready.length > 0 ? kind.choose(kind.ready) : this.#pool;
      return this.#travel(call, to, to.travelMs);
    }
    if (stage === STARTING) {
      kind.ready.push(station);
      return;
    }
    call.stage = BACK;
    this.#travel(call, this.#home, station.travelMs);
  }

  /** @param {Call} call whose answer has reached home */
  #answer({ kind, caller, at }) {
    kind.tally.answer(this.#now - at, this.#now);
    if (!kind.isBackground) this.#answered++;
    const { clients, thinkMs = 0 } = kind.arrivals;
    if (clients !== undefined) this.#think(kind.index, thinkMs);
    else if (caller !== NOBODY) this.#think(this.#kinds.length + caller, this.#model.crowd?.thinkMs ?? 0);
    else if (kind.isPaused) {
      kind.isPaused = false;
      this.#agenda.add(this.#now + this.#gapMs(kind), kind.index);
    }
  }

  /** @param {number} what @param {number} thinkMs mean; at random (exponential), so that callers do not march in step */
  #think(what, thinkMs) {
    this.#agenda.add(this.#now + (thinkMs === 0 ? 0 : -thinkMs * Math.log(1 - this.#thinkRandom())), what);
  }

  /** @param {Kind} kind @returns {number} ms to its next arrivals */
  #gapMs({ arrivals: { perSecond, burst = 1 }, arrivalRandom }) {
    return -((1000 * burst) / perSecond) * Math.log(1 - arrivalRandom());
  }

  /** @param {any} given of a module or of the background @param {boolean} isBackground @returns {Kind} */
  #add(given, isBackground) {
    const kind = kindOf(given, { index: this.#kinds.length, isBackground, ...this.#settings });
    this.#kinds.push(kind);
    return kind;
  }

  /** @param {number} lanes @param {number} [host] its place in the model; at home by default @returns {Station} */
  #station(lanes, host = -1) {
    const first = this.#lanes.length;
    const station = new Station(first, lanes);
    const place = this.#places[host + 1];
    const { roundTripMs = 0, speed = 1 } = this.#model.hosts?.[host] ?? {};
    Object.assign(station, { travelMs: roundTripMs / 2, speed, isFar: host >= 0 });
    for (let lane = 0; lane < lanes; lane++) {
      this.#lanes.push({ place, at: place.add(first + lane) });
      this.#calls.push(null);
      this.#stations.push(station);
    }
    return station;
  }
}

/**
 * @param {Model} model
 * @param {Settings} [settings]
 * @returns {Generator<void, Answer>} a simulation in small parts, with time for other things in between
 * @throws {import('../errors').IgnisError} IGNIS_BAD_OPTION when the model or a setting is wrong
 */
function* simulating(model, { seed = DEFAULT_SEED, calls = DEFAULT_CALLS, warmUp = DEFAULT_WARM_UP } = {}) {
  checkModel(model);
  checkSettings({ seed, calls, warmUp });
  return yield* new Simulation(model, { seed, calls, warmUp }).run();
}

/**
 * @param {Model} model
 * @param {Settings} [settings]
 * @returns {Answer}
 * @throws {import('../errors').IgnisError} IGNIS_BAD_OPTION when the model or a setting is wrong
 */
function simulate(model, settings) {
  return finish(simulating(model, settings));
}

exports.DEFAULT_SEED = DEFAULT_SEED;
exports.simulate = simulate;
exports.simulating = simulating;
