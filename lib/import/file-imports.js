'use strict';
/*
 * Answers imports of `fs` whose recipe places files elsewhere. In: imports as the hooks see them. Out: what replaces Node's `fs`, or null.
 * A file that has imported it keeps what it has: a recipe that later says otherwise about files comes too late.
 */
const { isDeepStrictEqual } = require('node:util');
const { lineOf } = require('./place');
const { Map } = require('../engine');

/** @typedef {import('./hook').Edge} Edge */
/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */

class FileImports {
  #book;
  #identify;
  #appRoot;
  #files;
  /** @type {Map<string, {builtin: string, importRecipe: unknown, recipe: EffectiveRecipe | null}>} by importing file and name */
  #seen = new Map();

  /**
   * @param {object} given
   * @param {import('../recipe/book').RecipeBook} given.book
   * @param {(name: string) => import('../types').ModuleId} given.identify
   * @param {string} given.appRoot absolute
   * @param {import('../fs/files').Files} given.files
   */
  constructor({ book, identify, appRoot, files }) {
    this.#book = book;
    this.#identify = identify;
    this.#appRoot = appRoot;
    this.#files = files;
  }

  /** Whether a recipe holds for imports that have none of their own. */
  get areForAll() {
    return this.#recipeOf('fs', undefined) !== null;
  }

  /** @param {Edge} edge to `fs` or `fs/promises` @param {unknown} importRecipe @returns {any} @throws {IgnisError} IGNIS_BAD_RECIPE */
  of(edge, importRecipe) {
    const builtin = String(edge.builtin);
    const key = `${edge.parentFile} ${builtin}`;
    // The same file gets the same again, even if it gives the recipe only once.
    const given = importRecipe ?? this.#seen.get(key)?.importRecipe;
    const recipe = this.#recipeOf(builtin, given, () => lineOf(edge.parentFile, this.#appRoot));
    const files = recipe === null ? null : this.#files.of(recipe);
    this.#seen.set(key, { builtin, importRecipe: given, recipe });
    return files === null || builtin === 'fs' ? files : files.promises;
  }

  /** @returns {boolean} whether the recipes now say something else about an import that was already answered */
  areOthersNow() {
    return [...this.#seen.values()].some(({ builtin, importRecipe, recipe }) => {
      return !isDeepStrictEqual(placeOf(recipe), placeOf(this.#recipeOf(builtin, importRecipe)));
    });
  }

  /**
   * @param {string} builtin
   * @param {unknown} importRecipe
   * @param {() => string} [where]
   * @returns {EffectiveRecipe | null} null: Node's own files
   */
  #recipeOf(builtin, importRecipe, where) {
    for (const name of builtin === 'fs' ? ['fs'] : ['fs/promises', 'fs']) {
      const recipe = this.#book.lookup({ module: this.#identify(name), importRecipe, where });
      if (recipe.fs !== undefined) return recipe.fs === 'local' ? null : recipe;
    }
    return null;
  }
}

/** @param {EffectiveRecipe | null} recipe of `fs` */
function placeOf(recipe) {
  return recipe === null ? null : [recipe.fs, recipe.copies, recipe.root, recipe.disks, recipe.sync];
}

exports.FileImports = FileImports;
