'use strict';
/*
 * Whether the files of modules are still as they were when home loaded them. A program goes on with what it has read, but a replica that
 * starts later reads what is there by then, perhaps another version (after a deployment into the folder of a running program). In: modules.
 * Out: a file that has changed.
 */
const fs = require('node:fs');
const Module = require('node:module');
const { Map, Set, WeakMap } = require('../engine');

/** @typedef {import('./load-target').Target} Target */

/** A module with more files is not checked: each start would cost home more than some milliseconds. */
const MOST_FILES = 1000;

const api = /** @type {any} */ (Module);
/** @type {WeakMap<object, string>} by module of `require.cache` */
const stamps = new WeakMap();
/** @type {Map<string, string>} by file, for ES modules, which no program loads anew */
const others = new Map();

/**
 * @param {string} file
 * @returns {string} a text that changes with the file; '' if it is missing, or cannot be looked at (an archive)
 */
function stampOf(file) {
  try {
    const { size, mtimeMs, ino } = fs.statSync(file);
    return `${size} ${mtimeMs} ${ino}`;
  } catch {
    return '';
  }
}

/**
 * @param {any} first module of `require.cache`
 * @param {(module: any) => boolean} visit whether to go on to the modules it required
 */
function walk(first, visit) {
  const open = new Set([first]);
  for (const module of open) {
    if (open.size > MOST_FILES) return;
    if (typeof module?.filename !== 'string' || !visit(module)) continue;
    for (const child of module.children ?? []) open.add(child);
  }
}

/** Notes a module that was just loaded, with what it requires at its top. @param {Target} target */
function noteCode({ kind, place }) {
  if (kind === 'builtin') return;
  const loaded = api._cache[place];
  if (loaded === undefined) return void (others.has(place) || others.set(place, stampOf(place)));
  walk(loaded, (module) => {
    if (stamps.has(module)) return false;
    stamps.set(module, stampOf(module.filename));
    return true;
  });
}

/** @param {string | undefined} before @param {string} file */
function isAnother(before, file) {
  if (before === undefined || before === '') return false;
  const now = stampOf(file);
  // A missing file is no changed file: whoever needs it reports that.
  return now !== '' && now !== before;
}

/** @param {Target} target @returns {string | null} a file of it that has changed since home loaded it */
function changedFile({ kind, place }) {
  if (kind === 'builtin') return null;
  const loaded = api._cache[place];
  if (loaded === undefined) return isAnother(others.get(place), place) ? place : null;
  /** @type {string | null} */
  let changed = null;
  walk(loaded, (module) => {
    if (changed === null && isAnother(stamps.get(module), module.filename)) changed = module.filename;
    return changed === null;
  });
  return changed;
}

exports.changedFile = changedFile;
exports.noteCode = noteCode;
