'use strict';

// A shipped recipe as text for a terminal: one line for the list, or the whole recipe with its evidence and a recipe to paste. In:
// ShippedRecipes. Out: text. It says nothing that is not in the recipe.

const { inspect } = require('node:util');
const { pureFunctions } = require('../recipe/shipped.js');
const { fold, toTable } = require('./table.js');

/** @typedef {import('../types').ShippedRecipe} ShippedRecipe */
/** @typedef {import('../types').PaysRow} PaysRow */

const WIDTH = 100;
/** After the names of functions that need a file of one's own. */
const OWN_FILE = ' (own file)';
/** How many functions are listed in one line. */
const MOST_NAMES = 3;

/** @param {readonly string[]} versions */
const versionsText = (versions) =>
  versions.length === 0 ? 'all' : versions.map((start) => (start.split('.').length < 3 ? `${start}.x` : start)).join(', ');

/** @param {string} name of a function; '' for a module that is one @returns {string} */
const nameText = (name) => (name === '' ? 'the module itself' : name);

/** @param {readonly string[]} functions */
function namesText(functions) {
  const shown = functions.slice(0, MOST_NAMES).map(nameText).join(', ');
  return functions.length > MOST_NAMES ? `${shown} and ${functions.length - MOST_NAMES} more` : shown;
}

/** @param {ShippedRecipe} shipped @returns {PaysRow[]} the rows that pay, the one with the largest saving first */
function paying({ pays }) {
  return pays.filter(({ breakEven }) => breakEven !== 'never').sort((a, b) => b.ms / b.homeMs - a.ms / a.homeMs);
}

/** @param {number} ms with three significant digits */
const msText = (ms) => `${Number(ms.toPrecision(3))} ms`;

/** @param {ShippedRecipe} shipped */
function bestText(shipped) {
  const [best] = paying(shipped);
  return best === undefined ? '' : `${nameText(best.function)}, ${best.input}: ${msText(best.ms)}, ${msText(best.homeMs)} when sent`;
}

/**
 * @param {readonly ShippedRecipe[]} all
 * @returns {string} a line for each
 */
function listOf(all) {
  return toTable(
    [
      { title: 'shipped for', cell: (/** @type {ShippedRecipe} */ one) => one.package },
      { title: 'versions', cell: (/** @type {ShippedRecipe} */ one) => versionsText(one.versions) },
      { title: 'pure', cell: (/** @type {ShippedRecipe} */ one) => namesText(pureFunctions(one)) },
      { title: 'pays at best', cell: bestText },
    ],
    all,
  );
}

/** @param {string} title @param {string} text */
const part = (title, text) => (text === '' ? '' : `\n${title}\n${fold(text, WIDTH, '  ')}`);

/** @param {ShippedRecipe} shipped */
function paysPart({ pays }) {
  if (pays.length === 0) return '';
  const columns = [
    { title: 'function', cell: (/** @type {PaysRow} */ row) => nameText(row.function) },
    { title: 'input', cell: (/** @type {PaysRow} */ row) => row.input },
    { title: 'bytes', isNumber: true, cell: (/** @type {PaysRow} */ row) => row.bytes },
    { title: 'ms', isNumber: true, cell: (/** @type {PaysRow} */ row) => row.ms },
    { title: 'home ms when sent', isNumber: true, cell: (/** @type {PaysRow} */ row) => row.homeMs },
    { title: 'pays from', cell: (/** @type {PaysRow} */ row) => row.breakEven },
  ];
  const lines = toTable(columns, pays).trimEnd().split('\n');
  return `\nWhere it pays (processor time per call)\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/**
 * @param {ShippedRecipe} shipped
 * @returns {string} a program-wide recipe with the consent that the shipped one does not give; '' if nothing pays
 */
function pasteOf(shipped) {
  const rows = paying(shipped).filter((row) => !row.function.endsWith(OWN_FILE));
  if (rows.length === 0) return '';
  const functions = Object.fromEntries(rows.map((row) => [row.function, { call: 'await' }]));
  return inspect({ modules: { [shipped.package]: { functions } } }, { depth: 9, breakLength: WIDTH - 4 });
}

/** @param {ShippedRecipe} shipped */
function pastePart(shipped) {
  const recipe = pasteOf(shipped);
  if (recipe === '')
    return shipped.recipe.cold === true || shipped.ownFile !== undefined
      ? ''
      : part('To paste', 'Nothing: no call of it was found worth sending when it was measured.');
  const text = `module.exports = ${recipe};`;
  return `\nTo paste into ignis.config.js (synchronous functions then return promises: \`await\` them)\n${text.replaceAll(/^/gm, '  ')}\n`;
}

/** @param {ShippedRecipe} shipped */
function ownFilePart({ package: name, ownFile }) {
  if (ownFile === undefined) return '';
  const file = `./lib/with-${name.replaceAll(/[^a-z0-9]+/g, '-')}.js`;
  const recipe = inspect({ modules: { [file]: { call: 'await', pure: true } } }, { depth: 9, breakLength: WIDTH - 4 });
  const text = `// ${file}\n${ownFile.trimEnd()}\n\n// ignis.config.js\nmodule.exports = ${recipe};`;
  return `\nThrough a file of your own (its calls then return promises: \`await\` them)\n${text.replaceAll(/^(?=.)/gm, '  ')}\n`;
}

/** @param {ShippedRecipe['recipe']} recipe */
function recipePart(recipe) {
  if (Object.keys(recipe).length === 0) return '';
  const text = inspect(recipe, { depth: 4, breakLength: WIDTH - 4, maxArrayLength: null });
  return `\nWhat Ignis applies by default\n${text.replaceAll(/^/gm, '  ')}\n`;
}

/**
 * @param {ShippedRecipe} shipped
 * @returns {string} everything known
 */
function pageOf(shipped) {
  const { package: name, versions, files, evidence, threads, setup, mutates = [], keeps = [], recipe } = shipped;
  const changes = mutates.map(({ function: fn, argument, what }) => `${nameText(fn)}, argument ${argument + 1}: ${what}.`);
  return [
    `${name}, versions ${versionsText(versions)}\n`,
    fold(evidence, WIDTH, '  '),
    part('Pure', pureFunctions(shipped).map(nameText).join(', ')),
    part('Set-up', setup === undefined ? '' : `${(recipe.setup ?? []).join(', ')}: ${setup}`.replace(/^: /, '')),
    part('Changes its arguments', changes.join(' ')),
    part('Remembers', keeps.join(' ')),
    part('Threads', threads === true ? 'Can also run in a thread.' : `No: ${threads}`),
    part('Also holds for', (files ?? []).join(', ')),
    paysPart(shipped),
    recipePart(recipe),
    pastePart(shipped),
    ownFilePart(shipped),
  ].join('');
}

exports.WIDTH = WIDTH;
exports.listOf = listOf;
exports.nameText = nameText;
exports.pageOf = pageOf;
exports.versionsText = versionsText;
