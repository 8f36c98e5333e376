'use strict';

// ignis recipes: prints the fields of a recipe, and the recipes that Ignis ships.

const { inspect } = require('node:util');
const { IgnisError } = require('../errors.js');
const { fact, nearest } = require('../option-table.js');
const { PLACE_OF, RECIPE_FIELDS } = require('../recipe/fields.js');
const { allShipped } = require('../recipe/shipped.js');
const { fold, toTable } = require('./table.js');

const WIDTH = 100;

exports.usage = 'recipes [options] [package]';
exports.summary = 'Prints the fields that a recipe may have and the recipes that Ignis ships, or the one for a package.';
exports.options = Object.freeze([{ name: 'json', type: 'true | false', check: fact, sentence: 'Prints JSON.' }]);

/** @returns {string} */
function fieldsText() {
  const parts = ['Fields\n'];
  for (const row of RECIPE_FIELDS) {
    const standard = row.default === undefined ? '' : `, default ${inspect(row.default)}`;
    parts.push(`\n  ${row.name}: ${row.type}${standard}\n`);
    parts.push(
      fold(row.sentence, WIDTH, '      '),
      fold(`Stands ${row.scope.map((scope) => PLACE_OF[scope]).join(', ')}.`, WIDTH, '      '),
    );
  }
  return parts.join('');
}

/** @param {readonly string[]} versions */
const versionsText = (versions) =>
  versions.length === 0 ? 'all' : versions.map((start) => (start.split('.').length < 3 ? `${start}.x` : start)).join(', ');

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, { out }) {
  const shipped = allShipped();
  const [name] = rest;
  if (rest.length > 1) throw new IgnisError('IGNIS_BAD_OPTION', `one package at most; the form is 'ignis ${exports.usage}'`);
  if (name === undefined) {
    const fields = RECIPE_FIELDS.map(({ check: _, ...row }) => ({ ...row, default: row.default === Infinity ? 'Infinity' : row.default }));
    const columns = [
      { title: 'shipped for', cell: (/** @type {any} */ one) => one.package },
      { title: 'versions', cell: (/** @type {any} */ one) => versionsText(one.versions) },
    ];
    out(given.json === true ? `${JSON.stringify({ fields, shipped }, null, 2)}\n` : `${fieldsText()}\n${toTable(columns, shipped)}`);
    return { code: 0 };
  }
  const found = shipped.find((one) => one.package === name || one.package === `node:${name}`);
  if (found === undefined) {
    const hint = nearest(
      name,
      shipped.map((one) => one.package),
    );
    throw new IgnisError('IGNIS_BAD_OPTION', `no recipe is shipped for '${name}'; the nearest name is '${hint}'`, {
      field: name,
      nearest: hint,
    });
  }
  const text = [
    `${found.package}, versions ${versionsText(found.versions)}\n\n`,
    fold(found.evidence, WIDTH, '  '),
    `\n${inspect(found.recipe, { depth: 4 })}\n`,
  ];
  out(given.json === true ? `${JSON.stringify(found, null, 2)}\n` : text.join(''));
  return { code: 0 };
};
