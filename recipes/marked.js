'use strict';

// marked 18: Markdown to HTML.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'marked',
  versions: ['18'],
  files: ['./lib/marked.umd.js'],
  evidence: [
    'Read in src/marked.ts, Instance.ts, Lexer.ts, Parser.ts and Tokenizer.ts of the bundle, and observed:',
    'a call makes its own Lexer and Parser, and remembers nothing but through set-up.',
    'The token list of lexer is plain data with a property `links`, and arrives whole.',
    'Not listed: walkTokens and parser (they are given tokens, which they may change), and the classes: a Marked of your own stays at home.',
  ].join(' '),
  threads: true,
  setup: [
    "they change the defaults of all later calls. Replicas hear of the calls that watched files make, the program's own unless level says more;",
    'a dependency that calls them by itself, or a write into the object `defaults`, is not seen: keep marked at home there.',
    'An extension that holds a function (a renderer, a tokenizer, walkTokens) cannot be sent, and keeps marked at home from then on.',
  ].join(' '),
  pays: [
    { function: 'marked', input: '32 kB', bytes: 33295, ms: 4.78, homeMs: 0.332, breakEven: '8 kB' },
    { function: 'parse', input: '32 kB', bytes: 33295, ms: 4.75, homeMs: 0.341, breakEven: '1 kB' },
    { function: 'parseInline', input: '32 kB', bytes: 32043, ms: 3.51, homeMs: 0.267, breakEven: 'always' },
    { function: 'lexer', input: '32 kB', bytes: 33295, ms: 5.76, homeMs: 2.86, breakEven: '8 kB' },
  ],
  recipe: {
    state: 'private',
    setup: ['', 'marked.', 'parse.'].flatMap((holder) => ['use', 'setOptions', 'options'].map((name) => `${holder}${name}`)),
    functions: {
      marked: { pure: true },
      parse: { pure: true },
      parseInline: { pure: true },
      lexer: { pure: true },
    },
  },
};
