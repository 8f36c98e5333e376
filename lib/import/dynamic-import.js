'use strict';
/*
 * Tells whether a CommonJS file may import ES modules while it runs. In: its text. Out: no, or perhaps. Types in doc comments (`@type
 * {import('./a').B}`) in their usual form do not count: otherwise, on Node 20, each program that has one would wait a tenth of a second for
 * the thread that watches imports.
 */

const IMPORT = /\bimport\s*\(/;

/** A tag with a type in a doc comment: from the beginning of the comment, or of a line of it, to the end of the comment or the line. */
const TYPES = /(?:(?<=^|\n)[ \t]*\*[ \t]|\/\*\*[ \t])(?:(?!\*\/|\/\*\*)[^\n])*?@\w+[ \t]*\{(?:(?!\*\/)[^\n])*/g;

/** @param {string} source @returns {boolean} */
function mayImport(source) {
  // The cheap test first: few files have the word in such a place.
  return source.includes('import') && IMPORT.test(source) && IMPORT.test(source.replace(TYPES, ''));
}

exports.mayImport = mayImport;
