'use strict';
/*
 * Files that look at an import more closely than wrappers bear (docs/limits.md, "What shows"): they delete its names, ask for their
 * descriptors, or give it to a tool that does (mocks). In: the text of a file of the program. Out: which imports these are; it is handed
 * views of them, as with the option `exact`. It is told by the text alone, so that no call pays for it; whoever hides it in a function of
 * another file is not seen.
 */
const { isApplicationFile } = require('./module-id');

// The program may replace these globals while we run.
const { Map, Set } = globalThis;

/**
 * What a file has as a whole: `const lib = require('lib')`, with what compilers put around it, and `import lib from 'lib'`. Of a namespace
 * nobody changes anything.
 */
const REQUIRED = /\brequire(?<=([\w$]+)\s*=\s*(?:[\w$.]+\s*\(\s*)?require)\s*\(\s*(['"`])([^'"`\n]+)\2\s*\)/g;
const IMPORTED = /\bimport\s+([\w$]+)\s*(?:,[^;'"]{0,500})?\bfrom\s*(['"])([^'"\n]+)\2/g;
/**
 * What they are given to that asks for descriptors, or defines: functions of the engine, and of sinon, `node:test`, Vitest, testdouble and
 * shimmer.
 */
const LOOKERS =
  'getOwnPropertyDescriptors?|definePropert(?:y|ies)|deleteProperty|freeze|seal|preventExtensions|isFrozen|isSealed|isExtensible|method|getter|setter|stub|spy|spyOn|mock|replace|wrap|massWrap';

/** @type {Map<string, Set<string>>} CommonJS file to what it requires so, as written */
const found = new Map();

/** @param {string} content @param {string} filename of a CommonJS file that is about to be compiled */
function lookFor(content, filename) {
  noteClose(found, filename, content, filename);
}

/**
 * @param {Map<string, Set<string>>} all what files look at closely, by key
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
 * @returns {Set<string>} what it requires or imports, and looks at closely; a comment that looks so does no harm
 */
function closelyUsed(content) {
  const requests = new Set(/** @type {string[]} */ ([]));
  const names = new Map([...content.matchAll(REQUIRED), ...content.matchAll(IMPORTED)].map(([, name, , request]) => [name, request]));
  if (names.size === 0) return requests;
  const any = `(${[...names.keys()].join('|').replaceAll('$', '\\$')})(?:\\.default)?\\s*`;
  const looks = [`\\bdelete\\s+${any}[.[]`, `\\((?=\\s*(?:\\[\\s*)?${any}[,)\\]])(?<=\\b(?:${LOOKERS})\\s*\\()`];
  // A file that has one request under two names has it looked at closely by both.
  for (const look of looks) for (const [, name] of content.matchAll(new RegExp(look, 'g'))) requests.add(String(names.get(name)));
  return requests;
}

/** @param {import('./hook').Import} seen @returns {boolean} whether wrappers do not do for it */
function looksClosely({ parentFile, request, isClose }) {
  return isClose === true || found.get(parentFile)?.has(request) === true;
}

exports.closelyUsed = closelyUsed;
exports.lookFor = lookFor;
exports.looksClosely = looksClosely;
exports.noteClose = noteClose;
