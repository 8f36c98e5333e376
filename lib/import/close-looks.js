'use strict';
/*
 * Files that look at an import more closely than wrappers bear (docs/limits.md, "What shows"): they delete its names, ask for their descriptors, or give it to a tool that does (mocks). In: the text of a file of the program. Out: the
 * views that it is handed for such an import, as with the option `exact`, and no other. It is told by the text alone, so that no call pays for it; whoever hides it in a function of another file is not seen.
 */
const { Views } = require('../wrap/view');
const { isApplicationFile } = require('./module-id');

// The program may put others in the place of these while we run.
const { Map, Set } = globalThis;

const MAY_LOOK = /\bdelete\s|\b(?:descriptor|propert|freeze|seal|extensions|stub|spy|mock|replace|wrap)/i;
/** `delete lib.name`, `delete lib[name]`, and of what compilers make of a default import. */
const DELETED = /\bdelete\s+([\w$]+)(?:\.default)?\s*(?:\.|\[)/g;
/** What is given to functions that ask for descriptors, or define: the engine's own, and those of sinon, `node:test`, Vitest, testdouble and shimmer. */
const GIVEN =
  /\b(?:getOwnPropertyDescriptors?|definePropert(?:y|ies)|deleteProperty|freeze|seal|preventExtensions|isFrozen|isSealed|isExtensible|method|getter|setter|stub|spy|spyOn|mock|replace|wrap|massWrap)\s*\(\s*(?:\[\s*)?([\w$]+)(?:\.default)?\s*[,)\]]/g;
/** Begins at the beginning of a word: else a long one (a megabyte of hexadecimal text) is looked through from each of its letters. */
const REQUIRED = /(?<![\w$])([\w$]+)\s*=\s*(?:[\w$.]+\s*\(\s*)?require\s*\(\s*(['"`])([^'"`\n]+)\2\s*\)/g;

/** @type {Map<string, Set<string>>} file to what it requires so, as written */
const found = new Map();

/** @param {string} content @param {string} filename of a file that is about to be compiled */
function lookFor(content, filename) {
  if (!MAY_LOOK.test(content) || !isApplicationFile(filename)) return;
  const requests = closelyUsed(content);
  if (requests.size > 0) found.set(filename, requests);
  else found.delete(filename);
}

/** @param {string} content of a file @returns {Set<string>} what it requires, and looks at closely; a comment that looks so does no harm */
function closelyUsed(content) {
  const names = new Set([...content.matchAll(DELETED), ...content.matchAll(GIVEN)].map(([, name]) => name));
  const requests = new Set(/** @type {string[]} */ ([]));
  if (names.size === 0) return requests;
  for (const [, name, , request] of content.matchAll(REQUIRED)) if (names.has(name)) requests.add(request);
  return requests;
}

/** @param {import('./hook').Import} seen @returns {Views | null} null: wrappers do */
function viewsFor({ parentFile, request }) {
  return found.get(parentFile)?.has(request) ? new Views() : null;
}

exports.closelyUsed = closelyUsed;
exports.lookFor = lookFor;
exports.viewsFor = viewsFor;
