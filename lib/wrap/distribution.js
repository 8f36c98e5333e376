'use strict';
/*
 * Keeps the modules that may be distributed: boundaries that lead to each, its replica set, whether it may have replicas now. In:
 * boundaries as they come and go, wishes for replicas. Out: boundaries whose calls go where state and recipe let them. It must decide
 * nothing that depends on load.
 */
const { types } = require('node:util');
const { isBound, whyNoneLeaves } = require('./bound');
const { errorClassesOf } = require('./error-classes');
const { bringHome } = require('./not-diverted');
const { differences } = require('./settings');
const { stateOfSet, stopNoting, whyMissed, whyStateStays } = require('./state');
const { tellHook } = require('./tell-hook');
const { IgnisError } = require('../errors');
const { targetOf } = require('../spawn/fleet');
const { NOT_STARTED } = require('../view/sentence');
const { Map, Math, Set, WeakMap } = require('../engine');

/** @typedef {import('./boundary').Boundary} Boundary */
/** @typedef {import('../spawn/replica-set').ReplicaSet} ReplicaSet */
/** @typedef {{allowed: boolean, why?: string, hasDiffered?: boolean, copies: [number, number], weight?: number}} Permission hasDiffered: a verified call differed in a replica */

class Distribution {
  #fleet;
  #all;
  #consent;
  /** By name of a set (of a module or group): boundaries whose recipes allow it, first come first. @type {Map<string, Boundary[]>} */
  #consenting = new Map();
  /** By name of a set, then by id: all boundaries that lead to it, allowed to leave or not. @type {Map<string, Map<string, Boundary>>} */
  #leading = new Map();
  /** @type {WeakMap<ReplicaSet, any>} by set: the recipe it was opened with */
  #recipes = new WeakMap();
  #isClosed = false;
  /** @type {Map<Boundary, import('./own-turns').OwnTurns>} boundaries whose calls each wait for a turn of the event loop */
  #inTurns = new Map();

