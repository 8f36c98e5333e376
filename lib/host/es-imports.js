'use strict';
/*
 * What an ES module imports though its package does not name it, as packages that lie above do (workspaces, hoisted ones): Node's cache of modules does not have ES modules, so their texts are asked.
 * In: the file of a module. Out: the packages that it and the files it imports by their paths name, as they are called there. What only looks like an import names a package that is not there, or one too many.
 */
const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const { Set } = require('../engine');

const SOURCE = /\.[cm]?[jt]sx?$/;
const IMPORT = /\b(?:from|import)\s*(?:\(\s*)?(['"])([^'"\\\n]+)\1/g;
const PACKAGE = /^(?:@[^/]+\/)?[^/@.#][^/]*/;

/** @param {string} file @returns {string[]} */
function specifiersIn(file) {
  if (!SOURCE.test(file)) return [];
  try {
    return [...fs.readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, , specifier]) => specifier);
  } catch {
    // It is not there, or a folder: nothing that Node would import.
    return [];
  }
}

/**
 * @param {string} file absolute
 * @param {(file: string) => boolean} isKnown what it has loaded is known otherwise
 * @returns {{name: string, from: string}[]} packages, each with a folder from which it is imported
 */
function importedBy(file, isKnown) {
  const files = new Set([file]);
  /** @type {{name: string, from: string}[]} */
  const packages = [];
  const seen = new Set();
  for (const one of files) {
    if (isKnown(one)) continue;
    const from = path.dirname(one);
    for (const specifier of specifiersIn(one)) {
      if (/^\.\.?\//.test(specifier)) files.add(path.join(from, specifier));
      const [name] = PACKAGE.exec(specifier) ?? [];
      if (name === undefined || name.includes(':') || isBuiltin(specifier) || seen.has(`${from} ${name}`)) continue;
      seen.add(`${from} ${name}`);
      packages.push({ name, from });
    }
  }
  return packages;
}

exports.importedBy = importedBy;
