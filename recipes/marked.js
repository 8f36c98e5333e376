'use strict';

// marked 18: Markdown to HTML.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'marked',
  versions: ['18'],
  evidence: [
    'parseMarkdown copies its options over the defaults, and makes a Lexer and a Parser for each call. Only set-up is remembered.',
    'A call with functions in its options (renderer, hooks, walkTokens) stays at home, because they cannot be sent.',
    'Not listed: lexer (it writes to its options, or to the defaults), walkTokens and parser (they may change the tokens that they are given), and the classes (a Marked of your own stays at home).',
    'Read in lib/marked.esm.js.',
  ].join(' '),
  threads: true,
  setup: [
    'they change the defaults of all later calls. Replicas get the calls that watched files make: the files of the program, unless level says more.',
    'Ignis does not see a dependency that calls them by itself: keep marked at home there.',
    'An extension that holds a function (a renderer, a tokenizer, walkTokens) cannot be sent, and keeps marked at home from then on.',
  ].join(' '),
  mutates: [{ function: 'lexer', argument: 1, what: 'its options get a tokenizer' }],
  pays: [
    { function: 'marked', input: '32 kB', bytes: 33423, ms: 5.62, homeMs: 0.899, breakEven: '8 kB' },
    { function: 'parse', input: '32 kB', bytes: 33423, ms: 5.44, homeMs: 0.706, breakEven: '8 kB' },
    { function: 'parseInline', input: '32 kB', bytes: 32043, ms: 4.91, homeMs: 0.553, breakEven: '8 kB' },
  ],
  recipe: {
    state: 'private',
    setup: ['', 'marked.', 'parse.'].flatMap((holder) => ['use', 'setOptions', 'options'].map((name) => `${holder}${name}`)),
    functions: {
      marked: { pure: true },
      parse: { pure: true },
      parseInline: { pure: true },
    },
  },
};
