'use strict';
/*
 * The modules that may be distributed: which boundaries lead to each, its replica set, and whether it may have replicas now. In: boundaries as they come
 * and go, wishes for replicas. Out: boundaries whose calls go where the state and the recipe let them. It decides nothing that is a matter of load.
 */
const { distribute, rest, bringHome, errorClassesOf } = require('./route');
const { stateOf, whyStateStays } = require('./state');
const { tellHook } = require('./tell-hook');
const { IgnisError } = require('../errors');
const { Change } = require('../session/change');

/** @typedef {import('./boundary').Boundary} Boundary */
/** @typedef {import('../spawn/replica-set').ReplicaSet} ReplicaSet */
/** @typedef {{allowed: boolean, why?: string, hasDiffered?: boolean, copies: [number, number]}} Permission hasDiffered: a verified call answered differently in a replica */

class Distribution {
  #fleet;
  #all;
  #consent;
  /** @type {Map<string, Boundary[]>} module -> the boundaries whose recipe lets it be distributed, first come first */
  #consenting = new Map();
  #isClosed = false;

  /**
   * @param {object} given
   * @param {import('../spawn/fleet').Fleet} given.fleet
   * @param {() => Iterable<Boundary>} given.boundaries all there are
   * @param {(recipe: any) => {allowed: boolean, why: string}} given.consent
   */
  constructor({ fleet, boundaries, consent }) {
    this.#fleet = fleet;
    this.#all = boundaries;
    this.#consent = consent;
  }

