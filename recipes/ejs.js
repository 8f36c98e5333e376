'use strict';

// ejs 7: templates with JavaScript in them.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'ejs',
  versions: ['7'],
  evidence: [
    'render compiles and runs a template at once, and returns a string. compile returns a function, which cannot be sent.',
    'A template is a program, so the recipe does not call render pure: only you can say that of your templates ({ pure: true }).',
    "If you do not, changes that a template makes in its data are made in the caller's data too.",
    'If data contain functions, the call stays at home.',
    'Read in lib/cjs/ejs.js.',
  ].join(' '),
  threads: true,
  setup:
    'a function that is written there (ejs.fileLoader = ...) cannot be sent, and keeps ejs at home. Replicas get plain values (ejs.localsName = ...).',
  keeps: ['With the option `cache`, compiled templates by file name. Each replica fills its own, with the same.'],
  pays: [{ function: 'render', input: '1000 rows', bytes: 48964, ms: 1.18, homeMs: 0.962, breakEven: 'never' }],
  recipe: { state: 'none', setup: ['fileLoader', 'resolveInclude'], functions: { render: {} } },
};
