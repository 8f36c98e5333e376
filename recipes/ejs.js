'use strict';

// ejs 7: templates with JavaScript in them.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'ejs',
  versions: ['7'],
  evidence: [
    'Read in lib/cjs/ejs.js: compile gives a function, which cannot be sent; render compiles and runs at once, and gives a string.',
    'A template is a program: whether render is pure is for you to say of your templates ({ pure: true }), so it is not said here.',
    "Without that, what a template changes in its data is changed in the caller's too. Data with functions stay at home with their call.",
  ].join(' '),
  threads: true,
  setup:
    'a function that is written there (ejs.fileLoader = ...) cannot be sent, and keeps ejs at home. Replicas hear of plain values (ejs.localsName = ...).',
  keeps: ['With the option `cache`, compiled templates by file name: each replica fills its own, with the same.'],
  pays: [{ function: 'render', input: '1000 rows', bytes: 48964, ms: 1.18, homeMs: 0.962, breakEven: 'never' }],
  recipe: { state: 'none', setup: ['fileLoader', 'resolveInclude'], functions: { render: {} } },
};
