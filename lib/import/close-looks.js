'use strict';
/*
 * Files that look at an import more closely than wrappers bear (docs/limits.md, "What shows"): they delete its names, ask for their descriptors, or give it to a tool that does (mocks). In: the text of a file of the program. Out: which
 * imports these are; it is handed views of them, as with the option `exact`. It is told by the text alone, so that no call pays for it; whoever hides it in a function of another file is not seen.
 */
const { isApplicationFile } = require('./module-id');

// The program may put others in the place of these while we run.
const { Map, Set } = globalThis;

const MAY_LOOK = /\bdelete\s|\b(?:descriptor|propert|freeze|seal|extensions|stub|spy|mock|replace|wrap)/i;
/** `delete lib.name`, `delete lib[name]`, and of what compilers make of a default import. */
const DELETED = /\bdelete\s+([\w$]+)(?:\.default)?\s*(?:\.|\[)/g;
/** What is given to functions that ask for descriptors, or define: the engine's own, and those of sinon, `node:test`, Vitest, testdouble and shimmer. */
const GIVEN =
  /\b(?:getOwnPropertyDescriptors?|definePropert(?:y|ies)|deleteProperty|freeze|seal|preventExtensions|isFrozen|isSealed|isExtensible|method|getter|setter|stub|spy|spyOn|mock|replace|wrap|massWrap)\s*\(\s*(?:\[\s*)?([\w$]+)(?:\.default)?\s*[,)\]]/g;
/** `import lib from 'lib'`: what a namespace has, nobody changes. */
const IMPORTED = /\bimport\s+([\w$]+)\s*(?:,[^;'"]{0,1024})?\bfrom\s*(['"])([^'"\n]+)\2/g;
/** Begins at the beginning of a word: else a long one (a megabyte of hexadecimal text) is looked through from each of its letters. */
const REQUIRED = /(?<![\w$])([\w$]+)\s*=\s*(?:[\w$.]+\s*\(\s*)?require\s*\(\s*(['"`])([^'"`\n]+)\2\s*\)/g;

/** @type {Map<string, Set<string>>} CommonJS file to what it requires so, as written */
const found = new Map();

/** @param {string} content @param {string} filename of a file that is about to be compiled */
function lookFor(content, filename) {
  const requests = closelyUsedIn(content, filename);
  if (requests === null) return;
  if (requests.size > 0) found.set(filename, requests);
  else found.delete(filename);
}

/** @param {string} content @param {string} filename @returns {Set<string> | null} null: a look at the text tells that there is nothing, or it is none of the program's files */
function closelyUsedIn(content, filename) {
  return MAY_LOOK.test(content) && isApplicationFile(filename) ? closelyUsed(content) : null;
}

/** @param {string} content of a file @returns {Set<string>} what it requires or imports, and looks at closely; a comment that looks so does no harm */
function closelyUsed(content) {
  const names = new Set([...content.matchAll(DELETED), ...content.matchAll(GIVEN)].map(([, name]) => name));
  const requests = new Set(/** @type {string[]} */ ([]));
  if (names.size === 0) return requests;
  for (const [, name, , request] of [...content.matchAll(REQUIRED), ...content.matchAll(IMPORTED)])
    if (names.has(name)) requests.add(request);
  return requests;
}

/** @param {import('./hook').Import} seen @returns {boolean} whether wrappers do not do for it */
function looksClosely({ parentFile, request, isClose }) {
  return isClose === true || found.get(parentFile)?.has(request) === true;
}

exports.closelyUsed = closelyUsed;
exports.closelyUsedIn = closelyUsedIn;
exports.lookFor = lookFor;
exports.looksClosely = looksClosely;
