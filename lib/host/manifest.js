'use strict';
/*
 * The manifest of a bundle: every file by path and SHA-256, every link by its target, as one text that home signs with its deploy key
 * (Ed25519). In: a text and a signature as they came. Out: the manifest, whose paths cannot leave their folder, or IGNIS_BAD_BUNDLE.
 * Nothing of the text is parsed before its signature is verified, and no file is written before the manifest is.
 */
const crypto = require('node:crypto');
const { IgnisError } = require('../errors');
const { JSON, Set, isArray, isSafeInteger } = require('../engine');

const VERSION = 1;
/** Put in front of what is signed, so that a signature is valid only for a manifest. */
const DOMAIN = 'ignis bundle 1\n';
const MAX_FILES = 50000;
const MAX_PATH = 1024;

/**
 * @typedef {object} Manifest
 * @property {number} version
 * @property {[path: string, sha256: string, bytes: number, isProgram?: true][]} files isProgram: it may be executed
 * @property {string[]} [folders] empty ones; older homes name none
 * @property {[path: string, target: string][]} links target: a path in the bundle
 * @property {{platform: string, arch: string, modules: string} | null} native what its addons were built for; null: it has none
 */

/** @param {any} one @returns {boolean} whether it is a path with slashes below its folder, in its only spelling */
function isPath(one) {
  if (typeof one !== 'string' || one === '' || one.length > MAX_PATH || /[\\\0]/.test(one)) return false;
  return one.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/^[a-z]:/i.test(one);
}

const isHash = (/** @type {any} */ one) => typeof one === 'string' && /^[0-9a-f]{64}$/.test(one);
const isSize = (/** @type {any} */ one) => isSafeInteger(one) && one >= 0;
const isFile = (/** @type {any} */ one) =>
  isArray(one) && isPath(one[0]) && isHash(one[1]) && isSize(one[2]) && (one.length === 3 || (one.length === 4 && one[3] === true));
const isLink = (/** @type {any} */ one) => isArray(one) && one.length === 2 && isPath(one[0]) && isPath(one[1]);
const isNative = (/** @type {any} */ one) =>
  one === null || (typeof one === 'object' && [one.platform, one.arch, one.modules].every((part) => typeof part === 'string'));

/** @param {string} text @param {crypto.KeyObject} key @returns {Buffer} */
const sign = (text, key) => crypto.sign(null, Buffer.from(DOMAIN + text), key);

/** @param {string | Uint8Array} content @returns {string} what its file, or the bundle, is called */
const digestOf = (content) => crypto.createHash('sha256').update(content).digest('hex');

/** @param {string} detail */
const bad = (detail) => new IgnisError('IGNIS_BAD_BUNDLE', detail);

/**
 * @param {string} text
 * @param {Uint8Array} signature
 * @param {crypto.KeyObject[]} keys public ones; the signature must be valid for one of them
 * @returns {Manifest}
 * @throws {IgnisError} IGNIS_BAD_BUNDLE
 */
function readManifest(text, signature, ...keys) {
  const signed = Buffer.from(DOMAIN + text);
  if (!keys.some((key) => crypto.verify(null, signed, key, signature))) throw bad('its manifest is not signed with the deploy key');
  let manifest;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw bad('its manifest is not JSON');
  }
  checkManifest(manifest);
  return manifest;
}

/** @param {any} manifest @throws {IgnisError} IGNIS_BAD_BUNDLE */
function checkManifest(manifest) {
  if (manifest?.version !== VERSION) throw bad(`its manifest has version ${String(manifest?.version)}, this host reads ${VERSION}`);
  const { files, folders = [], links, native } = manifest;
  const lists = [files, folders, links];
  if (!lists.every(isArray) || lists.flat().length > MAX_FILES) throw bad(`more than ${MAX_FILES} files`);
  if (!isNative(native)) throw bad('its manifest does not say what its addons were built for');
  const wrong =
    files.find((/** @type {any} */ one) => !isFile(one)) ??
    links.find((/** @type {any} */ one) => !isLink(one)) ??
    folders.find((/** @type {any} */ one) => !isPath(one));
  if (wrong !== undefined) throw bad(`${JSON.stringify(wrong?.[0] ?? wrong).slice(0, 80)} is not a path in its folder, or has no hash`);
  const places = new Set([...[...files, ...links].map(([place]) => place), ...folders]);
  if (places.size !== files.length + links.length + folders.length) throw bad('one path is listed twice');
  checkNesting(places);
  checkLinks(links, places);
}

/** Anything below a file or a link would be written through it. @param {Set<string>} places @throws {IgnisError} IGNIS_BAD_BUNDLE */
function checkNesting(places) {
  for (const place of places) {
    for (let at = place.lastIndexOf('/'); at > 0; at = place.lastIndexOf('/', at - 1)) {
      if (places.has(place.slice(0, at))) throw bad(`${place} lies below what is a file or a link, or holds nothing`);
    }
  }
}

/**
 * @param {[string, string][]} links
 * @param {Set<string>} places
 * @throws {IgnisError} IGNIS_BAD_BUNDLE when one leads to nothing in the bundle, or to another link
 */
function checkLinks(links, places) {
  const isLinked = new Set(links.map(([place]) => place));
  const folders = new Set();
  for (const place of places)
    for (let at = place.lastIndexOf('/'); at > 0; at = place.lastIndexOf('/', at - 1)) folders.add(place.slice(0, at));
  for (const [place, target] of links) {
    const isThere = folders.has(target) || (places.has(target) && !isLinked.has(target));
    if (!isThere || place.startsWith(`${target}/`)) throw bad(`the link ${place} leads out of the bundle, or to itself`);
  }
}

exports.VERSION = VERSION;
exports.digestOf = digestOf;
exports.isHash = isHash;
exports.isPath = isPath;
exports.readManifest = readManifest;
exports.sign = sign;
