'use strict';

// npm run soak [-- --where thread|process --count CALLS | --minutes N --seed N]: calls a module that lives in a replica very often, with
// callbacks, objects, errors, promises and instances. By default 10^6 calls in a thread, then 10^5 in a process. With --minutes instead a
// module with several replicas, which are scaled out, scaled in, killed, for so long. In: options. Out: what is left in the tables of both
// sides and how far their heaps grew from the second tenth to the end, or what must stay flat and whether it did; exit code 1 when anything
// is left, a heap grew by more than 5 %, or something is not flat.

const { valuesOf } = require('./lib/options');
const { soakMix } = require('./soak/mix');
const { soak } = require('./soak/run');

const MOST_GROWTH = 0.05;
/** @type {Record<string, number>} */
const CALLS = { thread: 1_000_000, process: 100_000 };

const values = valuesOf(__filename, {
  where: { type: 'string' },
  count: { type: 'string' },
  minutes: { type: 'string' },
  seed: { type: 'string', default: '1' },
});

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

/** @param {number} minutes */
async function runMix(minutes) {
  const onSample = (/** @type {Record<string, number>} */ one) =>
    console.log(
      Object.entries(one)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    );
  const { verdict, calls, struck, scaled } = await soakMix({ ms: minutes * 60_000, seed: Number(values.seed), onSample });
  console.log(`${calls} calls, ${struck} replicas killed, scaled ${scaled} times, in ${minutes} minutes`);
  for (const { name, early, late, isFlat } of verdict) {
    console.log(
      `  ${name}: ${early} in the second quarter, ${late} in the last: ${isFlat === null ? 'not judged' : isFlat ? 'flat' : 'NOT FLAT'}`,
    );
  }
  const isGood = verdict.every(({ isFlat }) => isFlat !== false);
  console.log(isGood ? 'flat' : 'NOT FLAT');
  if (!isGood) process.exitCode = 1;
}

async function main() {
  const wrong = ['minutes', 'count', 'seed'].find((name) => values[name] !== undefined && !(Number(values[name]) > 0));
  if (wrong !== undefined) {
    console.error(`soak: --${wrong} takes a number above 0, not '${values[wrong]}'`);
    process.exitCode = 2;
    return;
  }
  if (values.minutes !== undefined) return runMix(Number(values.minutes));
  for (const where of values.where === undefined ? ['thread', 'process'] : [values.where]) await run(where);
}

void main();
