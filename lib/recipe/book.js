'use strict';

// Keeps all recipes of a program: the shipped ones, those from the recipe file and from code, and those given while it runs. In: a module,
// and the recipe given at its import, if any. Out: the effective recipe, frozen. A wrong file or field is an error at once, and the book
// stays as it was: no program may start, or go on, half-configured.

const { usableCores } = require('../cores');
const { IgnisError } = require('../errors.js');
const { isPlainObject, refuse } = require('../option-table.js');
const { hasHost } = require('../spawn/where.js');
const { lacksIn } = require('./contradictions.js');
const { checkRecipe } = require('./fields.js');
const { refuseContradictions } = require('./merged-contradictions.js');
const { mergeLayers } = require('./merge.js');
const { EXACTNESS, checkTarget } = require('./pattern.js');
const { findRecipeFile, loadRecipeFile } = require('./recipe-file.js');
const { findShipped } = require('./shipped.js');
const { FILE_NAMES } = require('./file-fields.js');
const { toChapter, toSource } = require('./source.js');
const { packRecipes, unpackRecipes } = require('./told.js');
const { Map, Object, Set, WeakMap } = require('../engine');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */
/** @typedef {import('../types').ModuleId} ModuleId */
/** @typedef {import('./merge.js').Layer} Layer */
/** @typedef {import('./source.js').Chapter} Chapter */
/** @typedef {import('./source.js').Source} Source */
/** @typedef {Pick<Chapter, 'target' | 'rank' | 'recipe' | 'where'>} ToldChapter */

/** The modules for which recipes say where files live. */
const FILE_MODULES = new Set(['node:fs', 'node:fs/promises']);

/**
 * @param {EffectiveRecipe} effective of a module other than `fs`
 * @param {string} module
 * @returns {import('../option-table.js').Mistake[]} file fields that were given for a module that has no files
 */
function misplacedIn({ given, ...fields }, module) {
  const wrong = FILE_NAMES.filter((field) => given[field] !== undefined && given[field].by !== 'program');
  return wrong.map((field) => {
    const { where } = given[field];
    const message = `field '${field}' is only for the module fs, not for ${module} (given in ${where})`;
    return { field, value: /** @type {any} */ (fields)[field], where, message };
  });
}

/** @param {Readonly<Record<string, any>>} recipe @returns {Record<string, any>} */
function withoutFunctions(recipe) {
  const kept = Object.entries(recipe).filter(([, value]) => typeof value !== 'function');
  return Object.fromEntries(kept.map(([field, value]) => [field, isPlainObject(value) ? withoutFunctions(value) : value]));
}

/** @param {readonly ToldChapter[]} told @returns {Source} */
function sourceOfTold(told) {
  const chapters = told.map((one) => ({ ...toChapter(one.target, one.recipe, one.where), rank: one.rank }));
  return { where: '', level: undefined, wide: {}, chapters };
}

/** @param {Chapter} chapter that matches the module @param {Layer['by']} by @param {ModuleId} module @returns {Layer} */
function layerOf({ exactness, where, recipe }, by, { name }) {
  // Whoever gives `copies` for many modules, `fs` among them, does not mean copies of files.
  return { by: FILE_MODULES.has(name) && exactness !== EXACTNESS.name ? 'program' : by, where, recipe };
}

class RecipeBook {
  #cpus;
  /** @type {number | undefined} */
  #level;
  /** @type {Source | null} */
  #file = null;
  /** @type {Source | null} */
  #code = null;
  /** @type {readonly Chapter[]} given while the program runs, weakest first */
  #live = [];
  /** @type {Map<string, ModuleId>} all modules that were asked about */
  #met = new Map();
  /** @type {Map<string, EffectiveRecipe>} */
  #plain = new Map();
  /** the recipe of modules that no recipe mentions @type {EffectiveRecipe | null} */
  #common = null;
  /** @type {WeakMap<object, Map<string, EffectiveRecipe>>} */
  #atImports = new WeakMap();

