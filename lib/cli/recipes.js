'use strict';

// ignis recipes: prints the fields of a recipe, and the recipes that Ignis ships, one line each; or one of them in full.

const { inspect } = require('node:util');
const { IgnisError } = require('../errors.js');
const { fact, mayMean, nearest } = require('../option-table.js');
const { PLACE_OF, RECIPE_FIELDS } = require('../recipe/fields.js');
const { allShipped } = require('../recipe/shipped.js');
const { listOf, pageOf, WIDTH } = require('./recipe-text.js');
const { fold } = require('./table.js');
const { misused } = require('./misuse.js');

exports.usage = 'recipes [options] [package]';
exports.summary = 'Prints the fields that a recipe may have and the recipes that Ignis ships, or the recipe for one package.';
exports.options = Object.freeze([{ name: 'json', type: 'true | false', check: fact, sentence: 'Prints JSON.' }]);

/** @returns {string} */
function fieldsText() {
  const parts = ['Fields\n'];
  for (const row of RECIPE_FIELDS) {
    const standard = row.default === undefined ? '' : `, default ${inspect(row.default)}`;
    const unit = row.unit === undefined ? '' : ` (${row.unit})`;
    parts.push(`\n  ${row.name}: ${row.type}${unit}${standard}\n`);
    parts.push(
      fold(row.sentence, WIDTH, '      '),
      fold(`Allowed ${row.scope.map((scope) => PLACE_OF[scope]).join(', ')}.`, WIDTH, '      '),
    );
  }
  return parts.join('');
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, { out }) {
  const shipped = allShipped();
  const [name] = rest;
  if (rest.length > 1) throw misused('name at most one package', exports.usage);
  if (name === undefined) {
    const fields = RECIPE_FIELDS.map(({ check: _, ...row }) => ({ ...row, default: row.default === Infinity ? 'Infinity' : row.default }));
    out(given.json === true ? `${JSON.stringify({ fields, shipped }, null, 2)}\n` : `${fieldsText()}\n${listOf(shipped)}`);
    return { code: 0 };
  }
  const found = shipped.find((one) => one.package === name || one.package === `node:${name}`);
  if (found === undefined) {
    const hint = nearest(
      name,
      shipped.map((one) => one.package),
    );
    const advice = mayMean(name, hint) ? `the nearest name is '${hint}'` : "'ignis recipes' lists those that exist";
    throw new IgnisError('IGNIS_NOT_FOUND', `Ignis ships no recipe for '${name}'; ${advice}`, {
      field: name,
      nearest: hint,
    });
  }
  out(given.json === true ? `${JSON.stringify(found, null, 2)}\n` : pageOf(found));
  return { code: 0 };
};
