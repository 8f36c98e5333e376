'use strict';

const { markdown, sizes } = require('../texts');

const pages = sizes([1, 8, 32], markdown);
const shows = { function: 'parse', args: () => ['first\nsecond  https://example.com and \\(x\\)'] };

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    marked: pages,
    parse: [{ input: '1 kB, with options', args: () => [markdown(1), { breaks: true, gfm: false }] }, ...pages],
    parseInline: sizes([1, 8, 32], (kB) => 'Some *emphasis*, **strong words**, `code` and [link](https://example.com/a). '.repeat(kB * 13)),
  },
  mutates: { lexer: () => ['a', { gfm: true }] },
  wrong: [
    { function: 'parse', args: () => [undefined] },
    { function: 'parse', args: () => [42] },
  ],
  setup: Object.fromEntries(
    ['', 'marked.', 'parse.'].flatMap((holder, i) =>
      ['use', 'setOptions', 'options'].map((name, j) => [
        `${holder}${name}`,
        // Each its own: on, off, on, ...
        { args: () => [{ breaks: (i * 3 + j) % 2 === 0 }], shows },
      ]),
    ),
  ),
};