  /**
   * @param {object} from
   * @param {string} from.appRoot absolute; where to look for the recipe file
   * @param {string | null} [from.recipeFile] a file named instead, relative to the working directory, which must exist; null: none
   * @param {number} [from.level] wins over every recipe
   * @param {number} [from.cpus] processors that replicas can use
   * @param {import('./named-hosts.js').NamedHosts | null} [from.hosts] for recipes with `where: 'host'` that name no hosts
   * @param {readonly ToldChapter[]} [from.told] what the book of another thread says, already checked there
   * @throws {IgnisError} IGNIS_NOT_FOUND or IGNIS_BAD_RECIPE
   */
  constructor({ appRoot, recipeFile, level, cpus = usableCores(), hosts = null, told }) {
    this.#cpus = cpus;
    if (told !== undefined) this.#code = sourceOfTold(told);
    this.#level = level;
    /** for modules placed on hosts whose recipe names no hosts */
    this.hosts = hosts;
    /** where the recipe file is; null: there is none */
    this.recipeFile = recipeFile === null ? null : findRecipeFile(appRoot, recipeFile);
    /** whether there was a search for one, in vain */
    this.lacksFile = recipeFile === undefined && this.recipeFile === null;
    if (this.recipeFile !== null) this.#file = toSource(loadRecipeFile(this.recipeFile), this.recipeFile.where);
  }

  /**
   * Sets the program-wide recipe given in code, replacing an earlier one.
   * @param {unknown} recipe
   * @param {string} where file and line
   * @param {() => void} [take] applies the change; if it throws, the earlier recipe is restored
   * @throws {IgnisError} IGNIS_BAD_RECIPE; then the earlier recipe stays
   */
  setProgram(recipe, where, take) {
    const source = toSource(recipe, where);
    this.#attempt(() => (this.#code = source), take);
  }

  /**
   * Takes the new content of the recipe file. Its `level` counts only from the next start on.
   * @param {unknown} recipe
   * @param {() => void} [take]
   * @returns {boolean} whether it asks for another level
   * @throws {IgnisError} IGNIS_BAD_RECIPE; then the earlier content stays
   */
  setFile(recipe, take) {
    const source = toSource(recipe, /** @type {{where: string}} */ (this.recipeFile).where);
    const level = this.#file?.level;
    this.#attempt(() => (this.#file = { ...source, level }), take);
    return (source.level ?? 1) !== (level ?? 1);
  }

  /**
   * Sets the strongest recipe of the modules that a target matches, replacing an earlier one for the same target.
   * @param {import('./pattern.js').Target} target
   * @param {unknown} recipe null takes it back
   * @param {string} where file and line
   * @param {(chapter: Chapter) => void} [take]
   * @throws {IgnisError} IGNIS_BAD_RECIPE; then all stays as it was
   */
  setLive(target, recipe, where, take) {
    const verdict = checkTarget(target);
    if (verdict !== true)
      throw new IgnisError(
        'IGNIS_BAD_RECIPE',
        `the target '${String(target)}' cannot mean a module (given in ${where}); it must be ${verdict}`,
        {
          value: target,
          where,
        },
      );
    const chapter = toChapter(target, recipe === null ? {} : checkRecipe('module', recipe, where), where);
    const others = this.#live.filter((other) => String(other.target) !== String(target));
    const live = recipe === null ? others : [...others, chapter].sort((a, b) => a.rank - b.rank);
    this.#attempt(
      () => (this.#live = live),
      () => take?.(chapter),
    );
  }

