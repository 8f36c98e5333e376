'use strict';

// handlebars 4.7: templates.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'handlebars',
  versions: ['4.7'],
  evidence: [
    'Read in dist/cjs/handlebars/compiler: compile and template give functions, parse gives nodes of a class of its own (SourceLocation); neither can be sent.',
    'precompile of a text gives source code, and reads its options alone: registered helpers and partials have no part in it.',
    'A file of your own that compiles and runs is pure, with the helpers and partials that it registers itself.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const Handlebars = require('handlebars');",
    '',
    '// Helpers and partials are registered here, so that every replica has the same.',
    "Handlebars.registerHelper('upper', (text) => String(text).toUpperCase());",
    '',
    'const compiled = new Map();',
    '',
    'exports.render = (template, data) => {',
    '  if (!compiled.has(template)) compiled.set(template, Handlebars.compile(template));',
    '  return compiled.get(template)(data);',
    '};',
    '',
  ].join('\n'),
  keeps: ['Helpers, partials and decorators, which registerHelper and its like change; what is listed does not read them.'],
  pays: [
    { function: 'precompile', input: '4 kB', bytes: 4183, ms: 8.29, homeMs: 0.591, breakEven: 'always' },
    { function: 'render (own file)', input: '1000 rows', bytes: 43039, ms: 1.41, homeMs: 0.672, breakEven: '1000 rows' },
  ],
  recipe: { functions: { precompile: { pure: true } } },
};
