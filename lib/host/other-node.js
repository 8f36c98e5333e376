'use strict';
/*
 * Whether a host runs another Node than home: code that home loads may not work there, and nobody knows before trying. In: what a host says
 * of its version, which comes from another machine. Out: yes or no, and a sentence about it.
 */

/** @param {unknown} version 'v20.19.0' @returns {string} */
const majorOf = (version) => String(version).slice(0, 32).split('.')[0];

/** @param {unknown} node version of a host; undefined: it does not say @returns {boolean} */
const isOtherNode = (node) => node !== undefined && majorOf(node) !== majorOf(process.version);

/** @param {string} why a module could not be loaded there @param {unknown} node @returns {string} */
const withVersions = (why, node) =>
  isOtherNode(node) ? `${why} (that host runs Node ${String(node).slice(0, 32)}, this program ${process.version})` : why;

exports.isOtherNode = isOtherNode;
exports.withVersions = withVersions;
