'use strict';

// Prints what was measured. In: results, what the known list says of them. Out: text. Pure.

const { table } = require('../lib/table');
const { groupByReason } = require('./compare');

/** @typedef {import('./compare').Lost} Lost */

/** @param {number} count */
const number = (count) => count.toLocaleString('en-US');

/**
 * @param {any[]} results one a suite
 * @param {string[]} modes
 * @param {{ unlisted: Lost[], healed: { known: import('./compare').Known, mode: string }[] }} checked
 * @param {number} most tests named for a reason
 * @returns {string}
 */
function report(results, modes, checked, most) {
  const parts = [countTable(results, modes)];
  const unlisted = new Set(checked.unlisted);
  for (const mode of modes) {
    const lost = results.flatMap((result) => result.lost).filter((one) => one.mode === mode);
    if (lost.length === 0) continue;
    parts.push(
      `${mode}: ${lost.length} tests that pass plain and fail here, ${lost.filter((one) => unlisted.has(one)).length} of them not in known.json`,
    );
    parts.push(
      groupByReason(lost)
        .map((group) => groupText(group, most))
        .join('\n'),
    );
  }
  const flaky = results.flatMap(({ suite, flaky: names }) => names.map((/** @type {string} */ name) => `  ${suite.name}: ${name}`));
  if (flaky.length > 0)
    parts.push(
      `now so, now so; not counted as lost:\n${flaky.slice(0, 20).join('\n')}${flaky.length > 20 ? `\n  and ${flaky.length - 20} more` : ''}`,
    );
  const healed = checked.healed.map(({ known, mode }) => `  ${known.suite} ${mode}: ${known.test}`);
  if (healed.length > 0) parts.push(`in known.json, and nothing was lost by it; take it out:\n${healed.join('\n')}`);
  return parts.join('\n\n');
}

/** @param {any[]} results @param {string[]} modes */
function countTable(results, modes) {
  const sum = (/** @type {string} */ mode) => results.reduce((total, { passed }) => total + passed[mode], 0);
  const took = (/** @type {(result: any) => number} */ of) =>
    `${(results.reduce((total, result) => total + of(result), 0) / 1000).toFixed(0)} s`;
  const cell = (/** @type {number} */ count, /** @type {number} */ plain) =>
    count === plain ? number(count) : `${number(count)} (-${number(plain - count)})`;
  const rows = results.map(({ suite, passed, failed, ms }) => [
    `${suite.package ?? suite.name} ${suite.version}`,
    ...modes.map((mode) => cell(passed[mode], passed.plain)),
    String(failed),
    modes.map((mode) => (ms[mode] / 1000).toFixed(1)).join(' '),
  ]);
  const all = sum('plain');
  rows.push(['all', ...modes.map((mode) => number(sum(mode))), '', took(({ ms }) => modes.reduce((total, mode) => total + ms[mode], 0))]);
  // Rounded down: 99.996 % is not all.
  rows.push(['of plain', ...modes.map((mode) => `${(Math.floor((sum(mode) / all) * 1e4) / 100).toFixed(2)} %`), '', '']);
  return table(['suite', ...modes, 'fail plain', 'seconds'], rows);
}

/** @param {{ reason: string, lost: Lost[] }} group @param {number} most */
function groupText({ reason, lost }, most) {
  const lines = [`  ${lost.length} x ${reason || '(no message)'}`];
  for (const { suite, test, error } of lost.slice(0, most)) {
    lines.push(`      ${suite}: ${test}`);
    const told = error
      .split('\n')
      .slice(0, 3)
      .map((line) => line.slice(0, 200));
    lines.push(...told.map((line) => `          ${line}`));
  }
  if (lost.length > most) lines.push(`      and ${lost.length - most} more (--all names them)`);
  return lines.join('\n');
}

exports.report = report;
