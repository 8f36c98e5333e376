'use strict';

// Tells which modules a target of a recipe matches. In: a target as somebody wrote it (package, built-in, file, folder, glob, or regular
// expression) and a ModuleId. Out: whether they match, and which of two targets is more exact. It must never touch the disk: it compares
// names only.

const { Object } = require('../engine');

/** @typedef {import('../types').ModuleId} ModuleId */
/** @typedef {string | RegExp} Target */

/**
 * How exactly a target names a module; the more exact one wins.
 *
 *   'uri-js' 'node:crypto' './lib/links.js'   3   one module
 *   './lib/'                                  2   one folder, with all below it
 *   '@scope/*' './lib/**.js'                  1   a glob: * for text without slashes, ** also with slashes, or for no folder at all
 *   /^uri/ '/^uri/i'                          0   a regular expression, also as a key of an object
 */
const EXACTNESS = Object.freeze({ name: 3, folder: 2, glob: 1, expression: 0 });

const WRITTEN_EXPRESSION = /^\/(.+)\/([ims]*)$/s;
const SPECIAL = /[.+?^${}()|[\]\\]/g;
const EXTENSION = /(\/index)?\.([cm]?[jt]s|[jt]sx|json|node)$/;

/**
 * @param {unknown} value
 * @returns {true | string} true, or what would have been right
 */
function checkTarget(value) {
  const right =
    "a package ('uri-js'), a built-in ('node:crypto'), a file or folder of the program ('./lib/a.js', './lib/'), a glob ('@scope/*'), or a regular expression";
  if (value instanceof RegExp) return true;
  if (typeof value !== 'string' || value === '' || value.trim() !== value) return right;
  if (!value.startsWith('/')) return true;
  const written = WRITTEN_EXPRESSION.exec(value);
  if (written === null) return right;
  try {
    RegExp(written[1], written[2]);
    return true;
  } catch {
    return `${right}; this expression is not valid`;
  }
}

/**
 * @param {ModuleId} id
 * @returns {string[]} every full name by which a target may mean it
 */
function namesOf(id) {
  if (id.kind === 'builtin') return [id.name, id.name.replace(/^node:/, '')];
  if (id.kind === 'file') return [id.name, id.name.replace(EXTENSION, '')];
  const name = id.packageName ?? id.name;
  const names = [name];
  if (id.inside !== '') names.push(name + id.inside.slice(1), (name + id.inside.slice(1)).replace(EXTENSION, ''));
  for (const entry of id.entries ?? []) names.push(name + entry.slice(1));
  return names;
}

/** @param {string} glob * matches no slashes, ** does @returns {RegExp} */
function globExpression(glob) {
  const source = glob.split(/((?<=^|\/)\*\*+\/|\*+)/).map((part) => {
    if (part === '*') return '[^/]*';
    // Any number of folders, including none.
    if (/^\*\*+\/$/.test(part)) return '(?:.*/)?';
    return part.startsWith('**') ? '.*' : part.replace(SPECIAL, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`);
}

/**
 * @typedef {object} Pattern
 * @property {number} exactness 0 to 3; see EXACTNESS
 * @property {(id: ModuleId) => boolean} means
 */

/**
 * @param {Target} target one that checkTarget accepts
 * @returns {Pattern}
 */
function toPattern(target) {
  const written = typeof target === 'string' ? WRITTEN_EXPRESSION.exec(target) : null;
  if (target instanceof RegExp || written !== null) {
    // Without the flags g and y: those would remember where the last match ended.
    const expression =
      written === null
        ? new RegExp(/** @type {RegExp} */ (target).source, /** @type {RegExp} */ (target).flags.replace(/[gy]/g, ''))
        : new RegExp(written[1], written[2]);
    return { exactness: EXACTNESS.expression, means: (id) => namesOf(id).some((name) => expression.test(name)) };
  }
  const text = /** @type {string} */ (target);
  if (text.includes('*')) {
    const expression = globExpression(text);
    return { exactness: EXACTNESS.glob, means: (id) => namesOf(id).some((name) => expression.test(name)) };
  }
  if (text.endsWith('/')) {
    return { exactness: EXACTNESS.folder, means: (id) => namesOf(id).some((name) => name.startsWith(text)) };
  }
  return { exactness: EXACTNESS.name, means: (id) => namesOf(id).includes(text) };
}

exports.checkTarget = checkTarget;
exports.EXACTNESS = EXACTNESS;
exports.globExpression = globExpression;
exports.toPattern = toPattern;
