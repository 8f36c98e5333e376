'use strict';

// Sets records out as a table of plain text, or as the rows of a help.
// In: columns and records, which may come from a file of anybody's. Out: text without control characters.

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {(record: any) => unknown} cell numbers are set to the right; null and undefined are left out
 * @property {boolean} [isNumber]
 */

// Terminals act on these.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g;

/**
 * @param {unknown} value
 * @returns {string}
 */
function plain(value) {
  if (value === null || value === undefined) return '';
  return String(value).replace(CONTROL, ' ');
}

/**
 * @param {unknown} value
 * @param {number} [digits] after the point
 * @returns {string} '' for what is no number
 */
function figure(value, digits = 1) {
  return typeof value === 'number' && Number.isFinite(value) ? value.toFixed(digits) : '';
}

/**
 * @param {readonly Column[]} columns
 * @param {readonly any[]} records
 * @returns {string} one line each, under a line of titles
 */
function toTable(columns, records) {
  const rows = [columns.map((column) => column.title), ...records.map((record) => columns.map((column) => plain(column.cell(record))))];
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows
    .map(
      (row) =>
        row
          .map((cell, i) => (columns[i].isNumber ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
          .join('  ')
          .trimEnd() + '\n',
    )
    .join('');
}

/**
 * @param {string} text
 * @param {number} width
 * @param {string} indent
 * @returns {string} the words in lines of that width, each line indented
 */
function fold(text, width, indent) {
  /** @type {string[]} */
  const lines = [];
  let line = '';
  for (const word of plain(text).split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.map((part) => `${indent}${part}\n`).join('');
}

exports.figure = figure;
exports.fold = fold;
exports.plain = plain;
exports.toTable = toTable;
