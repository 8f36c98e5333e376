'use strict';

// mustache 4.2: templates without code in them.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'mustache',
  versions: ['4.2'],
  evidence: [
    'render reads only its arguments, `mustache.tags` and `mustache.escape`, and returns a string. A call whose view holds functions stays at home, because they cannot be sent.',
    'Not listed: parse, which returns the cached list of tokens itself.',
    'Read in mustache.js.',
  ].join(' '),
  threads: true,
  setup:
    'replicas get new tags (mustache.tags = [...]). Another escape function (mustache.escape = ...) or templateCache cannot be sent, and keeps mustache at home.',
  keeps: ['Parsed templates, by template and tags, without limit. Each replica fills its own, with the same.'],
  pays: [
    { function: 'render', input: '1000 rows', bytes: 48965, ms: 1.79, homeMs: 1.08, breakEven: '1000 rows' },
    { function: 'escape', input: '64 kB', bytes: 65291, ms: 2.68, homeMs: 0.634, breakEven: 'always' },
  ],
  recipe: { state: 'none', setup: ['tags', 'escape'], functions: { render: { pure: true }, escape: { pure: true } } },
};
