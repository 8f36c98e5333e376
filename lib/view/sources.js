'use strict';

// Where the shown figures come from: the rooms of a program, each asked for no more than needed. In: the rooms. Out: the sources of the
// feed (feed.js) and of the acts (acts.js). It keeps only the last figures of memory.

const path = require('node:path');
const { inspect } = require('node:util');
const { IgnisError } = require('../errors');
const { profileOf, takeProfile } = require('../spawn/cpu-profile');
const { Map, Object, performance } = require('../engine');

/**
 * @typedef {object} Rooms
 * @property {{name: string, pid: number, node: string, cpus: number, ignis: string}} program
 * @property {() => import('../types').BoundaryReport[]} reports
 * @property {() => import('../types').Report} report
 * @property {() => import('../types').Prospect[]} prospects
 * @property {import('./history').History} history
 * @property {import('../rank/coordinator').Coordinator} coordinator
 * @property {import('../spawn/fleet').Fleet} fleet
 * @property {import('../spawn/insides').Insides} insides what is in replicas in which Ignis is active
 * @property {import('../spawn/residents').Residents} residents
 * @property {import('../profile/event-loop').EventLoop} loop
 * @property {import('../profile/window').Window} window
 * @property {{read: () => import('../types').PathReport[]}} paths
 * @property {{boundaries: Iterable<any>}} imports
 * @property {{liveOf: (target: string) => any}} book
 * @property {{setLive: (target: string, recipe: any, where: string) => any}} recipes
 * @property {{permission: (set: string) => any}} distribution
 * @property {(module: any) => {evidence: string, pure: readonly string[], cold: boolean} | null} shipped by its ModuleId
 */

/** @param {Rooms} rooms @returns {import('./feed').Sources} */
function feedSources({
  program,
  report,
  reports,
  prospects,
  history,
  coordinator,
  fleet,
  insides,
  residents,
  loop,
  window,
  imports,
  paths,
}) {
  let memory = { rssBytes: 0, heapUsedBytes: 0, heapTotalBytes: 0, externalBytes: 0 };
  return {
    program: () => {
      const { utilisation, delayMs } = loop.read();
      const { name, pid, node, cpus, ignis } = program;
      return {
        ...{ pid, node, cpus, ignis },
        name: path.basename(name),
        path: name,
        uptimeMs: performance.now(),
        memory: (memory = memoryNow() ?? memory),
        loop: { utilisation, delayMs },
      };
    },
    boundaries: reports,
    away: (set, home) => {
      const inside = home === undefined ? null : insides.replicas.filter((one) => one.home === home && one.module === set);
      return (inside ?? fleet.get(set)?.replicas ?? []).reduce(
        (/** @type {number} */ sum, /** @type {any} */ one) => sum + (one.utilisation ?? 0),
        0,
      );
    },
    replicas: () => {
      const records = /** @type {any[]} */ ([...fleet.records(), ...residents.records()]);
      const living = new Map([...fleet.sets].flatMap((set) => set.replicas).map((replica) => [String(replica.id), replica]));
      const own = records.map((record) => {
        const { pending = null, utilisation = null } = living.get(record.id) ?? {};
        return { ...record, pending, utilisation };
      });
      return [...own, ...insides.replicas];
    },
    decisions: () => ({ decided: coordinator.decided, kept: /** @type {any} */ (coordinator.decisions) }),
    recipes: () => recipesInForce(imports.boundaries),
    paths: () => paths.read(),
    history: () => history.read(),
    latencies: (boundary) => window.latencies(boundary),
    prospect: (module) => prospects().find((one) => one.module === module)?.sentence,
    report,
    latest: (set, home) => (home === undefined ? coordinator.latest(set) : insides.latest(home, set)),
  };
}

/**
 * @returns {{rssBytes: number, heapUsedBytes: number, heapTotalBytes: number, externalBytes: number} | null} null: the system tells it in a
 *   file, and no descriptor is left to read that
 */
function memoryNow() {
  try {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    return { rssBytes: rss, heapUsedBytes: heapUsed, heapTotalBytes: heapTotal, externalBytes: external };
  } catch {
    return null;
  }
}

/** @param {Rooms} rooms @returns {import('./acts').ActSources} */
function actSources({ program, fleet, imports, book, recipes, distribution, shipped }) {
  return {
    liveRecipe: (module) => book.liveOf(module),
    setLive: (module, recipe, where) => recipes.setLive(module, recipe, where),
    permission: (set) => distribution.permission(set),
    shipped: (module) => {
      for (const { child } of imports.boundaries) if (child.name === module) return shipped(child);
      return null;
    },
    mayDiffer: (id) => {
      for (const { id: own, recipe } of imports.boundaries)
        if (own === id) return recipe.pure === true || ['none', 'private'].includes(recipe.state);
      return false;
    },
    profiled: (set, id) => {
      const home = { name: `${path.basename(program.name)} (home, pid ${process.pid})`, profile: takeProfile };
      if (id === 'home' || (id === undefined && set === null)) return home;
      const all = [...fleet.sets].flatMap((one) => one.replicas.map((replica) => ({ replica, module: one.module })));
      const ready = all.filter(({ replica, module }) => replica.state === 'ready' && (set === null || module === set));
      const found = id === undefined ? ready[0] : ready.find(({ replica }) => String(replica.id) === id);
      if (found === undefined && id === undefined) return home;
      if (found === undefined) {
        const others = ready.map(({ replica, module }) => `${replica.id} (${module})`).join(', ');
        throw new IgnisError(
          'IGNIS_NOT_FOUND',
          `no replica ${id} that can be profiled; there ${others === '' ? 'are none' : `are ${others}`}`,
        );
      }
      const { replica, module } = found;
      return { name: `${module} (replica ${replica.id}, ${replica.where}, pid ${replica.pid})`, profile: (ms) => profileOf(replica, ms) };
    },
  };
}

/**
 * @param {Iterable<{child: {name: string}, recipe: any}>} boundaries
 * @returns {import('../types').RecipeInForce[]} one for each module that a recipe mentions, in the order of imports
 */
function recipesInForce(boundaries) {
  /** @type {Map<string, import('../types').RecipeInForce>} */
  const found = new Map();
  for (const { child, recipe } of boundaries) {
    const given = Object.entries(recipe?.given ?? {});
    const functions = Object.entries(recipe?.functions ?? {});
    if (found.has(child.name) || given.length + functions.length === 0) continue;
    const fields = Object.fromEntries(given.map(([field]) => [field, recipe[field]]));
    const ofFunctions = functions.map(([name, one]) => [name, ownFields(/** @type {any} */ (one), recipe)]);
    const all = ofFunctions.length === 0 ? fields : { ...fields, functions: Object.fromEntries(ofFunctions) };
    found.set(child.name, {
      module: child.name,
      text: inspect(all, { depth: 4, breakLength: 100, compact: 3 }),
      given: Object.fromEntries(given.map(([field, { by, where }]) => [field, { by, where }])),
    });
  }
  return [...found.values()];
}

/** What is said of one function, but not of its module. @param {Record<string, any>} one @param {Record<string, any>} whole */
function ownFields(one, whole) {
  return Object.fromEntries(
    Object.keys(one.given)
      .filter((field) => field !== 'functions' && whole.given[field] !== one.given[field])
      .map((field) => [field, one[field]]),
  );
}

exports.actSources = actSources;
exports.feedSources = feedSources;
