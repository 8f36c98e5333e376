'use strict';

// nunjucks 3.2: templates.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'nunjucks',
  versions: ['3.2'],
  evidence: [
    'A file of your own that holds an Environment is pure, if its templates do not use the filter `random`.',
    'The recipe says nothing of render and renderString: they use the one Environment that configure makes and returns, and a replica does not see a filter or global that is added to that object.',
    'compile returns an object with functions.',
    'Read in index.js, src/environment.js and src/precompile.js.',
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
