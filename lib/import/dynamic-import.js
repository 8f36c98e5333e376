'use strict';
/*
 * Whether a CommonJS file may import ES modules while it runs. In: its text. Out: no, or perhaps. Types in doc comments
 * (`@type {import('./a').B}`) are told apart where they stand as nearly everybody writes them: on Node 20 each program that has one would
 * wait for the thread that watches imports, for a tenth of a second.
 */

const IMPORT = /\bimport\s*\(/;

/** From the beginning of a doc comment, or of a line within one, that has a tag with a type, to its end, or the line's. */
const TYPES = /(?:(?<=^|\n)[ \t]*\*[ \t]|\/\*\*[ \t])(?:(?!\*\/|\/\*\*)[^\n])*?@\w+[ \t]*\{(?:(?!\*\/)[^\n])*/g;

/** @param {string} source @returns {boolean} */
function mayImport(source) {
  // First what costs nothing: few files have the word in a place like this.
  return source.includes('import') && IMPORT.test(source) && IMPORT.test(source.replace(TYPES, ''));
}

exports.mayImport = mayImport;
