'use strict';

// showdown 2: Markdown to HTML, by a Converter that the program makes.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'showdown',
  versions: ['2.1'],
  evidence: [
    'What can move is a file of your own that holds a Converter. It is pure if encodeEmails is off: this option, on by default, writes addresses in letters chosen at random.',
    'makeHtml does the work. Called directly, it stays at home with its Converter.',
    'The other exports set the defaults of later Converters (setOption, setFlavor, extension, resetOptions and so on), or are helpers of a few microseconds.',
    'makeHtml keeps its lists of links, blocks and headers in a `globals` object of the call.',
    'Read in dist/showdown.js.',
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
