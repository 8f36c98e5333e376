'use strict';
/*
 * Which modules live in replicas, in a form that another thread can be told. In: what is forced, and the targets of recipes that say `call: 'block'`. Out: whether an edge leads to such a module. Pure, but for looking at
 * package.json files.
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

exports.residentBy = residentBy;
