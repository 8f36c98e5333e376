'use strict';

// Checks a whole recipe, with all that is below `modules` and `functions`, against the table of fields. In: a recipe as somebody wrote it,
// its scope, and where it was written. Out: a frozen copy with only the given fields, or one IGNIS_BAD_RECIPE that names every mistake. It
// must not fill in defaults (merge.js does), nor look at other layers.

const { atPlace, distance, examine, isPlainObject, nearest, refuse, show } = require('../option-table.js');
const { PROGRAM_OPTIONS } = require('../options.js');
const { unwrap } = require('../wrap/originals.js');
const { contradictionsIn } = require('./contradictions.js');
const { checkTarget } = require('./pattern.js');
const { Object, isArray } = require('../engine');

/** @typedef {import('../option-table.js').Mistake} Mistake */
/** @typedef {import('./fields.js').FieldRow} FieldRow */
/** @typedef {import('./fields.js').Scope} Scope */
/** @typedef {(scope: Scope, recipe: unknown, where?: string) => Readonly<Record<string, any>>} CheckRecipe */

/** What is below a recipe of each scope. */
const BELOW = Object.freeze({ program: ['modules', 'module'], module: ['functions', 'function'], function: null });

/** Fields that are objects; a name that differs from one by more than SLIP letters is no typo. */
const OBJECTS = Object.freeze(['modules', 'functions', 'labels']);
const SLIP = 2;

class Check {
  #fieldsOf;
  #placeOf;
  /** @type {Mistake[]} */
  mistakes = [];

  /**
   * @param {Readonly<Record<Scope, readonly FieldRow[]>>} fieldsOf
   * @param {Readonly<Record<Scope, string>>} placeOf
   */
  constructor(fieldsOf, placeOf) {
    this.#fieldsOf = fieldsOf;
    this.#placeOf = placeOf;
  }

  /**
   * @param {Scope} scope
   * @param {unknown} given
   * @param {string | undefined} where
   * @returns {Readonly<Record<string, any>>} what is right of it
   */
  recipe(scope, given, where) {
    const recipe = this.#asWritten(given, where);
    const known = isPlainObject(recipe) ? this.#withoutMisplaced(scope, recipe, where) : recipe;
    const { checked, mistakes } = examine(this.#fieldsOf[scope], known, { where, what: 'field', list: 'ignis recipes' });
    this.mistakes.push(...mistakes);
    for (const { name, read } of this.#fieldsOf[scope])
      if (read !== undefined && checked[name] !== undefined) checked[name] = read(checked[name]);
    for (const [field, below] of /** @type {const} */ ([
      ['modules', 'module'],
      ['functions', 'function'],
    ])) {
      if (checked[field] !== undefined) checked[field] = this.#below(checked[field], field, below, where);
    }
    // Program-wide, hot and cold choose modules and may choose the same ones: a target outweighs both. And `copies` means replicas of
    // modules there, not copies of files.
    const compared = scope === 'program' ? { ...checked, hot: undefined, cold: undefined, fs: undefined, disks: undefined } : checked;
    this.mistakes.push(...contradictionsIn(compared, atPlace(where)).map((one) => ({ ...one, where })));
    for (const [field, value] of Object.entries(checked)) if (!Object.isFrozen(value)) checked[field] = settled(value);
    return Object.freeze(checked);
  }

  /** @param {Scope} scope @param {Record<string, unknown>} recipe @param {string | undefined} where @returns {Record<string, unknown>} */
  #withoutMisplaced(scope, recipe, where) {
    const isMisplaced = (/** @type {string} */ field) => {
      const message = this.#misplaced(scope, field, recipe[field], where);
      if (message !== '') this.mistakes.push({ field, value: recipe[field], nearest: field, where, message });
      return message !== '' || this.#isTooHigh(scope, field, recipe[field], where);
    };
    return Object.fromEntries(Object.entries(recipe).filter(([field]) => !isMisplaced(field)));
  }

  /**
   * Whether it is a recipe under the name of a module or function, one level too high. Then the nearest field would be a misleading hint.
   * @param {Scope} scope @param {string} field @param {unknown} value @param {string | undefined} where
   */
  #isTooHigh(scope, field, value, where) {
    const names = this.#fieldsOf[scope].map(({ name }) => name);
    const below = BELOW[scope];
    if (below === null || names.includes(field) || !isPlainObject(unwrap(value))) return false;
    if (distance(field.toLowerCase(), nearest(field, OBJECTS)) <= SLIP) return false;
    const [home, what] = below;
    const message = `no field is called '${field}' (its value is ${show(value)})${atPlace(where)}; if that is a ${what}, its recipe belongs under '${home}': ${home}: { '${field}': { ... } }`;
    this.mistakes.push({ field, value, nearest: home, where, message });
    return true;
  }

