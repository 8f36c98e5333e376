'use strict';

// pug 3: templates with JavaScript in them.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'pug',
  versions: ['3'],
  evidence: [
    'render and compileClient return strings. compile returns a function, which cannot be sent.',
    'A template is a program, so the recipe does not call render pure: only you can say that of your templates ({ pure: true }).',
    'compileClient runs filters, and reads the files that a template includes, so the recipe only says that it may run twice.',
    'A call with functions in its options (filters, plugins, functions as data) stays at home.',
    'Read in lib/index.js.',
  ].join(' '),
  threads: true,
  setup: 'a function that is written there (pug.filters.name = ...) cannot be sent, and keeps pug at home.',
  keeps: ['With the option `cache`, compiled templates by file name. Each replica fills its own, with the same.'],
  pays: [
    { function: 'render', input: '1000 rows', bytes: 48929, ms: 3.26, homeMs: 1.62, breakEven: 'always' },
    { function: 'compileClient', input: '60 lines', bytes: 1095, ms: 12.5, homeMs: 0.878, breakEven: 'always' },
  ],
  recipe: { state: 'none', setup: ['filters'], functions: { render: {}, compileClient: { idempotent: true } } },
};
