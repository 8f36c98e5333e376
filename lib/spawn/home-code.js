'use strict';
/*
 * The files of modules as they were when home had loaded them. A program runs on with what it has read; a replica that begins later reads
 * what lies there by then, which may be another version (a deployment into the folder of a running program). In: modules. Out: a file that
 * is not the same any more.
 */
const fs = require('node:fs');
const Module = require('node:module');
const { Map, Set, WeakMap } = require('../engine');

/** @typedef {import('./load-target').Target} Target */

/** More files of a module than these are not looked at: that would keep home for more than some milliseconds with each start. */
const MOST_FILES = 1000;

const api = /** @type {any} */ (Module);
/** @type {WeakMap<object, string>} by module of `require.cache` */
const stamps = new WeakMap();
/** @type {Map<string, string>} by file, of ES modules, which no program loads anew */
const others = new Map();

/**
 * @param {string} file
 * @returns {string} what tells it from another one; '' where there is none, or none that can be looked at (an archive)
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
 * @param {(module: any) => boolean} visit whether to go on to what it has required
 */
function walk(first, visit) {
  const open = new Set([first]);
  for (const module of open) {
    if (open.size > MOST_FILES) return;
    if (typeof module?.filename !== 'string' || !visit(module)) continue;
    for (const child of module.children ?? []) open.add(child);
  }
}

/** It was loaded just now, with what it requires at its top. @param {Target} target */
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
  // One that is gone is no other one: who needs it says so.
  return now !== '' && now !== before;
}

/** @param {Target} target @returns {string | null} a file of it that is another one than home has loaded */
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
