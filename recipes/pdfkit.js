'use strict';

// pdfkit 0.20: PDF documents.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'pdfkit',
  versions: ['0.20'],
  evidence: [
    'What can move is a function in a file of your own that takes data and returns the finished bytes. Register fonts in that file too.',
    'A PDFDocument stays where it was made: it is a stream with pages, fonts and images in it, and text, image and the rest write into it.',
    'A document carries the time at which it was made (info.CreationDate), so two are the same only if that is given.',
    'All that the module keeps is a list of files: registerFile adds one, and documents find it by its path. The recipe says nothing of the state.',
    'Read in js/pdfkit.js: its exports, registerFile, and where it asks for the time.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const PDFDocument = require('pdfkit');",
    '',
    '/** The date is given, so that the same text is the same document. */',
    'exports.toPdf = async (paragraphs, date) => {',
    '  const document = new PDFDocument({ info: { CreationDate: date } });',
    '  for (const text of paragraphs) document.text(text);',
    '  document.end();',
    '  return Buffer.concat(await document.toArray());',
    '};',
    '',
  ].join('\n'),
  pays: [{ function: 'toPdf (own file)', input: '16 kB of text', bytes: 16059, ms: 11.1, homeMs: 0.999, breakEven: 'always' }],
  recipe: {},
};
