'use strict';
/*
 * Walks through the files of a program, as far as the text shows what they import. In: the first file. Out: the program's own sources, each
 * once. Left out: files of packages and of Ignis, and imports whose name is made while the program runs. It reads files and loads none.
 */
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { isOwn } = require('../boot/hidden');
const { isApplicationFile } = require('./module-id');
const { Follower } = require('./lift-follow');
const { parse } = require('./lift');
const { resolveNames } = require('./scopes');
const { withoutTypes } = require('./strip-types');
const { childrenOf } = require('./syntax-tree');
const { Set } = require('../engine');

/**
 * @typedef {{filename: string, text: string, source: string, sourceType: 'script' | 'module'}} Source text: of the file; source: the same
 *   as JavaScript, line for line
 */
/** @typedef {any} Node of ESTree */

/** Endings that Node and TypeScript loaders try for a module written without one. */
const TYPED = ['.ts', '.mts', '.cts'];
const IS_SOURCE = /\.[cm]?js$/;
const IS_TYPED = /\.[cm]?ts$/;

/**
 * @param {string} entry absolute
 * @returns {{sources: Source[], unparsed: string[]}} in the order they are met; unparsed: not JavaScript, such as TypeScript whose types
 *   Node cannot strip
 */
function ownSources(entry) {
  /** @type {Source[]} */
  const sources = [];
  /** @type {string[]} */
  const unparsed = [];
  const met = new Set([entry]);
  for (const filename of met) {
    const text = fs.readFileSync(filename, 'utf8');
    const source = scriptOf(filename, text);
    const read = source === null ? null : readAs(filename, source);
    if (source === null || read === null) {
      unparsed.push(filename);
      continue;
    }
    sources.push({ filename, text, source, sourceType: read.sourceType });
    for (const specifier of importsOf(read.program, read.sourceType)) {
      const found = resolve(specifier, filename);
      if (found !== null) met.add(found);
    }
  }
  return { sources, unparsed };
}

/**
 * @param {string} filename
 * @param {string} text
 * @returns {string | null} as JavaScript, if its name says that it is or it can be turned into it
 */
function scriptOf(filename, text) {
  if (IS_SOURCE.test(filename)) return text;
  return IS_TYPED.test(filename) ? withoutTypes(text) : null;
}

/** @param {string} filename @param {string} source @returns {{program: Node, sourceType: 'script' | 'module'} | null} */
function readAs(filename, source) {
  /** @type {('script' | 'module')[]} */
  const types = /\.m[jt]s$/.test(filename) ? ['module'] : /\.c[jt]s$/.test(filename) ? ['script'] : ['script', 'module'];
  for (const sourceType of types) {
    const parsed = parse(source, sourceType);
    if (parsed !== null) return { program: parsed.program, sourceType };
  }
  return null;
}

/** @param {Node} program @param {'script' | 'module'} sourceType @returns {Set<string>} specifiers */
function importsOf(program, sourceType) {
  const follower = new Follower(resolveNames(program), sourceType === 'script');
  /** @type {Set<string>} */
  const found = new Set();
  const visit = (/** @type {Node} */ node) => {
    const isStatic = /^(?:Import|ExportNamed|ExportAll)Declaration$/.test(node.type) && node.source;
    const specifier = isStatic ? node.source.value : follower.importedBy(node);
    if (specifier !== null) found.add(specifier);
    childrenOf(node).forEach(visit);
  };
  visit(program);
  return found;
}

/** @param {string} specifier @param {string} from absolute @returns {string | null} a file of the program that is not JSON or native */
function resolve(specifier, from) {
  const request = specifier.startsWith('file:') ? fileURLToPath(specifier) : specifier;
  const require = createRequire(from);
  const tries = [request, ...TYPED.flatMap((end) => [request + end, request.replace(/\.[cm]?js$/, end)])];
  for (const one of tries) {
    try {
      const file = require.resolve(one);
      // A link may lead to Ignis outside of `node_modules`.
      if (!path.isAbsolute(file) || !isApplicationFile(file) || isOwn(file) || /\.(?:json|node|wasm)$/.test(file)) return null;
      return file;
    } catch {
      // Perhaps it is found under the next name, perhaps only when the program runs.
    }
  }
  return null;
}

exports.ownSources = ownSources;
