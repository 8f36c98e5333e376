'use strict';
/*
 * Files of ours that are kept from one start to the next, in a folder that nobody else can enter. In: folders, names, bytes. Out: what was
 * last written; nothing if there is no such file or folder. They only save time, so nobody is told what is wrong with them.
 */
const fs = require('node:fs');
const path = require('node:path');
const { candidates, isPrivate } = require('./private-folder');

const { ArrayBuffer } = /** @type {any} */ (globalThis);
const { closeSync, fstatSync, openSync, readSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = fs;

/** Of one kind: for other entries, versions and flags, for other programs. */
const MOST_KEPT = 32;

const OFF = ['off', '0', 'false'];

/** @returns {string[]} folders that may be used if they are private, the best first; empty: nothing is kept */
function foldersToKeep() {
  const { IGNIS_CODE_CACHE: asked = '' } = process.env;
  if (OFF.includes(asked)) return [];
  return path.isAbsolute(asked) ? [asked] : candidates();
}

/**
 * Not with node:crypto, which is large, and which a program may have replaced (`mock.module`): nobody makes such texts alike on purpose.
 *
 * @param {string} text @returns {string} its length, and two sums of 32 bits each: FNV-1a, and one that also mixes its upper bits in
 */
function sumOfText(text) {
  let first = 0x811c9dc5;
  let second = 0x9e3779b9;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second + unit, 0x85ebca6b);
    second ^= second >>> 13;
  }
  return [text.length, first >>> 0, second >>> 0].map((number) => number.toString(36)).join('-');
}

/**
 * @param {readonly string[]} folders the best first
 * @param {string} name
 * @returns {Buffer} empty if there is none; call `forget` when it was used
 */
function readKept(folders, name) {
  for (const folder of folders) {
    if (!isPrivate(folder)) continue;
    try {
      return wholeOf(openSync(path.join(folder, name), 'r'));
    } catch {
      // As if it were missing.
    }
  }
  return Buffer.alloc(0);
}

/** @param {number} file @returns {Buffer} its contents, in memory that can be released */
function wholeOf(file) {
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.from(new ArrayBuffer(size, { maxByteLength: size }));
    for (let at = 0, read = 1; read > 0; at += read) read = readSync(file, bytes, at, size - at, null);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Otherwise an idle program would keep it until its next collection. @param {{buffer: any}} bytes from `readKept`, not used any more */
function forget({ buffer }) {
  if (buffer.resizable) buffer.resize(0);
}

/**
 * Several programs may do this at once: each writes the whole file, and the last one stays. The oldest of its kind are removed.
 *
 * @param {string} folder private @param {string} name the part before its first hyphen is its kind @param {() => string | Buffer} bytes
 */
function writeKept(folder, name, bytes) {
  const whole = path.join(folder, name);
  const temporary = `${whole}.${process.pid}-${process.hrtime.bigint().toString(36)}`;
  try {
    writeFileSync(temporary, bytes(), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, whole);
    removeOldest(folder, name.slice(0, name.indexOf('-') + 1));
  } catch {
    // For example, the disk is full: the next start tries again.
    remove(temporary);
  }
}

/** @param {string} file may be missing, or out of our reach */
function remove(file) {
  try {
    rmSync(file, { force: true });
  } catch {
    // For example, we may list the folder, but not enter it.
  }
}

/** Including what a crashed program has left half-written. @param {string} folder @param {string} prefix */
function removeOldest(folder, prefix) {
  const found = readdirSync(folder).filter((name) => name.startsWith(prefix));
  const byAge = found.map((name) => ({ name, time: statSync(path.join(folder, name)).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { name } of byAge.slice(MOST_KEPT)) remove(path.join(folder, name));
}

exports.foldersToKeep = foldersToKeep;
exports.forget = forget;
exports.readKept = readKept;
exports.sumOfText = sumOfText;
exports.writeKept = writeKept;
