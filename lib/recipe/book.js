'use strict';

// The book of all recipes that hold for a program: shipped, from the recipe file, and from code.
// In: a module, and the recipe that stands at its import, if any. Out: the effective recipe, frozen.
// It looks for a recipe file in the program's root only, and
// a file or field that is wrong is an error at once: no program starts half-configured.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { IgnisError } = require('../errors.js');
const { checkRecipe } = require('./fields.js');
const { consentOf, mergeLayers } = require('./merge.js');
const { toPattern } = require('./pattern.js');
const { findShipped } = require('./shipped.js');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */
/** @typedef {import('../types').ModuleId} ModuleId */
/** @typedef {import('./merge.js').Layer} Layer */

/** Looked for in the program's root, in this order. */
const FILE_NAMES = Object.freeze(['ignis.config.js', 'ignis.config.cjs', 'ignis.config.json']);

// Fields of a program-wide recipe that choose modules and are not handed on to them.
const CHOOSING = new Set(['level', 'hot', 'cold', 'modules']);

/**
 * @typedef {object} Source a program-wide recipe made ready for questions
 * @property {string} where
 * @property {number | undefined} level
 * @property {Readonly<Record<string, any>>} wide what it says of all modules
 * @property {Chapter[]} chapters what it says of some, the least exact first
 */

/** @typedef {import('./pattern.js').Pattern & { recipe: Readonly<Record<string, any>>, where: string }} Chapter */

/**
 * @param {unknown} recipe
 * @param {string} where
 * @returns {Source}
 * @throws {IgnisError} IGNIS_BAD_RECIPE
 */
function toSource(recipe, where) {
  const checked = checkRecipe('program', recipe, where);
  /** @type {Chapter[]} */
  const chapters = [];
  for (const field of ['hot', 'cold']) {
    for (const target of [checked[field] ?? []].flat())
      chapters.push({ ...toPattern(target), exactness: -1, recipe: { [field]: true }, where });
  }
  for (const target of Object.keys(checked.modules ?? {})) chapters.push({ ...toPattern(target), recipe: checked.modules[target], where });
  chapters.sort((a, b) => a.exactness - b.exactness);
  const wide = Object.fromEntries(Object.entries(checked).filter(([field]) => !CHOOSING.has(field)));
  return { where, level: checked.level, wide, chapters };
}

/**
 * @param {string} file absolute
 * @param {string} where how messages name it
 * @returns {unknown} what the file exports
 * @throws {IgnisError} IGNIS_NOT_FOUND; IGNIS_BAD_RECIPE when it cannot be loaded
 */
