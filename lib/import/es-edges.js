'use strict';
/*
 * Where the modules that stand between ES modules (es-wrapper.js) find the program. In: an edge, and the namespace of the module that was imported. Out: what the importing module is handed for
 * each of its names: the values themselves while nobody watches.
 */

/**
 * @typedef {object} Given as it stands in the source of a module between
 * @property {string} url
 * @property {string} parentFile
 * @property {number} depth of the importing file
 * @property {string} [recipe]
 * @property {boolean} isCommonJs
 * @property {string[]} names
 *
 * @typedef {(given: Given, namespace: any) => any[]} Hand
 */

/** @type {Hand | null} */
let watching = null;

/** @param {Given} given @param {any} namespace @returns {any[]} one for each name */
function hand(given, namespace) {
  return watching === null ? given.names.map((name) => namespace[name]) : watching(given, namespace);
}

/** @param {Hand | null} by who hands out from now on */
function setHand(by) {
  watching = by;
}

exports.hand = hand;
exports.setHand = setHand;
