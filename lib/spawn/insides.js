'use strict';
/*
 * Home's side of replicas in which Ignis is active (recipe field `nested`): what they are told when they begin, and what they report of the
 * boundaries, decisions and replicas in them. In: INSIDE frames, checked by shape (wire/inside-frame.js). Out: rows for reports, which name
 * their replica; turns to look for free cores. Reports are only shown: no decision depends on them.
 */
const { IgnisError } = require('../errors');
const { KIND } = require('../wire/frame');
const { MOST, insideRows } = require('../wire/inside-frame');
const { Map, Math, Promise, clearTimeout, setTimeout } = require('../engine');

/** How deep replicas in replicas go, counting the program's own: in the last, Ignis is not active. */
const MOST_DEPTH = 3;

/** Decisions kept of all replicas, the latest. */
const MOST_DECISIONS = 500;

/** Ended replicas of replicas that are still shown, the latest. */
const MOST_ENDED = 200;

/** Figures to add up once their replica has ended. */
const SUMS = /** @type {const} */ (['calls', 'failures', 'exclusiveMs', 'inclusiveMs']);

/** What names a request to end on a replica's link, in place of a module to load. */
const LEAVE = 'leave';

/** @typedef {import('./replica').Replica} Replica */
/**
 * @typedef {{depth: number, options: Record<string, unknown>, recipes: Uint8Array, root?: string}} Told what such a replica is told of
 *   home: the program's options, the recipes given in code; and, if home's files are not there, those of the recipe file, and where the
 *   program's root is in the bundle
 */
/** @typedef {{name: string | undefined, boundaries: any[], replicas: any[]}} Heard the latest report of one replica */

/**
 * @typedef {object} Turns
 * @property {(who: object, grant: (ms: number) => void) => void} ask
 * @property {(who: object) => void} leave
 */

class Insides {
  #depth;
  #told;
  #turns;
  #nameOf;
  /** @type {Map<Replica, Heard>} of replicas that live */
  #heard = new Map();
  /** @type {any[]} oldest first */
  #decisions = [];
  /** @type {any[]} decisions not yet passed on: for a home above */
  #news = [];
  /** @type {Map<string, any>} boundaries of ended replicas, by module and id, summed */
  #past = new Map();
  /** @type {any[]} */
  #ended = [];

  /**
   * @param {object} given
   * @param {string} given.entry file that such a replica loads
   * @param {string} given.root of the program
   * @param {number} given.depth of this program: 0, unless it is a replica itself
   * @param {(how: {isFar: boolean}) => Omit<Told, 'depth'>} given.told what holds here now
   * @param {(replica: Replica) => Turns} given.turns to look for free cores where it runs
   * @param {(replica: Replica) => string | undefined} given.nameOf name of its set
   */
  constructor({ entry, root, depth, told, turns, nameOf }) {
    this.entry = entry;
    this.root = root;
    this.#depth = depth;
    this.#told = told;
    this.#turns = turns;
    this.#nameOf = nameOf;
  }

  /** What replicas are given that are to be active; undefined: they would be too deep. @returns {Insides | undefined} */
  get forReplicas() {
    return this.#depth + 1 < MOST_DEPTH ? this : undefined;
  }

  /** @param {{isFar: boolean}} [how] isFar: on another host @returns {Told} what a replica is told that now loads its module */
  told(how = { isFar: false }) {
    return { ...this.#told(how), depth: this.#depth + 1 };
  }

  /**
   * @param {Replica} replica
   * @param {import('../wire/channel').Channel} channel to it
   * @returns {(frame: any[]) => void} takes its reports
   */
  follow(replica, channel) {
    const grant = (/** @type {number} */ ms) => {
      if (channel.state === 'open') channel.send([KIND.CORES, ms]);
    };
    void replica.ended.then(() => this.#end(replica));
    return ([kind, wishes, record]) => {
      if (kind !== KIND.INSIDE) throw new IgnisError('IGNIS_BAD_FRAME', 'only home gives turns');
      if (replica.state === 'ended') return;
      this.#hear(replica, record);
      if (wishes === 1) this.#turns(replica).ask(replica, grant);
      else this.#turns(replica).leave(replica);
    };
  }

  /**
   * @param {Replica} replica that gets no more calls
   * @param {number} ms how long it may take
   * @returns {Promise<void>} when it has ended what it started and made its last report, or does not answer; never rejects
   */
  takeLeave(replica, ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      const done = () => resolve(clearTimeout(timer));
      void replica.ended.then(done);
      replica.ask({ kind: LEAVE }, { finish: done, fail: done });
    });
  }

