'use strict';

// pdfkit 0.20: PDF documents.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'pdfkit',
  versions: ['0.20'],
  evidence: [
    'Read in js/pdfkit.js (its exports, registerFile, and where it asks for the time): a PDFDocument is a stream with pages, fonts and images in it; text, image and the rest write into it, and it stays where it was made.',
    'registerFile puts a file where documents find it by its path; that list is all that the module keeps; nothing is said of its state.',
    'A document carries the time of its making (info.CreationDate), so two are the same only when that is given.',
    'What moves is a function of your own that takes data and gives the finished bytes, in a file of its own; fonts that are registered stand there too.',
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
