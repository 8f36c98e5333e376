'use strict';
/*
 * Finds imports that a file inspects more closely than wrappers bear (docs/limits.md, "What shows"): it deletes names of the module, asks
 * for their descriptors, or gives the module to a tool that does (mocks). In: the text of a file of the program. Out: which imports these
 * are; the file is handed views of them, as with the option `exact`. Only the text is examined, so calls cost nothing; a look that hides in
 * a function of another file is missed.
 */
const { isApplicationFile } = require('./module-id');
const { Map, Set } = require('../engine');

/**
 * An import that a file has as a whole: `const lib = require('lib')`, with what compilers put around it, and `import lib from 'lib'`.
 * Nobody changes anything of a namespace.
 */
const REQUIRED = /\brequire(?<=([\w$]+)\s*=\s*(?:[\w$.]+\s*\(\s*)?require)\s*\(\s*(['"`])([^'"`\n]+)\2\s*\)/g;
const IMPORTED = /\bimport\s+([\w$]+)\s*(?:,[^;'"]{0,500})?\bfrom\s*(['"])([^'"\n]+)\2/g;
/**
 * Functions that ask for descriptors or define properties: those of the engine, and of sinon, `node:test`, Vitest, testdouble and shimmer.
 */
const LOOKERS =
  'getOwnPropertyDescriptors?|definePropert(?:y|ies)|deleteProperty|freeze|seal|preventExtensions|isFrozen|isSealed|isExtensible|method|getter|setter|stub|spy|spyOn|mock|replace|wrap|massWrap';

/** @type {Map<string, Set<string>>} by CommonJS file: the requests it looks at closely, as written */
const found = new Map();

/** @param {string} content @param {string} filename of a CommonJS file that is about to be compiled */
function lookFor(content, filename) {
  noteClose(found, filename, content, filename);
}

/**
 * @param {Map<string, Set<string>>} all by key: what a file looks at closely
 * @param {string} key of this one
 * @param {string} content
 * @param {string} filename
 */
function noteClose(all, key, content, filename) {
  const requests = isApplicationFile(filename) ? closelyUsed(content) : null;
  if (requests !== null && requests.size > 0) all.set(key, requests);
  else all.delete(key);
}

/**
 * @param {string} content of a file
 * @returns {Set<string>} requests that it looks at closely; a comment that looks like one does no harm
 */
function closelyUsed(content) {
  const requests = new Set(/** @type {string[]} */ ([]));
  const names = new Map([...content.matchAll(REQUIRED), ...content.matchAll(IMPORTED)].map(([, name, , request]) => [name, request]));
  if (names.size === 0) return requests;
  const any = `(${[...names.keys()].join('|').replaceAll('$', '\\$')})(?:\\.default)?\\s*`;
  const looks = [`\\bdelete\\s+${any}[.[]`, `\\((?=\\s*(?:\\[\\s*)?${any}[,)\\]])(?<=\\b(?:${LOOKERS})\\s*\\()`];
  // If a file has one request under two names, a look at either counts.
  for (const look of looks) for (const [, name] of content.matchAll(new RegExp(look, 'g'))) requests.add(String(names.get(name)));
  return requests;
}

/** @param {import('./hook').Import} seen @returns {boolean} whether wrappers will not do for it */
function looksClosely({ parentFile, request, isClose }) {
  return isClose === true || found.get(parentFile)?.has(request) === true;
}

exports.closelyUsed = closelyUsed;
exports.lookFor = lookFor;
exports.looksClosely = looksClosely;
exports.noteClose = noteClose;