  /**
   * @param {Boundary} boundary
   * @returns {ReplicaSet | null} null: its recipe does not let it be distributed
   */
  add(boundary) {
    const { name } = boundary.child;
    if (this.#isClosed || !this.#consent(boundary.recipe).allowed) return null;
    const known = this.#consenting.get(name) ?? [];
    if (known.some(({ exports }) => exports !== boundary.exports)) this.#retire(name);
    this.#consenting.set(name, [...(this.#consenting.get(name) ?? []), boundary]);
    const set = this.#setFor(boundary);
    if (boundary.recipe.pure !== true) boundary.onWrite = (path, values) => noteWrite(set, path, values);
    // State that was built up at home could not leave any more, so what must be away is sent there before the first call.
    const [least] = this.permission(name).copies;
    if (set.isStateful && least > set.wanted && set.journal.refusal === '') void set.resize(least, 'its recipe asks for it');
    this.#direct(boundary, set);
    return set;
  }

  /** @param {Boundary} boundary that gets another recipe, or is no more */
  remove(boundary) {
    const { name } = boundary.child;
    bringHome(boundary);
    boundary.onWrite = null;
    this.#consenting.set(
      name,
      (this.#consenting.get(name) ?? []).filter((other) => other !== boundary),
    );
  }

  /** @param {string} module @returns {any} the recipe of the first boundary that lets it be distributed */
  recipeOf(module) {
    return this.#consenting.get(module)?.[0]?.recipe;
  }

  /** @param {string} module @returns {Permission} */
  permission(module) {
    const boundaries = this.#consenting.get(module) ?? [];
    if (boundaries.length === 0) return refused(this.#whyNot(module));
    const set = this.#fleet.get(module);
    const most = Math.max(...boundaries.map(({ recipe }) => recipe.copies[1]));
    const least = Math.max(set?.least ?? 0, ...boundaries.map(({ recipe }) => recipe.copies[0]));
    if (set?.isAway) return { allowed: true, copies: [least, Math.max(least, most)] };
    if (set !== undefined && set.journal.refusal !== '') return { ...refused(set.journal.refusal), hasDiffered: set.journal.hasDiffered };
    if (set?.isFailing) return refused(`its replicas cannot be started: ${set.failure}`);
    const why = set?.isStateful ? this.#whyStateStays(module) : '';
    return why === '' ? { allowed: true, copies: [Math.min(least, most), most] } : refused(why);
  }

  /** @param {string} module @param {number} level 0 to 1; all recipes that lead to it hear of it, also those that let it go nowhere */
  tellSaturation(module, level) {
    const leading = [...this.#all()].filter(({ child }) => child.name === module);
    for (const hook of new Set(leading.map(({ recipe }) => recipe.saturation))) tellHook(hook, level);
  }

  /** All calls run at home from now on. */
  close() {
    this.#isClosed = true;
    for (const boundary of this.#all()) bringHome(boundary);
  }

  /** @param {Boundary} boundary that is among the consenting ones @returns {ReplicaSet} */
  #setFor(boundary) {
    const { name } = boundary.child;
    const known = this.#fleet.get(name);
    if (known === undefined) return this.#open(boundary);
    const isAnother = known.state !== stateOf(boundary.recipe) && this.#consenting.get(name)?.length === 1;
    if (!isAnother || known.isAway) return known;
    this.#fleet.retire(name);
    const set = this.#open(boundary);
    set.journal = known.journal;
    return set;
  }

  /** @param {Boundary} boundary @returns {ReplicaSet} */
  #open({ child, recipe, exports }) {
    const set = this.#fleet.open(child, { ...recipe, state: stateOf(recipe) }, errorClassesOf(exports));
    set.onChange = () => {
      if (this.#fleet.get(child.name) !== set) return;
      for (const boundary of this.#consenting.get(child.name) ?? []) this.#direct(boundary, set);
    };
    set.onFail = (error) => tellHook(recipe.onFail, error);
    return set;
  }

  /** Calls leave while there is somebody to take them, and come home when there is none. @param {Boundary} boundary @param {ReplicaSet} set */
  #direct(boundary, set) {
    if (this.#isClosed) bringHome(boundary);
    else if (set.isOpen) distribute(boundary, set);
    else rest(boundary, set);
  }

  /** The module was loaded anew: its new calls get new replicas, and those of the old one end after their calls. @param {string} module */
  #retire(module) {
    // Whoever still has the old wrappers finds the old module at home, or an error where its state was in a replica.
    if (this.#fleet.get(module)?.isAway) this.#consenting.delete(module);
    for (const boundary of this.#consenting.get(module) ?? []) this.remove(boundary);
    this.#fleet.retire(module);
  }

  /** @param {string} module */
  #whyStateStays(module) {
    const exports = this.#consenting.get(module)?.[0]?.exports;
    const leading = [...this.#all()].filter((boundary) => boundary.child.name === module && boundary.exports === exports);
    return whyStateStays(leading, (boundary) => this.#consent(boundary.recipe).allowed);
  }

  /** @param {string} module */
  #whyNot(module) {
    for (const boundary of this.#all()) if (boundary.child.name === module) return this.#consent(boundary.recipe).why;
    return 'it is not imported any more';
  }
}

/** @param {string} why @returns {Permission} */
function refused(why) {
  return { allowed: false, why, copies: [0, 0] };
}

/**
 * @param {ReplicaSet} set
 * @param {PropertyKey[]} path
 * @param {any[]} values
 * @throws {IgnisError} IGNIS_UNMARSHALABLE when the state of the module is in a replica and the value cannot go there
 */
function noteWrite(set, path, values) {
  // A function stays at home by itself, and says so: see FunctionPoint.
  if (typeof values[0] === 'function') return;
  const name = path.map(String).join('.');
  try {
    if (!path.every((key) => typeof key === 'string')) throw new IgnisError('IGNIS_UNMARSHALABLE', `${name} is a symbol`);
    set.change(new Change({ plan: null, path: /** @type {string[]} */ (path), values }));
  } catch (error) {
    if (set.isAway) throw error;
    set.refuse(`the program wrote '${name}', and no replica can have that: ${/** @type {Error} */ (error).message}`);
  }
}

exports.Distribution = Distribution;
