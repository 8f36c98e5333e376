'use strict';
/*
 * The module that stands between an ES module and one that it imports. In: which two they are, and the names of the exports. Out: its address and its source. Names whose value may
 * change later are handed through as they are, so that they stay live; of all others the wrapper is asked for, when the module has run.
 */
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const EDGES = pathToFileURL(path.join(__dirname, 'es-edges.js')).href;
const MARK = /\?ignis-edge=(.*)$/;

/**
 * @typedef {object} Edge by addresses
 * @property {string} url of the imported module
 * @property {string} parentFile absolute
 * @property {number} depth of the importing file
 * @property {boolean} isResident the imported module lives in a replica, and is not loaded here
 * @property {string} [recipe] the number under which the recipe of this import is kept
 */

/**
 * @param {Edge} edge
 * @returns {string} the address of the module between: that of the imported one, with a mark, so that who turns it into a file name gets the right one
 */
function addressOf({ url, parentFile, depth, isResident, recipe }) {
  return `${url}?ignis-edge=${encodeURIComponent(JSON.stringify([parentFile, depth, isResident, recipe]))}`;
}

/** @param {string | undefined} address @returns {Edge | null} null: it is no module between */
function edgeAt(address) {
  const found = address === undefined ? null : MARK.exec(address);
  if (found === null) return null;
  const [parentFile, depth, isResident, recipe] = JSON.parse(decodeURIComponent(found[1]));
  return { url: /** @type {string} */ (address).replace(MARK, ''), parentFile, depth, isResident, recipe: recipe ?? undefined };
}

/**
 * @param {Edge} edge
 * @param {object} of
 * @param {string[]} of.settled names that are wrapped
 * @param {string[]} of.live names that are handed through
 * @param {boolean} of.isCommonJs its `default` is the exports object
 */
function wrapperSource(edge, { settled, live, isCommonJs }) {
  const real = JSON.stringify(edge.url);
  const given = JSON.stringify({ ...edge, isCommonJs, names: settled });
  const variables = settled.map((_, index) => `$${index}`);
  const exported = settled.map((name, index) => `$${index} as ${JSON.stringify(name)}`);
  const lines = [
    edge.isResident ? 'const real = null;' : `import * as real from ${real};`,
    `import edges from ${JSON.stringify(EDGES)};`,
    `let [${variables.join(', ')}] = edges.hand(${given}, real, (later) => ([${variables.join(', ')}] = later));`,
    `export { ${exported.join(', ')} };`,
  ];
  if (live.length > 0) lines.push(`export { ${live.map((name) => JSON.stringify(name)).join(', ')} } from ${real};`);
  return lines.join('\n');
}

/** @param {string} url @param {boolean} hasDefault @returns {string} of a module that hands everything through */
function plainSource(url, hasDefault) {
  const real = JSON.stringify(url);
  return `export * from ${real};${hasDefault ? ` export { default } from ${real};` : ''}`;
}

exports.addressOf = addressOf;
exports.edgeAt = edgeAt;
exports.wrapperSource = wrapperSource;
exports.plainSource = plainSource;
