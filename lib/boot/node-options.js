'use strict';
/*
 * The variable NODE_OPTIONS as Node reads it: words between spaces, of which parts may be quoted. In: its text. Out: its words, as they
 * stand there, and without quotes.
 */
const WORD = /(?:"(?:\\.|[^"\\])*"?|[^ "])+/g;
const QUOTED = /"((?:\\.|[^"\\])*)"?/g;

/** @param {string} [text] @returns {string[]} as they stand there */
const wordsOf = (text = process.env.NODE_OPTIONS ?? '') => text.match(WORD) ?? [];

/** @param {string} word @returns {string} what Node reads: without its quotes */
const bare = (word) => word.replace(QUOTED, (_, quoted) => quoted.replace(/\\(.)/g, '$1'));

exports.bare = bare;
exports.wordsOf = wordsOf;
