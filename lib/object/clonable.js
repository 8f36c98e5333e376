'use strict';
/*
 * Constant objects that only Node and the engine can look into, and that the engine gives to another thread as they are: keys of Node's
 * crypto, compiled WebAssembly. In: any object. Out: whether it is one; the contents of a key for another process, and a key made of such
 * contents. It runs no code of the program, and loads nothing that only programs with keys need.
 */
const { Buffer } = require('node:buffer');
const types = require('node:util/types');
const engine = require('../engine');

const { Object, WeakMap, globalOf } = engine;

/** Missing with --jitless. */
const WebAssembly = globalOf('WebAssembly');
const KEYS = 'NativeModule internal/crypto/keys';
/** @type {Record<string, any>} */
const FORMATS = { public: 'spki', private: 'pkcs8' };

let loaded = 0;
let hasKeys = false;

/** @returns {boolean} whether there may be keys: asking whether an object is one would load them */
function mayBeKeys() {
  const list = /** @type {any} */ (process).moduleLoadList;
  if (!hasKeys && list.length !== loaded) {
    loaded = list.length;
    hasKeys = list.includes(KEYS);
  }
  return hasKeys;
}

/**
 * Some versions of Node recognize keys by a member, which they look for along the chain of prototypes.
 *
 * @param {any} prototype
 * @returns {boolean} whether the other side would not be asked for it
 */
function isOfThisSide(prototype) {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at)) if (types.isProxy(at)) return false;
  return true;
}

/** @param {any} value @returns {boolean} */
const isKey = (value) => types.isKeyObject(value) || types.isCryptoKey(value);

/** @param {object} value @returns {boolean} whether WebAssembly made it; this is not true of its prototype */
function isCompiled(value) {
  try {
    WebAssembly.Module.imports(value);
    return true;
  } catch {
    return false;
  }
}

/** @param {object} value no Proxy @param {any} prototype of it @returns {boolean} */
function isClonable(value, prototype) {
  if (prototype === WebAssembly?.Module.prototype) return isCompiled(value);
  return mayBeKeys() && isOfThisSide(prototype) && isKey(value) && !isKey(prototype);
}

/** @type {WeakMap<object, any[] | null>} */
const known = new WeakMap();

/**
 * @param {any} value clonable
 * @returns {any[] | null} kind, the key in Base64, and for a CryptoKey its uses; null: it is no key, or a key that cannot be exported
 */
function readKey(value) {
  let contents = known.get(value);
  if (contents !== undefined) return contents;
  try {
    contents = types.isCryptoKey(value) ? readCryptoKey(value) : isKey(value) ? exportKey(value) : null;
  } catch {
    // For example, it belongs to an engine of OpenSSL.
    contents = null;
  }
  known.set(value, contents);
  return contents;
}

/** @param {any} key @returns {any[]} */
function exportKey(key) {
  const { type } = key;
  const bytes = type === 'secret' ? key.export() : key.export({ format: 'der', type: FORMATS[type] });
  return [type, bytes.toString('base64')];
}

/**
 * @param {import('node:crypto').webcrypto.CryptoKey} key
 * @returns {any[] | null} null also if this Node cannot make a key of such contents
 */
function readCryptoKey(key) {
  const { KeyObject } = require('node:crypto');
  if (!key.extractable || !('toCryptoKey' in KeyObject.prototype)) return null;
  const { name, hash, namedCurve, length } = /** @type {any} */ (key.algorithm);
  return [...exportKey(KeyObject.from(key)), name, hash?.name, namedCurve, length, key.usages.join(' ')];
}

/** @param {any[]} contents from readKey @returns {any} */
function makeKey(contents) {
  if (!isOfKey(contents)) throw new TypeError('no key');
  const [type, text, name, hash, namedCurve, length, usages] = contents;
  const { createPrivateKey, createPublicKey, createSecretKey } = require('node:crypto');
  const bytes = Buffer.from(text, 'base64');
  const make = type === 'private' ? createPrivateKey : createPublicKey;
  const key = type === 'secret' ? createSecretKey(bytes) : make({ key: bytes, format: 'der', type: FORMATS[type] });
  if (name === undefined) return key;
  const uses = usages === '' ? [] : usages.split(' ');
  return /** @type {any} */ (key).toCryptoKey({ name, hash, namedCurve, length }, true, uses);
}

/** @param {any[]} contents no key could be made of them here @returns {boolean} whether another version of Node might */
const isOfKey = ([type, text]) => (type === 'secret' || Object.hasOwn(FORMATS, type)) && typeof text === 'string';

exports.isClonable = isClonable;
exports.isOfKey = isOfKey;
exports.makeKey = makeKey;
exports.readKey = readKey;
