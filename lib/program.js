'use strict';
/*
 * One program under Ignis: the rooms tied together. In: options, recipes, imports as they happen. Out: boundaries that are measured, modules
 * that are distributed and brought home, a report. There is one of it in a process. It must never keep the program alive, and an import
 * must never fail because of it, except for a recipe that is wrong.
 */
const os = require('node:os');
const path = require('node:path');
const { readOptions } = require('./options');
const { publish } = require('./diagnostics');
const { makeIdentify, appRootOf } = require('./import/module-id');
const { installHook } = require('./import/hook');
const { ownFiles } = require('./import/own-files');
const { lineOf } = require('./import/place');
const { RecipeBook } = require('./recipe/book');
const { consentOf } = require('./recipe/merge');
const { Boundary, boundaryOf } = require('./wrap/boundary');
const { Distribution } = require('./wrap/distribution');
const { Window } = require('./profile/window');
const { EventLoop } = require('./profile/event-loop');
const { Machine } = require('./profile/machine');
const { onLongCall } = require('./profile/attribution');
const { followByNeed, stopFollowing } = require('./profile/later');
const { startCoarseClock, stopCoarseClock } = require('./profile/coarse-clock');
const { pressureOf } = require('./rank/pressure');
const { prospectsOf } = require('./rank/prospects');
const { Coordinator } = require('./rank/coordinator');
const { boundaryRecords } = require('./view/boundary-records');
const { explain } = require('./view/explanation');
const { buildReport, boundaryReports } = require('./view/snapshot');
const { writeAtExit } = require('./view/exit-report');
const { showLive } = require('./view/live');
const { Fleet } = require('./spawn/fleet');
const { Residents } = require('./spawn/residents');
const { parseForce } = require('./import/force');

/** @typedef {import('./types').EffectiveRecipe} EffectiveRecipe */
/** @typedef {import('./types').ModuleId} ModuleId */

/** What is not needed at once waits until the program has settled, ms. */
const SETTLE_MS = 200;
const MEASURE_MS = 2000;

class Program {
  #options;
  #book;
  #hook;
  #fleet;
  #residents;
  /** @type {(filename: string) => boolean} */
  #isForced = () => false;
  #distribution;
  #window;
  #loop;
  #coordinator;
  /** @type {Map<string, Boundary>} by id */
  #boundaries = new Map();
  /** @type {WeakMap<Boundary, unknown>} the second argument of `require`, where there was one */
  #importRecipes = new WeakMap();
  #startedAt = Date.now();
  #appRoot;
  #identify;
  /** @type {(NodeJS.Timeout)[]} */
  #timers = [];
  #isClosed = false;
  #hideLive;
  #hasWarned = false;
  /** sets whose first needs were seen to */
  #prepared = new WeakSet();

