'use strict';
/*
 * One program under Ignis: ties the rooms together. In: options, recipes, imports as they happen. Out: boundaries that are measured,
 * modules that are distributed and brought home, a report. A process has one of these. It must never keep the program alive, and must never
 * make an import fail, except for a wrong recipe.
 */
const { usableCores } = require('./cores');
const { readOptions } = require('./options');
const { Math, Promise, WeakSet, clearInterval, performance, setInterval } = require('./engine');
const { mainFileOf, makeIdentify } = require('./import/module-id');
const { EsHook } = require('./import/es-hook');
const { installHook } = require('./import/hook');
const { hookOptions } = require('./import/hook-options');
const { tellEarlier } = require('./import/own-files');
const { Imports } = require('./import/imports');
const { Lifting } = require('./import/lifting');
const { lineOf } = require('./import/place');
const { programRootOf } = require('./import/program-root');
const { Recipes } = require('./import/recipes');
const { RecipeBook } = require('./recipe/book');
const { consentOf } = require('./recipe/merge');
const { namedHosts } = require('./recipe/named-hosts');
const { toldOf } = require('./recipe/shipped');
const { Distribution } = require('./wrap/distribution');
const { Window } = require('./profile/window');
const { busyLately, lately, setsLately } = require('./profile/lately');
const { EventLoop } = require('./profile/event-loop');
const { Machine } = require('./profile/machine');
const { OwnTime } = require('./profile/own-time');
const { onLongCall, onLook } = require('./profile/attribution');
const { followByNeed, stopFollowing } = require('./profile/later');
const { Paths } = require('./profile/paths');
const { Ticks } = require('./profile/ticks');
const { restCoarseClock, startCoarseClock, stopCoarseClock } = require('./profile/coarse-clock');
const { OWN_POOL_THREADS, pressureOf } = require('./rank/pressure');
const { Prospects } = require('./rank/prospects');
const { Coordinator } = require('./rank/coordinator');
const { Nesting } = require('./rank/nesting');
const { whatIf } = require('./rank/what-if');
const { boundaryRecords } = require('./view/boundary-records');
const { explain } = require('./view/explanation');
const { buildReport, boundaryReports } = require('./view/snapshot');
const { identityOf } = require('./view/identity');
const { Shown } = require('./view/shown');
const { Files } = require('./fs/files');
const { Fleet } = require('./spawn/fleet');
const { Residents } = require('./spawn/residents');

/** What is not urgent waits until the program has settled, ms. */
const SETTLE_MS = 200;
const MEASURE_MS = 2000;
/** Longer than anything takes: this timer only keeps the process alive, ms. */
const ALIVE_MS = 2 ** 30;

class Program {
  /** @type {any} */ #options;
  #book;
  #hook;
  #esHook;
  #fleet;
  #residents;
  #files;
  #imports;
  #recipes;
  #distribution;
  #window;
  #paths = new Paths();
  #own = new OwnTime();
  #loop;
  #ticks;
  #coordinator;
  #lifting;
  #foretold = new Prospects(usableCores());
  #identity = identityOf(Date.now());
  #appRoot;
  #identify;
  #shown;
  /** @type {Promise<void> | null} */
  #closing = null;
  #hasWarned = false;
  /** Ignis inside replicas of this program, and inside this process if it is a replica itself */
  nesting;
  /** sets that were prepared once */
  #prepared = new WeakSet();

