'use strict';

// Counts one source of calls in a simulation, and makes the answer from all of them. In: arrivals and answers as they happen. Out: rates,
// latencies, and whether a queue grows without end.

const { Math } = require('../engine');

/**
 * @typedef {object} ModuleAnswer
 * @property {string} module
 * @property {number} replicas
 * @property {number} calls answered while counting
 * @property {number} callsPerSecond
 * @property {number} meanMs from the call to its answer at home; 0 if there was none, like the next two
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {number} replicaShare part of the time in which one of its replicas works, 0 to 1; 0 without replicas
 * @property {number} pending mean number of calls made and not answered
 * @property {boolean} isSaturated more calls come than can be answered: the queue, and with it every latency, grows without end
 *
 * @typedef {object} Answer
 * @property {number} callsPerSecond of all modules together, like the next fields
 * @property {number} meanMs
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {number} loopShare utilisation of home's event loop, 0 to 1
 * @property {number} replicaShare mean of all replicas
 * @property {boolean} isSaturated
 * @property {number} calls
 * @property {ModuleAnswer[]} modules in the order of the model
 * @property {number} seed
 * @property {number} events
 * @property {number} spanMs time counted, on the simulated clock
 */

/** A queue counts as growing if this large a part of what was answered (and at least LARGE) waits at the end, */
const LARGE_PART = 0.05;
const LARGE = 50;
/** and the second half saw this many times as much of it as the first. */
const GROWTH = 1.5;

class Tally {
  /** calls made and not answered */
  pending = 0;
  #latencies;
  #count = 0;
  #since = 0;
  /** call-milliseconds */
  #waitedMs = 0;
  #countedFrom = 0;
  #halfAt = 0;
  #halfWaitedMs = 0;
  #emptyAt = 0;

  /** @param {number} most answers to note */
  constructor(most) {
    this.#latencies = new Float64Array(most);
  }

  /** @param {number} now */
  arrive(now) {
    this.#note(now);
    this.pending++;
  }

  /** @param {number} latencyMs @param {number} now */
  answer(latencyMs, now) {
    this.#note(now);
    if (--this.pending === 0) this.#emptyAt = now;
    if (this.#count < this.#latencies.length) this.#latencies[this.#count++] = latencyMs;
  }

  /** Starts counting. @param {number} now */
  startOver(now) {
    this.#count = 0;
    this.#waitedMs = this.#halfWaitedMs = 0;
    this.#since = this.#countedFrom = this.#halfAt = now;
  }

  /** Called when half of the calls are answered. @param {number} now */
  halve(now) {
    this.#note(now);
    this.#halfAt = now;
    this.#halfWaitedMs = this.#waitedMs;
  }

  /** Stops counting. @param {number} now */
  settle(now) {
    this.#note(now);
  }

  /** @returns {Float64Array} of the counted calls, in ms; the live array */
  get latencies() {
    return this.#latencies.subarray(0, this.#count);
  }

  /** @returns {number} calls pending on average */
  get meanPending() {
    const spanMs = this.#since - this.#countedFrom;
    return spanMs <= 0 ? this.pending : this.#waitedMs / spanMs;
  }

  /** @returns {boolean} whether more and more calls wait */
  get isGrowing() {
    // After one long call a queue is long too, but it becomes empty again.
    if (this.#emptyAt >= this.#halfAt) return false;
    if (this.pending < Math.max(LARGE, LARGE_PART * this.#count)) return false;
    const first = ratio(this.#halfWaitedMs, this.#halfAt - this.#countedFrom);
    const second = ratio(this.#waitedMs - this.#halfWaitedMs, this.#since - this.#halfAt);
    return second > GROWTH * first;
  }

  /** @param {number} now */
  #note(now) {
    this.#waitedMs += this.pending * (now - this.#since);
    this.#since = now;
  }
}

/**
 * @param {object} given
 * @param {import('./model').Model} given.model
 * @param {import('./model').Load} given.load
 * @param {number} given.seed
 * @param {number} given.events
 * @param {number} given.spanMs
 * @param {import('./station').Station} given.home
 * @param {{tally: Tally, replicas: import('./station').Station[]}[]} given.kinds modules first, in the order of the model
 * @returns {Answer}
 */
function answerOf({ model, load, seed, events, spanMs, home, kinds }) {
  const modules = model.modules.map((one, index) => {
    const { tally, replicas } = kinds[index];
    const isOver = load.loop >= 1 || load.cores >= 1 || load.replicas[index] >= 1 || (isInPool(one) && load.pool >= 1);
    const perSecond = 'perSecond' in one.arrivals ? one.arrivals.perSecond : 0;
    const isSaturated = perSecond > 0 && (isOver || tally.isGrowing);
    const answered = latenciesOf([tally.latencies], spanMs);
    return {
      module: one.module,
      replicas: replicas.length,
      ...answered,
      // All that comes is answered. How many came in the time counted is chance.
      ...(perSecond > 0 && !isSaturated && answered.calls > 0 && { callsPerSecond: perSecond }),
      replicaShare: mean(replicas),
      pending: tally.meanPending,
      isSaturated,
    };
  });
  const whole =
    modules.length === 1
      ? modules[0]
      : latenciesOf(
          model.modules.map((_, index) => kinds[index].tally.latencies),
          spanMs,
        );
  const { meanMs, p50Ms, p99Ms, calls } = whole;
  return {
    callsPerSecond: modules.reduce((sum, one) => sum + one.callsPerSecond, 0),
    meanMs,
    p50Ms,
    p99Ms,
    loopShare: home.share,
    replicaShare: mean(kinds.flatMap(({ replicas }) => replicas)),
    isSaturated: modules.some(({ isSaturated }) => isSaturated),
    calls,
    modules,
    seed,
    events,
    spanMs,
  };
}

/** @param {import('./model').ModuleModel} one */
function isInPool({ isLater = false, replicas = 0 }) {
  return isLater && replicas === 0;
}

/** @param {import('./station').Station[]} stations */
function mean(stations) {
  return stations.length === 0 ? 0 : stations.reduce((sum, { share }) => sum + share, 0) / stations.length;
}

/** @param {Float64Array[]} parts @param {number} spanMs */
function latenciesOf(parts, spanMs) {
  const calls = parts.reduce((sum, { length }) => sum + length, 0);
  const all = new Float64Array(calls);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  all.sort();
  let sum = 0;
  for (let index = 0; index < calls; index++) sum += all[index];
  return {
    calls,
    callsPerSecond: ratio(calls * 1000, spanMs),
    meanMs: ratio(sum, calls),
    p50Ms: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
  };
}

/** @param {Float64Array} sorted @param {number} fraction */
function quantile(sorted, fraction) {
  return sorted.length === 0 ? 0 : sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)];
}

/** @param {number} sum @param {number} by */
function ratio(sum, by) {
  return by > 0 ? sum / by : 0;
}

exports.Tally = Tally;
exports.answerOf = answerOf;
