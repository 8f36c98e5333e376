'use strict';
/*
 * Tells which modules live in replicas, and which are hot, in a form that can be passed to another thread. In: what is forced, the targets
 * of recipes with `call: 'block'`, and recipes. Out: whether an edge leads to such a module. Pure, except for reading package.json files.
 */
const { toPattern } = require('../recipe/pattern');
const { parseForce } = require('./force');
const { makeIdentify } = require('./module-id');

/**
 * @typedef {object} Rules
 * @property {string} appRoot
 * @property {string} [force]
 * @property {string} cwd
 * @property {(string | RegExp)[]} targets
 */

/** @param {Rules} rules @returns {(edge: import('./hook').Edge) => boolean} */
function residentBy({ appRoot, force, cwd, targets }) {
  const identify = makeIdentify(appRoot);
  const isForced = force === undefined ? () => false : parseForce(force, cwd);
  const patterns = targets.map(toPattern);
  return ({ parentFile, filename }) => {
    if (filename === null) return false;
    if (isForced(filename)) return !isForced(parentFile);
    return patterns.length > 0 && patterns.some((pattern) => pattern.means(identify(filename)));
  };
}

/**
 * @param {string} appRoot @param {import('../recipe/book').ToldChapter[]} chapters
 * @returns {(edge: import('./hook').Edge) => boolean} may be true for others too: whoever knows all recipes decides
 */
function hotBy(appRoot, chapters) {
  const patterns = chapters.filter(({ recipe }) => recipe.hot === true).map(({ target }) => toPattern(target));
  if (patterns.length === 0) return () => false;
  const identify = makeIdentify(appRoot);
  return ({ parentFile, filename, builtin }) => {
    const [module, parent] = [identify(filename ?? String(builtin)), identify(parentFile)];
    return patterns.some(({ means }) => means(module) && !means(parent));
  };
}

exports.hotBy = hotBy;
exports.residentBy = residentBy;