function loadFile(file, where) {
  if (!fs.existsSync(file)) throw new IgnisError('IGNIS_NOT_FOUND', `the recipe file ${where}`, { path: file });
  try {
    // JSON is read here, since `require` knows it by the extension only.
    const loaded = /\.[cm]?js$/.test(file) ? require(file) : JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
    const isNamespace =
      loaded !== null && typeof loaded === 'object' && (loaded.__esModule === true || loaded[Symbol.toStringTag] === 'Module');
    return isNamespace && loaded.default !== undefined ? loaded.default : loaded;
  } catch (error) {
    throw new IgnisError(
      'IGNIS_BAD_RECIPE',
      `the file ${where} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error, where },
    );
  }
}

/**
 * Only now is it known whether what one layer wants verified another one calls pure.
 *
 * @param {EffectiveRecipe} recipe
 * @param {string} module
 * @throws {IgnisError} IGNIS_BAD_RECIPE when a call would have to run twice that may not, or none would
 */
function refuseUnverifiable(recipe, module) {
  const parts = Object.entries(recipe.functions);
  const own = parts.find(([, { verify, pure, given }]) => verify > 0 && pure !== true && given.verify !== recipe.given.verify);
  const isServed = recipe.pure === true || parts.some(([, { pure }]) => pure === true);
  if (own === undefined && (isServed || recipe.verify === 0)) return;
  const where = own?.[1].given.verify.where ?? recipe.given.verify.where;
  const what = own === undefined ? `${module}, none of whose functions is` : `'${own[0]}' of ${module}, which is not`;
  throw new IgnisError(
    'IGNIS_BAD_RECIPE',
    `field 'verify' is given for ${what} called \`pure\` (given in ${where}); only calls of pure functions may run twice`,
    { field: 'verify', where },
  );
}

class RecipeBook {
  #cpus;
  /** @type {number | undefined} */
  #level;
  /** @type {Source | null} */
  #file = null;
  /** @type {Source | null} */
  #code = null;
  /** @type {Map<string, EffectiveRecipe>} */
  #plain = new Map();
  /** @type {WeakMap<object, Map<string, EffectiveRecipe>>} */
  #atImports = new WeakMap();

  /**
   * @param {object} from
   * @param {string} from.appRoot absolute; where the recipe file is looked for
   * @param {string} [from.recipeFile] the file that was named instead, from the working directory; it must exist
   * @param {number} [from.level] wins over every recipe
   * @param {number} [from.cpus] processors that replicas can use
   * @throws {IgnisError} IGNIS_NOT_FOUND or IGNIS_BAD_RECIPE
   */
  constructor({ appRoot, recipeFile, level, cpus = os.availableParallelism() }) {
    this.#cpus = cpus;
    this.#level = level;
    if (recipeFile !== undefined) {
      this.#file = toSource(loadFile(path.resolve(recipeFile), recipeFile), recipeFile);
      return;
    }
    const found = FILE_NAMES.filter((name) => fs.existsSync(path.join(appRoot, name)));
    if (found.length > 1)
      throw new IgnisError(
        'IGNIS_BAD_RECIPE',
        `there are ${found.length} recipe files, ${found.join(' and ')}; keep one, or name one with --recipe`,
        { where: appRoot },
      );
    if (found.length === 1) this.#file = toSource(loadFile(path.join(appRoot, found[0]), found[0]), found[0]);
  }

  /**
   * Sets the program-wide recipe that was given in code, in place of an earlier one.
   *
   * @param {unknown} recipe
   * @param {string} where file and line
   * @throws {IgnisError} IGNIS_BAD_RECIPE; the earlier one stays then
   */
  setProgram(recipe, where) {
    this.#code = toSource(recipe, where);
    this.#plain = new Map();
    this.#atImports = new WeakMap();
  }

  /** @returns {number} how deep imports are watched */
  get level() {
    return this.#level ?? this.#code?.level ?? this.#file?.level ?? 1;
  }

  /** @returns {boolean} whether some module, whatever its import says, may be one that lives in a replica */
  get namesResidents() {
    return [this.#file, this.#code].some((source) => source?.chapters.some(({ recipe }) => recipe.call === 'block') === true);
  }

  /** @returns {string[]} where the program-wide recipes stand */
  get places() {
    return [this.#file, this.#code].filter((source) => source !== null).map((source) => source.where);
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
    const effective = mergeLayers(layers, this.#cpus);
    refuseUnverifiable(effective, module.name);
    known?.set(name, effective);
    return effective;
  }

  /**
   * @param {ModuleId} module
   * @returns {boolean} whether the program's recipes, imports aside, say hot
   */
  isHot(module) {
    return this.lookup({ module }).hot === true;
  }

  /**
   * @param {ModuleId} module
   * @returns {boolean} whether the recipes, imports aside, say cold
   */
  isCold(module) {
    return this.lookup({ module }).cold === true;
  }

  /**
   * @param {EffectiveRecipe} recipe
   * @returns {boolean} whether the user said of this very module that it may be distributed
   */
  hasConsent(recipe) {
    return consentOf(recipe).allowed;
  }

  /**
   * @param {EffectiveRecipe} recipe
   * @returns {readonly [least: number, most: number]}
   */
  replicasAllowed(recipe) {
    return recipe.copies;
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
   * @returns {Layer[]} all but the one at the import, the weakest first
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
      for (const chapter of chapters) {
        if (chapter.means(module)) layers.push({ by: 'target', where: chapter.where, recipe: chapter.recipe });
      }
    }
    return layers;
  }
}

exports.RecipeBook = RecipeBook;
