'use strict';

// nunjucks 3.2: templates.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'nunjucks',
  versions: ['3.2'],
  evidence: [
    'Read in index.js, src/environment.js and src/precompile.js: render and renderString go by one Environment that configure makes and gives out;',
    'a filter or global that is added to that object is not seen by a replica, so nothing is said of them. compile gives an object with functions.',
    'Templates may also use the filter `random`. A file of your own that holds an Environment is pure, with templates that do not.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const nunjucks = require('nunjucks');",
    '',
    '// Filters and globals are added here, so that every replica has the same.',
    'const environment = new nunjucks.Environment(null, { autoescape: true });',
    "environment.addFilter('twice', (text) => text + text);",
    '',
    'exports.render = (template, data) => environment.renderString(template, data);',
    '',
  ].join('\n'),
  mutates: [{ function: 'precompileString', argument: 1, what: 'its options get `isString: true`' }],
  keeps: ['The Environment of configure, until configure or reset is called again.'],
  pays: [{ function: 'render (own file)', input: '1000 rows', bytes: 48973, ms: 2.68, homeMs: 1.28, breakEven: 'always' }],
  recipe: {},
};
