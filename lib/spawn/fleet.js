'use strict';
/*
 * The fleet: all replica sets of a program, and its warm spares. In: which module, with which recipe, how many replicas. Out: its set.
 * There is one set for each module that may be distributed, shared by all boundaries to it. It decides nothing. The code for replicas, a
 * quarter of all of ours, is loaded for the first module that may have some.
 */
const { watchDrops } = require('../boot/inherited');
const { memoryOf } = require('./memory-of');
const { MOST_RECORDS } = require('./roll');
const { firstOf, isBoth } = require('./where');
const { Map, Promise, Set, clearInterval, setInterval, setTimeout } = require('../engine');

/**
 * Spares that were taken are replaced this long after the number of replicas has changed, ms; a free processor for them is looked for as
 * often.
 */
const REFILL_MS = 2500;
/** How often a retired set is checked for being done, ms. */
const LOOK_MS = 10;

/**
 * @typedef {object} FleetOptions
 * @property {number} spares
 * @property {number} startMs
 * @property {number} closeMs
 * @property {number} maxFrameBytes
 * @property {string} [identity] who home is to other hosts, and whom it trusts: docs/hosts.md
 * @property {string} [trust]
 * @property {string} [deployKey]
 * @property {number} [heartbeatMs] 0: none
 * @property {import('./insides').Insides} [insides] for replicas in which Ignis is to be active
 * @property {import('./spare-pool').Admit} [admit] asked for each replica, if others decide how many may run
 * @property {{count: <T>(run: () => T) => T}} [own] counts what occupies the event loop as Ignis's own
 */

/** @typedef {import('./replica-set').ReplicaSet} ReplicaSet */
/** @typedef {import('./spare-pool').SparePool} SparePool */

class Fleet {
  #options;
  /** @type {SparePool | null} made for the first module that may have replicas */
  #spares;
  /** @type {Map<string, ReplicaSet>} by name of a module or group */
  #sets = new Map();
  /** @type {Set<ReplicaSet>} of modules that were loaded anew, until they end */
  #retired = new Set();
  /** @type {object[]} records of sets that have ended */
  #past = [];
  #isClosed = false;
  /** @type {import('../host/hosts').Hosts | null} made for the first recipe that wants hosts */
  #hosts = null;
  /** @type {Set<string>} modules whose spares are yet to be replaced */
  #refilling = new Set();
  /** @type {Promise<void> | null} a look that is under way: it may have started a process of its own */
  #measuring = null;

  /**
   * @param {FleetOptions} options
   * @param {SparePool} [spares]
   */
  constructor(options, spares) {
    this.#options = options;
    this.#spares = spares ?? null;
    watchDrops();
  }

  get spares() {
    return (this.#spares ??= this.#makeSpares());
  }

  #makeSpares() {
    const { SparePool, launchAdmitted, launchThere } = require('./spare-pool');
    const { admit, startMs, own } = this.#options;
    const launch = admit === undefined ? launchThere : launchAdmitted(admit);
    // Starting a process blocks the event loop, for up to tens of milliseconds.
    return new SparePool(own === undefined ? launch : (settings) => own.count(() => launch(settings)), startMs);
  }

  get sets() {
    return this.#sets.values();
  }

  /**
   * What the coordinator sees of all sets.
   *
   * @param {number} now ms
   * @param {(module: string) => [number, number]} copiesOf
   * @param {number} spanMs see gauge.js
   */
  read(now, copiesOf, spanMs) {
    return [...this.sets].map((set) => set.read(now, copiesOf(set.module), spanMs));
  }

  /** @param {string} module @returns {ReplicaSet | undefined} */
  get(module) {
    return this.#sets.get(module);
  }