  /** @param {() => void} apply @param {(() => void) | undefined} take */
  #attempt(apply, take) {
    const before = { file: this.#file, code: this.#code, live: this.#live };
    const forget = () => {
      this.#plain = new Map();
      this.#common = null;
      this.#atImports = new WeakMap();
    };
    apply();
    forget();
    try {
      take?.();
    } catch (error) {
      ({ file: this.#file, code: this.#code, live: this.#live } = before);
      forget();
      throw error;
    }
  }

  /** @returns {number} how deep imports are watched */
  get level() {
    return this.#level ?? this.#code?.level ?? this.#file?.level ?? 1;
  }

  /** @returns {Chapter[]} what holds for some modules only, from the file, from code, and given while the program runs */
  get chapters() {
    return [...(this.#file?.chapters ?? []), ...(this.#code?.chapters ?? []), ...this.#live];
  }

  /** @returns {boolean} whether any recipe holds for some modules only */
  get hasChapters() {
    return this.#live.length > 0 || (this.#file?.chapters.length ?? 0) > 0 || (this.#code?.chapters.length ?? 0) > 0;
  }

  /** @param {string} target as it was given to setLive @returns {Readonly<Record<string, any>> | undefined} the recipe given with it */
  liveOf(target) {
    return this.#live.find((chapter) => String(chapter.target) === target)?.recipe;
  }

  /** @returns {(string | RegExp)[]} targets of modules that may live in a replica, whatever is given at their import */
  get residentTargets() {
    return this.chapters.filter(({ recipe }) => recipe.call === 'block').map(({ target }) => target);
  }

  /** @returns {(string | null)[]} targets to lift, apart from recipes at imports; null: a target that matches several modules */
  get lifted() {
    const lifting = this.chapters.filter(({ recipe }) => recipe.lift || Object.values(recipe.functions ?? {}).some(({ lift }) => lift));
    return lifting.map(({ exactness, target }) => (exactness === EXACTNESS.name ? String(target) : null));
  }

  /** @returns {ToldChapter[]} the chapters as they can be passed to another thread: without functions */
  get told() {
    return this.chapters.map(({ target, rank, recipe, where }) => ({ target, rank, recipe: withoutFunctions(recipe), where }));
  }

  /**
   * @param {{withFile: boolean}} how withFile: also what the recipe file says
   * @returns {Uint8Array} what was given in code, for the book of a replica
   */
  pack({ withFile }) {
    return packRecipes({ file: withFile ? this.#file : null, code: this.#code }, this.#live);
  }

  /** @param {Uint8Array} packed by home's book, which has checked it */
  unpack(packed) {
    const { file, code, live } = unpackRecipes(packed);
    this.#attempt(() => {
      if (file !== null) this.#file = file;
      this.#code = code;
      this.#live = live;
    }, undefined);
  }

  /** @returns {Chapter[]} those that matched no import in this thread so far */
  get unmatched() {
    const met = [...this.#met.values()];
    return this.chapters.filter(({ means }) => !met.some(means));
  }

  /**
   * @param {object} question
   * @param {ModuleId} question.module
   * @param {ModuleId} [question.parent] for messages only
   * @param {unknown} [question.importRecipe] the second argument of `require`
   * @param {string | (() => string)} [question.where] file and line of the import; a function is called only when a message needs it
   * @returns {EffectiveRecipe} the same object for the same module, if importRecipe is absent or frozen
   * @throws {IgnisError} IGNIS_BAD_RECIPE when importRecipe is wrong
   */
  lookup({ module, parent, importRecipe, where }) {
    const name = `${module.name}@${module.version} ${module.inside}`;
    const known = this.#shelf(importRecipe);
    const earlier = known?.get(name);
    if (earlier !== undefined) return earlier;

    const layers = this.#layers(module);
    if (importRecipe !== undefined) {
      const at = (typeof where === 'function' ? where() : where) ?? `${parent?.name ?? 'an import'} of ${module.name}`;
      layers.push({ by: 'import', where: at, recipe: checkRecipe('module', importRecipe, at) });
    }
    for (const chapter of this.#live) if (chapter.means(module)) layers.push(layerOf(chapter, 'live', module));
    // Most modules are in no recipe, and they all share one effective recipe.
    const isCommon = !FILE_MODULES.has(module.name) && layers.every(({ by }) => by === 'program');
    const effective = (isCommon ? this.#common : null) ?? this.#effectiveOf(module, layers);
    if (isCommon) this.#common = effective;
    this.#met.set(name, module);
    known?.set(name, effective);
    return effective;
  }

  /** @param {ModuleId} module @param {Layer[]} layers @returns {EffectiveRecipe} @throws {IgnisError} IGNIS_BAD_RECIPE */
  #effectiveOf({ name }, layers) {
    const isFiles = FILE_MODULES.has(name);
    const effective = this.#withHosts(mergeLayers(layers, this.#cpus, isFiles), layers, isFiles);
    const lacks = lacksIn(effective).filter(({ by }) => by === 'import');
    refuse('IGNIS_BAD_RECIPE', isFiles ? lacks : [...misplacedIn(effective, name), ...lacks]);
    refuseContradictions(effective, name);
    return effective;
  }

  /** @param {EffectiveRecipe} effective @param {Layer[]} layers it was made of @param {boolean} isFiles @returns {EffectiveRecipe} with the hosts that the options name, if it names none */
  #withHosts(effective, layers, isFiles) {
    if (this.hosts === null || !hasHost(effective.where) || effective.nodes !== undefined || effective.cluster !== undefined)
      return effective;
    const { nodes, cluster } = this.hosts;
    const recipe = cluster === undefined ? { nodes } : { cluster };
    return mergeLayers([{ by: 'program', where: `the option ${Object.keys(recipe)[0]}`, recipe }, ...layers], this.#cpus, isFiles);
  }

  /**
   * @param {ModuleId} module
   * @returns {boolean} whether the program's recipes say hot, apart from recipes at imports
   */
  isHot(module) {
    return this.lookup({ module }).hot === true;
  }

  /**
   * @param {ModuleId} module @param {ModuleId} parent which imports it
   * @returns {boolean} whether both are files of one package, and recipes for the module also mean the parent: one module to authors
   */
  isWithin(module, parent) {
    if (module.packageName === null || module.packageName !== parent.packageName || module.version !== parent.version) return false;
    return this.chapters.every(({ means }) => !means(module) || means(parent));
  }

  /**
   * @param {ModuleId} module
   * @returns {boolean} whether the recipes say cold, apart from recipes at imports
   */
  isCold(module) {
    return this.lookup({ module }).cold === true;
  }

  /**
   * @param {unknown} importRecipe
   * @returns {Map<string, EffectiveRecipe> | undefined} undefined for a non-object, which will not pass the check
   */
  #shelf(importRecipe) {
    if (importRecipe === undefined) return this.#plain;
    if (typeof importRecipe !== 'object' || importRecipe === null) return undefined;
    // An object that can still change must be read again each time.
    if (!Object.isFrozen(importRecipe)) return undefined;
    let shelf = this.#atImports.get(importRecipe);
    if (shelf === undefined) this.#atImports.set(importRecipe, (shelf = new Map()));
    return shelf;
  }

  /**
   * @param {ModuleId} module
   * @returns {Layer[]} those weaker than the one at the import, weakest first
   */
  #layers(module) {
    /** @type {Layer[]} */
    const layers = [];
    const shipped = findShipped(module);
    if (shipped !== null)
      layers.push({ by: 'shipped', where: shipped.where, recipe: checkRecipe('module', shipped.recipe, shipped.where) });
    const sources = [this.#file, this.#code].filter((source) => source !== null);
    for (const { wide, where } of sources) layers.push({ by: 'program', where, recipe: wide });
    for (const { chapters } of sources) {
      for (const chapter of chapters) if (chapter.means(module)) layers.push(layerOf(chapter, 'target', module));
    }
    return layers;
  }
}

exports.RecipeBook = RecipeBook;
