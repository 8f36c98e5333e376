'use strict';
/*
 * What the hosts of a recipe offer for one more replica, for whoever decides. In: nodes or a cluster, asked repeatedly. Out: at once, what
 * is known now: for each host that was heard lately, its idle cores, its speed relative to home's, and its distance. It makes the links
 * that such facts come over, and after a loss makes them again when it is time; it starts nothing, and never fails.
 */
const { missingLabel } = require('./survey');
const { measureSpeed } = require('./survey-speed');
const { JSON, Map, Math, Set, isFinite, performance } = require('../engine');

/** @typedef {import('./host').Host} Host */
/** @typedef {import('./host').Node} Node */
/** @typedef {{nodes?: readonly Node[], cluster?: string, labels?: Record<string, string>}} Wanted */
/**
 * @typedef {{name: string, cpus: number, free: number, room: number, own: number, speed: number, roundTripMs: number, weight: number}}
 *   Offer see lib/rank/hosts.js
 */
/** @typedef {{named: number, awaited: number, offers: Offer[]}} Offered */
/**
 * @typedef {{at: number, named: number, nodes: readonly import('./survey').ClusterNode[], askedAt: number, isAsked: boolean, hasFailed:
 *   boolean}} Surveyed what a cluster said last
 */

/** A daemon reports once a second. Older facts say nothing: that it was idle a minute ago is no reason to start something. */
const FRESH_MS = 4000;
/** A cluster is asked no more often, ms. */
const SURVEY_MS = 1000;
/** Hosts of a cluster that home links to only to learn their distance: those with the most weight. */
const MOST_LINKED = 4;

/** Of this machine, measured when a host first reports. @type {number | null} */
let homeSpeed = null;

/**
 * @param {any} facts of a host: they come from another machine
 * @returns {{cpus: number, free: number, room: number, speed: number}}
 */
function readFacts({ cpus, freeCores, load, maxReplicas, replicas, speed }) {
  const amount = (/** @type {unknown} */ value, /** @type {number} */ otherwise) =>
    isFinite(value) && Number(value) >= 0 ? Number(value) : otherwise;
  const all = Math.max(1, amount(cpus, 1));
  homeSpeed ??= measureSpeed();
  return {
    cpus: all,
    // If its system hides what is idle: from the mean load of the last minute.
    free: Math.min(all, amount(freeCores, Math.max(0, all - amount(load, 0)))),
    room: Math.max(0, amount(maxReplicas, 0) - amount(replicas, 0)),
    speed: amount(speed, 0) > 0 ? Number(speed) / homeSpeed : 1,
  };
}

class Offers {
  #hosts;
  #now;
  /** @type {Map<string, Surveyed>} by cluster and labels */
  #surveyed = new Map();

  /**
   * @param {{get: (node: Node) => Host, directory: (cluster: string) => {survey: (labels?: Record<string, string>) => Promise<any>}}} hosts
   * @param {() => number} [now] ms
   */
  constructor(hosts, now = () => performance.now()) {
    this.#hosts = hosts;
    this.#now = now;
  }

  /** @param {Wanted} wanted @returns {Offered} */
  read({ nodes = [], cluster, labels = {} }) {
    try {
      return cluster === undefined ? this.#ofNodes(nodes, labels) : this.#ofCluster(cluster, labels);
    } catch {
      // Home has no identity, which a start will report.
      return { named: nodes.length, awaited: 0, offers: [] };
    }
  }

  /** @param {readonly Node[]} nodes @param {Record<string, string>} labels @returns {Offered} */
  #ofNodes(nodes, labels) {
    const hosts = [...new Set(nodes.map((node) => this.#hosts.get(node)))];
    let awaited = 0;
    /** @type {Offer[]} */
    const offers = [];
    for (const host of hosts) {
      this.#meet(host);
      if (!this.#isFresh(host)) awaited += Number(host.isLinked || host.isAsked);
      else if (missingLabel(host.word.facts.labels, labels) === '') offers.push(offerOf(host, host.word.facts, host.word.roundTripMs ?? 0));
    }
    return { named: hosts.length, awaited, offers };
  }

  /** @param {string} cluster @param {Record<string, string>} labels @returns {Offered} */
  #ofCluster(cluster, labels) {
    const surveyed = this.#survey(cluster, labels);
    if (this.#now() - surveyed.at > FRESH_MS)
      return { named: surveyed.named, awaited: Number(surveyed.isAsked && !surveyed.hasFailed), offers: [] };
    const known = surveyed.nodes.map((node) => ({ node, host: this.#hosts.get(node) }));
    for (const { host } of [...known].sort((a, b) => b.node.weight - a.node.weight).slice(0, MOST_LINKED)) this.#meet(host);
    const trips = known.flatMap(({ host }) => host.word.roundTripMs ?? []);
    const usual = trips.length === 0 ? 0 : trips.reduce((sum, ms) => sum + ms, 0) / trips.length;
    const offers = known.map(({ node, host }) => ({ ...offerOf(host, node.facts, host.word.roundTripMs ?? usual), room: node.room }));
    return { named: surveyed.named, awaited: 0, offers };
  }

  /** @param {string} cluster @param {Record<string, string>} labels @returns {Surveyed} the last answer */
  #survey(cluster, labels) {
    const key = JSON.stringify([cluster, labels]);
    const surveyed = this.#surveyed.get(key) ?? {
      at: -Infinity,
      named: 0,
      nodes: [],
      askedAt: -Infinity,
      isAsked: false,
      hasFailed: false,
    };
    this.#surveyed.set(key, surveyed);
    if (surveyed.isAsked || this.#now() - surveyed.askedAt < SURVEY_MS) return surveyed;
    surveyed.askedAt = this.#now();
    const answered = (/** @type {any} */ { nodes, full, said }) =>
      Object.assign(surveyed, { nodes: [...nodes, ...full], named: nodes.length + said.length, at: this.#now(), hasFailed: false });
    // Throws if home cannot read its identity now.
    const answer = this.#hosts.directory(cluster).survey(labels);
    surveyed.isAsked = true;
    void answer.then(answered, () => (surveyed.hasFailed = true)).finally(() => (surveyed.isAsked = false));
    return surveyed;
  }

  /** @param {Host} host gets a link, unless that failed lately */
  #meet(host) {
    if (!host.isLinked && !host.isFailing) void host.link().catch(() => {});
  }

  /** @param {Host} host */
  #isFresh({ isLinked, word }) {
    return isLinked && word.facts !== null && this.#now() - word.at <= FRESH_MS;
  }
}

/** @param {Host} host @param {any} facts @param {number} roundTripMs @returns {Offer} */
function offerOf({ title, node, load, isDraining }, facts, roundTripMs) {
  const read = readFacts(facts);
  return {
    name: title,
    ...read,
    room: isDraining ? 0 : read.room,
    own: load,
    roundTripMs,
    weight: node.weight ?? read.speed * Math.max(1, read.free),
  };
}

/** Without an idle core, replicas only take turns: other hosts come first. */
const LEAST_FREE = 0.2;

/** @param {any} facts of a host; null: unknown @param {number} starting replicas that are about to take a core each @returns {boolean} */
const isFull = (facts, starting) => facts !== null && readFacts(facts).free - starting < LEAST_FREE;

/** @param {any} facts of a host; null: unknown @returns {number} its weight if the recipe gives none */
const measuredWeight = (facts) => (facts === null ? 1 : readFacts(facts).speed);

exports.Offers = Offers;
exports.isFull = isFull;
exports.measuredWeight = measuredWeight;
