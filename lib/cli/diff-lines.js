'use strict';

// The difference between two texts with corresponding lines, as `diff -u` prints it. In: a name and both texts. Out: hunks with three lines
// around each change; '' if they are equal. Line N is compared with line N.

const AROUND = 3;

/**
 * @param {string} name
 * @param {string} before
 * @param {string} after with as many lines
 * @returns {string}
 */
function diffLines(name, before, after) {
  const old = linesOf(before);
  const now = linesOf(after);
  const changed = old.flatMap((line, index) => (line === now[index] ? [] : [index]));
  if (changed.length === 0) return '';
  return `--- a/${name}\n+++ b/${name}\n${hunksOf(changed, old.length)
    .map(([from, to]) => hunk(from, to, old, now))
    .join('')}`;
}

/** @param {string} text @returns {string[]} without the empty one after the last line end */
function linesOf(text) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * @param {number[]} changed
 * @param {number} count
 * @returns {[from: number, to: number][]} ranges of lines, without their end; near changes share a hunk
 */
function hunksOf(changed, count) {
  /** @type {[number, number][]} */
  const hunks = [];
  for (const index of changed) {
    const [from, to] = [Math.max(0, index - AROUND), Math.min(count, index + AROUND + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

/** @param {number} from @param {number} to @param {string[]} old @param {string[]} now */
function hunk(from, to, old, now) {
  const size = `${from + 1},${to - from}`;
  /** @type {string[]} */
  const lines = [];
  for (let index = from; index < to;) {
    if (old[index] === now[index]) {
      lines.push(` ${old[index++]}\n`);
      continue;
    }
    let end = index;
    while (end < to && old[end] !== now[end]) end++;
    lines.push(...old.slice(index, end).map((line) => `-${line}\n`), ...now.slice(index, end).map((line) => `+${line}\n`));
    index = end;
  }
  return `@@ -${size} +${size} @@\n${lines.join('')}`;
}

exports.diffLines = diffLines;