  /**
   * @param {{name: string, kind: string, filename: string | null, isEsModule?: boolean}} module
   * @param {Record<string, any>} recipe of the first boundary that may distribute it
   * @param {(name: string) => Function | undefined} errorClass
   * @param {string} [name] of the set, if it is not the module's: a group that others may join
   * @returns {ReplicaSet}
   */
  open(module, recipe, errorClass, name = module.name) {
    const known = this.#sets.get(name);
    if (known !== undefined) return known;
    const { ReplicaSet } = require('./replica-set');
    const set = new ReplicaSet(
      {
        target: targetOf(module),
        name,
        isGroup: name !== module.name,
        launch: { ...this.#launch(recipe), target: targetOf(module) },
        ...(isBoth(recipe.where) && { beyond: { ...this.#launch(recipe, 'host'), target: targetOf(module) } }),
        sched: recipe.sched ?? 'least',
        state: recipe.state ?? 'none',
        qDepth: recipe.qDepth ?? Infinity,
        startMs: this.#options.startMs,
        closeMs: this.#options.closeMs,
        memoryMb: recipe.memoryMb,
        errorClass,
      },
      this.spares,
    );
    this.#sets.set(name, set);
    return set;
  }

  /**
   * A module was loaded anew, or its recipe needs another set: this one takes no more calls, and ends after those it has. The next `open`
   * makes another.
   *
   * @param {string} module
   * @param {string} [why] told about its replicas
   */
  retire(module, why = 'its module was loaded again') {
    const set = this.#sets.get(module);
    if (set === undefined) return;
    this.#sets.delete(module);
    this.#retired.add(set);
    set.isRetired = true;
    void this.#end(set, why);
  }

  /** @param {ReplicaSet} set retired; calls that wait for one of its replicas still get one @param {string} why */
  async #end(set, why) {
    const { begin, settle } = set.order;
    await new Promise((resolve) => {
      const timer = setInterval(() => {
        const isDone = set.queued === 0 && begin.isIdle && settle.isIdle;
        if (isDone || this.#isClosed) resolve(clearInterval(timer));
      }, LOOK_MS).unref();
    });
    const { MOST_MS } = require('./members');
    // The fleet's close may come meanwhile; it has less patience.
    await set.close(why, MOST_MS);
    this.#retired.delete(set);
    this.#past = [...this.#past, ...set.records()].slice(-MOST_RECORDS);
  }

  /** Keeps spares that fit a module of this recipe. @param {Record<string, any>} recipe @returns {Promise<void>} */
  async prepare(recipe) {
    // No place on another host is held for nothing.
    if (this.#options.spares > 0 && !this.#isClosed && recipe.where !== 'host')
      await this.spares.keep(this.#launch(recipe), this.#options.spares);
  }

  /**
   * The same, once the program has caught up with what made it scale out: a starting spare takes the processor from replicas and from home.
   * If all processors are full, calls would take twice as long meanwhile, and nothing is scaled out.
   *
   * @param {string} module
   * @param {() => Record<string, any> | undefined} recipeOf asked then; undefined: a changed recipe has brought the module home
   * @param {{isFull: () => boolean}} cores asked then: whether no processor is free
   */
  prepareLater(module, recipeOf, cores) {
    if (this.#refilling.has(module)) return;
    this.#refilling.add(module);
    setTimeout(() => {
      this.#refilling.delete(module);
      const recipe = this.#isClosed ? undefined : recipeOf();
      if (recipe === undefined) return;
      if (cores.isFull()) this.prepareLater(module, recipeOf, cores);
      else void this.prepare(recipe);
    }, REFILL_MS).unref();
  }

  /**
   * Looks at the memory of all process replicas whose signs of life do not tell it; one look at a time.
   *
   * @returns {Promise<void>} never rejects
   */
  measure() {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  async #measure() {
    const all = [...this.#sets.values()].flatMap((set) => set.replicas);
    const replicas = all.filter(({ where, tellsMemory }) => where === 'process' && !tellsMemory);
    if (replicas.length === 0) return;
    try {
      const bytes = await memoryOf(replicas.map((replica) => replica.pid));
      for (const replica of replicas) replica.rssBytes = bytes.get(replica.pid) ?? replica.rssBytes;
    } catch {
      // One of them ended during the look; the next look tells.
    }
  }

  /** @param {import('./replica').Replica} replica @returns {string | undefined} the name of its set */
  nameOf(replica) {
    return [...this.#retired, ...this.#sets.values()].find((set) => set.replicas.includes(replica))?.module;
  }

  /** @returns {object[]} a record for each replica that lives or has ended */
  records() {
    return [...this.#past, ...[...this.#retired, ...this.#sets.values()].flatMap((set) => set.records())];
  }

  /** @returns {Promise<void>} when all replicas have drained and ended */
  async close() {
    this.#isClosed = true;
    await Promise.all([this.#spares?.close(), ...[...this.#retired, ...this.#sets.values()].map((set) => set.close()), this.#measuring]);
    await this.#hosts?.close();
  }

  /** @param {Record<string, any>} recipe */
  #hostSettings({ nodes = [], cluster, labels }) {
    // Few programs have hosts, and that room takes a tenth of our loading time.
    this.#hosts ??= new (require('../host/hosts').Hosts)(this.#options);
    return { nodes, cluster, labels, hosts: this.#hosts };
  }

  /**
   * @param {Record<string, any>} recipe
   * @param {import('./where').Place} [where] place of its first replicas
   * @returns {import('./spare-pool').LaunchSettings}
   */
  #launch(recipe, where = firstOf(recipe.where)) {
    return {
      where,
      // A named channel leads to one kind of place only.
      comm: isBoth(recipe.where) ? 'auto' : (recipe.comm ?? 'auto'),
      codec: recipe.codec ?? 'msgpackr',
      maxBlockBytes: this.#options.maxFrameBytes,
      ...(where === 'host' ? this.#hostSettings(recipe) : {}),
      heartbeatMs: this.#options.heartbeatMs,
      env: recipe.env,
      nested: recipe.nested ? this.#options.insides?.forReplicas : undefined,
      heapMb: where === 'thread' ? recipe.memoryMb : undefined,
    };
  }
}

/** @param {{name: string, kind: string, filename: string | null, isEsModule?: boolean}} module @returns {import('./load-target').Target} */
function targetOf({ name, kind, filename, isEsModule }) {
  return { kind: kind === 'builtin' ? 'builtin' : 'file', name, place: filename ?? name, ...(isEsModule && { isEsModule }) };
}

exports.Fleet = Fleet;
exports.targetOf = targetOf;
