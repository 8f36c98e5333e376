'use strict';
/*
 * npm run faults [-- --seed N --minutes N --part NAME --calls N --kills N --json]: replicas are killed, stopped, slowed, cut off and sent
 * garbage at every phase, under load, and every call is accounted for. In: options; without --seed one by chance, which is printed.
 * `--calls` and `--kills` say how long each part goes on, instead of its share of the minutes. Out: progress, a table, what is off; exit
 * code 1 when anything is. Progress goes to stderr.
 */
const { parseArgs } = require('node:util');
const { seedOf } = require('../helpers/random');
const { PARTS } = require('./parts');
const { total } = require('./parts/play');
const { runPart } = require('./run');

const OPTIONS = /** @type {const} */ ({
  seed: { type: 'string' },
  minutes: { type: 'string', default: '10' },
  part: { type: 'string', multiple: true },
  calls: { type: 'string' },
  kills: { type: 'string' },
  json: { type: 'boolean', default: false },
});

const LOOK_MS = 5000;
const MOST_PROBLEMS = 20;

/** @param {string | undefined} text @returns {number | undefined} */
const numberOf = (text) => (text === undefined ? undefined : Number(text));

/** @param {string} name @returns {(figures: Record<string, number>) => void} says how far a part is, now and then */
function progress(name) {
  let toldAt = performance.now();
  return (figures) => {
    if (performance.now() - toldAt < LOOK_MS) return;
    toldAt = performance.now();
    const said = Object.entries(figures).map(([what, count]) => `${what} ${count}`);
    process.stderr.write(`${name}: ${said.join(', ')}\n`);
  };
}

/** @param {string} name @param {Awaited<ReturnType<typeof runPart>>} result */
function tell(name, { problems, counts, struck, ms }) {
  const { calls = 0, failed = 0, home = 0, away = 0, again = 0 } = counts;
  const share = home + away === 0 ? '' : `, ${((100 * away) / (home + away)).toFixed(0)} % of runs in replicas`;
  console.log(
    `${name}: ${problems.length === 0 ? 'good' : `${problems.length} OFF`}, ${(ms / 1000).toFixed(0)} s, ${total(struck)} faults`,
  );
  console.log(`  ${calls} calls, ${failed} failed as they may, ${again} ran again${share}`);
  const kinds = Object.entries(struck).map(([what, count]) => `${what} ${count}`);
  console.log(`  struck: ${kinds.sort().join('; ')}`);
  for (const problem of problems.slice(0, MOST_PROBLEMS)) console.log(`  OFF: ${problem}`);
  if (problems.length > MOST_PROBLEMS) console.log(`  and ${problems.length - MOST_PROBLEMS} more`);
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  const names = values.part ?? Object.keys(PARTS);
  const unknown = names.find((name) => PARTS[name] === undefined);
  const seed = numberOf(values.seed) ?? Math.floor(Math.random() * 2 ** 31);
  const minutes = Number(values.minutes);
  if (unknown !== undefined || !(minutes > 0) || !Number.isInteger(seed)) {
    console.error(
      unknown === undefined
        ? 'faults: --minutes and --seed are numbers'
        : `faults: there is no part ${unknown}; there are ${Object.keys(PARTS).join(', ')}`,
    );
    process.exitCode = 2;
    return;
  }
  const options = { seed, ms: (minutes * 60_000) / names.length, calls: numberOf(values.calls), kills: numberOf(values.kills) };
  if (!values.json) console.log(`seed ${seed}, Node ${process.version}, ${names.length} parts`);
  /** @type {Record<string, Awaited<ReturnType<typeof runPart>>>} */
  const results = {};
  for (const name of names) {
    results[name] = await runPart(name, { ...options, seed: seedOf(seed, Object.keys(PARTS).indexOf(name)) }, progress(name));
    if (!values.json) tell(name, results[name]);
  }
  const all = Object.values(results);
  const off = all.reduce((sum, { problems }) => sum + problems.length, 0);
  if (values.json) console.log(JSON.stringify({ seed, off, results }, null, 2));
  else {
    const sum = (/** @type {string} */ name) => all.reduce((so, { counts }) => so + (counts[name] ?? 0), 0);
    const faults = all.reduce((so, { struck }) => so + total(struck), 0);
    console.log(
      `${off === 0 ? 'GOOD' : 'OFF'}: ${sum('calls')} calls, ${faults} faults, ${sum('again')} runs again, ${off} things off; seed ${seed}`,
    );
  }
  process.exitCode = off === 0 ? 0 : 1;
}

void main();
