'use strict';
/*
 * Links the modules between ES modules (es-wrapper.js) with the program. In: an edge, and the namespace of the imported module. Out: what
 * the importing module is handed for each name: the original values while nobody watches.
 */

const { IgnisError } = require('../errors');
const { throwIfFailed } = require('./failed-import');
const { Map } = require('../engine');

/**
 * @typedef {object} Given as written in the source of a module between
 * @property {string} url
 * @property {string} parentFile
 * @property {number} depth of the importing file
 * @property {boolean} isResident the module was not loaded here
 * @property {string} [recipe]
 * @property {boolean} isCommonJs
 * @property {boolean} [isClose] as an Edge has it
 * @property {string[]} names
 *
 * @typedef {(later: any[]) => void} Fill takes the values later, if a module was asked for before it had run
 * @typedef {(given: Given, namespace: any, fill: Fill) => any[]} Hand
 */

/** @type {Hand | null} */
let watching = null;
/** By URL of a module that lives in a replica: what it threw. @type {Map<string, {error: unknown}>} */
const failures = new Map();

/**
 * @param {Given} given
 * @param {any} namespace null for a module that was not loaded here
 * @param {Fill} fill
 * @returns {any[]} one for each name
 * @throws {IgnisError} IGNIS_CLOSED when Ignis was closed before a module could be loaded in a replica; else what the module threw while it
 *   loaded
 */
function hand(given, namespace, fill) {
  if (given.isCommonJs && !given.isResident) throwIfFailed(given.url, true);
  if (watching !== null) return given.isResident ? handResident(watching, given, fill) : watching(given, namespace, fill);
  if (namespace === null) throw new IgnisError('IGNIS_CLOSED', `${given.url} was to be loaded in a replica`);
  return given.names.map((name) => namespace[name]);
}

/**
 * As in Node, what a module threw when first imported is thrown for all later importers; only `require` loads a CommonJS module anew.
 * @param {Hand} by
 * @param {Given} given
 * @param {Fill} fill
 */
function handResident(by, given, fill) {
  const known = failures.get(given.url);
  if (known !== undefined) throw known.error;
  try {
    return by(given, null, fill);
  } catch (error) {
    // What happened to one replica need not happen to the next.
    if (!(error instanceof IgnisError)) failures.set(given.url, { error });
    throw error;
  }
}

/** @param {string} url of a module that threw while it loaded @throws {unknown} what it threw */
function fail(url) {
  throwIfFailed(url, false);
}

/** @param {Hand | null} by what hands out from now on */
function setHand(by) {
  watching = by;
}

exports.fail = fail;
exports.hand = hand;
exports.setHand = setHand;
