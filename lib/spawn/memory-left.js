'use strict';
/*
 * Whether there is memory for one more replica on this machine: of the machine, and of the control group that the program is in, if that
 * has a limit (`docker run --memory`, limits of Kubernetes, MemoryMax of systemd). In: the system's files. Out: an error that says how much
 * is missing. A program that runs well beside its limit would be ended by the system for replicas that it can do without. Elsewhere than on
 * Linux nobody is asked.
 */
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { foldersOf, groupsIn, textOf } = require('../cores');
const { IgnisError } = require('../errors');
const { Math, Object } = require('../engine');

/**
 * What one takes that has no module yet, and some room for that, bytes: measured 30 and 10 MB with a small module (Node 20 to 26), beside
 * what all processes of Node share.
 */
const NEEDS = Object.freeze({ process: 64 * 2 ** 20, thread: 32 * 2 ** 20 });

/** @typedef {{limit: number, left: () => number, whose: string}} Memory bytes */

/** @param {import('../cores').Read} read @returns {Memory[]} the machine's, and that of each group which may have less */
function memoriesIn(read) {
  const [limit, left] = ['MemTotal: ', 'MemAvailable: '].map((name) => numberOf(textOf(read, '/proc/meminfo'), name) * 1024);
  const groups = foldersOf(groupsIn(read), 'memory').map(({ base, folder, isUnified }) =>
    ofGroup(read, path.posix.join(base, folder), isUnified),
  );
  return [{ limit, left: () => left, whose: 'the machine' }, ...groups.filter((group) => group.limit < limit)];
}

/** @param {import('../cores').Read} read @param {string} folder @param {boolean} isUnified @returns {Memory} NaN where it has no limit */
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
      // Of files the system keeps what there is room for.
      const [old, young] = ['inactive_file', 'active_file'].map((name) => numberOf(stat, `${total}${name} `));
      return limit - Number(textIn(used)) + old + young;
    },
    whose: 'its control group (container, service)',
  };
}

/** @param {string} text @param {string} name its line begins so @returns {number} NaN where it is not there */
function numberOf(text, name) {
  const line = text.split('\n').find((one) => one.startsWith(name));
  return line === undefined ? NaN : parseInt(line.slice(name.length), 10);
}

/** @param {string} file */
const ofSystem = (file) => readFileSync(file, 'latin1');

/**
 * @param {'process' | 'thread'} where @param {import('../cores').Read} [read]
 * @throws {IgnisError} IGNIS_START_FAILED: the system could end the program for it
 */
function checkMemory(where, read = ofSystem) {
  if (process.platform !== 'linux') return;
  const needs = NEEDS[where];
  for (const { limit, left, whose } of memoriesIn(read)) {
    const bytes = left();
    // NaN: nobody says.
    if (!(bytes < needs)) continue;
    const [has, all, wants] = [Math.max(0, bytes), limit, needs].map((one) => `${Math.floor(one / 2 ** 20)} MB`);
    throw new IgnisError('IGNIS_START_FAILED', `a replica needs ${wants} of memory, and ${whose} has ${has} left of ${all}`);
  }
}

/**
 * @param {import('../cores').Read} [read]
 * @returns {boolean} whether a control group that this process is in may have less memory than the machine has
 */
function isLimited(read = ofSystem) {
  return memoriesIn(read).length > 1;
}

exports.checkMemory = checkMemory;
exports.isLimited = isLimited;