  /**
   * @param {Record<string, unknown>} given options in code or on the command line
   * @param {string} [where] named in messages
   * @param {import('./rank/nesting').InsideOf} [inside] given if it runs in a replica
   * @throws {IgnisError} IGNIS_BAD_OPTION, IGNIS_BAD_RECIPE, IGNIS_NOT_FOUND: then the program is not watched
   */
  constructor(given, where, inside) {
    // Environment variables are for home alone.
    this.#options = readOptions({ env: inside === undefined ? process.env : {}, given, where });
    const { windowMs, tickMs, reclaimMs, recipe, level } = this.#options;
    const appRoot = (this.#appRoot = inside?.root ?? programRootOf(mainFileOf(), recipe));
    this.#identify = makeIdentify(appRoot);
    this.#book = new RecipeBook({
      appRoot,
      recipeFile: inside?.root === undefined ? recipe : null,
      level,
      hosts: namedHosts(this.#options),
    });
    if (inside !== undefined) this.#book.unpack(inside.recipes);
    const rooms = () => this.#rooms();
    const nesting = (this.nesting = new Nesting({ inside, root: appRoot, machine: new Machine(), options: this.#options, rooms }));
    const fleet = (this.#fleet = new Fleet({ ...this.#options, own: this.#own, insides: nesting.insides, admit: inside?.admit }));
    this.#residents = new Residents(this.#options);
    this.#files = new Files();
    this.#window = new Window({ windowMs, tickMs });
    const imports = (this.#imports = new Imports({
      appRoot,
      book: this.#book,
      identify: this.#identify,
      window: this.#window,
      paths: this.#paths,
      residents: this.#residents,
      files: this.#files,
      options: this.#options,
      forcedTo: { where: this.#options.where, group: 'forced', placing: this.#book.hosts ?? undefined, isForced: true },
      onCandidate: (boundary, set) => this.#addCandidate(boundary, set),
    }));
    this.#distribution = imports.distribution = new Distribution({ fleet, boundaries: () => imports.boundaries, consent: consentOf });
    this.#recipes = new Recipes({ book: this.#book, imports, appRoot, isQuiet: this.#options.quiet === true });
    const timers = (this.#ticks = new Ticks({ own: this.#own, tickMs, windowMs }));
    const everyMs = () => timers.everyMs;
    this.#loop = new EventLoop({ windowMs, tickMs, ownMs: () => this.#own.ms, rest: restCoarseClock, timers, everyMs });
    const copies = (/** @type {string} */ module) => this.#distribution.permission(module).copies;
    const setsIn = (/** @type {number} */ ms) => this.#fleet.read(performance.now(), copies, ms);
    this.#coordinator = new Coordinator({
      timers,
      options: { tickMs, windowMs, reclaimMs, cpus: usableCores(), poolThreads: OWN_POOL_THREADS },
      sources: {
        readings: () => followByNeed(this.#window.tickInTurn().readings(this.#loop.spanMs()), this.#loop.readLately()),
        loop: () => this.#loop.readLately(),
        busy: inside === undefined ? () => busyLately(this.#window, this.#loop) : undefined,
        sets: () => setsLately(this.#window, this.#loop, setsIn),
        lately: (ms, isFromFirst) => lately(this.#window, this.#loop, setsIn, ms, isFromFirst),
        permission: (module) => nesting.bound(module, this.#distribution.permission(module)),
        freeCores: () => nesting.free(),
        beside: () => nesting.beside,
      },
      effects: {
        resize: (module, count, decision) => this.#resize(module, count, decision),
        guide: (module, guidelines) => this.#distribution.guide(module, guidelines),
        saturated: (module, level) => this.#distribution.tellSaturation(module, level),
      },
    });
    this.#lifting = new Lifting({ appRoot, book: this.#book, identify: this.#identify });
    this.#hook = installHook(
      hookOptions({ ...this.#rooms(), noteSource: (text, file) => this.#esHook?.noteSource(text, file), served: inside?.served }),
    );
    this.#esHook = new EsHook({
      hook: this.#hook,
      lifting: this.#lifting,
      imports,
      isAwaited: inside?.isEsModule,
    }).install();
    imports.onRefresh = () => this.#esHook.refresh();
    onLongCall((point, ms) => {
      point.boundary.calledAt ??= lineOf(point.boundary.files, this.#appRoot);
      if (ms >= (point.boundary.guidelines?.longCallMs ?? 0)) this.#coordinator.nudge(point.boundary.setName, ms);
      this.#distribution.giveTurns(point);
    });
    onLook((point, now) => this.#paths.look(point, now));
    this.#loop.start();
    this.#coordinator.start();
    // In a replica, what Ignis may do depends on whose turn it is.
    if (inside === undefined) timers.follow({ window: this.#window, loop: this.#loop, isCalm: () => this.#coordinator.isCalm });
    this.#own.later(SETTLE_MS, () => this.#settle());
    const shown = { identity: this.#identity, rooms: () => this.#rooms(), window: this.#window, whatIf };
    this.#shown = new Shown(this, inside === undefined ? { ...shown, timers } : shown);
  }

  get options() {
    return this.#options;
  }

  /** What viewers of this program are shown; see view/feed.js. */
  get feed() {
    return this.#shown.feed;
  }

  /** @param {unknown} recipe for the whole program @param {string} where file and line */
  setRecipe(recipe, where) {
    this.#recipes.setProgram(recipe, where);
    this.#hook.level = this.#book.level;
    this.#esHook.refresh();
  }

  /** @param {string | RegExp} target @param {unknown} recipe null takes it back @param {string} where file and line @returns what holds now, by boundary */
  setLive(target, recipe, where) {
    return this.#recipes.setLive(target, recipe, where);
  }

  /** Warns of modules that were loaded before Ignis: they cannot be watched. @param {string} self the file that asks */
  warnOfEarlier(self) {
    if (this.#hasWarned || this.#options.quiet) return;
    this.#hasWarned = tellEarlier(this.#hook.loadedBefore, this.#identify, self);
  }

  /** @param {string} id @param {unknown} recipe @param {string} parentFile @returns {Promise<any>} the namespace of the module */
  import(id, recipe, parentFile) {
    return this.#esHook.import(id, recipe, parentFile);
  }

  /** @returns {import('./types').BoundaryReport[]} most pressed first */
  boundaries() {
    return [...boundaryReports(this.#boundaryRecords()), ...this.nesting.insides.boundaries];
  }

  /**
   * @param {string} id of a boundary, or the name of a module
   * @returns {string} a line for each boundary meant: what it is, and the last decision
   * @throws {IgnisError} IGNIS_NOT_FOUND naming the nearest name
   */
  explain(id) {
    const latestOf = (/** @type {string} */ module, /** @type {string | undefined} */ home) =>
      home === undefined ? this.#coordinator.latest(module) : this.nesting.insides.latest(home, module);
    return explain(id, this.boundaries(), { latestOf, prospects: this.#prospects(), residents: this.#residents.records() });
  }

  /** @returns {import('./types').Report} together with what active Ignises in replicas report */
  report() {
    return this.nesting.insides.addTo({ ...this.ownReport(), prospects: this.#prospects(), timeline: this.#shown.timeline });
  }

  /** @returns {import('./types').Report} of this process alone, without the estimate of what replicas would bring: for those who ask often */
  ownReport() {
    this.#esHook.hear();
    const { utilisation, delayMs } = this.#loop.read();
    return buildReport({
      program: { ...this.#identity, writtenAt: Date.now(), loop: { utilisation, delayMs } },
      boundaries: this.#boundaryRecords(),
      busiest: this.#coordinator.busiest.best,
      paths: this.#paths.read(),
      decisions: /** @type {any} */ (this.#coordinator.decisions),
      replicas: /** @type {any} */ ([...this.#fleet.records(), ...this.#residents.records()]),
      lift: this.#lifting.report(),
      warnings: this.#recipes.warnings,
    });
  }

  /** @returns {string} Prometheus text */
  metrics() {
    return this.#shown.metrics();
  }

  /** @returns {Promise<void>} settles once calls in replicas have ended, and the replicas too; the same for every caller */
  close() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    // Replicas never keep the program alive, so without this timer the process could end before they have.
    const alive = setInterval(() => {}, ALIVE_MS);
    try {
      await this.#endAll();
    } finally {
      clearInterval(alive);
    }
  }

  async #endAll() {
    this.#imports.close();
    this.#recipes.close();
    this.#hook.uninstall();
    this.#esHook.uninstall();
    this.#coordinator.close();
    this.#loop.close();
    this.#shown.close();
    onLongCall(null);
    onLook(null);
    stopFollowing();
    this.#own.close();
    this.#distribution.close();
    await Promise.all([stopCoarseClock(), this.#fleet.close(), this.#residents.close(), this.#files.close()]);
  }

  /** @param {string} module @param {number} count @param {any} decision */
  #resize(module, count, decision) {
    const set = this.#fleet.get(module);
    if (set === undefined) return;
    if (count > 0) this.#files.noteReplica(module);
    const ready = set.resize(count, decision.sentence, decision.figures.here);
    void ready.then(() => this.#fleet.prepareLater(module, () => this.#distribution.recipeOf(module), this.nesting));
  }

  /** @param {import('./wrap/boundary').Boundary} boundary @param {import('./spawn/replica-set').ReplicaSet} set of its module */
  #addCandidate(boundary, set) {
    this.#coordinator.register(boundary.setName);
    this.#ticks.wake();
    const isFirst = !this.#prepared.has(set);
    this.#prepared.add(set);
    if (!isFirst && !boundary.recipe.preload) return;
    this.#own.later(SETTLE_MS, () => {
      this.#recipes.lookForFunctions();
      if (boundary.recipe.preload) void set.preload();
      if (isFirst) void this.#fleet.prepare(boundary.recipe);
    });
  }

  #settle(afterMs = SETTLE_MS) {
    if (this.#imports.count === 0) return this.#own.later(afterMs, () => this.#settle(Math.min(2 * afterMs, MEASURE_MS)));
    startCoarseClock();
    this.#shown.offer();
    this.#own.every(MEASURE_MS, () => void this.#fleet.measure());
  }

  #prospects() {
    return this.#foretold.of(this.#coordinator.busiest.best, (module) => this.#distribution.isBound(module));
  }

  /** What the feed reads and acts upon, and what the hook asks. */
  #rooms() {
    return {
      prospects: () => this.#prospects(),
      files: this.#files,
      lifting: this.#lifting,
      identify: this.#identify,
      coordinator: this.#coordinator,
      fleet: this.#fleet,
      insides: this.nesting.insides,
      residents: this.#residents,
      loop: this.#loop,
      window: this.#window,
      imports: this.#imports,
      book: this.#book,
      recipes: this.#recipes,
      distribution: this.#distribution,
      paths: this.#paths,
      shipped: toldOf,
    };
  }

  #boundaryRecords() {
    const loop = this.#loop.read();
    return boundaryRecords({
      boundaries: this.#imports.boundaries,
      window: this.#window,
      pressureOf: (reading) => pressureOf(reading, loop),
      consentOf: ({ recipe }) => consentOf(recipe),
      permissionOf: (module) => this.#distribution.permission(module),
      setOf: (module) => this.#fleet.get(module),
    });
  }
}

exports.Program = Program;
