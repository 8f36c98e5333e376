'use strict';
/*
 * The figures of a program as Prometheus text (exposition format 0.0.4). In: the report, and histograms by boundary. Out: one text, for
 * `ignis.metrics()` and the page /metrics. Names and units follow Prometheus: base units, `_total` for what only grows, one family for each
 * name. The number of series is bounded, and a boundary never changes its series: otherwise a counter would fall.
 */
/** Boundaries with series of their own: those called first; all others share one series. */

const { JSON, Map, Object, arrayFrom, isFinite } = require('../engine');

const MOST_BOUNDARIES = 200;
const MOST_MODULES = 200;
const MOST_LABEL = 200;
const OTHER = '(other)';
/** Upper bounds of the histogram's buckets, s: each is four times the one before, and is also a bound of the profile. */
const BOUNDS = arrayFrom({ length: 12 }, (_, i) => 2 ** (2 * i - 8) / 1000);

/** @typedef {import('../types').Report} Report */
/** @typedef {import('../types').BoundaryReport} BoundaryReport */
/**
 * @typedef {{report: () => Report, completionsOf: (id: string) => number, latenciesOf: (id: string) => {ms: number, calls: number}[]}}
 *   Source of boundaries, by id
 */
/** @typedef {[labels: Record<string, string>, value: number, suffix?: string]} Sample */

class Metrics {
  /** @type {Map<string, {parent: string, module: string}>} boundary -> its labels */
  #labels = new Map();
  /** @type {Map<string, string>} */
  #modules = new Map();
  /** @type {Map<string, {labels: Record<string, string>, count: number}>} */
  #decisions = new Map();
  /**
   * @type {Map<string, Record<string, number>>} by module, for ended replicas: reports forget the oldest, and a counter must not fall
   */
  #datagrams = new Map();
  /** @type {Source} */
  #source;

  /** @param {Source} source */
  constructor(source) {
    this.#source = source;
  }

