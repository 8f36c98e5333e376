'use strict';
/*
 * Turns TypeScript into JavaScript if Node can: types become blanks, so lines and columns stay. In: a source. Out: another, or null. It
 * must print no warning: whether TypeScript is experimental is between Node and the program.
 */
const Module = require('node:module');

/** @param {string} source @returns {string | null} null: not possible here, or with this source */
function withoutTypes(source) {
  const strip = /** @type {any} */ (Module).stripTypeScriptTypes;
  if (strip === undefined) return null;
  const warn = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return strip(source, { mode: 'strip' });
  } catch {
    return null;
  } finally {
    process.emitWarning = warn;
  }
}

exports.withoutTypes = withoutTypes;