  /**
   * @param {Record<string, unknown>} given options in code or on the command line
   * @param {string} [where] said in messages
   * @throws {IgnisError} IGNIS_BAD_OPTION, IGNIS_BAD_RECIPE, IGNIS_NOT_FOUND: the program is not watched then
   */
  constructor(given, where) {
    this.#options = readOptions({ env: process.env, given, where });
    const { windowMs, tickMs, reclaimMs, recipe, level } = this.#options;
    this.#appRoot = appRootOf(path.resolve(process.argv[1] ?? 'repl'));
    this.#identify = makeIdentify(this.#appRoot);
    this.#book = new RecipeBook({ appRoot: this.#appRoot, recipeFile: recipe, level });
    this.#fleet = new Fleet(/** @type {any} */ (this.#options));
    this.#residents = new Residents(/** @type {any} */ (this.#options));
    if (this.#options.force !== undefined) {
      this.#isForced = parseForce(this.#options.force, process.cwd());
      this.#residents.prepare();
    }
    this.#distribution = new Distribution({ fleet: this.#fleet, boundaries: () => this.#boundaries.values(), consent: consentOf });
    this.#window = new Window({ windowMs, tickMs });
    this.#loop = new EventLoop({ windowMs, tickMs });
    const machine = new Machine();
    this.#coordinator = new Coordinator({
      options: { tickMs, windowMs, reclaimMs, cpus: os.availableParallelism(), poolThreads: Number(process.env.UV_THREADPOOL_SIZE) || 4 },
      sources: {
        readings: () => {
          this.#window.tick();
          return followByNeed(this.#window.readings(this.#loop.spanMs()), this.#loop.readLately());
        },
        loop: () => this.#loop.readLately(),
        sets: () => [...this.#fleet.sets].map((set) => set.read(performance.now(), this.#distribution.permission(set.module).copies)),
        permission: (module) => this.#distribution.permission(module),
        freeCores: () => machine.readFree(),
      },
      effects: {
        resize: (module, count, decision) => this.#resize(module, count, decision),
        guide: (module, guidelines) => this.#guide(module, guidelines),
        saturated: (module, level) => this.#distribution.tellSaturation(module, level),
      },
    });
    this.#hook = installHook({
      level: this.#book.level,
      isHot: (edge) => this.#book.isHot(this.#identify(edge.filename ?? String(edge.builtin))),
      isCold: (edge) => this.#book.isCold(this.#identify(edge.filename ?? String(edge.builtin))),
      isResident: (edge, importRecipe) => this.#isResident(edge, importRecipe),
      onResident: (edge, importRecipe, isFresh) => this.#requireResident(edge, importRecipe, isFresh),
      onImport: (seen) => this.#import(seen),
      onAgain: (_edge, handed) => boundaryOf(handed)?.refresh(),
      onLoaded: (edge) => this.#loaded(edge),
    });
    onLongCall(({ boundary }, ms) => {
      boundary.calledAt ??= lineOf(boundary.parent.filename, this.#appRoot);
      // The boundary decides alone, by its guidelines, what is worth a look before the next tick.
      if (ms >= (boundary.guidelines?.longCallMs ?? 0)) this.#coordinator.nudge(boundary.child.name, ms);
    });
    this.#loop.start();
    this.#coordinator.start();
    this.#later(SETTLE_MS, () => this.#settle());
    this.#hideLive = showLive({ options: this.#options, report: () => this.report() }, (line) => process.stderr.write(line));
    if (this.#options.report !== undefined) writeAtExit(this.#options.report, () => this.report());
  }

  get options() {
    return this.#options;
  }

  /** @param {unknown} recipe for the whole program @param {string} where file and line */
  setRecipe(recipe, where) {
    this.#book.setProgram(recipe, where);
    for (const boundary of [...this.#boundaries.values()]) {
      const { child, parent } = boundary;
      this.#forget(boundary);
      boundary.setRecipe(this.#book.lookup({ module: child, parent, importRecipe: this.#importRecipes.get(boundary) }));
      this.#register(boundary);
    }
  }

  /** Files of packages that were loaded before us: their imports cannot be watched. @param {string} self the file that asks */
  warnOfEarlier(self) {
    const own = ownFiles();
    const others = this.#hook.loadedBefore.filter((file) => !own.has(file));
    const packages = [...new Set(others.map((file) => this.#identify(file).packageName))].filter((name) => name !== null);
    if (packages.length === 0 || this.#hasWarned || this.#options.quiet) return;
    this.#hasWarned = true;
    const message = `loaded before Ignis, so their own imports are not watched: ${packages.join(', ')}; require ignis first in ${path.basename(self)}`;
    publish('ignis:warning', { message });
    process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_LATE' });
  }

  /** @returns {import('./types').BoundaryReport[]} most pressed first */
  boundaries() {
    return boundaryReports(this.#boundaryRecords());
  }

  /**
   * @param {string} id of a boundary, or the name of a module
   * @returns {string} a line for each boundary that is meant: what it is, and what was decided last
   * @throws {IgnisError} IGNIS_NOT_FOUND naming the nearest
   */
  explain(id) {
    return explain(id, this.boundaries(), { latestOf: (module) => this.#coordinator.latest(module), prospects: this.#prospects() });
  }

  /** @returns {import('./types').Report} */
  report() {
    const { utilisation, delayMs } = this.#loop.read();
    return buildReport({
      program: {
        ignis: require('../package.json').version,
        node: process.version,
        cpus: os.availableParallelism(),
        pid: process.pid,
        program: process.argv[1] ?? '',
        startedAt: this.#startedAt,
        writtenAt: Date.now(),
        loop: { utilisation, delayMs },
      },
      boundaries: this.#boundaryRecords(),
      busiest: this.#coordinator.busiest.best,
      prospects: this.#prospects(),
      decisions: /** @type {any} */ (this.#coordinator.decisions),
      replicas: /** @type {any} */ ([...this.#fleet.records(), ...this.#residents.records()]),
    });
  }

  /** @returns {Promise<void>} when calls in replicas have ended, and the replicas too */
  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#hook.uninstall();
    this.#coordinator.close();
    this.#loop.close();
    this.#hideLive();
    onLongCall(null);
    stopFollowing();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#distribution.close();
    await Promise.all([stopCoarseClock(), this.#fleet.close(), this.#residents.close()]);
  }

  /** @param {import('./import/hook').Import} seen */
  #import(seen) {
    const child = this.#identify(seen.filename ?? String(seen.builtin));
    const parent = this.#identify(seen.parentFile);
    const recipe = this.#book.lookup({
      module: child,
      parent,
      importRecipe: seen.recipe,
      where: () => lineOf(seen.parentFile, this.#appRoot),
    });
    const known = seen.handed === undefined ? undefined : boundaryOf(seen.handed);
    if (known !== undefined) {
      this.#importRecipes.set(known, seen.recipe);
      this.#forget(known);
      known.setRecipe(recipe);
      this.#register(known);
      return seen.handed;
    }
    const mayDistribute = consentOf(recipe).allowed;
    const boundary = new Boundary({ parent, child, recipe, exports: seen.exports, mayDistribute, isPartial: seen.isPartial });
    this.#importRecipes.set(boundary, seen.recipe);
    if (boundary.isWrapped) this.#register(boundary);
    return boundary.wrapped;
  }

  /** @param {import('./import/hook').Edge} edge @param {unknown} importRecipe */
  #isResident({ parentFile, filename }, importRecipe) {
    if (this.#isClosed || filename === null) return false;
    if (this.#isForced(filename)) return !this.#isForced(parentFile);
    if (/** @type {any} */ (importRecipe)?.call !== 'block' && !this.#book.namesResidents) return false;
    return this.#recipeOf(parentFile, filename, importRecipe).call === 'block';
  }

  /** @param {import('./import/hook').Edge} edge @param {unknown} importRecipe @param {boolean} isFresh */
  #requireResident({ parentFile, filename }, importRecipe, isFresh) {
    const file = /** @type {string} */ (filename);
    const { name } = this.#identify(file);
    const isForced = this.#isForced(file);
    const recipe = this.#recipeOf(parentFile, file, importRecipe);
    // What is forced shares one replica, so no recipe of one module counts there.
    const how = isForced ? { where: this.#options.where, group: 'forced' } : { where: recipe.where, group: name, args: recipe.args };
    return this.#residents.require({ name, filename: file }, { ...how, isFresh });
  }

  /** @param {string} parentFile @param {string} filename @param {unknown} importRecipe */
  #recipeOf(parentFile, filename, importRecipe) {
    return this.#book.lookup({
      module: this.#identify(filename),
      parent: this.#identify(parentFile),
      importRecipe,
      where: () => lineOf(parentFile, this.#appRoot),
    });
  }

  /** @param {Boundary} boundary */
  #register(boundary) {
    // Of a module that was loaded anew, the old edge has nothing more to tell.
    const old = this.#boundaries.get(boundary.id);
    if (old !== undefined && old !== boundary) this.#window.forget(old.id);
    this.#boundaries.set(boundary.id, boundary);
    this.#window.track(/** @type {any} */ (boundary));
    publish('ignis:boundary', { id: boundary.id, parent: boundary.parent, child: boundary.child });
    const set = this.#isClosed ? null : this.#distribution.add(boundary);
    if (set === null) return;
    this.#coordinator.register(boundary.child.name);
    if (this.#prepared.has(set)) return;
    this.#prepared.add(set);
    this.#later(SETTLE_MS, () => this.#prepare(boundary.recipe, set));
  }

  /** @param {Boundary} boundary that gets another recipe */
  #forget(boundary) {
    this.#distribution.remove(boundary);
    this.#window.forget(boundary.id);
  }

  /** A module that was handed out while it loaded is whole now. @param {import('./import/hook').Edge} edge */
  #loaded(edge) {
    const parent = this.#identify(edge.parentFile);
    const child = this.#identify(edge.filename ?? String(edge.builtin));
    for (const boundary of this.#boundaries.values()) {
      if (boundary.parent === parent && boundary.child === child) boundary.reconcile();
    }
  }

  /** @param {string} module @param {number} count @param {any} decision */
  #resize(module, count, decision) {
    const set = this.#fleet.get(module);
    const recipe = this.#distribution.recipeOf(module);
    if (set === undefined || recipe === undefined) return;
    void set.resize(count, decision.sentence).then(() => this.#fleet.prepare(recipe));
  }

  /** @param {string} module @param {import('./rank/coordinator').Guidelines} guidelines */
  #guide(module, guidelines) {
    for (const boundary of this.#boundaries.values()) if (boundary.child.name === module) boundary.guidelines = guidelines;
  }

  /** @param {EffectiveRecipe} recipe @param {import('./spawn/replica-set').ReplicaSet} set */
  #prepare(recipe, set) {
    if (recipe.preload) void set.preload();
    void this.#fleet.prepare(recipe);
  }

  #settle() {
    if (this.#boundaries.size === 0) return this.#later(SETTLE_MS, () => this.#settle());
    startCoarseClock();
    const timer = setInterval(() => void this.#fleet.measure(), MEASURE_MS).unref();
    this.#timers.push(timer);
  }

  /** @param {number} ms @param {() => void} run unless the program ends first or Ignis is closed */
  #later(ms, run) {
    const timer = setTimeout(() => {
      this.#timers = this.#timers.filter((other) => other !== timer);
      run();
    }, ms).unref();
    this.#timers.push(timer);
  }

  #prospects() {
    return prospectsOf(this.#coordinator.busiest.best, os.availableParallelism());
  }

  #boundaryRecords() {
    const loop = this.#loop.read();
    return boundaryRecords({
      boundaries: this.#boundaries.values(),
      window: this.#window,
      pressureOf: (reading) => pressureOf(reading, loop),
      consentOf: ({ recipe }) => consentOf(recipe),
      permissionOf: (module) => this.#distribution.permission(module),
      setOf: (module) => this.#fleet.get(module),
    });
  }
}

exports.Program = Program;
