'use strict';
/*
 * All imports of a program that are watched: for each its recipe, its boundary, and what the importing file is handed. In: imports as the hooks see
 * them, recipes that change. Out: boundaries, told to the profile and the distribution as they come and go. It starts no replica by itself,
 * except for a module whose recipe has it live in one.
 */
const { publish } = require('../diagnostics');
const { consentOf } = require('../recipe/merge');
const { Boundary, boundaryOf } = require('../wrap/boundary');
const { parseForce } = require('./force');
const { lineOf } = require('./place');

// The program may put others in the place of these while we run.
const { Map, WeakMap } = globalThis;

/** @typedef {import('./hook').Edge} Edge */
/** @typedef {import('../spawn/replica-set').ReplicaSet} ReplicaSet */

class Imports {
  #appRoot;
  #book;
  #identify;
  #window;
  #residents;
  #where;
  #force;
  #onCandidate;
  /** @type {(filename: string) => boolean} */
  #isForced = () => false;
  /** @type {Map<string, Boundary>} by id */
  #boundaries = new Map();
  /** @type {WeakMap<Boundary, unknown>} the second argument of `require`, where there was one */
  #importRecipes = new WeakMap();
  #isClosed = false;
  /** @type {import('../wrap/distribution').Distribution | null} */
  #distribution = null;

  /**
   * @param {object} given
   * @param {string} given.appRoot absolute
   * @param {import('../recipe/book').RecipeBook} given.book
   * @param {(filename: string) => import('../types').ModuleId} given.identify
   * @param {import('../profile/window').Window} given.window
   * @param {import('../spawn/residents').Residents} given.residents
   * @param {string} [given.force] modules that live in a replica whatever recipes say
   * @param {'process' | 'thread'} given.where such a replica is
   * @param {(boundary: Boundary, set: ReplicaSet) => void} given.onCandidate a module that may be distributed is imported
   */
  constructor({ appRoot, book, identify, window, residents, force, where, onCandidate }) {
    this.#appRoot = appRoot;
    this.#book = book;
    this.#identify = identify;
    this.#window = window;
    this.#residents = residents;
    this.#where = where;
    this.#force = force;
    this.#onCandidate = onCandidate;
    if (force === undefined) return;
    this.#isForced = parseForce(force, process.cwd());
    residents.prepare();
  }

  /** @param {import('../wrap/distribution').Distribution} distribution gets the boundaries; set once, before the first import */
  set distribution(distribution) {
    this.#distribution = distribution;
  }

  /** @returns {Iterable<Boundary>} */
  get boundaries() {
    return this.#boundaries.values();
  }

  get count() {
    return this.#boundaries.size;
  }

  /** From now on nothing is distributed any more, and no further module lives in a replica. */
  close() {
    this.#isClosed = true;
  }

  /** @param {Edge} edge */
  isHot(edge) {
    return this.#book.isHot(this.#childOf(edge));
  }

  /** @param {Edge} edge */
  isCold(edge) {
    return this.#book.isCold(this.#childOf(edge));
  }

  /** @param {import('./hook').Import} seen @returns {any} what the importing file gets */
  import(seen) {
    const child = this.#childOf(seen);
    const parent = this.#identify(seen.parentFile);
    const recipe = this.#recipeOf(seen, seen.recipe);
    const known = seen.handed === undefined ? undefined : boundaryOf(seen.handed);
    if (known !== undefined) {
      this.#importRecipes.set(known, seen.recipe);
      this.#change(known, recipe);
      return seen.handed;
    }
    const mayDistribute = consentOf(recipe).allowed;
    const boundary = new Boundary({ parent, child, recipe, exports: seen.exports, mayDistribute, isPartial: seen.isPartial });
    this.#importRecipes.set(boundary, seen.recipe);
    if (boundary.isWrapped) this.#register(boundary);
    return boundary.wrapped;
  }

  /** The recipes of the book have changed. */
  refresh() {
    for (const boundary of [...this.#boundaries.values()]) {
      const { child, parent } = boundary;
      this.#change(boundary, this.#book.lookup({ module: child, parent, importRecipe: this.#importRecipes.get(boundary) }));
    }
  }

  /** A module that was handed out while it loaded is whole now. @param {Edge} edge */
  loaded(edge) {
    const parent = this.#identify(edge.parentFile);
    const child = this.#childOf(edge);
    for (const boundary of this.#boundaries.values()) {
      if (boundary.parent === parent && boundary.child === child) boundary.reconcile();
    }
  }

  /** @returns {import('./resident-rules').Rules} what isResident says of imports without a recipe of their own, for another thread */
  get residentRules() {
    return { appRoot: this.#appRoot, force: this.#force, cwd: process.cwd(), targets: this.#book.residentTargets };
  }

  /** @param {Edge} edge @param {unknown} importRecipe @returns {boolean} whether its module lives in a replica, and is not loaded here */
  isResident(edge, importRecipe) {
    const { parentFile, filename } = edge;
    if (this.#isClosed || filename === null) return false;
    if (this.#isForced(filename)) return !this.#isForced(parentFile);
    if (/** @type {any} */ (importRecipe)?.call !== 'block' && this.#book.residentTargets.length === 0) return false;
    return this.#recipeOf(edge, importRecipe).call === 'block';
  }

  /** @param {Edge} edge @param {unknown} importRecipe @param {boolean} isFresh it was deleted from `require.cache` */
  requireResident(edge, importRecipe, isFresh) {
    const filename = /** @type {string} */ (edge.filename);
    const { name } = this.#identify(filename);
    const recipe = this.#recipeOf(edge, importRecipe);
    // What is forced shares one replica, so no recipe of one module counts there.
    const how = this.#isForced(filename)
      ? { where: this.#where, group: 'forced' }
      : { where: recipe.where, group: name, args: recipe.args };
    return this.#residents.require({ name, filename }, { ...how, isFresh });
  }

  /** @param {Edge} edge */
  #childOf({ filename, builtin }) {
    return this.#identify(filename ?? String(builtin));
  }

  /** @param {Edge} edge @param {unknown} importRecipe */
  #recipeOf(edge, importRecipe) {
    return this.#book.lookup({
      module: this.#childOf(edge),
      parent: this.#identify(edge.parentFile),
      importRecipe,
      where: () => lineOf(edge.parentFile, this.#appRoot),
    });
  }

  /** @param {Boundary} boundary @param {import('../types').EffectiveRecipe} recipe */
  #change(boundary, recipe) {
    this.#distribution?.remove(boundary);
    this.#window.forget(boundary.id);
    boundary.setRecipe(recipe);
    this.#register(boundary);
  }

  /** @param {Boundary} boundary */
  #register(boundary) {
    // Of a module that was loaded anew, the old edge has nothing more to tell.
    const old = this.#boundaries.get(boundary.id);
    if (old !== undefined && old !== boundary) this.#window.forget(old.id);
    this.#boundaries.set(boundary.id, boundary);
    this.#window.track(/** @type {any} */ (boundary));
    publish('ignis:boundary', { id: boundary.id, parent: boundary.parent, child: boundary.child });
    const set = this.#isClosed ? null : (this.#distribution?.add(boundary) ?? null);
    if (set !== null) this.#onCandidate(boundary, set);
  }
}

exports.Imports = Imports;
