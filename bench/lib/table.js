'use strict';

// Plain text tables.
// In: titles and rows of cells. Out: lines, columns aligned, numbers to the right.
// Pure: it prints nothing.

/**
 * Four significant digits, thousands apart: 12.34, 1,235, 0.01235.
 * @param {number | null | undefined} value
 * @returns {string}
 */
function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '-';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en-US');
  if (size < 1e-4) return value.toExponential(2);
  return value.toFixed(Math.max(0, 3 - Math.floor(Math.log10(size))));
}

/**
 * @param {string[]} titles
 * @param {string[][]} rows as many cells a row as titles
 * @returns {string} lines joined by line feeds; the first column to the left, the others to the right
 */
function table(titles, rows) {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  /** @param {string[]} cells */
  const line = (cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(titles), rule, ...rows.map(line)].join('\n');
}

exports.number = number;
exports.table = table;
