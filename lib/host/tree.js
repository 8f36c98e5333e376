'use strict';
/*
 * What is below a folder of the store. In: a folder, and what a manifest says of it. Out: how much is there, its state, whether a file
 * matches its hash; and folders and links, made so that whoever runs a replica may read them. Of thousands of files, a few are checked at
 * a time: each check waits for the disk, and other work of the daemon goes on meanwhile.
 */
const crypto = require('node:crypto');
const path = require('node:path');
const { promises: fsp } = require('node:fs');
const { inLanes } = require('./lanes');
const { digestOf } = require('./manifest');
const { Math } = require('../engine');

/** @param {string} place @returns {Promise<number>} -1: it is not there */
async function sizeOf(place) {
  const stat = await fsp.lstat(place).catch(() => null);
  return stat === null ? -1 : stat.size;
}

/** @param {string} place @param {string} hash @returns {Promise<boolean>} */
async function isRight(place, hash) {
  const content = await fsp.readFile(place).catch(() => null);
  return content !== null && digestOf(content) === hash;
}

/**
 * @param {string} root
 * @param {import('./manifest').Manifest} manifest
 * @returns {Promise<string>} differs when anything of its files has changed since; reads none of them
 */
async function layOf(root, { files, folders = [], links }) {
  const hash = crypto.createHash('sha256');
  const stats = await inLanes([...files, ...links], ([place]) => fsp.lstat(path.join(root, place)).catch(() => null));
  for (const stat of stats) hash.update(stat === null ? '-' : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs},`);
  // A module may write into one.
  for (const place of folders) hash.update((await sizeOf(path.join(root, place))) === -1 ? '-' : '+');
  return hash.digest('hex');
}

/**
 * Replicas may run as another user, who must be able to read the whole tree, whatever the daemon's umask.
 *
 * @param {string} folder made, with those above it
 */
async function makeReadable(folder) {
  const whole = path.resolve(folder);
  const first = await fsp.mkdir(whole, { recursive: true });
  if (first === undefined) return;
  for (let made = whole; made.length >= first.length; made = path.dirname(made)) await fsp.chmod(made, 0o755);
}

/** @param {string} root @param {string} place @param {string} target both are in the bundle */
async function linkTo(root, place, target) {
  const [from, to] = [path.join(root, place), path.join(root, target)];
  await makeReadable(path.dirname(from));
  await fsp.symlink(path.relative(path.dirname(from), to), from);
}

/** @param {string} folder @returns {Promise<number>} */
async function bytesBelow(folder) {
  const entries = await fsp.readdir(folder, { withFileTypes: true }).catch(() => []);
  const placeOf = (/** @type {import('node:fs').Dirent} */ { name }) => path.join(folder, name);
  const [folders, files] = [entries.filter((entry) => entry.isDirectory()), entries.filter((entry) => !entry.isDirectory())];
  const sizes = await inLanes(files, (file) => sizeOf(placeOf(file)));
  let bytes = sizes.reduce((sum, size) => sum + Math.max(0, size), 0);
  for (const one of folders) bytes += await bytesBelow(placeOf(one));
  return bytes;
}

exports.bytesBelow = bytesBelow;
exports.isRight = isRight;
exports.layOf = layOf;
exports.linkTo = linkTo;
exports.makeReadable = makeReadable;
exports.sizeOf = sizeOf;
