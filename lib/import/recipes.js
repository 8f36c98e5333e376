'use strict';
/*
 * Applies recipes that change while the program runs: in code, for single modules, and in the recipe file. In: recipes as somebody wrote
 * them. Out: imports that follow them, warnings about what has no effect, events. A change that is wrong or comes too late must change
 * nothing.
 */
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { inspect, types } = require('node:util');
const { publish } = require('../diagnostics');
const { nearestIs, refuse } = require('../option-table');
const { lacksIn } = require('../recipe/contradictions');
const { FileWatch } = require('../recipe/file-watch');
const { checkRecipe } = require('../recipe/fields');
const { EXACTNESS } = require('../recipe/pattern');
const { loadRecipeFileAnew } = require('../recipe/recipe-file');
const { idleIn } = require('./force');
const { isApplicationFile } = require('./module-id');
const { missingFunctions } = require('./named-functions');
const { passedOver } = require('./passed-over');
const { lineOf } = require('./place');
const { meansPlumbing, missing } = require('./targets');
const { OBSERVED_BUILTINS } = require('./watched');
const { Map, Set } = require('../engine');

/** @typedef {import('../recipe/recipe-file').RecipeFile} RecipeFile */

/** The fields that let calls of a module leave. */
const CONSENTS = ['hot', 'copies', 'call', 'lift', 'oneway'];

const ONLY_THESE = `of the built-in modules only ${[...OBSERVED_BUILTINS].join(', ')} are watched`;

class Recipes {
  #book;
  #imports;
  #appRoot;
  #isQuiet;
  /** Where a recipe file is that belongs to another program. @type {string | null} */
  #notOurs = null;
  /** @type {FileWatch | null} */
  #watch = null;
  /** @type {Map<string, string>} warnings given so far, by what they are about */
  #warned = new Map();
  /** @type {Set<string>} functions already warned about */
  #told = new Set();
  #isClosed = false;

  /**
   * @param {object} given
   * @param {import('../recipe/book').RecipeBook} given.book
   * @param {import('./imports').Imports} given.imports
   * @param {string} given.appRoot absolute
   * @param {boolean} given.isQuiet warnings go into the report only
   */
  constructor({ book, imports, appRoot, isQuiet }) {
    this.#book = book;
    this.#imports = imports;
    this.#appRoot = appRoot;
    this.#isQuiet = isQuiet;
    imports.onStranded = (boundary) => this.#tellStranded(boundary);
    imports.onUnseen = (boundary) => this.#tellUnseen(boundary);
    imports.onApart = (url, parentFile) => this.#tellApart(url, parentFile);
    const { recipeFile } = book;
    if (recipeFile !== null) this.#watch = new FileWatch(recipeFile.file, () => this.#readAnew(recipeFile));
    // A tool that was not installed in the working directory (npm, npx) sees the variables of the program that it is to start.
    const isTool = !isApplicationFile(path.join(appRoot, 'package.json'));
    if (isTool && recipeFile !== null && !recipeFile.file.startsWith(appRoot + path.sep)) this.#notOurs = recipeFile.where;
    const { force, cwd } = imports.told.residents;
    for (const message of force === undefined || isTool ? [] : idleIn(force, cwd, appRoot)) this.#warn(message, 'IGNIS_NO_TARGET');
    if (book.lacksFile) for (const message of passedOver(appRoot)) this.#warn(message, 'IGNIS_NOT_READ');
    this.#lookForTargets();
  }

