'use strict';
/*
 * Finds the names under which a package gives out a file that is not its main one: './sync' of `exports`, also by a pattern ('./*'), or
 * './inner' if that folder has its own package.json that names the file. In: `exports`, and files. Out: the names, as in `exports`. It must
 * never touch the disk.
 */
const path = require('node:path');
const { Map, Set } = require('../engine');

/** @typedef {{ expression: RegExp, entry: string }} Wildcard for paths from the package's root; entry: the name of such a file, with a * */
/**
 * @typedef {object} Entries
 * @property {Map<string, string[]>} named by file, absolute: names that are given one by one
 * @property {Wildcard[]} wildcards names given by a pattern
 * @property {boolean} isComplete true: the package gives out nothing else
 */

const SPECIAL = /[.+?^${}()|[\]\\]/g;

/**
 * @param {string} root of the package
 * @param {any} exported `exports` of its package.json
 * @returns {Entries}
 */
function entriesOf(root, exported) {
  /** @type {Entries} */
  const entries = { named: new Map(), wildcards: [], isComplete: exported !== undefined && exported !== null };
  if (typeof exported !== 'object' || exported === null) return entries;
  for (const [entry, targets] of Object.entries(exported)) {
    if (!entry.startsWith('./')) continue;
    for (const target of targetsIn(targets)) {
      if (entry.includes('*')) entries.wildcards.push({ expression: expressionOf(target), entry });
      else add(entries.named, path.join(root, target), entry);
    }
  }
  return entries;
}

/** @param {any} target a text, a list, or an object of conditions @returns {string[]} */
function targetsIn(target) {
  if (typeof target === 'string') return [target];
  return typeof target === 'object' && target !== null ? Object.values(target).flatMap(targetsIn) : [];
}

/** @param {Map<string, string[]>} named @param {string} file @param {string} entry */
function add(named, file, entry) {
  const names = named.get(file);
  if (names === undefined) named.set(file, [entry]);
  else if (!names.includes(entry)) names.push(entry);
}

/** Each * of a target stands for the same text, which may contain slashes. @param {string} target @returns {RegExp} */
function expressionOf(target) {
  const [before, ...behind] = target.split('*').map((part) => part.replace(SPECIAL, '\\$&'));
  return new RegExp(`^${before}${behind.map((part, i) => (i === 0 ? '(.+)' : '\\1') + part).join('')}$`, 's');
}

/**
 * @param {Entries | undefined} entries
 * @param {string} filename absolute
 * @param {string} place the same file from the package's root: './dist/sync.js'
 * @returns {string[]}
 */
function namesIn(entries, filename, place) {
  if (entries === undefined) return [];
  const names = new Set(entries.named.get(filename));
  for (const { expression, entry } of entries.wildcards) {
    const found = expression.exec(place);
    if (found !== null) names.add(entry.replace('*', () => found[1] ?? ''));
  }
  return [...names];
}

exports.entriesOf = entriesOf;
exports.namesIn = namesIn;
