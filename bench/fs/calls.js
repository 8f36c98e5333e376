'use strict';

// What bench/fs.js measures: calls of a file system, each with a number so that 16 at once do not write one file. In: a file system and its
// folder. Out: us a call, by the clock and of processor time.

const assert = require('node:assert/strict');
const path = require('node:path');

/** @typedef {{fs: typeof import('node:fs'), folder: string}} System */
/** @typedef {(system: System, i: number) => unknown} Call */

const SMALL = Buffer.alloc(1024, 'small ');
const LARGE = Buffer.alloc(1024 * 1024, 'large ');
const NAMES = 50;
const FILES = 16;

/**
 * share: so many times as often as others are these called in one go, so that none is over too soon.
 *
 * @type {Record<string, {call: Call, share?: number}>}
 */
const CALLS = {
  'readFile 1 KB': { call: ({ fs: { promises }, folder }) => promises.readFile(path.join(folder, 'small')) },
  'readFile 1 MB': { call: ({ fs: { promises }, folder }) => promises.readFile(path.join(folder, 'large')), share: 1 / 4 },
  'readFile 1 KB, renamed': { call: ({ fs: { promises }, folder }, i) => promises.readFile(path.join(folder, `moved${i % FILES}`)) },
  'writeFile 1 KB': { call: ({ fs: { promises }, folder }, i) => promises.writeFile(path.join(folder, `w${i % FILES}`), SMALL) },
  'writeFile 1 MB': {
    call: ({ fs: { promises }, folder }, i) => promises.writeFile(path.join(folder, `x${i % FILES}`), LARGE),
    share: 1 / 4,
  },
  'rename, and back': {
    call: async ({ fs: { promises }, folder }, i) => {
      const [one, other] = [path.join(folder, `r${i % FILES}`), path.join(folder, `s${i % FILES}`)];
      await promises.rename(one, other);
      await promises.rename(other, one);
    },
  },
  'readdir, 50 names': { call: ({ fs: { promises }, folder }) => promises.readdir(path.join(folder, 'names')) },
  stat: { call: ({ fs: { promises }, folder }) => promises.stat(path.join(folder, 'small')), share: 4 },
  'readFileSync 1 KB': { call: ({ fs: files, folder }) => files.readFileSync(path.join(folder, 'small')), share: 8 },
  statSync: { call: ({ fs: files, folder }) => files.statSync(path.join(folder, 'small')), share: 8 },
};

/** @param {System} system */
function fill({ fs: files, folder }) {
  files.writeFileSync(path.join(folder, 'small'), SMALL);
  files.writeFileSync(path.join(folder, 'large'), LARGE);
  files.mkdirSync(path.join(folder, 'names'), { recursive: true });
  for (let i = 0; i < NAMES; i++) files.writeFileSync(path.join(folder, 'names', `n${i}`), '');
  for (let i = 0; i < FILES; i++) {
    files.writeFileSync(path.join(folder, `r${i}`), SMALL);
    files.writeFileSync(path.join(folder, `before${i}`), SMALL);
    files.renameSync(path.join(folder, `before${i}`), path.join(folder, `moved${i}`));
  }
}

/** @param {System} system */
async function check({ fs: files, folder }) {
  assert.deepEqual(files.readFileSync(path.join(folder, 'small')), SMALL);
  assert.deepEqual(files.readFileSync(path.join(folder, 'moved7')), SMALL);
  assert.ok((await files.promises.readFile(path.join(folder, 'large'))).equals(LARGE));
  assert.equal((await files.promises.readdir(path.join(folder, 'names'))).length, NAMES);
  assert.equal((await files.promises.stat(path.join(folder, 'large'))).size, LARGE.length);
}

/**
 * @param {System} system @param {string} what of CALLS @param {number} calls so many, times their share @param {number} [atOnce]
 * @returns {Promise<{us: number, processorUs: number}>} a call; processor time is that of all threads of this process
 */
async function time(system, what, calls, atOnce = 1) {
  const { call, share = 1 } = CALLS[what];
  const count = Math.ceil(calls * share);
  const before = process.cpuUsage();
  const begun = process.hrtime.bigint();
  if (atOnce === 1) for (let i = 0; i < count; i++) await call(system, i);
  else
    await Promise.all(Array.from({ length: atOnce }, async (_, user) => { for (let i = user; i < count; i += atOnce) await call(system, i); })); // prettier-ignore
  const us = Number(process.hrtime.bigint() - begun) / 1000 / count;
  const { user, system: kernel } = process.cpuUsage(before);
  return { us, processorUs: (user + kernel) / count };
}

exports.CALLS = CALLS;
exports.check = check;
exports.fill = fill;
exports.time = time;
