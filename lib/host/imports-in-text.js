'use strict';
/*
 * What a module imports or requires though its package does not list it: packages in folders above (workspaces, hoisted ones), and its own
 * files outside its package. Node's cache of modules has neither ES modules nor modules that are resident elsewhere from their import on,
 * so their texts are searched. In: the file of a module. Out: the packages that it and the files it reaches by path name, in their words,
 * and those files. A text that only looks like an import gives a package that does not exist, or one too many.
 */
const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const { Set } = require('../engine');

const SOURCE = /\.[cm]?[jt]sx?$/;
const IMPORT = /\b(?:from|import|require(?:\.resolve)?)\s*(?:\(\s*)?(['"])([^'"\\\n]+)\1/g;
const PACKAGE = /^(?:@[^/]+\/)?[^/@.#][^/]*/;
const BY_PATH = /^\.\.?(?:\/|$)/;
/** What `require` tries after a path, for files that may have imports. */
const ENDINGS = ['', '.js', '.cjs', '/index.js'];

/** @param {string} file @returns {string[]} */
function specifiersIn(file) {
  if (!SOURCE.test(file)) return [];
  try {
    return [...fs.readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, , specifier]) => specifier);
  } catch {
    // Nobody may read it: Node would not import it either.
    return [];
  }
}

/** @param {string} place @returns {string | undefined} the file that is meant, real path */
function fileAt(place) {
  const file = ENDINGS.map((ending) => place + ending).find((one) => fs.statSync(one, { throwIfNoEntry: false })?.isFile());
  return file === undefined ? undefined : fs.realpathSync(file);
}

/**
 * @param {string} entry absolute, true
 * @param {(file: string) => boolean} isKnown what it has loaded is known in another way
 * @returns {{packages: {name: string, from: string}[], files: string[]}} packages: each with a folder from which it is imported; files: all
 *   that paths lead to, and that exist
 */
function importedBy(entry, isKnown) {
  const files = new Set([entry]);
  /** @type {{name: string, from: string}[]} */
  const packages = [];
  const seen = new Set();
  for (const one of files) {
    if (isKnown(one)) continue;
    const from = path.dirname(one);
    for (const specifier of specifiersIn(one)) {
      if (BY_PATH.test(specifier)) {
        const file = fileAt(path.join(from, specifier));
        if (file !== undefined) files.add(file);
      }
      const [name] = PACKAGE.exec(specifier) ?? [];
      if (name === undefined || name.includes(':') || isBuiltin(specifier) || seen.has(`${from} ${name}`)) continue;
      seen.add(`${from} ${name}`);
      packages.push({ name, from });
    }
  }
  return { packages, files: [...files] };
}

exports.importedBy = importedBy;
