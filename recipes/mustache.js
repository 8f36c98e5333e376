'use strict';

// mustache 4.2: templates without code in them.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'mustache',
  versions: ['4.2'],
  evidence: [
    'Read in mustache.js: render reads its arguments, `mustache.tags` and `mustache.escape`, and gives a string; a view with functions cannot be sent and stays at home with its call.',
    'Not listed: parse, whose result is the cached list of tokens itself.',
  ].join(' '),
  threads: true,
  setup:
    'replicas hear of other tags (mustache.tags = [...]); another escape function (mustache.escape = ...) or templateCache cannot be sent, and keeps mustache at home.',
  keeps: ['Parsed templates, by template and tags, without end: each replica fills its own, with the same.'],
  pays: [
    { function: 'render', input: '1000 rows', bytes: 48965, ms: 1.79, homeMs: 1.08, breakEven: '1000 rows' },
    { function: 'escape', input: '64 kB', bytes: 65291, ms: 2.68, homeMs: 0.634, breakEven: 'always' },
  ],
  recipe: { state: 'none', setup: ['tags', 'escape'], functions: { render: { pure: true }, escape: { pure: true } } },
};
