'use strict';

// Which files a pattern means. In: a folder, patterns with `*` within a name and `**` for any folders. Out: paths from there.

const fs = require('node:fs');
const path = require('node:path');

/**
 * @param {string} folder
 * @param {string[]} patterns with slashes; one that begins with `!` takes files out again
 * @returns {string[]} relative to the folder, with slashes; sorted within a pattern
 * @throws {Error} when a pattern means no file: a suite that runs nothing must not pass
 */
function filesOf(folder, patterns) {
  const out = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => expressionOf(pattern.slice(1)));
  /** @type {Set<string>} */
  const found = new Set();
  for (const pattern of patterns) {
    if (pattern.startsWith('!')) continue;
    const expression = expressionOf(pattern);
    const fixed = pattern.split('*')[0].split('/').slice(0, -1).join('/');
    const files = filesBelow(folder, fixed).filter((file) => expression.test(file) && !out.some((other) => other.test(file)));
    if (files.length === 0) throw new Error(`${folder} has no file ${pattern}`);
    for (const file of files.sort()) found.add(file);
  }
  return [...found];
}

/** @param {string} pattern */
function expressionOf(pattern) {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}$`);
}

/** @param {string} folder @param {string} below @returns {string[]} */
function filesBelow(folder, below) {
  const whole = path.join(folder, below);
  if (!fs.existsSync(whole)) return [];
  return fs.readdirSync(whole, { withFileTypes: true }).flatMap((entry) => {
    const relative = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(folder, relative);
    return [relative];
  });
}

exports.filesOf = filesOf;
