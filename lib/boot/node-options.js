'use strict';
/*
 * The variable NODE_OPTIONS as Node reads it: words separated by spaces, parts of which may be quoted. In: its text. Out: its words, as
 * written, and without quotes.
 */
const WORD = /(?:"(?:\\.|[^"\\])*"?|[^ "])+/g;
const QUOTED = /"((?:\\.|[^"\\])*)"?/g;

/** @param {string} [text] @returns {string[]} as written */
const wordsOf = (text = process.env.NODE_OPTIONS ?? '') => text.match(WORD) ?? [];

/** @param {string} word @returns {string} as Node reads it: without quotes */
const bare = (word) => word.replace(QUOTED, (_, quoted) => quoted.replace(/\\(.)/g, '$1'));

exports.bare = bare;
exports.wordsOf = wordsOf;
