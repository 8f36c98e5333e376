'use strict';

// Merges the layers of a recipe into the one that holds for an import. In: checked recipes, weakest first: shipped < program-wide < target
// < import < live. Out: one frozen EffectiveRecipe with every default filled in, and for each given field who gave it. It must check
// nothing (fields.js does), and give no consent: only the user's own layers count for that.

const { FIELDS_OF } = require('./fields.js');
const { NO_RECIPE } = require('../view/sentence.js');
const { Map, Math, Object, isArray } = require('../engine');

/** @typedef {import('../types').EffectiveRecipe} EffectiveRecipe */
/** @typedef {import('../types').Origin} Origin */

/**
 * @typedef {object} Layer
 * @property {Origin['by']} by
 * @property {string} where
 * @property {Readonly<Record<string, any>>} recipe checked, of the module's scope
 */

/** @typedef {{ fields: Record<string, any>, given: Record<string, Origin> }} Heap what was merged so far */

/** @returns {Heap} */
const emptyHeap = () => ({ fields: {}, given: {} });

/**
 * @param {Heap} heap
 * @param {string} field
 * @param {unknown} value
 * @param {Origin} origin
 */
function put(heap, field, value, origin) {
  heap.fields[field] = value;
  heap.given[field] = origin;
}

/**
 * @param {Heap} heap
 * @param {string} field
 */
function drop(heap, field) {
  delete heap.fields[field];
  delete heap.given[field];
}

/**
 * @param {Heap} whole
 * @param {Map<string, Heap>} refined
 * @param {Layer} layer
 */
function addLayer(whole, refined, { by, where, recipe }) {
  const origin = Object.freeze({ by, where });
  for (const field of Object.keys(recipe)) {
    if (field === 'functions') continue;
    put(whole, field, recipe[field], origin);
    // What a stronger layer says about the whole module outweighs what a weaker one says about a function.
    for (const heap of refined.values()) drop(heap, field);
  }
  if (recipe.hot === true) put(whole, 'cold', false, origin);
  if (recipe.cold === true) put(whole, 'hot', false, origin);
  for (const [name, ofFunction] of Object.entries(recipe.functions ?? {})) {
    let heap = refined.get(name);
    if (heap === undefined) refined.set(name, (heap = emptyHeap()));
    for (const field of Object.keys(ofFunction)) put(heap, field, ofFunction[field], origin);
    // Who named the function, whatever becomes of what was said of it.
    heap.given.functions = origin;
  }
}

/**
 * @param {true | false | number | readonly [number, number]} copies
 * @param {number} cpus
 * @returns {readonly [number, number]}
 */
function toRange(copies, cpus) {
  if (copies === true) return [0, cpus];
  if (copies === false) return [0, 0];
  return typeof copies === 'number' ? [copies, copies] : /** @type {readonly [number, number]} */ (copies);
}

/**
 * How many replicas there may be. A module whose state is shared, or that nobody declared stateless, gets at most one: two would remember
 * different things.
 * @param {Heap} whole
 * @param {number} cpus
 * @returns {readonly [number, number]}
 */
function rangeOf({ fields, given }, cpus) {
  if (fields.cold === true) return Object.freeze(/** @type {[number, number]} */ ([0, 0]));
  const [least, most] = toRange(fields.copies ?? true, cpus);
  const saidOfModule = given.copies !== undefined && given.copies.by !== 'program';
  const mayBeMany = fields.state !== undefined || fields.pure === true || saidOfModule;
  const limit = mayBeMany && fields.state !== 'shared' ? Infinity : 1;
  return Object.freeze(/** @type {[number, number]} */ ([Math.min(least, limit), Math.min(most, limit)]));
}

/** Copies of each file if a recipe gives no number (the paper, section 6). */
const FILE_COPIES = 3;

/**
 * Where the files live. For `fs`, `copies` are not replicas and mean something else than for other modules; so a number for the whole
 * program does not apply to its files. Nor does a program-wide cluster: it has hosts for other modules.
 * @param {Heap} whole
 * @returns {Record<string, any>}
 */