  /** @returns {any[]} a BoundaryReport for each boundary in a replica */
  get boundaries() {
    const living = [...this.#heard.values()].flatMap(({ boundaries }) => boundaries);
    return [...living, ...this.#past.values()].map((row) => ({ ...row, id: `${row.id} (in ${row.home})`, functions: {} }));
  }

  /** @returns {any[]} replicas that replicas have started */
  get replicas() {
    return [...this.#ended, ...[...this.#heard.values()].flatMap(({ replicas }) => replicas)];
  }

  /**
   * @template {{boundaries: any[], decisions: any[], replicas: any[]}} T
   * @param {T} report of this program alone
   * @returns {T} with what is in its replicas added
   */
  addTo(report) {
    if (this.#heard.size === 0 && this.#past.size === 0) return report;
    return {
      ...report,
      boundaries: [...report.boundaries, ...this.boundaries],
      decisions: [...report.decisions, ...this.#decisions].sort((a, b) => a.time - b.time),
      replicas: [...report.replicas, ...this.replicas],
    };
  }

  /** @param {string} home @param {string} module @returns {{reason: string, sentence: string} | null} its last decision about the module */
  latest(home, module) {
    return this.#decisions.findLast((decision) => decision.home === home && decision.module === module) ?? null;
  }

  /** @returns {any[]} decisions made in replicas since the last time */
  takeNews() {
    return this.#news.splice(0);
  }

  /** @param {Replica} replica @param {any} record its shape was checked */
  #hear(replica, record) {
    const before = this.#heard.get(replica);
    const name = before?.name ?? this.#nameOf(replica);
    const home = `${name ?? 'replica'} #${replica.id}`;
    /** @param {keyof typeof MOST} key */
    const rows = (key) =>
      insideRows(key, record[key]).map((row) => ({ ...row, home: `${home}${row.home === '' ? '' : ` > ${row.home}`}` }));
    const figures = {};
    // From deeper inside, the id already names its home.
    const bare = (/** @type {string} */ id, /** @type {string} */ inner) =>
      inner !== '' && id.endsWith(inner) ? id.slice(0, -inner.length) : id;
    const ids = new Map(record.boundaries.map((/** @type {any} */ row) => [row.id, bare(row.id, row.home && ` (in ${row.home})`)]));
    const boundaries = rows('boundaries').map((row) => ({ ...row, id: ids.get(row.id) }));
    this.#heard.set(replica, { name, boundaries, replicas: rows('replicas') });
    const decisions = rows('decisions').map((row) => ({ ...row, figures }));
    this.#decisions = [...this.#decisions, ...decisions].slice(-MOST_DECISIONS);
    this.#news = [...this.#news, ...decisions].slice(-MOST.decisions);
  }

  /** @param {Replica} replica */
  #end(replica) {
    this.#turns(replica).leave(replica);
    const heard = this.#heard.get(replica);
    if (heard === undefined) return;
    this.#heard.delete(replica);
    const home = `${heard.name ?? 'replica'}, ended`;
    for (const row of heard.boundaries) this.#sum({ ...row, home });
    const gone = heard.replicas.map((row) => ({
      ...row,
      ...(row.state === 'ended' ? {} : { state: 'ended', endedWhy: 'its home ended' }),
    }));
    this.#ended = [...this.#ended, ...gone.map((row) => ({ ...row, pending: null, utilisation: null }))].slice(-MOST_ENDED);
  }

  /** @param {any} row of an ended replica */
  #sum(row) {
    const key = `${row.home}\0${row.id}`;
    const before = this.#past.get(key);
    if (before === undefined && this.#past.size >= MOST.boundaries) return;
    const rest = { callsPerSecond: 0, share: 0, pending: 0, pressure: 0, replicas: 0, p50Ms: null, p99Ms: null, latencyMs: null };
    const sum = { ...row, ...rest, state: row.state === 'declined' ? 'declined' : 'home', kinds: { ...before?.kinds, ...row.kinds } };
    for (const field of SUMS) sum[field] += before?.[field] ?? 0;
    sum.maxMs = Math.max(row.maxMs ?? 0, before?.maxMs ?? 0);
    sum.meanMs = sum.calls > 0 ? sum.exclusiveMs / sum.calls : null;
    this.#past.set(key, sum);
  }
}

exports.Insides = Insides;
exports.LEAVE = LEAVE;
exports.MOST_DEPTH = MOST_DEPTH;
