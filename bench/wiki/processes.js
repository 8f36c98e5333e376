'use strict';

// A process and its descendants, as Linux tells it.
// In: a process id. Out: memory of each, and which one works hardest. Elsewhere than on Linux: empty lists.
// PSS counts a shared page in parts, so that the sum over processes is what they take together; RSS would count the
// text of node once for each.

const fs = require('node:fs');

/**
 * @typedef {object} ProcessFigures
 * @property {number} pid
 * @property {number} parent
 * @property {number} pssMb
 * @property {number} privateMb
 * @property {number} threads
 * @property {number} cpuTicks since its start
 */

/**
 * @param {number} root
 * @returns {ProcessFigures[]} the root first; those that ended meanwhile are left out
 */
function processTree(root) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const entry of directory('/proc')) {
    const pid = Number(entry);
    const stat = Number.isInteger(pid) ? statOf(pid) : null;
    if (stat === null) continue;
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid]);
  }
  const found = [];
  for (const queue = [root]; queue.length > 0;) {
    const pid = /** @type {number} */ (queue.shift());
    const figures = figuresOf(pid);
    if (figures !== null) found.push(figures);
    queue.push(...(children.get(pid) ?? []));
  }
  return found;
}

/**
 * @param {number} pid
 * @returns {ProcessFigures | null}
 */
function figuresOf(pid) {
  const stat = statOf(pid);
  const rollup = text(`/proc/${pid}/smaps_rollup`);
  if (stat === null || rollup === null) return null;
  const kilobytes = (/** @type {string} */ name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? NaN);
  return {
    pid,
    ...stat,
    pssMb: kilobytes('Pss') / 1024,
    privateMb: (kilobytes('Private_Clean') + kilobytes('Private_Dirty')) / 1024,
  };
}

/**
 * @param {number} pid
 * @returns {{ parent: number, threads: number, cpuTicks: number } | null}
 */
function statOf(pid) {
  // The name in brackets may hold anything; the fields are counted behind it (proc(5)).
  const fields = text(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  if (fields === undefined) return null;
  return { parent: Number(fields[1]), threads: Number(fields[17]), cpuTicks: Number(fields[11]) + Number(fields[12]) };
}

/**
 * @param {string} file
 * @returns {string | null}
 */
function text(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** @param {string} folder */
function directory(folder) {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

exports.processTree = processTree;
exports.figuresOf = figuresOf;