  /** @returns {string[]} sentences on what recipes say without effect */
  get warnings() {
    const unmatched = this.#book.unmatched.filter((chapter) => !isMeantSo(chapter) && !this.#warned.has(keyOf(chapter))).map(inVain);
    const lacking = [...this.#imports.boundaries].flatMap(({ child, recipe }) =>
      lacksIn(recipe).map(({ message }) => `the recipe of ${child.name}: ${message}`),
    );
    const functions = missingFunctions(this.#imports.boundaries).map(inWords);
    return [...new Set([...this.#warned.values(), ...unmatched, ...lacking, ...functions])];
  }

  /** Warns once of each function that a recipe names and its module does not have. Not kept for the report: the function may come later. */
  lookForFunctions() {
    for (const missing of missingFunctions(this.#imports.boundaries)) {
      // Once more functions were called, another name may be the nearest.
      const key = `${missing.where} ${missing.name}`;
      if (this.#told.has(key)) continue;
      this.#told.add(key);
      this.#warn(inWords(missing), 'IGNIS_NO_TARGET', false);
    }
  }

  /**
   * @param {unknown} recipe for the whole program, replacing an earlier one
   * @param {string} where
   * @throws {IgnisError} IGNIS_BAD_RECIPE; then the earlier one stays
   */
  setProgram(recipe, where) {
    this.#book.setProgram(recipe, where, () => this.#imports.refresh(where));
    this.#lookForTargets();
  }

  /**
   * @param {string | RegExp} target
   * @param {unknown} recipe for the modules meant, stronger than any other; replaces an earlier one for the same target, null takes it back
   * @param {string} where
   * @returns {Record<string, import('../types').EffectiveRecipe>} by boundary: what holds now
   * @throws {IgnisError} IGNIS_BAD_RECIPE; then all stays as it was
   */
  setLive(target, recipe, where) {
    /** @type {Record<string, import('../types').EffectiveRecipe>} */
    const held = {};
    this.#book.setLive(target, recipe, where, ({ means }) => {
      const meant = () => [...this.#imports.boundaries].filter(({ child }) => means(child));
      refuse(
        'IGNIS_BAD_RECIPE',
        meant()
          .flatMap((boundary) => lacksIn(this.#imports.recipeOf(boundary)))
          .filter(({ by }) => by === 'live'),
      );
      this.#imports.refresh(where);
      for (const boundary of meant()) held[boundary.id] = boundary.recipe;
    });
    this.#lookForTargets();
    publish('ignis:recipe', { event: 'set', target, recipe, where });
    return held;
  }

  /** Idempotent. */
  close() {
    this.#isClosed = true;
    this.#watch?.close();
  }

  /** @param {RecipeFile} recipeFile that has changed */
  async #readAnew(recipeFile) {
    const { where } = recipeFile;
    try {
      const recipe = await loadRecipeFileAnew(recipeFile);
      if (this.#isClosed) return;
      const hasOtherLevel = this.#book.setFile(recipe, () => this.#imports.refresh(where));
      publish('ignis:recipe', { event: 'taken', where });
      if (hasOtherLevel)
        this.#warn(`the level in ${where} has changed; that takes effect when the program is started again`, 'IGNIS_RECIPE_LEVEL');
      this.#lookForTargets();
    } catch (error) {
      if (this.#isClosed) return;
      publish('ignis:recipe', { event: 'refused', where, error });
      this.#warn(
        `${where} has changed and has a mistake, so what it said before stays in force: ${/** @type {Error} */ (error).message}`,
        'IGNIS_BAD_RECIPE',
        false,
      );
    }
  }

  /** Warns once of each target that matches nothing. */
  #lookForTargets() {
    for (const chapter of this.#book.chapters) {
      const { target, where, recipe } = chapter;
      if (where === this.#notOurs) continue;
      const key = keyOf(chapter);
      if (recipe.cold !== true && !this.#warned.has(key) && meansPlumbing(target, this.#appRoot)) {
        const told = `the recipe in ${where} has the target '${String(target)}', which has no effect: ${ONLY_THESE}`;
        this.#warn(told, 'IGNIS_NO_TARGET', true, key);
      }
      const nothing = this.#warned.has(key) ? null : missing(target, this.#appRoot);
      if (nothing === null) continue;
      const { kind, nearest } = nothing;
      const told = `the recipe in ${where} has the target '${String(target)}', but there is no such ${kind}${nearestIs(nearest)}`;
      this.#warn(told, 'IGNIS_NO_TARGET', true, key);
    }
  }

  /**
   * Warns, once a file, of a module that should live in a replica but is imported with a query.
   * @param {string} url
   * @param {string} parentFile
   */
  #tellApart(url, parentFile) {
    const [file, parent] = [fileURLToPath(url), parentFile].map((name) => path.relative(this.#appRoot, name));
    const message = `${file} runs at home when ${parent} imports it with a query or hash, which makes it a different module: force and call: 'block' apply only to the one without`;
    if (!this.#warned.has(message)) this.#warn(message, 'IGNIS_AT_HOME');
  }

  /**
   * Warns, once a place, of a recipe at the import of a built-in that is never watched.
   * @param {string} request
   * @param {any} importRecipe
   * @param {string} parentFile absolute
   * @throws {IgnisError} IGNIS_BAD_RECIPE when it is wrong
   */
  tellIdle(request, importRecipe, parentFile) {
    const where = lineOf(parentFile, this.#appRoot);
    if (checkRecipe('module', importRecipe, where).cold === true) return;
    const message = `the recipe of ${request} (given in ${where}) has no effect: ${ONLY_THESE}`;
    if (!this.#warned.has(message)) this.#warn(message, 'IGNIS_NO_TARGET');
  }

  /**
   * Warns, once a module, of a `call: 'block'` that comes too late or is impossible.
   * @param {import('../wrap/boundary').Boundary} boundary
   */
  #tellStranded({ child, recipe }) {
    const { by, where } = recipe.given.call;
    const isBuiltin = child.kind === 'builtin';
    const names = [child.name, child.name.replace(/^node:/, '')];
    // A glob or an expression that happens to match built-ins does not mean them.
    if (isBuiltin && by !== 'import' && !this.#book.chapters.some(({ target }) => names.includes(String(target)))) return;
    const why = isBuiltin ? 'built-ins always run at home' : 'it was already loaded at home, and stays there';
    const message = `the recipe of ${child.name}: 'call' is 'block' (given in ${where}), which has no effect: ${why}`;
    if (!this.#warned.has(message)) this.#warn(message, 'IGNIS_AT_HOME');
  }

  /**
   * Warns, once a module, of a recipe that lets calls leave where no call can be seen.
   * @param {import('../wrap/boundary').Boundary} boundary
   */
  #tellUnseen({ child, exports, recipe: { given } }) {
    const { by, where } = CONSENTS.map((field) => given[field]).find((origin) => origin !== undefined) ?? {};
    // Naming a package does not mean the data in it, such as the package.json that programs read for its version.
    const isData = child.inside.endsWith('.json');
    const isNamed = () => this.#book.chapters.some(({ exactness, means }) => exactness === EXACTNESS.name && means(child));
    if (by !== 'import' && (isData || !isNamed())) return;
    const message = `the recipe of ${child.name} (given in ${where}) has no effect: ${whyUnseen(exports)}`;
    if (!this.#warned.has(message)) this.#warn(message, 'IGNIS_UNSEEN');
  }

  /** @param {string} message @param {string} code @param {boolean} [isKept] for the report @param {string} [key] */
  #warn(message, code, isKept = true, key = message) {
    if (isKept) this.#warned.set(key, message);
    publish('ignis:warning', { message });
    if (!this.#isQuiet) process.emitWarning(message, { type: 'IgnisWarning', code });
  }
}

/** @typedef {import('../recipe/source').Chapter} Chapter */

/** @param {Chapter} chapter @returns {string} key of a warning about its target */
const keyOf = ({ target, where }) => `${where} ${String(target)}`;

/** Whether it keeps one module at home: fine even if that module is not there. @param {Chapter} chapter */
const isMeantSo = ({ exactness, recipe }) => exactness > EXACTNESS.glob && recipe.cold === true;

/** @param {Chapter} chapter */
function inVain({ target, where, exactness }) {
  const told = `the recipe in ${where} has the target ${inspect(target)}, but no import matched it`;
  return exactness <= EXACTNESS.glob
    ? told
    : `${told} in this thread; modules that a bundler has included are no longer imported, and processes that a program forks (node:cluster) have their own imports`;
}

/** @param {any} exports whose calls cannot be seen @returns {string} why not, and what would help */
function whyUnseen(exports) {
  const isDefault = types.isModuleNamespaceObject(exports) && exports.default !== undefined;
  const own = isDefault ? exports.default : exports;
  const behind = 'put the slow part behind a function in a file of your own, and give that file the recipe';
  if (typeof own === 'function') return `it exports a class, whose objects live where they are made; ${behind}`;
  if (types.isProxy(own)) return `it exports a Proxy of its own; ${behind}`;
  if (Array.isArray(own) || [null, Object.prototype].includes(Object.getPrototypeOf(Object(own)))) return 'it exports no functions';
  const name = isDefault ? "'default.render'" : 'render';
  return `it exports an object of a class, of which only functions that a recipe names can leave, as in functions: { ${name}: { pure: true } }; or ${behind}`;
}

/** @param {import('./named-functions').Missing} missing */
function inWords({ name, where, module, nearest }) {
  return `the recipe in ${where} names the function '${name}', but ${module} has no function of that name${nearestIs(nearest)}`;
}

exports.Recipes = Recipes;
