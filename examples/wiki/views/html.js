'use strict';

// Text into HTML, escaped unless it is HTML already.
// In: a template with values. Out: a Markup. A plain string that comes in is always escaped: forgetting to is not possible.

const ESCAPES = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' });

class Markup {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function escape(value) {
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

/**
 * @param {TemplateStringsArray} strings
 * @param {...unknown} values strings, numbers, Markup, arrays of these; null, undefined and false are left out
 * @returns {Markup}
 */
function html(strings, ...values) {
  let text = strings[0];
  for (let index = 0; index < values.length; index++) text += part(values[index]) + strings[index + 1];
  return new Markup(text);
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function part(value) {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  return Array.isArray(value) ? value.map(part).join('') : escape(value);
}

/**
 * @param {string} text HTML made by code that escapes
 * @returns {Markup}
 */
function trusted(text) {
  return new Markup(text);
}

exports.Markup = Markup;
exports.escape = escape;
exports.html = html;
exports.trusted = trusted;
