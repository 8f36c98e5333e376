'use strict';

// pug 3: templates with JavaScript in them.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'pug',
  versions: ['3'],
  evidence: [
    'Read in lib/index.js: compile gives a function, which cannot be sent; render and compileClient give strings.',
    'A template is a program: whether render is pure is for you to say of your templates ({ pure: true }). compileClient runs filters, and reads the files that a template includes, so it is only said that it may run twice.',
    'Options with functions (filters, plugins, functions as data) stay at home with their call.',
  ].join(' '),
  threads: true,
  setup: 'a function that is written there (pug.filters.name = ...) cannot be sent, and keeps pug at home.',
  keeps: ['With the option `cache`, compiled templates by file name: each replica fills its own, with the same.'],
  pays: [
    { function: 'render', input: '1000 rows', bytes: 48929, ms: 3.26, homeMs: 1.62, breakEven: 'always' },
    { function: 'compileClient', input: '60 lines', bytes: 1095, ms: 12.5, homeMs: 0.878, breakEven: 'always' },
  ],
  recipe: { state: 'none', setup: ['filters'], functions: { render: {}, compileClient: { idempotent: true } } },
};
