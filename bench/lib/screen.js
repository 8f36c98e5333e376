'use strict';

// Text for people: colours where there is a terminal, lines cut to its width, bars.
// In: words and numbers. Out: strings. Pure but for the one look at what stdout is.

const COLUMNS = 100;
const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/**
 * @param {keyof typeof CODES} style
 * @param {string} text
 * @param {boolean} [isTerminal] default: whether stdout is one, and NO_COLOR is not set (no-color.org)
 * @returns {string}
 */
function paint(style, text, isTerminal = process.stdout.isTTY === true && !process.env.NO_COLOR) {
  return isTerminal ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
}

/**
 * @param {string} text one paragraph
 * @param {string} first stands before the first line
 * @param {number} [columns] default 100
 * @returns {string} lines of at most so many columns, the others indented as the first; a longer word stays whole
 */
function wrap(text, first, columns = COLUMNS) {
  const indent = ' '.repeat(first.length);
  const lines = [];
  let line = first;
  for (const word of text.split(/\s+/)) {
    const isEmpty = line === first || line === indent;
    if (!isEmpty && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent + word;
    } else {
      line += isEmpty ? word : ` ${word}`;
    }
  }
  return [...lines, line].join('\n');
}

/**
 * On a scale where each tenfold is as long as the one before: 1 ms is short, 1 s is full.
 * @param {number} ms
 * @param {number} width
 * @returns {string}
 */
function bar(ms, width) {
  const share = Math.log10(Math.max(1, ms)) / 3;
  return '#'.repeat(Math.min(width, Math.max(1, Math.round(share * width))));
}

/**
 * @param {string} text
 * @param {number} width
 * @returns {string} no longer than that
 */
function cut(text, width) {
  return text.length <= width ? text : `${text.slice(0, width - 3)}...`;
}

exports.bar = bar;
exports.cut = cut;
exports.paint = paint;
exports.wrap = wrap;
