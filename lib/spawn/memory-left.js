'use strict';
/*
 * Whether there is memory for one more replica on this machine: free memory of the machine, and of the program's control group if it has a
 * limit (`docker run --memory`, limits of Kubernetes, MemoryMax of systemd). In: the system's files. Out: an error that says how much is
 * missing. Otherwise the system might end a program near its limit for replicas that it can do without. Only Linux tells this; elsewhere
 * there is always room.
 */
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { foldersOf, groupsIn, textOf } = require('../cores');
const { IgnisError } = require('../errors');
const { Math, Object } = require('../engine');

/**
 * What a replica without a module takes, plus some room for the module, bytes: measured 30 and 10 MB with a small module (Node 20 to 26),
 * beyond what all Node processes share.
 */
const NEEDS = Object.freeze({ process: 64 * 2 ** 20, thread: 32 * 2 ** 20 });

/** @typedef {{limit: number, left: () => number, whose: string}} Memory bytes */

/** @param {import('../cores').Read} read @returns {Memory[]} the machine's, and that of each group that may have less */
function memoriesIn(read) {
  const [limit, left] = ['MemTotal: ', 'MemAvailable: '].map((name) => numberOf(textOf(read, '/proc/meminfo'), name) * 1024);
  const groups = foldersOf(groupsIn(read), 'memory').map(({ base, folder, isUnified }) =>
    ofGroup(read, path.posix.join(base, folder), isUnified),
  );
  return [{ limit, left: () => left, whose: 'the machine' }, ...groups.filter((group) => group.limit < limit)];
}

/** @param {import('../cores').Read} read @param {string} folder @param {boolean} isUnified @returns {Memory} NaN if it has no limit */
function ofGroup(read, folder, isUnified) {
  const textIn = (/** @type {string} */ name) => textOf(read, path.posix.join(folder, name)).trim() || NaN;
  const [max, used, total] = isUnified
    ? ['memory.max', 'memory.current', '']
    : ['memory.limit_in_bytes', 'memory.usage_in_bytes', 'total_'];
  const limit = Number(textIn(max));
  return {
    limit,
    left() {
      const stat = String(textIn('memory.stat'));
      // The system keeps files in memory only while there is room.
      const [old, young] = ['inactive_file', 'active_file'].map((name) => numberOf(stat, `${total}${name} `));
      return limit - Number(textIn(used)) + old + young;
    },
    whose: 'its control group (container, service)',
  };
}

/** @param {string} text @param {string} name how its line begins @returns {number} NaN if it is missing */
function numberOf(text, name) {
  const line = text.split('\n').find((one) => one.startsWith(name));
  return line === undefined ? NaN : parseInt(line.slice(name.length), 10);
}

/** @param {string} file */
const ofSystem = (file) => readFileSync(file, 'latin1');

/**
 * @param {'process' | 'thread'} where @param {import('../cores').Read} [read]
 * @throws {IgnisError} IGNIS_START_FAILED when the system could end the program for it
 */
function checkMemory(where, read = ofSystem) {
  if (process.platform !== 'linux') return;
  const needs = NEEDS[where];
  for (const { limit, left, whose } of memoriesIn(read)) {
    const bytes = left();
    // NaN: unknown.
    if (!(bytes < needs)) continue;
    const [has, all, wants] = [Math.max(0, bytes), limit, needs].map((one) => `${Math.floor(one / 2 ** 20)} MB`);
    throw new IgnisError('IGNIS_START_FAILED', `a replica needs ${wants} of memory, and ${whose} has ${has} left of ${all}`);
  }
}

/**
 * @param {import('../cores').Read} [read]
 * @returns {boolean} whether a control group of this process may have less memory than the machine
 */
function isLimited(read = ofSystem) {
  return memoriesIn(read).length > 1;
}

exports.checkMemory = checkMemory;
exports.isLimited = isLimited;
