'use strict';

// pdfkit 0.20: PDF documents.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'pdfkit',
  versions: ['0.20'],
  evidence: [
    'Read in js/pdfkit.js: a PDFDocument is a stream with pages, fonts and images in it; text, image and the rest write into it, and it stays where it was made.',
    'registerFile puts a file where documents find it by its path; that list is all that the module keeps; nothing is said of its state.',
    'A document carries the time of its making (info.CreationDate), so two are the same only when that is given.',
    'What moves is a function of your own that takes data and gives the finished bytes, in a file with a recipe of its own: see wrap.',
  ].join(' '),
  threads: true,
  pays: [],
  wrap: {
    lines: [
      "const PDFDocument = require('pdfkit');",
      'const write = (document, texts) => (texts.forEach((text) => document.text(text)), document.end(), document);',
      'exports.toPdf = async (texts, options) => Buffer.concat(await write(new PDFDocument(options), texts).toArray());',
    ],
    recipe: { call: 'await', pure: true },
    pays: [],
  },
  recipe: {},
};
