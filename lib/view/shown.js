'use strict';
/*
 * What a program shows to others while it runs: lines on stderr, metrics as text and on a port, the web page, a socket; and its report at
 * the end. In: the running program's options and figures. Out: servers on this machine, as options ask, and the metrics. It never keeps the
 * program alive, and loads nothing that nobody asked for.
 */
const { publish, subscribe } = require('../diagnostics');
const { say: sayHere } = require('../spawn/output');
const { writeAtExit } = require('./exit-report');
const { showLive } = require('./live');
const { Acts } = require('./acts');
const { Feed } = require('./feed');
const { History } = require('./history');
const { Metrics } = require('./metrics');
const { monitorOf } = require('./monitored');
const { actSources, feedSources } = require('./sources');
const { tellTelemetry } = require('./telemetry');

/**
 * @typedef {object} Running
 * @property {Record<string, any>} options
 * @property {() => import('../types').Report} report
 * @property {() => import('../types').Report} ownReport without replicas' insides and without prospects: figures of one process, which cost
 *   little
 * @property {() => import('../types').BoundaryReport[]} boundaries
 * @typedef {object} Beside
 * @property {any} identity of the program
 * @property {() => any} rooms what the feed reads and acts on
 * @property {{totals: (id: string) => {completions: number} | null, latencies: (id: string) => {ms: number, calls: number}[]}} window
 * @property {(report: import('../types').Report, asked: any) => any} whatIf
 * @property {{setInterval: (run: () => void, ms: number) => any, clearInterval: (timer: any) => void}} [timers] for work at each tick;
 *   without these, there is no history
 * @property {(line: string) => void} [say] on stderr
 */

class Shown {
  #metrics;
  #running;
  #beside;
  /** @type {Feed | null} made when somebody first looks */
  #feed = null;
  /** @type {import('./monitor').Monitor | null} */
  #monitor = null;
  #history;
  /** @type {(() => void)[]} */
  #ends = [];

  /** @param {Running} running @param {Beside} beside */
  constructor(running, beside) {
    const { options } = running;
    const { window, whatIf, timers, rooms, say = sayHere } = beside;
    this.#running = running;
    this.#beside = beside;
    const report = () => running.ownReport();
    this.#metrics = new Metrics({
      report,
      completionsOf: (id) => window.totals(id)?.completions ?? 0,
      latenciesOf: (id) => window.latencies(id),
    });
    const history = (this.#history = new History(rooms));
    if (timers !== undefined) {
      const timer = timers.setInterval(() => history.note(), options.tickMs);
      this.#ends.push(() => timers.clearInterval(timer));
    }
    this.#ends.push(showLive({ options, report }, say));
    if (options.report !== undefined) writeAtExit(options.report, () => running.report());
    this.#ends.push(subscribe('ignis:decision', (decision) => this.#metrics.note(decision)));
    this.#ends.push(subscribe('ignis:replica', (replica) => this.#metrics.noteReplica(replica)));
    this.#ends.push(tellTelemetry({ main: process.argv[1] ?? '/', report, grouped: (boundaries) => this.#metrics.grouped(boundaries) }));
    if (options.metrics !== undefined)
      this.#ends.push(require('./metrics-server').serveMetrics({ port: options.metrics, text: () => this.metrics(), say }));
    if (options.dash !== undefined) {
      const source = {
        watch: (/** @type {number} */ everyMs, /** @type {(snapshot: any) => void} */ listener) => this.feed.watch(everyMs, listener),
        detail: (/** @type {string} */ id) => this.feed.detail(id),
        history: () => this.feed.history(),
        act: (/** @type {any} */ wish) => this.feed.act(wish),
        whatIf: (/** @type {any} */ asked) => whatIf(report(), asked),
      };
      this.#ends.push(require('./dash').serveDash({ port: options.dash, source, say }));
    }
  }

  /** What is shown to whoever looks at this program. */
  get feed() {
    if (this.#feed === null) {
      const { program: name, ...identity } = this.#beside.identity;
      const running = this.#running;
      const own = { program: { ...identity, name }, report: () => running.report(), reports: () => running.boundaries() };
      const rooms = { ...own, history: this.#history, ...this.#beside.rooms() };
      this.#feed = new Feed({ sources: feedSources(rooms), acts: new Acts(actSources(rooms)) });
    }
    return this.#feed;
  }

  /** From now on others can look at the program over a socket, unless options say otherwise. */
  offer() {
    try {
      this.#monitor ??= monitorOf(this.#running.options.monitor, { feed: () => this.feed, ...this.#beside.identity });
    } catch (error) {
      // A file of it that is only loaded now may be gone, or no descriptor is left to read it: that must not harm the program.
      publish('ignis:warning', { message: `this program cannot be watched by 'ignis top': ${/** @type {Error} */ (error).message}` });
    }
  }

  /** The last minutes, for a report. @returns {import('../types').Moment[]} */
  get timeline() {
    return this.#history.readThin();
  }

  /** @returns {string} Prometheus text */
  metrics() {
    return this.#metrics.text();
  }

  /** Idempotent. */
  close() {
    for (const end of this.#ends.splice(0)) end();
    this.#monitor?.close();
    this.#feed?.close();
  }
}

exports.Shown = Shown;
