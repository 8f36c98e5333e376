'use strict';
/*
 * Keeps all watched imports of a program: for each its recipe, its boundary, and what the importing file is handed. In: imports as the
 * hooks see them, and changes of recipes. Out: boundaries, announced to the profile and the distribution as they come and go. It must never
 * start a replica by itself, except for a module whose recipe has it live in one.
 */
const { publish } = require('../diagnostics');
const { atPlace, refuse } = require('../option-table');
const { Groups } = require('../recipe/groups');
const { consentOf } = require('../recipe/merge');
const { firstOf } = require('../spawn/where');
const { Boundary, boundaryOf, idOf } = require('../wrap/boundary');
const { FileImports } = require('./file-imports');
const { parseForce } = require('./force');
const { lineOf } = require('./place');
const { changedOf, liftsTheSame, saysTheSame } = require('./same-recipe');
const { SharedViews, isOfSameModule, isOnlyOf, ownViews } = require('./shared-views');
const { siblingsOf } = require('./siblings');
const { Map, WeakMap } = require('../engine');

/** @typedef {import('./hook').Edge} Edge */
/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */
/** @typedef {{boundary: Boundary, recipe: EffectiveRecipe, isInner: boolean}} Due a boundary, and what its recipe is from now on */
/** @typedef {import('../spawn/replica-set').ReplicaSet} ReplicaSet */

const LOADED_AT_HOME = "it is already loaded at home, and call: 'block' takes effect only at a module's first import";
const LOADED_WITHOUT = 'lift takes effect only in files that are loaded afterwards, and those that use this module are already loaded';
const FILES_ARE_OPEN = 'what it says of files takes effect at the first import of fs, and there has been one';
const LIVES_AWAY = "with call: 'block' it has lived in a replica since its import";

class Imports {
  #appRoot;
  #book;
  #identify;
  #window;
  #paths;
  #residents;
  #forcedTo;
  #force;
  #onCandidate;
  /** @type {(filename: string) => boolean} */
  #isForced = () => false;
  /** @type {Map<string, Boundary>} by id */
  #boundaries = new Map();
  /** @type {WeakMap<Boundary, unknown>} the second argument of `require`, if there was one */
  #importRecipes = new WeakMap();
  /** @type {Map<string, {edge: Edge, importRecipe: unknown, recipe: EffectiveRecipe}>} by name: modules whose recipe has them live in a replica */
  #resident = new Map();
  #groups = new Groups();
  /** @type {Map<string, {edge: Edge, importRecipe: unknown}>} by name: modules whose group was given at the import */
  #grouped = new Map();
  #isClosed = false;
  /** @type {import('../wrap/distribution').Distribution | null} */
  #distribution = null;
  #fileImports;
  /** @type {SharedViews | null} */
  #shared;
  /** Called when recipes have changed. @type {() => void} */
  onRefresh = () => {};
  /** Called for a module that should live in a replica, but is loaded at home. @type {(boundary: Boundary) => void} */
  onStranded = () => {};
  /** Called for a module that may be distributed, but whose calls cannot be seen. @type {(boundary: Boundary) => void} */
  onUnseen = () => {};
  /** Called for a module that should live in a replica, but is imported with a query. @type {(url: string, parentFile: string) => void} */
  onApart = () => {};

