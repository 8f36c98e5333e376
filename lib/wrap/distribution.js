'use strict';
/*
 * The modules that may be distributed: which boundaries lead to each, its replica set, and whether it may have replicas now. In: boundaries as they come
 * and go, wishes for replicas. Out: boundaries whose calls go where the state and the recipe let them. It decides nothing that is a matter of load.
 */
const { types } = require('node:util');
const { errorClassesOf } = require('./error-classes');
const { distribute, rest, bringHome } = require('./route');
const { differences } = require('./settings');
const { stateOf, stopNoting, whyMissed, whyStateStays } = require('./state');
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
  /** @type {WeakMap<ReplicaSet, any>} what each was opened with */
  #recipes = new WeakMap();
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
    if (known.some((other) => isAnother(other, boundary))) this.#retire(name);
    this.#consenting.set(name, [...(this.#consenting.get(name) ?? []), boundary]);
    const set = this.#setFor(boundary);
    const why = set.isAway ? '' : whyMissed(boundary);
    if (why !== '') set.refuse(why);
    if (boundary.recipe.pure !== true) boundary.onWrite = (path, values) => noteWrite(set, boundary.recipe.setup ?? [], path, values);
    // State that was built up at home could not leave any more, so what must be away is sent there before the first call.
    const [least] = this.permission(name).copies;
    if (set.isStateful && least > set.wanted && set.journal.refusal === '') void set.resize(least, 'its recipe asks for it');
    this.#direct(boundary, set);
    return set;
  }

  /** @param {Boundary} boundary that gets another recipe, or is no more */
  remove(boundary) {
    const { name } = boundary.child;
    const known = this.#consenting.get(name) ?? [];
    bringHome(boundary);
    boundary.onWrite = null;
    if (known.includes(boundary)) stopNoting(boundary);
    this.#consenting.set(
      name,
      known.filter((other) => other !== boundary),
    );
  }

  /**
   * @param {Boundary} boundary
   * @param {any} recipe effective, to hold from now on
   * @returns {string} why it cannot: a part of a sentence; '' when it can
   */
  whyFixed({ child, recipe: before }, recipe) {
    const set = this.#fleet.get(child.name);
    if (set === undefined || !set.isAway) return '';
    if (!this.#consent(recipe).allowed) return 'what it remembers is in a replica, and cannot come home';
    const fields = differences(before, recipe);
    return fields.length === 0 ? '' : `what it remembers is in a replica, so ${fields.join(' and ')} cannot change`;
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
    const isFirst = this.#consenting.get(name)?.length === 1;
    if (known.isAway || !isFirst || differences(this.#recipes.get(known), boundary.recipe).length === 0) return known;
    this.#fleet.retire(name, 'its recipe changed');
    const set = this.#open(boundary);
    set.journal = known.journal;
    // Calls that keep their order keep it to those that are still there.
    if (!known.lines.begin.isIdle || !known.lines.settle.isIdle) set.lines = known.lines;
    const most = boundary.recipe.copies[1];
    if (known.wanted > 0) void set.resize(Math.min(known.wanted, most), 'its recipe changed');
    return set;
  }

  /** @param {Boundary} boundary @returns {ReplicaSet} */
  #open({ child, recipe, exports }) {
    const set = this.#fleet.open(child, { ...recipe, state: stateOf(recipe) }, errorClassesOf(exports));
    this.#recipes.set(set, recipe);
    set.onChange = () => {
      if (this.#fleet.get(child.name) !== set) return;
      for (const boundary of this.#consenting.get(child.name) ?? []) this.#direct(boundary, set);
    };
    set.onFail = (error) => tellHook((this.recipeOf(child.name) ?? recipe).onFail, error);
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
    const first = this.#consenting.get(module)?.[0];
    const leading = [...this.#all()].filter(
      (boundary) => boundary.child.name === module && first !== undefined && !isAnother(first, boundary),
    );
    return whyStateStays(leading, (boundary) => this.#consent(boundary.recipe).allowed);
  }

  /** @param {string} module */
  #whyNot(module) {
    for (const boundary of this.#all()) if (boundary.child.name === module) return this.#consent(boundary.recipe).why;
    return 'it is not imported any more';
  }
}

/**
 * Whether the module was loaded anew. One that is an ES module has two namespaces, one for `import` and one for `require`.
 *
 * @param {Boundary} one @param {Boundary} other
 */
function isAnother({ exports }, other) {
  return exports !== other.exports && !(types.isModuleNamespaceObject(exports) && types.isModuleNamespaceObject(other.exports));
}

/** @param {string} why @returns {Permission} */
function refused(why) {
  return { allowed: false, why, copies: [0, 0] };
}

/**
 * @param {ReplicaSet} set
 * @param {readonly string[]} setup of the recipe
 * @param {PropertyKey[]} path
 * @param {any[]} values
 * @throws {IgnisError} IGNIS_UNMARSHALABLE when the state of the module is in a replica and the value cannot go there
 */
function noteWrite(set, setup, path, values) {
  const name = path.map(String).join('.');
  if (typeof values[0] === 'function') {
    // It stays at home by itself, and says so: see FunctionPoint. But what sets the module up changes what its other functions give.
    const isSetup = setup.some((own) => name === own || name.startsWith(`${own}.`));
    if (isSetup && !set.isAway) set.refuse(`the program wrote the function '${name}', which sets it up, and no replica can have that`);
    return;
  }
  try {
    if (!path.every((key) => typeof key === 'string')) throw new IgnisError('IGNIS_UNMARSHALABLE', `${name} is a symbol`);
    set.change(new Change({ plan: null, path: /** @type {string[]} */ (path), values }));
  } catch (error) {
    if (set.isAway) throw error;
    set.refuse(`the program wrote '${name}', and no replica can have that: ${/** @type {Error} */ (error).message}`);
  }
}

exports.Distribution = Distribution;
