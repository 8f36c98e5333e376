'use strict';
/*
 * Where the modules that stand between ES modules (es-wrapper.js) find the program. In: an edge, and the namespace of the module that was
 * imported. Out: what the importing module is handed for each of its names: the values themselves while nobody watches.
 */

const { IgnisError } = require('../errors');
const { throwIfFailed } = require('./failed-import');
const { Map } = require('../engine');

/**
 * @typedef {object} Given as it stands in the source of a module between
 * @property {string} url
 * @property {string} parentFile
 * @property {number} depth of the importing file
 * @property {boolean} isResident it was not loaded here
 * @property {string} [recipe]
 * @property {boolean} isCommonJs
 * @property {boolean} [isClose] as an Edge has it
 * @property {string[]} names
 *
 * @typedef {(later: any[]) => void} Fill takes the values of a module that was asked for before it had run
 * @typedef {(given: Given, namespace: any, fill: Fill) => any[]} Hand
 */

/** @type {Hand | null} */
let watching = null;
/** URL of a module that lives in a replica to what it threw. @type {Map<string, {error: unknown}>} */
const failures = new Map();

/**
 * @param {Given} given
 * @param {any} namespace null for a module that was not loaded here
 * @param {Fill} fill
 * @returns {any[]} one for each name
 * @throws {IgnisError} IGNIS_CLOSED when Ignis was closed before a module could be loaded in a replica; what the module threw when it was
 *   loaded
 */
function hand(given, namespace, fill) {
  if (given.isCommonJs && !given.isResident) throwIfFailed(given.url, true);
  if (watching !== null) return given.isResident ? handResident(watching, given, fill) : watching(given, namespace, fill);
  if (namespace === null) throw new IgnisError('IGNIS_CLOSED', `${given.url} was to be loaded in a replica`);
  return given.names.map((name) => namespace[name]);
}

/**
 * What a module threw when it was imported it throws for whoever imports it later, as Node has it; only `require` loads one of CommonJS
 * anew.
 *
 * @param {Hand} by @param {Given} given @param {Fill} fill
 */
function handResident(by, given, fill) {
  const known = failures.get(given.url);
  if (known !== undefined) throw known.error;
  try {
    return by(given, null, fill);
  } catch (error) {
    // What befell its replica need not befall the next one.
    if (!(error instanceof IgnisError)) failures.set(given.url, { error });
    throw error;
  }
}

/** @param {string} url of a module that threw when it was loaded @throws {unknown} that */
function fail(url) {
  throwIfFailed(url, false);
}

/** @param {Hand | null} by who hands out from now on */
function setHand(by) {
  watching = by;
}

exports.fail = fail;
exports.hand = hand;
exports.setHand = setHand;
