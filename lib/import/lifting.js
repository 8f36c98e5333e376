'use strict';
/*
 * Lifts calls in one program: applies its recipes to its own files as they are loaded. In: a file's text. Out: the text that runs instead,
 * and, for the report, the list of what was lifted and what was not. A file in which no recipe lifts anything costs a search for some
 * names; one that cannot be parsed stays as it is.
 */
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { publish } = require('../diagnostics');
const { consentOf } = require('../recipe/merge');
const { lifted: liftedCalls } = require('../wrap/lifted');
const { liftedBy } = require('./lift-recipe');
const { mayPassRecipe } = require('./recipe-require');
const { Map } = require('../engine');

/** @typedef {import('./lift').Outcome} Outcome */

/**
 * @typedef {object} LiftedFile a script
 * @property {string} code
 * @property {Record<string, unknown>} names further names that the code is compiled with
 * @property {(error: unknown) => void} fail to be called if the code could not be compiled, so the file runs as it was
 */

const EXTENSION = /(?:\/index)?\.[cm]?[jt]s$/;
const HELPER = pathToFileURL(path.join(__dirname, '../wrap/lifted.js')).href;

class Lifting {
  #appRoot;
  #book;
  #identify;
  /** @type {Map<string, Outcome>} by file */
  #outcomes = new Map();

  /**
   * @param {object} given
   * @param {string} given.appRoot absolute
   * @param {import('../recipe/book').RecipeBook} given.book
   * @param {(filename: string) => import('../types').ModuleId} given.identify
   */
  constructor({ appRoot, book, identify }) {
    this.#appRoot = appRoot;
    this.#book = book;
    this.#identify = identify;
  }

  /** @param {string} filename absolute @param {string} source CommonJS @returns {LiftedFile | null} null: nothing in it is lifted */
  script(filename, source) {
    const outcome = this.examine(filename, source, 'script');
    if (outcome === null || outcome.map === null) return null;
    return {
      code: mapped(outcome),
      names: { [outcome.helper]: liftedCalls },
      fail: (error) => this.#outcomes.set(filename, failed(outcome, error)),
    };
  }

  /**
   * @param {string} url of a file
   * @param {string} source of an ES module
   * @param {object} [how]
   * @param {boolean} [how.mayWaitAtTop] default true; false if others import it, or `require` loads it
   * @param {string} [how.helperSpecifier] default the URL of our own file
   * @returns {string | null} the source that runs instead, with its map if one is wanted; null: nothing in it is lifted
   */
  module(url, source, how) {
    const outcome = this.examine(fileURLToPath(url), source, 'module', how);
    if (outcome === null || outcome.map === null) return null;
    return mapped(outcome);
  }

  /**
   * @param {string} filename absolute
   * @param {string} source
   * @param {'script' | 'module'} sourceType
   * @param {{mayWaitAtTop?: boolean, helperSpecifier?: string}} [how]
   * @returns {Outcome | null} null: it has no call that a recipe lifts
   */
  examine(filename, source, sourceType, { mayWaitAtTop = true, helperSpecifier = HELPER } = {}) {
    if (!this.mayLift(source)) return null;
    // Some programs compile texts that are no files.
    if (!path.isAbsolute(filename)) return null;
    const resolve = createRequire(filename);
    const liftedOf = (/** @type {string} */ specifier) => this.#liftedOf(specifier, resolve);
    const outcome = attempt({ source, filename, sourceType, liftedOf, mayWaitAtTop, helperSpecifier });
    if (outcome === null) this.#outcomes.delete(filename);
    else this.#outcomes.set(filename, outcome);
    return outcome;
  }

  /** @param {string} filename @param {Outcome} outcome as found on another thread */
  note(filename, outcome) {
    this.#outcomes.set(filename, outcome);
  }

  /** @param {string} filename @returns {Outcome | undefined} */
  outcomeOf(filename) {
    return this.#outcomes.get(filename);
  }

  /** @param {string} source in any language @returns {boolean} whether it names a module of which something is lifted */
  mayLift(source) {
    const names = this.#namesFor(source);
    return names === null || names.some((name) => source.includes(name));
  }

  /** @returns {import('../types').LiftReport} */
  report() {
    const outcomes = [...this.#outcomes].map(([filename, outcome]) => ({ file: path.relative(this.#appRoot, filename), ...outcome }));
    return {
      lifted: outcomes.reduce((sum, { lifted }) => sum + lifted.length, 0),
      refused: outcomes.flatMap(({ file, refused }) =>
        refused.map(({ line, column, call, reason }) => ({ file, line, column, call, reason })),
      ),
      files: outcomes.map(({ file, lifted, refused }) => ({ file, lifted: lifted.length, refused: refused.length })),
    };
  }

  /** @param {string} source @returns {string[] | null} a source with none of these has nothing to lift; null: unknown */
  #namesFor(source) {
    if (source.includes('lift') && mayPassRecipe(source)) return null;
    const names = this.#book.lifted.map((target) => (target === null ? null : shortNameOf(target)));
    return names.includes(null) ? null : /** @type {string[]} */ (names);
  }

  /** @param {string} specifier @param {NodeJS.Require} require of the importing file @returns {import('./lift').Lifted} */
  #liftedOf(specifier, require) {
    const recipe = this.#book.lookup({ module: this.#moduleOf(specifier, require) });
    return recipe.cold || recipe.call === 'block' || !consentOf(recipe).allowed ? null : liftedBy(recipe);
  }

  /** @param {string} specifier @param {NodeJS.Require} require @returns {import('../types').ModuleId} */
  #moduleOf(specifier, require) {
    if (isBuiltin(specifier)) return this.#identify(specifier);
    try {
      return this.#identify(specifier.startsWith('file:') ? fileURLToPath(specifier) : require.resolve(specifier));
    } catch {
      // A package for `import` alone: its name is all that is known.
      return { name: specifier, kind: 'package', filename: null, packageName: specifier, version: null, inside: '' };
    }
  }
}

/** @param {import('./lift').Given} given @returns {Outcome | null} null also, with a warning, for a source too deep for the stack */
function attempt(given) {
  try {
    // Loaded late: it brings a parser, and few programs have files to lift.
    return require('./lift').liftSource(given);
  } catch (error) {
    const message = `${given.filename} is not lifted: ${error instanceof Error ? error.message : String(error)}`;
    publish('ignis:warning', { message });
    return null;
  }
}

/** @param {Outcome} outcome in which something is lifted @returns {string} its code, with its map if one is wanted */
function mapped({ code, map, hadMap }) {
  return map !== null && (process.sourceMapsEnabled || hadMap) ? require('./lift-edit').withMap(code, map) : code;
}

/** @param {string} target of one module @returns {string} the text that every file importing it contains: the last part of its name */
function shortNameOf(target) {
  return (
    target
      .replace(EXTENSION, '')
      .replace(/^node:/, '')
      .split('/')
      .at(-1) ?? ''
  );
}

/** @param {Outcome} outcome @param {unknown} error @returns {Outcome} */
function failed({ lifted, refused, ...others }, error) {
  const reason = `the file could not be compiled with it: ${error instanceof Error ? error.message : String(error)}`;
  return { ...others, lifted: [], refused: [...refused, ...lifted.map((site) => ({ ...site, reason }))] };
}

exports.Lifting = Lifting;
