'use strict';
/*
 * The modules that may be distributed: which boundaries lead to each, its replica set, and whether it may have replicas now. In: boundaries as they come
 * and go, wishes for replicas. Out: boundaries whose calls go where the state and the recipe let them. It decides nothing that is a matter of load.
 */
const { distribute, rest, bringHome, errorClassesOf } = require('./route');
const { stateOfSet, whyStateStays } = require('./state');
const { tellHook } = require('./tell-hook');
const { IgnisError } = require('../errors');
const { Change } = require('../session/change');
const { targetOf } = require('../spawn/fleet');

/** @typedef {import('./boundary').Boundary} Boundary */
/** @typedef {import('../spawn/replica-set').ReplicaSet} ReplicaSet */
/** @typedef {{allowed: boolean, why?: string, copies: [number, number], weight?: number}} Permission */

class Distribution {
  #fleet;
  #all;
  #consent;
  /** @type {Map<string, Boundary[]>} name of a set (of a module, or a group) -> the boundaries whose recipe lets it be distributed, first come first */
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
    const { setName } = boundary;
    if (this.#isClosed || boundary.isInner || !this.#consent(boundary.recipe).allowed) return null;
    if (!this.#renew(boundary)) return null;
    this.#consenting.set(setName, [...(this.#consenting.get(setName) ?? []), boundary]);
    const set = this.#setFor(boundary);
    if (boundary.recipe.pure !== true) boundary.onWrite = (path, values) => noteWrite(set, boundary.child.name, path, values);
    // State that was built up at home could not leave any more, so what must be away is sent there before the first call.
    const [least] = this.permission(setName).copies;
    if (set.isStateful && least > set.wanted && set.journal.refusal === '') void set.resize(least, 'its recipe asks for it');
    this.#direct(boundary, set);
    return set;
  }

  /** @param {Boundary} boundary that gets another recipe, or is no more */
  remove(boundary) {
    const { setName } = boundary;
    bringHome(boundary);
    boundary.onWrite = null;
    this.#consenting.set(
      setName,
      (this.#consenting.get(setName) ?? []).filter((other) => other !== boundary),
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
    const most = mostOf(boundaries);
    const least = Math.max(set?.least ?? 0, ...boundaries.map(({ recipe }) => recipe.copies[0]));
    const weight = weightOf(boundaries);
    if (set?.isAway) return allowed([least, Math.max(least, most)], weight);
    if (set !== undefined && set.journal.refusal !== '') return refused(set.journal.refusal);
    if (set?.isFailing) return refused(`its replicas cannot be started: ${set.failure}`);
    const why = set?.isStateful ? this.#whyStateStays(module) : '';
    return why === '' ? allowed([Math.min(least, most), most], weight) : refused(why);
  }

  /** @param {string} module @param {number} level 0 to 1; all recipes that lead to it hear of it, also those that let it go nowhere */
  tellSaturation(module, level) {
    const leading = [...this.#all()].filter(({ setName }) => setName === module);
    for (const hook of new Set(leading.map(({ recipe }) => recipe.saturation))) tellHook(hook, level);
  }

  /** All calls run at home from now on. */
  close() {
    this.#isClosed = true;
    for (const boundary of this.#all()) bringHome(boundary);
  }

  /** @param {Boundary} boundary that is among the consenting ones @returns {ReplicaSet} */
  #setFor(boundary) {
    const { setName } = boundary;
    const known = this.#fleet.get(setName);
    if (known === undefined) return this.#open(boundary);
    const isAnother = known.state !== stateOfSet(boundary.recipe) && this.#consenting.get(setName)?.length === 1;
    if (!isAnother || known.isAway) {
      known.join(targetOf(boundary.child));
      return known;
    }
    this.#fleet.retire(setName);
    const set = this.#open(boundary);
    set.journal = known.journal;
    return set;
  }

  /** @param {Boundary} boundary @returns {ReplicaSet} */
  #open(boundary) {
    const { child, recipe, setName } = boundary;
    const errorClass = errorClassesOf(() => [boundary, ...(this.#consenting.get(setName) ?? [])].map(({ exports }) => exports));
    const set = this.#fleet.open(child, { ...recipe, state: stateOfSet(recipe) }, errorClass, setName);
    set.onChange = () => {
      if (this.#fleet.get(setName) !== set) return;
      for (const one of this.#consenting.get(setName) ?? []) this.#direct(one, set);
    };
    set.onFail = (error) => {
      for (const hook of new Set(firstOfEach([boundary, ...(this.#consenting.get(setName) ?? [])]).map((one) => one.recipe.onFail)))
        tellHook(hook, error);
    };
    return set;
  }

  /** Calls leave while there is somebody to take them, and come home when there is none. @param {Boundary} boundary @param {ReplicaSet} set */
  #direct(boundary, set) {
    if (this.#isClosed) bringHome(boundary);
    else if (set.isOpen) distribute(boundary, set);
    else rest(boundary, set);
  }

  /**
   * Of a module that was loaded anew, nothing goes to replicas of the old one.
   *
   * @param {Boundary} boundary that comes
   * @returns {boolean} false: it stays at home, since the state of the others in its group is in their replicas
   */
  #renew({ setName, child, exports }) {
    const known = this.#consenting.get(setName) ?? [];
    if (!known.some((other) => other.child.name === child.name && other.exports !== exports)) return true;
    const others = known.filter((other) => other.child.name !== child.name);
    if (others.length > 0 && this.#fleet.get(setName)?.isAway) return false;
    this.#retire(setName);
    for (const other of others) this.add(other);
    return true;
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
    const own = new Map((this.#consenting.get(module) ?? []).map(({ child, exports }) => [child.name, exports]));
    // Calls within a group are made in its replicas, too.
    const leading = [...this.#all()].filter(
      ({ child, exports, isInner }) => !isInner && own.has(child.name) && own.get(child.name) === exports,
    );
    const stray = leading.find(({ setName }) => setName !== module);
    if (stray !== undefined)
      return `${stray.parent.name} imports ${stray.child.name} for other replicas, and its state must be in one place`;
    return whyStateStays(leading, (boundary) => this.#consent(boundary.recipe).allowed);
  }

  /** @param {string} module */
  #whyNot(module) {
    for (const boundary of this.#all()) if (boundary.setName === module) return this.#consent(boundary.recipe).why;
    return 'it is not imported any more';
  }
}

/** @param {Boundary[]} boundaries @returns {Boundary[]} of each module the first */
function firstOfEach(boundaries) {
  return boundaries.filter(({ child }, i) => boundaries.findIndex((other) => other.child.name === child.name) === i);
}

/** @param {Boundary[]} boundaries that lead to one set @returns {number} replicas that an import of each of its modules allows */
function mostOf(boundaries) {
  /** @type {Map<string, number>} */
  const most = new Map();
  for (const { child, recipe } of boundaries) most.set(child.name, Math.max(most.get(child.name) ?? 0, recipe.copies[1]));
  return Math.min(...most.values());
}

/** @param {Boundary[]} boundaries that lead to one set @returns {number} the largest that somebody gave */
function weightOf(boundaries) {
  const given = boundaries.filter(({ recipe }) => recipe.given?.weight !== undefined);
  return given.length === 0 ? 1 : Math.max(...given.map(({ recipe }) => recipe.weight));
}

/** @param {[number, number]} copies @param {number} weight @returns {Permission} */
function allowed(copies, weight) {
  return weight === 1 ? { allowed: true, copies } : { allowed: true, copies, weight };
}

/** @param {string} why @returns {Permission} */
function refused(why) {
  return { allowed: false, why, copies: [0, 0] };
}

/**
 * @param {ReplicaSet} set
 * @param {string} module
 * @param {PropertyKey[]} path
 * @param {any[]} values
 * @throws {IgnisError} IGNIS_UNMARSHALABLE when the state of the module is in a replica and the value cannot go there
 */
function noteWrite(set, module, path, values) {
  // A function stays at home by itself, and says so: see FunctionPoint.
  if (typeof values[0] === 'function') return;
  const name = path.map(String).join('.');
  try {
    if (!path.every((key) => typeof key === 'string')) throw new IgnisError('IGNIS_UNMARSHALABLE', `${name} is a symbol`);
    set.change(new Change({ plan: null, path: set.targets.pathIn(module, /** @type {string[]} */ (path)), values }));
  } catch (error) {
    if (set.isAway) throw error;
    set.refuse(`the program wrote '${name}', and no replica can have that: ${/** @type {Error} */ (error).message}`);
  }
}

exports.Distribution = Distribution;