  /**
   * @param {Scope} scope
   * @param {string} field
   * @param {unknown} value
   * @param {string | undefined} where
   * @returns {string} '' if it may be here, or is no known field at all
   */
  #misplaced(scope, field, value, where) {
    if (this.#fieldsOf[scope].some(({ name }) => name === field)) return '';
    const told = `field '${field}' (its value is ${show(value)})`;
    const scopes = /** @type {Scope[]} */ (Object.keys(this.#fieldsOf)).filter((other) =>
      this.#fieldsOf[other].some(({ name }) => name === field),
    );
    if (scopes.length === 0 && PROGRAM_OPTIONS.some(({ name }) => name === field))
      return `${told} is an option, not a field of a recipe${atPlace(where)}: give it in ignis.start({ ${field}: ... }) or on the command line`;
    if (scopes.length === 0) return '';
    const places = scopes.map((other) => this.#placeOf[other]).join(' or ');
    return `${told} is not allowed ${this.#placeOf[scope]}${atPlace(where)}, only ${places}`;
  }

  /**
   * @param {Record<string, unknown>} recipes by name: the recipe
   * @param {'modules' | 'functions'} field
   * @param {'module' | 'function'} scope
   * @param {string | undefined} where
   * @returns {Readonly<Record<string, any>>} without a prototype, since the names may be anything
   */
  #below(recipes, field, scope, where) {
    const checked = Object.create(null);
    for (const name of Object.keys(recipes)) {
      const at = `${field} '${name}'${where === undefined ? '' : `, ${where}`}`;
      const verdict = scope === 'module' ? checkTarget(name) : true;
      if (verdict !== true) {
        const message = `the target '${name}' cannot mean a module${atPlace(at)}; it must be ${verdict}`;
        this.mistakes.push({ field: `modules.${name}`, value: name, where, message });
      }
      checked[name] = this.recipe(scope, this.#read(recipes, name, where), at);
    }
    return Object.freeze(checked);
  }

  /**
   * Takes the recipe out of our wrappers: exports of the program's files are watched, recipes too. A recipe counts as written, and its
   * functions are called without crossing a boundary.
   * @param {unknown} given a recipe, or a wrapper of one; its values may be wrapped, too
   * @param {string | undefined} where
   */
  #asWritten(given, where) {
    const recipe = unwrap(given);
    if (!isPlainObject(recipe)) return recipe;
    return Object.fromEntries(Object.keys(recipe).map((field) => [field, this.#read(recipe, field, where)]));
  }

  /**
   * @param {Record<string, unknown>} from
   * @param {string} field
   * @param {string | undefined} where
   * @returns {unknown} for a list a copy whose holes are undefined, since methods of lists skip holes; undefined if an accessor throws,
   *   which counts as a mistake
   */
  #read(from, field, where) {
    try {
      const value = unwrap(from[field]);
      return isArray(value) ? [...value] : value;
    } catch (/** @type {any} */ error) {
      const message = `field '${field}' cannot be read${atPlace(where)}: ${error?.message ?? error}`;
      this.mistakes.push({ field, value: undefined, nearest: field, where, message });
      return undefined;
    }
  }
}

/**
 * @param {any} value that has passed the check
 * @returns {unknown} for lists and objects a copy that cannot change: later recipes are compared with it
 */
function settled(value) {
  if (isArray(value)) return Object.freeze(value.map(settled));
  return isPlainObject(value) ? Object.freeze({ ...value }) : value;
}

/**
 * @param {Readonly<Record<Scope, readonly FieldRow[]>>} fieldsOf
 * @param {Readonly<Record<Scope, string>>} placeOf
 * @returns {CheckRecipe}
 */
function makeCheckRecipe(fieldsOf, placeOf) {
  return (scope, recipe, where) => {
    const check = new Check(fieldsOf, placeOf);
    const checked = check.recipe(scope, recipe, where);
    refuse('IGNIS_BAD_RECIPE', check.mistakes);
    return checked;
  };
}

exports.makeCheckRecipe = makeCheckRecipe;
