'use strict';

// showdown 2: Markdown to HTML, by a Converter that the program makes.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'showdown',
  versions: ['2.1'],
  evidence: [
    'Read in dist/showdown.js: the work is done by makeHtml of a Converter, an object that stays at home; what is exported besides sets the defaults of Converters to come',
    '(setOption, setFlavor, extension, resetOptions and so on) or is a helper of a few microseconds.',
    'makeHtml keeps its lists of links, blocks and headers in a `globals` object of the call, so a file that holds a Converter is pure, but for one thing: encodeEmails, which is on by default, writes addresses in letters chosen at random.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const showdown = require('showdown');",
    '',
    'const converter = new showdown.Converter({ tables: true, encodeEmails: false });',
    '',
    'exports.render = (text) => converter.makeHtml(text);',
    '',
  ].join('\n'),
  pays: [{ function: 'render (own file)', input: '24 kB', bytes: 24927, ms: 33.3, homeMs: 2.58, breakEven: 'always' }],
  recipe: {},
};
