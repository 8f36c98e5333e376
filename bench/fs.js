'use strict';

// What a recipe for `fs` costs: Node's own `fs`, and `local`, `strong` and `eventual` (3 copies) in one program, on the same disk.
//   node bench/fs.js [--json] [--rounds 15] [--calls 60]
// In: nothing but the options. Out: us a call; a table of plain and `local` (bar: within 5 %), one of plain and those whose files nodes keep, and the same with 16 calls at once.
// Everything is read from memory: what a disk takes comes on top, for all alike.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { compare } = require('./lib/harness.js');

/** @typedef {{fs: typeof import('node:fs'), folder: string}} System */

const SMALL = Buffer.alloc(1024, 'small ');
const LARGE = Buffer.alloc(1024 * 1024, 'large ');
const NAMES = 50;
/** Calls of 1 MB are fewer. */
const FEWER = 4;

/** What is measured: a call, with a number so that 16 at once do not write one file. @type {Record<string, {call: (system: System, i: number) => unknown, isLarge?: boolean}>} */
const CALLS = {
  'readFile 1 KB': { call: ({ fs: { promises }, folder }) => promises.readFile(path.join(folder, 'small')) },
  'readFile 1 MB': { call: ({ fs: { promises }, folder }) => promises.readFile(path.join(folder, 'large')), isLarge: true },
  'writeFile 1 KB': { call: ({ fs: { promises }, folder }, i) => promises.writeFile(path.join(folder, `w${i % 16}`), SMALL) },
  'writeFile 1 MB': {
    call: ({ fs: { promises }, folder }, i) => promises.writeFile(path.join(folder, `x${i % 16}`), LARGE),
    isLarge: true,
  },
  readdir: { call: ({ fs: { promises }, folder }) => promises.readdir(path.join(folder, 'names')) },
  stat: { call: ({ fs: { promises }, folder }) => promises.stat(path.join(folder, 'small')) },
  'readFileSync 1 KB': { call: ({ fs: files, folder }) => files.readFileSync(path.join(folder, 'small')) },
  statSync: { call: ({ fs: files, folder }) => files.statSync(path.join(folder, 'small')) },
};
const BLOCKING = /Sync/;

/** @param {System} system */
function fill({ fs: files, folder }) {
  files.writeFileSync(path.join(folder, 'small'), SMALL);
  files.writeFileSync(path.join(folder, 'large'), LARGE);
  files.mkdirSync(path.join(folder, 'names'), { recursive: true });
  for (let i = 0; i < NAMES; i++) files.writeFileSync(path.join(folder, 'names', `n${i}`), '');
}

/** @param {System} system */
async function check({ fs: files, folder }) {
  assert.deepEqual(files.readFileSync(path.join(folder, 'small')), SMALL);
  assert.ok((await files.promises.readFile(path.join(folder, 'large'))).equals(LARGE));
  assert.equal((await files.promises.readdir(path.join(folder, 'names'))).length, NAMES);
  assert.equal((await files.promises.stat(path.join(folder, 'large'))).size, LARGE.length);
}

/** @param {System} system @param {(system: System, i: number) => unknown} call @param {number} count @param {number} atOnce @returns {Promise<number>} us a call */
async function time(system, call, count, atOnce) {
  const begun = process.hrtime.bigint();
  if (atOnce === 1) for (let i = 0; i < count; i++) await call(system, i);
  else
    await Promise.all(Array.from({ length: atOnce }, async (_, user) => { for (let i = user; i < count; i += atOnce) await call(system, i); })); // prettier-ignore
  return Number(process.hrtime.bigint() - begun) / 1000 / count;
}

/**
 * @param {string} title @param {Record<string, System>} systems @param {{rounds: number, calls: number, json: boolean}} options @param {number} [atOnce]
 */
async function measure(title, systems, { rounds, calls, json }, atOnce = 1) {
  const measured = Object.entries(CALLS).filter(([name]) => atOnce === 1 || !BLOCKING.test(name));
  const rows = Object.entries(systems).map(([name, system]) => ({
    name,
    check: () => check(system),
    run: async () => {
      /** @type {Record<string, number>} */
      const us = {};
      for (const [what, { call, isLarge = false }] of measured)
        us[what] = await time(system, call, isLarge ? Math.ceil(calls / FEWER) : calls, atOnce);
      return us;
    },
  }));
  await compare({ title, rows, rounds, unit: 'us', better: 'lower', json });
}

async function main() {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '15' },
      calls: { type: 'string', default: '60' },
    },
  });
  const options = { rounds: Number(values.rounds), calls: Number(values.calls), json: values.json };
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-bench-fs-'));
  for (const name of ['plain', 'strong', 'eventual']) fs.mkdirSync(path.join(folder, name));
  process.env.FS_BENCH = folder;
  process.env.IGNIS_QUIET = '1';
  require('../lib/register.js');
  const { SYSTEMS } = require('./fs/systems.js');
  const { plain, local, strong, eventual } = SYSTEMS;
  try {
    for (const system of [plain, strong, eventual]) fill(system);
    await measure('fs: local', { plain, local }, { ...options, rounds: 4 * options.rounds });
    await measure('fs: kept by nodes', { plain, strong, eventual }, options);
    await measure('fs: kept by nodes, 16 calls at once', { plain, strong, eventual }, { ...options, calls: 4 * options.calls }, 16);
  } finally {
    await require('../lib').close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

if (require.main === module) {
  main().catch((error) => {
    console.error(`bench/fs: ${error.stack}`);
    process.exitCode = 1;
  });
}
