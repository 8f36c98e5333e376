'use strict';

// The book of all recipes that hold for a program: shipped, from the recipe file, from code, and those given while it runs.
// In: a module, and the recipe that stands at its import, if any. Out: the effective recipe, frozen.
// A file or field that is wrong is an error at once, and the book stays as it was: no program starts, or goes on, half-configured.

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
 * @param {EffectiveRecipe} effective of any other module
 * @param {string} module
 * @returns {import('../option-table.js').Mistake[]} what is said of its files, which it has not
 */
function misplacedIn({ given, ...fields }, module) {
  const wrong = FILE_NAMES.filter((field) => given[field] !== undefined && given[field].by !== 'program');
  return wrong.map((field) => {
    const { where } = given[field];
    const message = `field '${field}' holds only for the module fs, and not for ${module} (given in ${where})`;
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

/** @param {Chapter} chapter that means the module @param {Layer['by']} by @param {ModuleId} module @returns {Layer} */
function layerOf({ exactness, where, recipe }, by, { name }) {
  // Who says how many copies there are of many modules, `fs` among them, does not speak of copies of files.
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
  /** @type {readonly Chapter[]} given while the program runs, the weakest first */
  #live = [];
  /** @type {Map<string, ModuleId>} all that somebody asked about */
  #met = new Map();
  /** @type {Map<string, EffectiveRecipe>} */
  #plain = new Map();
  /** of those that no recipe means @type {EffectiveRecipe | null} */
  #common = null;
  /** @type {WeakMap<object, Map<string, EffectiveRecipe>>} */
  #atImports = new WeakMap();

  /**
   * @param {object} from
   * @param {string} from.appRoot absolute; where the recipe file is looked for
   * @param {string | null} [from.recipeFile] the file that was named instead, from the working directory; it must exist; null: none
   * @param {number} [from.level] wins over every recipe
   * @param {number} [from.cpus] processors that replicas can use
   * @param {import('./named-hosts.js').NamedHosts | null} [from.hosts] for recipes that say `where: 'host'` and name none
   * @param {readonly ToldChapter[]} [from.told] what the book of another thread says, which has checked it
   * @throws {IgnisError} IGNIS_NOT_FOUND or IGNIS_BAD_RECIPE
   */
  constructor({ appRoot, recipeFile, level, cpus = usableCores(), hosts = null, told }) {
    this.#cpus = cpus;
    if (told !== undefined) this.#code = sourceOfTold(told);
    this.#level = level;
    /** for what is placed on hosts, where no recipe names any */
    this.hosts = hosts;
    /** where the recipe file is; null: there is none */
    this.recipeFile = recipeFile === null ? null : findRecipeFile(appRoot, recipeFile);
    /** whether one was looked for, and not found */
    this.lacksFile = recipeFile === undefined && this.recipeFile === null;
    if (this.recipeFile !== null) this.#file = toSource(loadRecipeFile(this.recipeFile), this.recipeFile.where);
  }

  /**
   * Sets the program-wide recipe that was given in code, in place of an earlier one.
   *
   * @param {unknown} recipe
   * @param {string} where file and line
   * @param {() => void} [take] takes the change up; when it throws, the earlier one is back
   * @throws {IgnisError} IGNIS_BAD_RECIPE; the earlier one stays then
   */
  setProgram(recipe, where, take) {
    const source = toSource(recipe, where);
    this.#attempt(() => (this.#code = source), take);
  }

  /**
   * The recipe file says something else now. Its level holds from the next start on.
   *
   * @param {unknown} recipe
   * @param {() => void} [take]
   * @returns {boolean} whether another level was asked for
   * @throws {IgnisError} IGNIS_BAD_RECIPE; what it said before stays then
   */
  setFile(recipe, take) {
    const source = toSource(recipe, /** @type {{where: string}} */ (this.recipeFile).where);
    const level = this.#file?.level;
    this.#attempt(() => (this.#file = { ...source, level }), take);
    return (source.level ?? 1) !== (level ?? 1);
  }

  /**
   * Sets the strongest recipe of the modules that a target means, in place of an earlier one for the same target.
   *
   * @param {import('./pattern.js').Target} target
   * @param {unknown} recipe null: there is none any more
   * @param {string} where file and line
   * @param {(chapter: Chapter) => void} [take]
   * @throws {IgnisError} IGNIS_BAD_RECIPE; all stays as it was then
   */
  setLive(target, recipe, where, take) {
    const verdict = checkTarget(target);
    if (verdict !== true)
      throw new IgnisError(
        'IGNIS_BAD_RECIPE',
        `no module is meant by the target '${String(target)}' (given in ${where}); it must be ${verdict}`,
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

  /** @returns {Chapter[]} what is said of some modules only, in the file, in code, and while the program runs */
  get chapters() {
    return [...(this.#file?.chapters ?? []), ...(this.#code?.chapters ?? []), ...this.#live];
  }

  /** @returns {boolean} whether something is said of some modules only */
  get hasChapters() {
    return this.#live.length > 0 || (this.#file?.chapters.length ?? 0) > 0 || (this.#code?.chapters.length ?? 0) > 0;
  }

  /** @param {string} target as it was given to setLive @returns {Readonly<Record<string, any>> | undefined} the recipe that was given with it */
  liveOf(target) {
    return this.#live.find((chapter) => String(chapter.target) === target)?.recipe;
  }

  /** @returns {(string | RegExp)[]} targets of modules that may live in a replica, whatever their import says */
  get residentTargets() {
    return this.chapters.filter(({ recipe }) => recipe.call === 'block').map(({ target }) => target);
  }

  /** @returns {(string | null)[]} the targets that are lifted, imports aside; null stands for one that means several modules */
  get lifted() {
    const lifting = this.chapters.filter(({ recipe }) => recipe.lift || Object.values(recipe.functions ?? {}).some(({ lift }) => lift));
    return lifting.map(({ exactness, target }) => (exactness === EXACTNESS.name ? String(target) : null));
  }

  /** @returns {ToldChapter[]} the chapters as another thread can be told them: without functions */
  get told() {
    return this.chapters.map(({ target, rank, recipe, where }) => ({ target, rank, recipe: withoutFunctions(recipe), where }));
  }

  /** @param {{withFile: boolean}} how withFile: what the recipe file says, too @returns {Uint8Array} what was given in code, for the book of a replica */
  pack({ withFile }) {
    return packRecipes({ file: withFile ? this.#file : null, code: this.#code }, this.#live);
  }

  /** @param {Uint8Array} packed by the book of home, which has checked it */
  unpack(packed) {
    const { file, code, live } = unpackRecipes(packed);
    this.#attempt(() => {
      if (file !== null) this.#file = file;
      this.#code = code;
      this.#live = live;
    }, undefined);
  }

  /** @returns {Chapter[]} those that no import in this thread matched so far */
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
    // Of most modules nobody says anything, and what holds for one of those holds for all.
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

  /** @param {EffectiveRecipe} effective @param {Layer[]} layers it was made of @param {boolean} isFiles @returns {EffectiveRecipe} with the hosts that the options name, where it names none */
  #withHosts(effective, layers, isFiles) {
    if (this.hosts === null || !hasHost(effective.where) || effective.nodes !== undefined || effective.cluster !== undefined)
      return effective;
    const { nodes, cluster } = this.hosts;
    const recipe = cluster === undefined ? { nodes } : { cluster };
    return mergeLayers([{ by: 'program', where: `the option ${Object.keys(recipe)[0]}`, recipe }, ...layers], this.#cpus, isFiles);
  }

  /**
   * @param {ModuleId} module
   * @returns {boolean} whether the program's recipes, imports aside, say hot
   */
  isHot(module) {
    return this.lookup({ module }).hot === true;
  }

  /**
   * @param {ModuleId} module @param {ModuleId} parent that imports it
   * @returns {boolean} whether both are files of one package, and whoever says something of the one means the other, too: to him they are one module
   */
  isWithin(module, parent) {
    if (module.packageName === null || module.packageName !== parent.packageName || module.version !== parent.version) return false;
    return this.chapters.every(({ means }) => !means(module) || means(parent));
  }

  /**
   * @param {ModuleId} module
   * @returns {boolean} whether the recipes, imports aside, say cold
   */
  isCold(module) {
    return this.lookup({ module }).cold === true;
  }

  /**
   * @param {unknown} importRecipe
   * @returns {Map<string, EffectiveRecipe> | undefined} undefined for what is no object, and so will not pass the check
   */
  #shelf(importRecipe) {
    if (importRecipe === undefined) return this.#plain;
    if (typeof importRecipe !== 'object' || importRecipe === null) return undefined;
    // An object that can still change must be read again.
    if (!Object.isFrozen(importRecipe)) return undefined;
    let shelf = this.#atImports.get(importRecipe);
    if (shelf === undefined) this.#atImports.set(importRecipe, (shelf = new Map()));
    return shelf;
  }

  /**
   * @param {ModuleId} module
   * @returns {Layer[]} those below the one at the import, the weakest first
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
