'use strict';
/*
 * How much memory processes use. In: their ids. Out: resident bytes of those that live. On Linux we read the system's files ourselves:
 * pidusage (4.1) keeps each of these files open for a minute after the last look, so a program whose replicas come and go, or that has
 * closed Ignis, would hold files of processes that are gone.
 */
const fs = require('node:fs');
const { Map, Promise } = require('../engine');

/**
 * @param {number[]} pids
 * @returns {Promise<Map<number, number>>} by process id; rejects if the system does not tell
 */
async function memoryOf(pids) {
  /** @type {Map<number, number>} */
  const found = new Map();
  if (process.platform === 'linux') {
    await Promise.all(
      pids.map(async (pid) => {
        const bytes = await residentOf(pid);
        if (bytes !== null) found.set(pid, bytes);
      }),
    );
    return found;
  }
  // Loaded here: most programs end before there is any replica to look at.
  const usage = await require('pidusage')(pids);
  for (const pid of pids) if (usage[pid]) found.set(pid, usage[pid].memory);
  return found;
}

/** @param {number} pid @returns {Promise<number | null>} null: it has ended */
async function residentOf(pid) {
  const text = await fs.promises.readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(text);
  return match === null ? null : Number(match[1]) * 1024;
}

exports.memoryOf = memoryOf;