  /**
   * @param {object} given
   * @param {import('../spawn/fleet').Fleet} given.fleet
   * @param {() => Iterable<Boundary>} given.boundaries all boundaries
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
    const leading = this.#leading.get(setName);
    if (leading === undefined) this.#leading.set(setName, new Map([[boundary.id, boundary]]));
    else leading.set(boundary.id, boundary);
    if (this.#isClosed || boundary.isInner || !this.#consent(boundary.recipe).allowed) return null;
    if (!this.#renew(boundary)) return null;
    this.#consenting.set(setName, [...this.#consentingTo(setName), boundary]);
    const set = this.#setFor(boundary);
    const why = set.isAway ? '' : whyMissed(boundary);
    if (why !== '') set.refuse(why);
    if (boundary.recipe.pure !== true) boundary.onWrite = (path, values) => noteWrite(set, boundary, path, values);
    // State that was built up at home could not leave any more. So what must be away is sent there before the first call.
    const [least] = this.permission(setName).copies;
    if (set.isStateful && least > set.wanted && set.journal.refusal === '') void set.resize(least, 'its recipe asks for it');
    this.#direct(boundary, set);
    return set;
  }

  /** @param {Boundary} boundary that gets another recipe, or is gone */
  remove(boundary) {
    const { setName } = boundary;
    const known = this.#consentingTo(setName);
    this.#leading.get(setName)?.delete(boundary.id);
    bringHome(boundary);
    boundary.onWrite = null;
    if (known.includes(boundary)) stopNoting(boundary);
    this.#consenting.set(
      setName,
      known.filter((other) => other !== boundary),
    );
  }

  /**
   * @param {Boundary} boundary
   * @param {any} recipe the new effective one
   * @returns {string} why the recipe cannot change: part of a sentence; '' if it can
   */
  whyFixed(boundary, recipe) {
    const { setName, child } = boundary;
    const set = this.#fleet.get(setName);
    const next = boundary.setNameBy(recipe);
    const isAllowed = this.#consent(recipe).allowed;
    const isLate = next !== child.name && this.#fleet.get(next)?.isAway && !this.#consentingTo(next).includes(boundary);
    if (isLate && isAllowed && !boundary.isInner) return `what ${next} remembers is in a replica, which began without it`;
    if (set === undefined) return '';
    if (!set.isAway) return next === setName ? '' : whyNoOther(set);
    if (!isAllowed && !boundary.isInner) return 'what it remembers is in a replica, and cannot come home';
    const fields = differences(boundary.recipe, recipe);
    return fields.length === 0 ? '' : `what it remembers is in a replica, so ${fields.join(' and ')} cannot change`;
  }

  /** @param {string} module @returns {any} the recipe of the first boundary that lets it be distributed */
  recipeOf(module) {
    return this.#consentingTo(module)[0]?.recipe;
  }

  /** @param {string} module @returns {Permission} */
  permission(module) {
    const boundaries = this.#consentingTo(module);
    if (boundaries.length === 0) return refused(this.#whyNot(module));
    const set = this.#fleet.get(module);
    const most = mostOf(boundaries);
    const least = Math.max(set?.least ?? 0, ...boundaries.map(({ recipe }) => recipe.copies[0]));
    const weight = weightOf(boundaries);
    if (set?.isAway) return allowed([least, Math.max(least, most)], weight);
    if (set !== undefined && set.journal.refusal !== '') return { ...refused(set.journal.refusal), hasDiffered: set.journal.hasDiffered };
    // Replicas that serve, or are on their way, go on, although no more can be started.
    if (set?.isFailing && set.ready + set.starting === 0) return refused(`${NOT_STARTED}${set.failure}`);
    const stays = set?.isStateful ? this.#whyStateStays(module) : '';
    // An explicit wish for replicas is granted; otherwise replicas that no call can reach would be of no use.
    const why = stays === '' && least === 0 ? whyNoneLeaves(boundaries) : stays;
    return why === '' ? allowed([Math.min(least, most), most], weight) : refused(why);
  }

  /** @param {string} module @returns {boolean} whether replicas of it would have nothing to do, whatever its recipe says */
  isBound(module) {
    return isBound(this.#leadingTo(module));
  }

  /** @param {string} module @param {number} level 0 to 1; told to all boundaries that lead to it, distributed or not */
  tellSaturation(module, level) {
    for (const hook of new Set(this.#leadingTo(module).map(({ recipe }) => recipe.saturation))) tellHook(hook, level);
  }

  /** @param {string} module @param {{longCallMs: number, callMs: number}} guidelines for its boundaries, the coordinator's latest */
  guide(module, guidelines) {
    for (const boundary of this.#leadingTo(module)) boundary.guidelines = guidelines;
  }

  /** After a long call: calls made in the same turn of the event loop may wait, and leave once there are replicas. @param {import('./point').FunctionPoint} point */
  giveTurns(point) {
    const { boundary } = point;
    const { setName } = boundary;
    const set = this.#fleet.get(setName);
    if (set === undefined || set.isOpen || this.#isClosed) return;
    if (!this.#consentingTo(setName).includes(boundary) || !this.permission(setName).allowed) return;
    let turns = this.#inTurns.get(boundary);
    if (turns === undefined) {
      const { OwnTurns } = require('./own-turns');
      turns = new OwnTurns(set, () => this.#inTurns.delete(boundary));
      this.#inTurns.set(boundary, turns);
    }
    turns.add(point);
  }

  /** From now on calls run at home, except if state is in a replica, and ends there: home would start from scratch. */
  close() {
    this.#isClosed = true;
    for (const boundary of this.#all()) if (!this.#fleet.get(boundary.setName)?.isAway) bringHome(boundary);
  }

  /** @param {Boundary} boundary one of the consenting ones @returns {ReplicaSet} */
  #setFor(boundary) {
    const { setName } = boundary;
    const known = this.#fleet.get(setName);
    if (known === undefined) return this.#open(boundary);
    const isFirst = this.#consentingTo(setName).length === 1;
    if (known.isAway || !isFirst || differences(this.#recipes.get(known), boundary.recipe).length === 0) {
      known.join(targetOf(moduleOf(boundary)));
      return known;
    }
    this.#fleet.retire(setName, 'its recipe changed');
    const set = this.#open(boundary);
    set.journal = known.journal;
    // Calls that keep an order also keep it relative to those still under way.
    if (!known.order.begin.isIdle || !known.order.settle.isIdle) set.order = known.order;
    const most = boundary.recipe.copies[1];
    if (known.wanted > 0) void set.resize(Math.min(known.wanted, most), 'its recipe changed', known.here);
    return set;
  }

  /** @param {Boundary} boundary @returns {ReplicaSet} */
  #open(boundary) {
    const { recipe, setName } = boundary;
    const errorClass = errorClassesOf(() => [boundary, ...this.#consentingTo(setName)].map(({ exports }) => exports));
    const set = this.#fleet.open(moduleOf(boundary), { ...recipe, state: stateOfSet(recipe) }, errorClass, setName);
    this.#recipes.set(set, recipe);
    set.onChange = () => {
      if (this.#fleet.get(setName) !== set) return;
      for (const one of this.#consentingTo(setName)) this.#direct(one, set);
    };
    set.onFail = (error) => {
      const told = firstOfEach(this.#consentingTo(setName)).map((one) => one.recipe);
      const hooks = new Set((told.length === 0 ? [recipe] : told).map(({ onFail }) => onFail));
      return [...hooks].map((hook) => tellHook(hook, error)).find((answer) => answer !== undefined);
    };
    return set;
  }

  /** Calls leave while somebody takes them, and come home when nobody does. @param {Boundary} boundary @param {ReplicaSet} set */
  #direct(boundary, set) {
    if (this.#isClosed && !set.isAway) return bringHome(boundary);
    // Loaded together with what replicas are made of: see spawn/fleet.js.
    const { distribute, rest } = require('./route');
    // Needed within a call, when no file may be found any more: a program may have replaced the whole file system (mock-fs).
    require('./own-turns');
    this.#inTurns.get(boundary)?.end();
    if (set.isOpen) distribute(boundary, set);
    else rest(boundary, set);
  }

  /**
   * When a module was loaded anew, its calls must not go to replicas of the old one.
   * @param {Boundary} boundary that comes
   * @returns {boolean} false: it stays at home, since notes and state of the others in its group are for their replicas only
   */
  #renew(boundary) {
    const { setName, child } = boundary;
    const known = this.#consentingTo(setName);
    if (!known.some((other) => other.child.name === child.name && isAnother(other, boundary))) return true;
    const others = known.filter((other) => other.child.name !== child.name);
    const set = this.#fleet.get(setName);
    if (others.length > 0 && set !== undefined && (set.isAway || set.journal.length > 0)) return false;
    this.#retire(setName);
    for (const other of others) this.add(other);
    return true;
  }

  /** The module was loaded anew: its new calls get new replicas, and the old ones end after their calls. @param {string} module */
  #retire(module) {
    // Old wrappers lead to the old module at home, or to an error if its state was in a replica.
    if (this.#fleet.get(module)?.isAway) this.#consenting.delete(module);
    for (const boundary of this.#consentingTo(module)) this.remove(boundary);
    this.#fleet.retire(module);
  }

  /** @param {string} module */
  #whyStateStays(module) {
    const first = firstOfEach(this.#consentingTo(module));
    // Calls within a group are made in its replicas as well.
    const leading = [...this.#all()].filter(
      (boundary) => !boundary.isInner && first.some((one) => one.child.name === boundary.child.name && !isAnother(one, boundary)),
    );
    const stray = leading.find(({ setName }) => setName !== module);
    if (stray !== undefined)
      return `${stray.parent.name} imports ${stray.child.name} for other replicas, and its state must be in one place`;
    return whyStateStays(leading, (boundary) => this.#consent(boundary.recipe).allowed);
  }

  /** @param {string} name of a set @returns {Boundary[]} */
  #consentingTo(name) {
    return this.#consenting.get(name) ?? [];
  }

  /** Called for each module in use at each tick. @param {string} name of a set @returns {Boundary[]} */
  #leadingTo(name) {
    return [...(this.#leading.get(name)?.values() ?? [])];
  }

  /** @param {string} module */
  #whyNot(module) {
    const leading = this.#leadingTo(module);
    const own = leading.find(({ isInner }) => !isInner);
    if (own !== undefined) return this.#consent(own.recipe).why;
    const moved = [...this.#all()].find(({ isInner, child }) => !isInner && child.name === module);
    if (moved !== undefined) return `its calls go to the replicas of ${moved.setName}`;
    if (leading.length === 0 || leading[0].recipe.group !== undefined) return 'it is no longer imported';
    return `only ${leading[0].child.packageName} itself imports it, and that leaves as a whole`;
  }
}

/** @param {Boundary} boundary @returns {import('../types').ModuleId & {isEsModule: boolean}} for replicas, which load it the same way home did */
function moduleOf({ child, exports, isImported }) {
  return { ...child, isEsModule: isImported && types.isModuleNamespaceObject(exports) };
}

/** @param {Boundary[]} boundaries @returns {Boundary[]} the first one of each module */
function firstOfEach(boundaries) {
  return boundaries.filter(({ child }, i) => boundaries.findIndex((other) => other.child.name === child.name) === i);
}

/** @param {ReplicaSet} set @returns {string} why its calls cannot go to another set: notes made for one are of no use to the other */
function whyNoOther({ journal: { length, refusal }, module }) {
  if (length === 0) return '';
  return refusal === '' ? `what set it up, or was written to it, was noted for the replicas of ${module}` : refusal;
}

/** @param {Boundary[]} boundaries that lead to one set @returns {number} the most replicas that the imports of all its modules allow */
function mostOf(boundaries) {
  /** @type {Map<string, number>} */
  const most = new Map();
  for (const { child, recipe } of boundaries) most.set(child.name, Math.max(most.get(child.name) ?? 0, recipe.copies[1]));
  return Math.min(...most.values());
}

/** @param {Boundary[]} boundaries that lead to one set @returns {number} the largest that was given */
function weightOf(boundaries) {
  const given = boundaries.filter(({ recipe }) => recipe.given?.weight !== undefined);
  return given.length === 0 ? 1 : Math.max(...given.map(({ recipe }) => recipe.weight));
}

/** @param {[number, number]} copies @param {number} weight @returns {Permission} */
function allowed(copies, weight) {
  return weight === 1 ? { allowed: true, copies } : { allowed: true, copies, weight };
}

/**
 * Whether the module was loaded anew. An ES module has two namespaces, one for `import` and one for `require`.
 * @param {Boundary} one
 * @param {Boundary} other
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
 * @param {Boundary} boundary
 * @param {PropertyKey[]} path
 * @param {any[]} values
 * @throws {IgnisError} IGNIS_UNMARSHALABLE when the state of the module is in a replica and the value cannot go there
 */
function noteWrite(set, { child, recipe }, path, values) {
  const name = path.map(String).join('.');
  if (typeof values[0] === 'function') {
    // By itself it stays at home, and says so: see FunctionPoint. But one that sets the module up changes results of other functions.
    const isSetup = recipe.setup?.some((/** @type {string} */ own) => name === own || name.startsWith(`${own}.`));
    if (isSetup && !set.isAway)
      set.refuse(`the program wrote a function of its own to '${name}', which sets it up, and no replica can have that function`);
    return;
  }
  try {
    if (!path.every((key) => typeof key === 'string')) throw new IgnisError('IGNIS_UNMARSHALABLE', `${name} is a symbol`);
    const { Change } = require('../session/change');
    set.change(new Change({ plan: null, path: set.targets.pathIn(child.name, /** @type {string[]} */ (path)), values }));
  } catch (error) {
    if (set.isAway) throw error;
    set.refuse(`the program wrote a value to '${name}' that no replica can have: ${/** @type {Error} */ (error).message}`);
  }
}

exports.Distribution = Distribution;