  /** @param {{module: string, action: string}} decision one that was made */
  note({ module, action }) {
    const labels = { module: this.#module(module), action };
    const key = `${action} ${labels.module}`;
    const known = this.#decisions.get(key) ?? { labels, count: 0 };
    known.count++;
    this.#decisions.set(key, known);
  }

  /** @param {{module: string, event: string, datagrams?: Record<string, any>}} replica what became of one */
  noteReplica({ module, event, datagrams }) {
    if (event === 'ended' && datagrams !== undefined) addOutcomes(this.#datagrams, this.#module(module), datagrams);
  }

  /** @returns {string} ends with a line feed */
  text() {
    const report = this.#source.report();
    const groups = this.grouped(report.boundaries);
    /** @param {(one: BoundaryReport) => number} figure @returns {Sample[]} */
    const each = (figure) => groups.map(({ labels, boundaries }) => [labels, boundaries.reduce((sum, one) => sum + figure(one), 0)]);
    return [
      family('ignis_info', 'gauge', 'Versions, always 1.', [[{ version: report.ignis, node: report.node }, 1]]),
      family('ignis_event_loop_utilization_ratio', 'gauge', 'Busy part of the event loop in the last window, 0 to 1.', [
        [{}, report.loop.utilisation],
      ]),
      family(
        'ignis_event_loop_delay_seconds',
        'gauge',
        'How late the event loop was in the last window.',
        report.loop.delayMs === null ? [] : [[{}, report.loop.delayMs / 1000]],
      ),
      family(
        'ignis_calls_total',
        'counter',
        'Calls across a boundary.',
        each((one) => one.calls),
      ),
      family(
        'ignis_call_failures_total',
        'counter',
        'Calls that threw, rejected, or called back with an error.',
        each((one) => one.failures),
      ),
      family(
        'ignis_own_seconds_total',
        'counter',
        'Time for which the module kept the event loop busy, without the modules that it called.',
        each((one) => one.exclusiveMs / 1000),
      ),
      family(
        'ignis_calls_pending',
        'gauge',
        'Calls whose promise or callback is pending.',
        each((one) => one.pending),
      ),
      family(
        'ignis_boundary_share_ratio',
        'gauge',
        'Share of the last window that was spent in the module, 0 to 1.',
        each((one) => one.share),
      ),
      family(
        'ignis_boundary_pressure',
        'gauge',
        'Rank of the boundary: the higher, the more it presses.',
        each((one) => one.pressure),
      ),
      family('ignis_call_own_seconds', 'histogram', 'Time of single calls on the event loop, from samples.', this.#histograms(groups)),
      family(
        'ignis_call_latency_seconds',
        'summary',
        'From a call to its completion, where promises and callbacks are followed.',
        this.#completions(groups),
      ),
      ...this.#replicas(report),
      ...this.#oneway(report, groups),
      family(
        'ignis_decisions_total',
        'counter',
        'Decisions of the coordinator.',
        [...this.#decisions.values()].map(({ labels, count }) => [labels, count]),
      ),
    ].join('');
  }

  /** @param {BoundaryReport[]} boundaries @returns {{labels: Record<string, string>, boundaries: BoundaryReport[]}[]} */
  grouped(boundaries) {
    const called = boundaries.filter(({ calls }) => calls > 0).sort((a, b) => (a.id < b.id ? -1 : 1));
    /** @type {Map<Record<string, string>, BoundaryReport[]>} */
    const groups = new Map();
    for (const boundary of called) {
      let labels = this.#labels.get(boundary.id);
      if (labels === undefined && this.#labels.size < MOST_BOUNDARIES) {
        labels = { parent: short(boundary.parent), module: short(boundary.child) };
        // Two boundaries may have the same pair of names, if these were cut, or versions differ.
        for (const other of this.#labels.values()) if (other.parent === labels.parent && other.module === labels.module) labels = other;
        this.#labels.set(boundary.id, labels);
      }
      const key = labels ?? OTHERS;
      groups.set(key, [...(groups.get(key) ?? []), boundary]);
    }
    return [...groups].map(([labels, of]) => ({ labels, boundaries: of }));
  }

  /** @param {{labels: Record<string, string>, boundaries: BoundaryReport[]}[]} groups @returns {Sample[]} */
  #histograms(groups) {
    return groups.flatMap(({ labels, boundaries }) => {
      const measured = boundaries.flatMap(({ id }) => this.#source.latenciesOf(id));
      if (measured.length === 0) return [];
      const within = (/** @type {number} */ bound) => measured.reduce((sum, { ms, calls }) => (ms / 1000 <= bound ? sum + calls : sum), 0);
      const sum = boundaries.reduce((total, one) => total + one.exclusiveMs / 1000, 0);
      const count = within(Infinity);
      /** @type {Sample[]} */
      const samples = BOUNDS.map((bound) => [{ ...labels, le: String(bound) }, within(bound), '_bucket']);
      samples.push([{ ...labels, le: '+Inf' }, count, '_bucket'], [labels, sum, '_sum'], [labels, count, '_count']);
      return samples;
    });
  }

  /** @param {{labels: Record<string, string>, boundaries: BoundaryReport[]}[]} groups @returns {Sample[]} */
  #completions(groups) {
    return groups.flatMap(({ labels, boundaries }) => {
      let [sum, count] = [0, 0];
      for (const { id, latencyMs } of boundaries) {
        const completions = this.#source.completionsOf(id);
        sum += (completions * (latencyMs ?? 0)) / 1000;
        count += completions;
      }
      /** @type {Sample[]} */
      const samples = [
        [labels, sum, '_sum'],
        [labels, count, '_count'],
      ];
      return count === 0 ? [] : samples;
    });
  }

  /** @param {Report} report */
  #replicas({ replicas }) {
    /** @type {Map<string, {labels: Record<string, string>, count: number, bytes: number}>} */
    const sums = new Map();
    for (const { module, where, state, rssBytes } of replicas) {
      if (state === 'ended') continue;
      const labels = { module: this.#module(module), where, state };
      const key = JSON.stringify(labels);
      const sum = sums.get(key) ?? { labels, count: 0, bytes: 0 };
      sum.count++;
      sum.bytes += rssBytes ?? 0;
      sums.set(key, sum);
    }
    const all = [...sums.values()];
    return [
      family(
        'ignis_replicas',
        'gauge',
        'Living replicas.',
        all.map(({ labels, count }) => [labels, count]),
      ),
      family(
        'ignis_replica_resident_memory_bytes',
        'gauge',
        'Memory of replicas that are processes.',
        all.filter(({ bytes }) => bytes > 0).map(({ labels, bytes }) => [labels, bytes]),
      ),
    ];
  }

  /**
   * Calls whose answer nobody wants.
   *
   * @param {Report} report
   * @param {{labels: Record<string, string>, boundaries: BoundaryReport[]}[]} groups
   */
  #oneway({ replicas }, groups) {
    /** @type {Sample[]} */
    const lost = groups.flatMap(({ labels, boundaries }) => {
      const known = boundaries.flatMap(({ functions = {} }) =>
        Object.values(functions).flatMap(({ oneway }) => (oneway ? [oneway.lost] : [])),
      );
      return known.length === 0 ? [] : [[labels, known.reduce((sum, one) => sum + one, 0)]];
    });
    const sums = new Map([...this.#datagrams].map(([module, counts]) => [module, { ...counts }]));
    for (const { module, state, datagrams } of replicas)
      if (state !== 'ended' && datagrams !== undefined) addOutcomes(sums, this.#module(module), datagrams);
    /** @type {Sample[]} */
    const calls = [...sums].flatMap(([module, counts]) => OUTCOMES.map((outcome) => [{ module, outcome }, counts[outcome]]));
    return [
      family('ignis_oneway_lost_total', 'counter', 'Oneway calls that were lost with a replica, or on their way to one.', lost),
      family('ignis_datagram_calls_total', 'counter', 'Calls sent as datagrams, and what became of them.', calls),
    ];
  }

  /** @param {string} module @returns {string} its label */
  #module(module) {
    const known = this.#modules.get(module);
    if (known !== undefined) return known;
    if (this.#modules.size >= MOST_MODULES) return OTHER;
    this.#modules.set(module, short(module));
    return short(module);
  }
}

const OUTCOMES = Object.freeze(['sent', 'arrived', 'failed', 'lost', 'large']);
/** @param {Map<string, Record<string, number>>} sums by module @param {string} module @param {Record<string, any>} counts */
function addOutcomes(sums, module, counts) {
  const sum = sums.get(module);
  sums.set(module, Object.fromEntries(OUTCOMES.map((outcome) => [outcome, (sum?.[outcome] ?? 0) + counts[outcome]])));
}

const OTHERS = Object.freeze({ parent: OTHER, module: OTHER });

/**
 * @param {string} name
 * @param {'counter' | 'gauge' | 'histogram' | 'summary'} type
 * @param {string} help
 * @param {Sample[]} samples
 * @returns {string}
 */
function family(name, type, help, samples) {
  if (samples.length === 0) return '';
  const lines = samples.map(([labels, value, suffix = '']) => `${name}${suffix}${labelText(labels)} ${figure(value)}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** @param {Record<string, string>} labels */
function labelText(labels) {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** @param {string} value */
function escaped(value) {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

/** @param {number} value */
function figure(value) {
  return isFinite(value) ? String(value) : 'NaN';
}

/** @param {string} name */
function short(name) {
  return name.length <= MOST_LABEL ? name : `${name.slice(0, MOST_LABEL - 3)}...`;
}

exports.Metrics = Metrics;
exports.MOST_BOUNDARIES = MOST_BOUNDARIES;