function filesOf({ fields, given }) {
  const isOwn = given.copies !== undefined && given.copies.by !== 'program';
  const mode = fields.fs ?? (isOwn && toRange(fields.copies, Infinity)[1] > 0 ? 'eventual' : undefined);
  if (mode === undefined || mode === 'local') return { fs: mode };
  const usual = fields.disks?.length ?? (mode === 'strong' ? 1 : FILE_COPIES);
  const cluster = given.cluster?.by === 'program' ? undefined : fields.cluster;
  return { fs: mode, cluster, copies: Object.freeze([...toRange(isOwn ? fields.copies : usual, Infinity)]) };
}

/**
 * @param {Record<string, any>} fields
 * @returns {Record<string, any>} with fields that follow from others
 */
function withIdempotence(fields) {
  const { pure = false, idempotent = pure } = fields;
  return { ...fields, idempotent, retry: fields.retry ?? (pure || idempotent ? 1 : 0) };
}

/**
 * @param {readonly Layer[]} layers weakest first
 * @param {number} cpus processors that replicas can use
 * @param {boolean} [isFiles] true: for `fs`
 * @returns {EffectiveRecipe} frozen
 */
function mergeLayers(layers, cpus, isFiles = false) {
  const whole = emptyHeap();
  /** @type {Map<string, Heap>} */
  const refined = new Map();
  for (const layer of layers) addLayer(whole, refined, layer);

  /** @type {Record<string, unknown>} */
  const defaults = {};
  for (const row of FIELDS_OF.module) defaults[row.name] = row.default;
  const copies = rangeOf(whole, cpus);
  const none = Object.freeze(Object.create(null));
  const functions = Object.create(null);
  for (const [name, heap] of refined) {
    const fields = withIdempotence({ ...whole.fields, ...heap.fields });
    functions[name] = Object.freeze({
      ...defaults,
      ...fields,
      copies,
      functions: none,
      given: Object.freeze({ ...whole.given, ...heap.given }),
    });
  }
  const effective = {
    ...defaults,
    ...withIdempotence(whole.fields),
    copies,
    ...(isFiles ? filesOf(whole) : {}),
    functions: Object.freeze(functions),
    given: Object.freeze(whole.given),
  };
  return /** @type {EffectiveRecipe} */ (/** @type {unknown} */ (Object.freeze(effective)));
}

/** @param {unknown} functions all functions, or a list */
const isGiven = (functions) => functions === true || functions === 'deep' || (isArray(functions) && functions.length > 0);

/** @param {Origin | undefined} origin */
const isUsers = (origin) => origin !== undefined && (origin.by === 'target' || origin.by === 'import' || origin.by === 'live');

/**
 * Whether the user has allowed this very module to be distributed. Without that, none is.
 * @param {EffectiveRecipe} recipe
 * @returns {{ allowed: boolean, why: string, isSaid?: boolean }} why: part of a sentence, with the place; isSaid: the recipe says no,
 *   rather than nothing
 */
function consentOf(recipe) {
  const { given } = recipe;
  if (recipe.cold) return { allowed: false, why: `the recipe in ${given.cold.where} says cold`, isSaid: true };
  if (recipe.copies[1] === 0) return { allowed: false, why: `the recipe in ${given.copies.where} allows no replicas`, isSaid: true };
  if (recipe.hot) return { allowed: true, why: `the recipe in ${given.hot.where} says hot` };
  if (isUsers(given.copies)) return { allowed: true, why: `the recipe in ${given.copies.where} gives copies` };
  for (const part of [recipe, ...Object.values(recipe.functions)]) {
    if (part.call === 'await' && isUsers(part.given.call))
      return { allowed: true, why: `the recipe in ${part.given.call.where} says call: 'await'` };
    for (const field of /** @type {const} */ (['lift', 'oneway']))
      if (isGiven(/** @type {any} */ (part)[field]) && isUsers(part.given[field]))
        return { allowed: true, why: `the recipe in ${part.given[field].where} says ${field}` };
  }
  return { allowed: false, why: NO_RECIPE };
}

exports.consentOf = consentOf;
exports.mergeLayers = mergeLayers;
