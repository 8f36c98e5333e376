'use strict';

// Formats records as a table of plain text, or as the rows of a help. In: columns and records, perhaps from somebody's file. Out: text
// without control characters.

const { fit, plain, widthOf } = require('../view/columns.js');

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {(record: any) => unknown} cell numbers are aligned to the right; null and undefined stay empty
 * @property {boolean} [isNumber]
 */

/**
 * @param {unknown} value
 * @param {number} [digits] after the point
 * @returns {string} '' if it is no number
 */
function figure(value, digits = 1) {
  return typeof value === 'number' && Number.isFinite(value) ? value.toFixed(digits) : '';
}

/**
 * @param {readonly Column[]} columns
 * @param {readonly any[]} records
 * @returns {string} a line for each, below a line of titles
 */
function toTable(columns, records) {
  const rows = [columns.map((column) => column.title), ...records.map((record) => columns.map((column) => plain(column.cell(record))))];
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => widthOf(row[i]))));
  return rows
    .map(
      (row) =>
        row
          .map((cell, i) => fit(cell, widths[i], columns[i]))
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
    if (line !== '' && indent.length + widthOf(line) + 1 + widthOf(word) > width) {
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
