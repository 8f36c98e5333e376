'use strict';

// Where a shipped recipe pays: what a call of a function costs home's processor, and what home still pays when a process serves it
// (marshalling and
// channel), for each size of its cases.   node bench/recipes.js [--only marked,ejs] [--functions parse,render] [--rounds 3] [--json]
// In: recipes/ and test/recipes/cases/. Out: one table; with --json one JSON line, with the rows as `pays` of a recipe has them. Answers
// are checked first. It counts processor time of this process (all its threads), not wall time, so what else the machine does counts
// little.

const v8 = require('node:v8');
const { allShipped } = require('../lib/recipe/shipped');
const { Distributed } = require('../test/helpers/distributed');
const { callOf, targetsOf } = require('../test/recipes/cases');
const { sameGraph } = require('../test/session/same-graph');
const { machine } = require('./lib/harness');
const { median } = require('./lib/statistics');
const { number, table } = require('./lib/table');
const { valuesOf } = require('./lib/options');

const values = valuesOf(__filename, {
  json: { type: 'boolean' },
  only: { type: 'string' },
  functions: { type: 'string' },
  rounds: { type: 'string', default: '3' },
});
const ROUNDS = Number(values.rounds);
/** A batch at home takes about so long. */
const BATCH_MS = 25;
const WARM_MS = 40;
const [LEAST_CALLS, MOST_CALLS] = [3, 4000];
/** Home pays little for a call that is sent, so there must be more of them. */
const LEAST_SENT = 8;
/** The first function of a module finds marshalling and channel not yet compiled. */
const [WARM_CALLS, FIRST_CALLS] = [24, 400];
/** Calls pending at a time when sent. */
const DEPTH = 8;
/** It pays when home is left at least a fifth of its time. */
const PAYING = 0.8;

/** @typedef {{ input: string, bytes: number, ms: number, homeMs: number }} Measured */

/** @returns {number} ms of processor time that this process has used */
function usedMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * @param {(args: any[]) => any} call
 * @param {() => any[]} makeArgs
 * @param {number} calls
 * @param {number} depth
 * @returns {Promise<number>} ms of processor time a call
 */
async function batch(call, makeArgs, calls, depth) {
  const args = Array.from({ length: depth }, makeArgs);
  let left = calls;
  const before = usedMs();
  if (depth === 1) {
    for (; left > 0; left--) {
      const result = call(args[0]);
      if (result instanceof Promise) await result;
    }
  } else {
    await Promise.all(
      args.map(async (own) => {
        while (left-- > 0) await call(own);
      }),
    );
  }
  return (usedMs() - before) / calls;
}

/**
 * @param {Distributed} on
 * @param {any} home
 * @param {string} name
 * @param {import('../test/recipes/cases').Size} size
 * @returns {Promise<Measured>}
 */
async function measure(on, home, name, { input, args, callback = false }) {
  const makeArgs = () => args(home);
  const atHome = (/** @type {any[]} */ own) => callOf(home, name, own, callback);
  const sent = (/** @type {any[]} */ own) => callOf(on.lib, name, own, callback);
  sameGraph(await atHome(makeArgs()), await sent(makeArgs()));
  let once = 0;
  for (const end = usedMs() + WARM_MS; usedMs() < end;) once = await batch(atHome, makeArgs, LEAST_CALLS, 1);
  const calls = Math.max(LEAST_CALLS, Math.min(MOST_CALLS, Math.ceil(BATCH_MS / once)));
  const [ofHome, ofSent] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let round = -1; round < ROUNDS; round++) {
    const ms = await batch(atHome, makeArgs, calls, 1);
    const homeMs = await batch(sent, makeArgs, Math.max(LEAST_SENT, calls), DEPTH);
    if (round >= 0) ofHome.push(ms);
    if (round >= 0) ofSent.push(homeMs);
  }
  return { input, bytes: v8.serialize(makeArgs()).length, ms: round3(median(ofHome)), homeMs: round3(median(ofSent)) };
}

/** @param {number} ms */
const round3 = (ms) => Number(ms.toPrecision(3));

/** @param {Measured[]} sizes the smallest first @returns {string} */
function breakEvenOf(sizes) {
  const pays = sizes.map(({ ms, homeMs }) => homeMs <= PAYING * ms);
  // From there on for all that are larger.
  const first = pays.lastIndexOf(false) + 1;
  if (first === sizes.length) return 'never';
  return first === 0 ? 'always' : sizes[first].input;
}

/** @param {string} name of the package @param {import('../test/recipes/cases').Target} target */
async function measureAll(name, { file, recipe, functions, suffix }) {
  const home = require(file);
  const chosen = Object.entries(functions).filter(([fn]) => values.functions?.split(',').includes(fn) ?? true);
  const on = new Distributed(file, { ...recipe, call: 'await', copies: 1 }, 'process');
  const rows = [];
  try {
    // What is asynchronous is found out at home.
    for (const [fn, [first]] of chosen) await callOf(on.lib, fn, first.args(home), first.callback);
    await on.set.resize(1);
    for (const [fn, sizes] of chosen) {
      const [first] = sizes;
      await batch(
        (own) => callOf(on.lib, fn, own, first.callback),
        () => first.args(home),
        rows.length === 0 ? FIRST_CALLS : WARM_CALLS,
        DEPTH,
      );
      const measured = [];
      for (const size of sizes) measured.push(await measure(on, home, fn, size));
      const pays = { function: `${fn}${suffix}`, ...measured[measured.length - 1], breakEven: breakEvenOf(measured) };
      rows.push({ package: name, sizes: measured, pays });
    }
  } finally {
    await on.close();
  }
  return rows;
}

async function main() {
  const wanted = values.only?.split(',');
  const chosen = allShipped().filter((one) => wanted?.includes(one.package) ?? true);
  const unknown = wanted?.find((name) => !chosen.some((one) => one.package === name));
  if (unknown !== undefined) throw new Error(`there is no shipped recipe for ${unknown}`);
  const rows = [];
  // Replicas do not keep a program alive.
  const alive = setInterval(() => {}, 1000);
  for (const shipped of chosen) for (const target of targetsOf(shipped)) rows.push(...(await measureAll(shipped.package, target)));
  clearInterval(alive);
  if (values.json) {
    console.log(JSON.stringify({ title: 'recipes', machine: machine(), rows }));
    return;
  }
  const lines = rows.flatMap((row) =>
    row.sizes.map(({ input, bytes, ms, homeMs }, i) => [
      i === 0 ? `${row.package} ${row.pays.function}` : '',
      input,
      number(bytes),
      number(ms),
      number(homeMs),
      number(homeMs / ms),
      i === 0 ? row.pays.breakEven : '',
    ]),
  );
  const { node, cpu, cores, platform, date } = machine();
  console.log('\n## recipes: processor time of a call, ms\n');
  console.log(table(['function', 'input', 'bytes', 'at home', 'home, when sent', 'ratio', 'pays from'], lines));
  console.log(`\nmedian of ${ROUNDS} batches; Node ${node}, ${platform}, ${cores} cores, ${cpu}, ${date}`);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
