'use strict';

// A call of a microsecond or two: escaping a field, formatting a date, looking into a table.
// In: a short text. Out: the text as HTML.

const MARKS = /[&<>"']/g;
/** @type {Record<string, string>} */
const NAMES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * @param {string} text
 * @returns {string}
 */
function escape(text) {
  return text.replace(MARKS, (mark) => NAMES[mark]);
}

exports.escape = escape;
