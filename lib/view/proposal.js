'use strict';

// Proposes a recipe for a module that has none, from what was seen of its boundary: as text to paste, and as an object to try. In: a
// boundary's record, and Ignis's own recipe for the module. Out: the recipe, its text for ignis.config.js, and what its user vouches for.
// Pure. A recipe is the user's word that a change means no harm, so the text says what that word is.

const { inspect } = require('node:util');
const { GIVEN_CALLBACK } = require('./sentence');
const { Object } = require('../engine');

/** @typedef {import('../types').Proposal} Proposal */

const WIDTH = 96;

/** Functions that take a smaller part of their boundary's time are not worth a line. */
const WORTH_A_LINE = 0.02;

/** @type {Record<string, string>} kinds that can leave, and what they need for that */
const MOVES = Object.assign(Object.create(null), { promise: 'as it is', callback: 'as it is', sync: 'await' });

/**
 * @param {import('../types').BoundaryReport} boundary
 * @param {{evidence: string, pure: readonly string[], cold: boolean} | null} [shipped]
 * @param {boolean} [mayDiffer] its recipes already say that it keeps no state that all callers must share
 * @returns {Proposal}
 */
function propose(boundary, shipped = null, mayDiffer = false) {
  const { child, exclusiveMs, functions = {} } = boundary;
  const all = Object.entries(functions);
  const nothing = (/** @type {string} */ why) => ({ boundary: boundary.id, module: child, recipe: null, text: '', why, notes: [] });
  if (all.length === 0) return nothing('no function of it has been called yet');
  if (shipped?.cold) return nothing(`the recipe that Ignis ships says that distributing it never pays: ${shipped.evidence}`);
  if (all.every(([, { calls }]) => calls < 2)) return nothing('it was called only once');
  const able = all.filter(([, { kind, calls, whyBound }]) => kind in MOVES && calls > 1 && (!whyBound || whyBound === GIVEN_CALLBACK));
  const worth = able
    .filter(([, one]) => one.exclusiveMs >= exclusiveMs * WORTH_A_LINE || (one.kind !== 'sync' && one.latencyMs !== null))
    .sort(([, a], [, b]) => b.exclusiveMs - a.exclusiveMs);
  if (worth.length === 0) return nothing(stays(all));
  const awaited = worth.filter(([, { kind, whyBound }]) => kind === 'sync' && !whyBound).map(([path]) => path);
  const pure = awaited.filter((path) => shipped?.pure.includes(path));
  const recipe = recipeOf(awaited, { isHot: worth.length > awaited.length, isOne: all.length === 1 });
  const text = textOf(child, recipe);
  return { boundary: boundary.id, module: child, recipe, text, why: '', notes: notesOf(child, awaited, pure, mayDiffer) };
}

/**
 * @param {string[]} awaited functions that will return a promise
 * @param {{isHot: boolean, isOne: boolean}} seen other functions that leave as they are; no others were called
 * @returns {Record<string, any>}
 */
function recipeOf(awaited, { isHot, isOne }) {
  const hot = isHot ? { hot: true } : {};
  if (awaited.length === 0) return hot;
  // Said for the whole module, it would also apply to its other functions, whose results perhaps nobody awaits.
  if (isOne && awaited[0] === '') return { ...hot, call: 'await' };
  return { ...hot, functions: Object.fromEntries(awaited.map((path) => [path, { call: 'await' }])) };
}

/** @param {string} child @param {Record<string, any>} recipe */
function textOf(child, recipe) {
  const written = inspect({ modules: { [child]: recipe } }, { depth: 9, breakLength: WIDTH, compact: 3 });
  return `// ignis.config.js\nmodule.exports = ${written};\n`;
}

/** @param {string} child @param {string[]} awaited @param {string[]} pure @param {boolean} mayDiffer */
function notesOf(child, awaited, pure, mayDiffer) {
  const names = awaited.map((path) => (path === '' ? child : path)).join(', ');
  return [
    ...(awaited.length === 0 ? [] : [`callers must write \`await\` before ${names}: in a replica they return promises`]),
    ...(pure.length === awaited.length && pure.length > 0
      ? [`Ignis ships evidence that ${names} ${pure.length === 1 ? 'is' : 'are'} pure, so there may be several replicas`]
      : mayDiffer
        ? ['there may be several replicas, since the recipes in force already say what the module remembers']
        : [
            "until the recipe says what the module remembers, it stays at home, where it was called, and after a restart gets at most one replica: say pure: true if results depend only on the arguments, or state: 'none' | 'private'; `ignis check` looks for evidence",
          ]),
  ];
}

/** @param {[string, {kind: string, exclusiveMs: number, whyBound?: string | null}][]} all none of these can leave */
function stays(all) {
  const [[, { kind, whyBound }]] = [...all].sort(([, a], [, b]) => b.exclusiveMs - a.exclusiveMs);
  if (whyBound) return `${whyBound}, so its calls could not leave`;
  if (kind === 'constructor') return 'it makes objects, which live where they are made';
  if (kind === 'sync-callback') return 'its callbacks run inside the call';
  return 'nothing that was seen of it can leave';
}

exports.propose = propose;
