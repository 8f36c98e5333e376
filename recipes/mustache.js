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
  pays: [],
  recipe: { state: 'none', setup: ['tags', 'escape'], functions: { render: { pure: true }, escape: { pure: true } } },
};
