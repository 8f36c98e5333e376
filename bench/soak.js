'use strict';
/*
 * npm run soak [-- --where thread|process --count CALLS]: calls a module that lives in a replica very often, with callbacks, objects, errors, promises and instances. By default 10^6 calls in
 * a thread, then 10^5 in a process. In: options. Out: what is left in the tables of both sides and how far their heaps grew from the second tenth to the end; exit code 1
 * when anything is left, or a heap grew by more than 5 %.
 */
const { parseArgs } = require('node:util');
const { soak } = require('./soak/run');

const MOST_GROWTH = 0.05;
/** @type {Record<string, number>} */
const CALLS = { thread: 1_000_000, process: 100_000 };

const { values } = parseArgs({ options: { where: { type: 'string' }, count: { type: 'string' } } });

/** @param {'home' | 'there'} side @param {{early: any, late: any}} result */
const growth = (side, { early, late }) => late[side] / early[side] - 1;

/** @param {any} where */
async function run(where) {
  const count = Number(values.count ?? CALLS[where]);
  const result = await soak({ where, count });
  const [home, there] = [growth('home', result), growth('there', result)];
  const left = Object.entries(result.left).filter(([, number]) => number > 0);
  const isGood = left.length === 0 && home <= MOST_GROWTH && there <= MOST_GROWTH;
  const percent = (/** @type {number} */ part) => `${(100 * part).toFixed(1)} %`;
  console.log(`${count} calls in a ${where}: ${(result.ms / 1000).toFixed(0)} s, ${((1000 * result.ms) / count).toFixed(0)} us each`);
  console.log(`  left in the tables: ${left.length === 0 ? 'nothing' : left.map((entry) => entry.join(' ')).join(', ')}`);
  console.log(`  heap at home ${percent(home)}, in the replica ${percent(there)}`);
  if (!isGood) process.exitCode = 1;
}

async function main() {
  for (const where of values.where === undefined ? ['thread', 'process'] : [values.where]) await run(where);
}

void main();
