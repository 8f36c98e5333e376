'use strict';
/*
 * Errors of the web: DOMException, and QuotaExceededError below it (a class since Node 26). What they say is internal, and only their own
 * class can read it, so a copy has to be made by that class. In: any object; or what such an error says, perhaps from the wire. Out: what
 * it says; or an error that says it. It runs no code of the program.
 */
const engine = require('../engine');

const { Object, Reflect, globalOf } = engine;
const DOMException = globalOf('DOMException');
const QuotaExceededError = globalOf('QuotaExceededError');

/** @param {any} Class @param {string} key @returns {(object: any) => any} throws for objects that the class did not make */
function getterOf(Class, key) {
  const { get } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(Class.prototype, key));
  return (object) => Reflect.apply(/** @type {Function} */ (get), object, []);
}

const OF_ALL = ['message', 'name'].map((key) => getterOf(DOMException, key));
const OF_QUOTAS = QuotaExceededError === undefined ? null : ['quota', 'requested'].map((key) => getterOf(QuotaExceededError, key));

/**
 * @typedef {[message: string, name: string, quota?: number | null, requested?: number | null]} Said the last two only for a
 *   QuotaExceededError
 */

/** @param {any} object @param {((object: any) => any)[]} getters @returns {any[] | null} */
function read(object, getters) {
  try {
    return getters.map((get) => get(object));
  } catch {
    return null;
  }
}

/** @param {any} error @returns {Said | null} null: it is no such error, whatever it inherits from */
function readWebError(error) {
  const said = read(error, OF_ALL);
  return said === null ? null : /** @type {Said} */ ([...said, ...quotasOf(error)]);
}

/** @param {any} error @returns {any[]} */
const quotasOf = (error) => (OF_QUOTAS === null ? [] : (read(error, OF_QUOTAS) ?? []));

/** @param {any} error @returns {any} the class of the web that made it */
const webClassOf = (error) => (quotasOf(error).length > 0 ? QuotaExceededError : DOMException);

/** @param {Said} said @returns {any} if its class is unknown here, a DOMException with its members */
function makeWebError([message, name, quota, requested]) {
  if (quota === undefined) return new DOMException(message, name);
  if (QuotaExceededError !== undefined)
    return new QuotaExceededError(message, { ...(quota !== null && { quota }), ...(requested !== null && { requested }) });
  return Object.defineProperties(new DOMException(message, name), { quota: { value: quota }, requested: { value: requested } });
}

exports.makeWebError = makeWebError;
exports.readWebError = readWebError;
exports.webClassOf = webClassOf;