  /**
   * @param {object} given
   * @param {string} given.appRoot absolute
   * @param {import('../recipe/book').RecipeBook} given.book
   * @param {(filename: string) => import('../types').ModuleId} given.identify
   * @param {import('../profile/window').Window} given.window
   * @param {import('../profile/paths').Paths} [given.paths]
   * @param {import('../spawn/residents').Residents} given.residents
   * @param {import('../fs/files').Files} given.files
   * @param {Readonly<Record<string, any>>} given.options of the program: with `exact`, all files are handed the same object,
   *   indistinguishable from the original; `force` names what lives in a replica whatever recipes say
   * @param {import('../spawn/residents').Place} given.forcedTo where forced modules live
   * @param {(boundary: Boundary, set: ReplicaSet) => void} given.onCandidate called when a module is imported that may be distributed
   */
  constructor({ appRoot, book, identify, window, paths, residents, files, options, forcedTo, onCandidate }) {
    const { exact, force } = options;
    this.#appRoot = appRoot;
    this.#book = book;
    this.#identify = identify;
    this.#window = window;
    this.#paths = paths;
    this.#residents = residents;
    this.#fileImports = new FileImports({ book, identify, appRoot, files });
    this.#forcedTo = forcedTo;
    this.#shared = exact ? new SharedViews() : null;
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

  /** From now on nothing is distributed, and no further module lives in a replica. */
  close() {
    this.#isClosed = true;
  }

  /** @param {Edge} edge */
  isHot(edge) {
    const child = this.#childOf(edge);
    return this.#book.isHot(child) && !this.#book.isWithin(child, this.#identify(edge.parentFile));
  }

  /** @param {Edge} edge */
  isCold(edge) {
    // `fs.promises` and `fs/promises` are one object, so either both are watched or neither.
    const [whole] = this.#shared === null ? [] : (edge.builtin ?? '').split('/');
    return this.#book.isCold(this.#childOf(edge)) || (Boolean(whole) && this.#book.isCold(this.#identify(whole)));
  }

  /** @param {import('./hook').Import} seen @returns {any} what the importing file gets */
  import(seen) {
    const child = this.#childOf(seen);
    const parent = this.#identify(seen.parentFile);
    const recipe = this.#recipeOf(seen, seen.recipe);
    const known = seen.handed === undefined ? undefined : boundaryOf(seen.handed);
    if (known !== undefined && (this.#shared === null || isOnlyOf(known, parent, child))) {
      this.#importRecipes.set(known, seen.recipe);
      this.#change(known, recipe);
      return seen.isByName ? known.handed : known.wrapped;
    }
    this.#groups.note(child.name, recipe);
    const isInner = this.#isInner({ parent, child }, recipe);
    const mayDistribute = mayLeave(recipe, isInner);
    const edge = { parent, child, recipe, exports: seen.exports, mayDistribute, isInner, isImported: seen.isByName };
    const shared = this.#shared?.find(edge);
    if (shared !== undefined) {
      shared.files.add(parent.filename);
      return shared.wrapped;
    }
    const isByName = seen.isByName && !seen.isPartial && this.#shared === null;
    const sibling = this.#shared === null ? this.#boundaries.get(idOf(parent, child)) : undefined;
    if (sibling !== undefined && isOfSameModule(sibling, edge)) return isByName ? sibling.handed : sibling.wrapFurther(seen.exports);
    const [siblings, inside] = this.#shared === null ? [siblingsOf(parent), siblingsOf(child)] : [null, null];
    const views = this.#shared?.viewsFor(edge) ?? ownViews(seen);
    const boundary = new Boundary({ ...edge, isPartial: seen.isPartial, isByName, views, siblings, inside });
    this.#shared?.note(boundary);
    this.#importRecipes.set(boundary, seen.recipe);
    if (boundary.isWrapped) this.#register(boundary);
    else if (mayDistribute && !seen.isPartial) this.onUnseen(boundary);
    return boundary.handed;
  }

  /**
   * Applies the changed recipes of the book: to all boundaries at once, or to none.
   * @param {string} where the change was given
   * @throws {IgnisError} IGNIS_BAD_RECIPE with all that cannot change while the program runs; then nothing has changed
   */
  refresh(where) {
    const found = [...this.#boundaries.values()].map((boundary) => ({ boundary, recipe: this.recipeOf(boundary) }));
    const groups = this.#groupsOf(found);
    /** @type {Due[]} */
    const due = found.map((one) => ({ ...one, isInner: this.#isInner(one.boundary, one.recipe, groups) }));
    const changed = changedOf(due);
    refuse('IGNIS_BAD_RECIPE', this.#fixed(changed, where));
    this.#groups = groups;
    // All leave before any enters: the first to enter settles what the replicas of its module are like.
    for (const { boundary } of changed) this.#distribution?.remove(boundary);
    for (const { boundary, recipe, isInner } of due)
      if (boundary.recipe !== recipe || boundary.isInner !== isInner) say(boundary, recipe, isInner);
    for (const { boundary } of changed) this.#register(boundary);
    this.onRefresh();
  }

  /**
   * Who imports whom within a group is known only when all its members are.
   * @param {{boundary: Boundary, recipe: EffectiveRecipe}[]} found with what the book says now
   * @returns {Groups}
   * @throws {IgnisError} IGNIS_BAD_RECIPE when recipes of one group contradict each other
   */
  #groupsOf(found) {
    const groups = new Groups();
    for (const { boundary, recipe } of found) groups.note(boundary.child.name, recipe);
    for (const [name, { edge, importRecipe }] of [...this.#resident, ...this.#grouped])
      groups.note(name, this.#recipeOf(edge, importRecipe));
    return groups;
  }

  /** @param {Due[]} changed @param {string} where @returns {import('../option-table').Mistake[]} what can no longer change, one a module */
  #fixed(changed, where) {
    /** @type {Map<string, string>} by module: why not */
    const fixed = new Map();
    for (const { boundary, recipe } of changed) {
      if (saysTheSame(boundary.recipe, recipe)) continue;
      const isLate = recipe.call === 'block' && boundary.recipe.call !== 'block';
      const isLifted = !liftsTheSame(recipe, boundary.recipe);
      const why = isLate ? LOADED_AT_HOME : isLifted ? LOADED_WITHOUT : (this.#distribution?.whyFixed(boundary, recipe) ?? '');
      if (why !== '') fixed.set(boundary.child.name, why);
    }
    if (this.#fileImports.areOthersNow()) fixed.set('fs', FILES_ARE_OPEN);
    for (const [name, { edge, importRecipe, recipe }] of this.#resident) {
      if (!saysTheSame(recipe, this.#recipeOf(edge, importRecipe))) fixed.set(name, LIVES_AWAY);
    }
    return [...fixed].map(([module, why]) => {
      const message = `the recipe of ${module} cannot change like this while the program runs${atPlace(where)}: ${why}`;
      return { field: module, value: module, where, message };
    });
  }

  /** @param {Boundary} boundary @returns {EffectiveRecipe} what the book says about it now */
  recipeOf(boundary) {
    const { child, parent } = boundary;
    return this.#book.lookup({ module: child, parent, importRecipe: this.#importRecipes.get(boundary) });
  }

  /** A module that was handed out half-loaded has finished loading. @param {Edge} edge */
  loaded(edge) {
    const parent = this.#identify(edge.parentFile);
    const child = this.#childOf(edge);
    for (const boundary of this.#boundaries.values()) {
      if (boundary.parent === parent && boundary.child === child) boundary.reconcile();
    }
  }

  /** @returns {import('./es-hook').Told} for another thread: what the recipes say about imports that have none of their own */
  get told() {
    const cwd = this.#force === undefined ? '' : process.cwd();
    const residents = { appRoot: this.#appRoot, force: this.#force, cwd, targets: this.#book.residentTargets };
    return { residents, chapters: this.#book.told, lifts: this.#book.lifted.length > 0, hasFiles: this.#fileImports.areForAll };
  }

  /** @param {unknown} importRecipe @returns {boolean} whether isResident must be asked about such an import */
  mayReside(importRecipe) {
    return this.#force !== undefined || importRecipe !== undefined || this.#book.hasChapters;
  }

  /** @param {Edge} edge to `fs` or `fs/promises` @param {unknown} importRecipe @returns {any} what to hand out instead; null: nothing */
  filesOf(edge, importRecipe) {
    return this.#isClosed ? null : this.#fileImports.of(edge, importRecipe);
  }

  /** @param {Edge} edge @param {unknown} importRecipe @returns {boolean} whether its module lives in a replica, and is not loaded here */
  isResident(edge, importRecipe) {
    const { parentFile, filename } = edge;
    if (this.#isClosed || filename === null) return false;
    if (this.#isForced(filename)) return !this.#isForced(parentFile);
    // Its own imports come before its import is over, so its group must be known now.
    if (/** @type {any} */ (importRecipe)?.group !== undefined) {
      const { name } = this.#childOf(edge);
      this.#groups.note(name, this.#recipeOf(edge, importRecipe));
      this.#grouped.set(name, { edge, importRecipe });
    }
    if (/** @type {any} */ (importRecipe)?.call !== 'block' && this.#book.residentTargets.length === 0) return false;
    return this.#recipeOf(edge, importRecipe).call === 'block';
  }

  /** @param {Edge} edge @param {unknown} importRecipe @param {boolean} isFresh it was deleted from `require.cache` */
  requireResident(edge, importRecipe, isFresh) {
    const { mayWait, isWhole, isEsModule } = edge;
    const filename = /** @type {string} */ (edge.filename);
    const { name } = this.#identify(filename);
    const recipe = this.#recipeOf(edge, importRecipe);
    const { where, group, args, timeout: timeoutMs, nodes, cluster, labels } = recipe;
    const isForced = this.#isForced(filename);
    if (!isForced) this.#groups.note(name, recipe);
    // What is forced shares one replica, so the recipe of a single module does not count there.
    if (!isForced) this.#resident.set(name, { edge, importRecipe, recipe });
    const how = isForced
      ? this.#forcedTo
      : {
          where: firstOf(where),
          placing: { nodes: nodes ?? [], cluster, labels },
          group: group === undefined ? name : `group ${group}`,
          args,
          timeoutMs,
        };
    return this.#residents.require({ name, filename }, { ...how, isFresh, mayWait, isWhole, isEsModule });
  }

  /** Whether both are in one group, or in one package if the recipe was not given at this import. @param {Pick<Boundary, 'parent' | 'child'>} edge @param {EffectiveRecipe} recipe of the import */
  #isInner({ parent, child }, recipe, groups = this.#groups) {
    const { group, given } = recipe;
    const isSaidHere = Object.values(given).some(({ by }) => by === 'import');
    if (!isSaidHere && this.#book.isWithin(child, parent) && consentOf(recipe).allowed) return true;
    return group !== undefined && (groups.has(parent.name, group) || this.#book.lookup({ module: parent }).group === group);
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

  /** @param {Boundary} boundary @param {EffectiveRecipe} recipe */
  #change(boundary, recipe) {
    this.#distribution?.remove(boundary);
    this.#groups.note(boundary.child.name, recipe);
    say(boundary, recipe, this.#isInner(boundary, recipe));
    this.#register(boundary);
  }

  /** @param {Boundary} boundary */
  #register(boundary) {
    // If a module was loaded anew, its old edge has nothing more to tell; the window adds up what both have counted.
    const old = this.#boundaries.get(boundary.id);
    if (old !== undefined && old !== boundary) this.#paths?.forget(old);
    this.#boundaries.set(boundary.id, boundary);
    this.#window.track(/** @type {any} */ (boundary));
    this.#paths?.track(boundary);
    publish('ignis:boundary', { id: boundary.id, parent: boundary.parent, child: boundary.child });
    const set = this.#isClosed ? null : (this.#distribution?.add(boundary) ?? null);
    if (set !== null) this.#onCandidate(boundary, set);
    if (boundary.recipe.call === 'block') this.onStranded(boundary);
  }
}

/** @param {EffectiveRecipe} recipe @param {boolean} isInner calls within a group or a package stay where they are made */
function mayLeave(recipe, isInner) {
  return !isInner && consentOf(recipe).allowed;
}

/** @param {Boundary} boundary @param {EffectiveRecipe} recipe that holds for it from now on @param {boolean} isInner */
function say(boundary, recipe, isInner) {
  boundary.isInner = isInner;
  boundary.setRecipe(recipe, mayLeave(recipe, isInner));
}

exports.Imports = Imports;
