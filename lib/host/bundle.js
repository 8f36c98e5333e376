'use strict';
/*
 * A module as a bundle: its closure on disk, with each file by its hash, in a manifest signed with home's deploy key. In: the file of a
 * module. Out: the bundle, and where each of its files is at home. A file is hashed once, as long as its size and time stay the same. It
 * reads nothing but what is shipped, and ships no private key.
 */
const fs = require('node:fs');
const path = require('node:path');
const { IgnisError } = require('../errors');
const { MAX_BYTES, closureOf, emptyAmong, isOutOfReach, linksAmong } = require('./closure');
const { inLanes } = require('./lanes');
const { VERSION, digestOf, isPath, sign } = require('./manifest');
const { JSON, Map } = require('../engine');

/**
 * @typedef {object} Bundle
 * @property {string} digest
 * @property {string} text the manifest
 * @property {Buffer} signature
 * @property {string} entry path of the module in it
 * @property {string} root path in it of the folder that was asked for; '' is that of the bundle
 * @property {Map<string, string>} files hash -> its place
 * @property {Map<string, number>} sizes hash -> bytes
 * @property {Map<string, string>} places places of all its files -> hash
 * @property {Map<string, Buffer>} kept hash -> contents of a file that may change before it is sent
 * @property {boolean} isNative it has addons, which work only on a machine of the same kind
 */

/** @type {Map<string, {stamp: string, hash: string | null}>} */
const known = new Map();

/** A private key (RFC 7468) in its own file, or with its certificate. With it, the owner of any host could pass as its owner anywhere. */
const PRIVATE_KEY = /^-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\r?$/m;
/** Sources and data may mention one. */
const NO_KEYS = /\.(?:[cm]?[jt]sx?|json|md|node|wasm|map)$/;
const MAX_KEY_BYTES = 64 * 1024;

/** @typedef {{hash: string | null, bytes: number, isProgram: boolean, kept?: Buffer}} Look hash null: it holds a private key */

/**
 * @param {string} file
 * @param {(bytes: number) => void} count told its size before it is read; may throw
 * @param {Pick<Bundle, 'places' | 'kept'>} [before] earlier bundle that had it
 * @returns {Promise<Look>}
 */
async function look(file, count, before) {
  const { size, mtimeMs, ino, mode } = await fs.promises.stat(file);
  count(size);
  const isProgram = (mode & 0o100) !== 0;
  const stamp = `${size} ${mtimeMs} ${ino}`;
  const was = before?.places.get(file);
  const isUnsteady = was !== undefined && before?.kept.has(was) === true;
  const seen = known.get(file);
  if (seen?.stamp === stamp && !isUnsteady && (was === undefined || was === seen.hash)) return { hash: seen.hash, bytes: size, isProgram };
  const content = await fs.promises.readFile(file);
  const isKey = content.length <= MAX_KEY_BYTES && !NO_KEYS.test(file) && PRIVATE_KEY.test(content.toString('latin1'));
  const hash = isKey ? null : digestOf(content);
  known.set(file, { stamp, hash });
  const found = { hash, bytes: content.length, isProgram };
  return isUnsteady || (was !== undefined && was !== hash) ? { ...found, kept: content } : found;
}

/** @param {unknown} error @returns {null} */
function unlessOutOfReach(error) {
  if (!isOutOfReach(error)) throw error;
  return null;
}

/** What an addon is built for; includes Node's number for its binary interface. */
function ownKind() {
  return { platform: process.platform, arch: process.arch, modules: process.versions.modules };
}

/**
 * @param {string} file absolute
 * @param {import('node:crypto').KeyObject} key home's private deploy key
 * @param {Record<string, any>} [cache] `require.cache` of home
 * @param {string} [root] of the program: this folder must have a path in the bundle
 * @param {Pick<Bundle, 'places' | 'kept'>} [before] an earlier bundle: new files are left out, and changed ones kept as they are now, since
 *   they may change again before they are sent
 * @returns {Promise<Bundle>}
 * @throws {IgnisError} IGNIS_BAD_BUNDLE when it is too large, or the module's name cannot exist there
 */
async function makeBundle(file, key, cache, root, before) {
  const { base, files, folders, links } = closureOf(file, cache, root);
  const nameIn = (/** @type {string} */ place) => path.relative(base, place).replaceAll(path.sep, '/');
  /** @type {import('./manifest').Manifest['files']} */
  const listed = [];
  const [places, sizes, kept] = [new Map(), new Map(), new Map()];
  /** @type {Map<string, string>} */
  const sent = new Map();
  let all = 0;
  const count = (/** @type {number} */ bytes) => {
    all += bytes;
    if (all > MAX_BYTES) throw new IgnisError('IGNIS_BAD_BUNDLE', `${base} has more than ${MAX_BYTES} bytes that a host would need`);
  };
  // A name that no manifest may have: a host with another system could not write it.
  const wanted = files.filter((place) => isPath(nameIn(place)) && before?.places.has(place) !== false);
  const looks = await inLanes(wanted, (place) => look(place, count, before).catch(unlessOutOfReach));
  for (const [at, seen] of looks.entries()) {
    if (seen === null || seen.hash === null) continue;
    const { hash, bytes, isProgram } = seen;
    listed.push(isProgram ? [nameIn(wanted[at]), hash, bytes, true] : [nameIn(wanted[at]), hash, bytes]);
    sent.set(wanted[at], hash);
    if (seen.kept !== undefined) kept.set(hash, seen.kept);
    places.set(hash, wanted[at]);
    sizes.set(hash, bytes);
  }
  const entry = nameIn(fs.realpathSync(file));
  if (!isPath(entry)) throw new IgnisError('IGNIS_BAD_BUNDLE', `${JSON.stringify(entry)} is a name that not every system can have`);
  const isNative = files.some((place) => place.endsWith('.node'));
  const linked = linksAmong({ base, files: [...sent.keys()], links: links.filter(([place]) => isPath(nameIn(place))) });
  const text = JSON.stringify({
    version: VERSION,
    files: listed,
    folders: emptyAmong(folders, [...sent.keys(), ...linked.map(([place]) => place)])
      .map(nameIn)
      .filter(isPath),
    links: linked.map((pair) => pair.map(nameIn)),
    native: isNative ? ownKind() : null,
  });
  return {
    ...{ digest: digestOf(text), text, signature: sign(text, key), files: places, sizes, places: sent, kept, isNative },
    entry,
    root: root === undefined ? '' : nameIn(fs.realpathSync(root)),
  };
}

exports.makeBundle = makeBundle;
exports.ownKind = ownKind;
