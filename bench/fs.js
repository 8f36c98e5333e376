'use strict';

// What a recipe for `fs` costs: Node's own `fs`, and `local`, `strong`, `eventual` (3 copies), and 2 copies on 4 disks in one program, on
// the same disk.
//   node bench/fs.js [--json] [--rounds 15] [--calls 60] [--only local,nodes,many]
// In: nothing but the options. Out: us a call; a table of plain and `local` (bar: within 5 %; ten times as many rounds), one of plain and
// those whose files nodes keep, and the same with 16 calls at once. Everything is read from memory: what a disk takes comes on top, for all
// alike.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { CALLS, check, fill, time } = require('./fs/calls.js');
const { measureLocal } = require('./fs/local.js');
const { compare } = require('./lib/harness.js');
const { valuesOf } = require('./lib/options.js');

/** @typedef {import('./fs/calls.js').System} System */

const FOLDERS = ['plain', 'strong', 'eventual', 'spread', 'spread-b', 'spread-c', 'spread-d'];
const PARTS = ['local', 'nodes', 'many'];
const BLOCKING = /Sync/;
const LOCAL_ROUNDS = 10;

/**
 * @param {string} title @param {Record<string, System>} systems by the names of their rows
 * @param {{rounds: number, calls: number, json: boolean}} options @param {number} [atOnce]
 */
async function measure(title, systems, { rounds, calls, json }, atOnce = 1) {
  const measured = Object.keys(CALLS).filter((name) => atOnce === 1 || !BLOCKING.test(name));
  const rows = Object.entries(systems).map(([name, system]) => ({
    name,
    check: () => check(system),
    run: async () => {
      /** @type {Record<string, number>} */
      const us = {};
      for (const what of measured) us[what] = (await time(system, what, calls, atOnce)).us;
      return us;
    },
  }));
  await compare({ title, rows, rounds, unit: 'us', better: 'lower', json });
}

/** @param {string[]} parts @param {{rounds: number, calls: number, json: boolean}} options */
async function run(parts, options) {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ignis-bench-fs-'));
  for (const name of FOLDERS) fs.mkdirSync(path.join(folder, name));
  process.env.FS_BENCH = folder;
  process.env.IGNIS_QUIET = '1';
  require('../lib/register.js');
  const { SYSTEMS } = require('./fs/systems.js');
  const { plain, local, strong, eventual, spread } = SYSTEMS;
  const kept = { plain, strong, 'eventual, 3 copies': eventual, '2 copies on 4 disks': spread };
  try {
    fill(plain);
    if (parts.includes('local')) await measureLocal({ plain, local }, { ...options, rounds: LOCAL_ROUNDS * options.rounds });
    if (parts.includes('nodes') || parts.includes('many')) for (const system of [strong, eventual, spread]) fill(system);
    if (parts.includes('nodes')) await measure('fs: kept by nodes', kept, options);
    if (parts.includes('many')) await measure('fs: kept by nodes, 16 calls at once', kept, { ...options, calls: 4 * options.calls }, 16);
  } finally {
    await require('../lib').close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  const values = valuesOf(__filename, {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
    calls: { type: 'string', default: '60' },
    only: { type: 'string', default: PARTS.join(',') },
  });
  const parts = values.only.split(',');
  const unknown = parts.find((part) => !PARTS.includes(part));
  if (unknown !== undefined) throw new Error(`there is no part ${JSON.stringify(unknown)}; there are ${PARTS.join(', ')}`);
  await run(parts, { rounds: Number(values.rounds), calls: Number(values.calls), json: values.json });
}

if (require.main === module) {
  main().catch((error) => {
    console.error(`bench/fs: ${error.stack}`);
    process.exitCode = 1;
  });
}
