'use strict';

// What being looked at costs: the wiki under Ignis without its monitor, with it and its page while nobody looks, with the page open, with
// `ignis top` open.
//   node bench/dash.js [--json] [--casts 3] [--rounds 4] [--seconds 4] [--rate 60]
// In: nothing but the options. Out: two tables: processor time of the home process in a second, at a fixed rate of ordinary pages, and at
// rest. Nothing is distributed. All four run and take load at the same time, so that what else the machine does falls on all alike, and the
// difference within a round is told: in milliseconds a second, so 10 are 1 % of an event loop. What is looked at is gathered once a second,
// however many requests there are; requests a second would show it only through the noise of the machine.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { endOnSignals } = require('./lib/ending.js');
const { machine } = require('./lib/harness.js');
const { OpenPage } = require('./lib/page.js');
const { processorMs } = require('./lib/processor.js');
const { median, spread } = require('./lib/statistics.js');
const { number, table } = require('./lib/table.js');
const { valuesOf } = require('./lib/options.js');
const { Program } = require('./wiki/program.js');
const { Watching } = require('../lib/view/monitor-client.js');

const WARM = { connections: 8, seconds: 3, slow: 0 };
const EVERY_MS = 1000;

/** @typedef {{close: () => void}} Looker */
/** @typedef {{program: Program, folder: string, said: {page: string}, looker: Looker | null}} Seen */

/** @type {{name: string, env: Record<string, string>, look: (seen: Seen) => Promise<Looker | null>}[]} */
const ROWS = [
  { name: 'no monitor', env: { IGNIS_MONITOR: 'false' }, look: async () => null },
  { name: 'nobody looks', env: { IGNIS_DASH: '0' }, look: async () => null },
  { name: 'page open', env: { IGNIS_DASH: '0' }, look: ({ said }) => OpenPage.open(said.page) },
  { name: 'ignis top open', env: { IGNIS_DASH: '0' }, look: watchAsTop },
];

/** @param {Seen} seen */
async function watchAsTop({ folder }) {
  const sockets = path.join(folder, 'ignis');
  while (!fs.existsSync(sockets) || fs.readdirSync(sockets).length === 0) await sleep(20);
  const link = await Watching.open(path.join(sockets, fs.readdirSync(sockets)[0]));
  let told = () => {};
  const first = new Promise((resolve) => (told = () => resolve(undefined)));
  await link.watch(EVERY_MS, () => told(), { brief: true });
  await first;
  return link;
}

/** @param {(typeof ROWS)[number]} row @returns {Promise<Seen>} it runs, has had some load, and is looked at */
async function begin({ env, look }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-looked-'));
  const said = { page: '' };
  const onLine = (/** @type {string} */ line) => {
    said.page = /the page is at (\S+)/.exec(line)?.[1] ?? said.page;
  };
  const program = new Program('ignis, only watching', { env: { XDG_RUNTIME_DIR: folder, ...env }, onLine });
  /** @type {Seen} */
  const seen = { program, folder, said, looker: null };
  try {
    await program.ready();
    await program.load(WARM);
    seen.looker = await look(seen);
    return seen;
  } catch (error) {
    await end(seen);
    throw error;
  }
}

/** @param {Seen} seen */
async function end({ program, folder, looker }) {
  looker?.close();
  await program.end();
  fs.rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {Seen[]} all
 * @param {{rounds: number, seconds: number, rate: number}} how rate: requests a second for each; 0: none
 * @returns {Promise<number[][]>} by row, a figure a round: ms of processor time a second
 */
async function measure(all, { rounds, seconds, rate }) {
  /** @type {number[][]} */
  const took = all.map(() => []);
  for (let round = -1; round < rounds; round++) {
    const before = all.map(({ program }) => processorMs(program.pid));
    const start = performance.now();
    const loads = rate === 0 ? [sleep(seconds * 1000)] : all.map(({ program }) => program.load({ rate, seconds, slow: 0 }));
    for (const report of await Promise.all(loads)) if (report && report.errors > 0) throw new Error(`${report.errors} requests failed`);
    const passed = (performance.now() - start) / 1000;
    if (round >= 0) all.forEach(({ program }, i) => took[i].push((processorMs(program.pid) - before[i]) / passed));
  }
  return took;
}

/**
 * Two processes of one program differ too, by what V8 made of it: so each row is run by several, one after the other, begun in another
 * order each time.
 *
 * @param {number} cast
 * @param {{rounds: number, seconds: number, rate: number}} how
 * @returns {Promise<{loaded: number[][], resting: number[][]}>} by row
 */
async function measureCast(cast, how) {
  /** @type {Seen[]} */
  const all = [];
  try {
    for (let turn = 0; turn < ROWS.length; turn++) {
      const at = (turn + cast) % ROWS.length;
      all[at] = await begin(ROWS[at]);
    }
    return { loaded: await measure(all, how), resting: await measure(all, { ...how, rate: 0 }) };
  } finally {
    for (const seen of Object.values(all)) await end(seen);
  }
}

/** @param {string} title @param {number[][]} took */
function resultOf(title, took) {
  return {
    title,
    rows: ROWS.map(({ name }, i) => {
      const above = took[i].map((ms, round) => ms - took[0][round]);
      return { name, ms: median(took[i]), spread: spread(took[i]), above: median(above), values: took[i] };
    }),
  };
}

/** @param {ReturnType<typeof resultOf>} result @returns {string} */
function format({ title, rows }) {
  const lines = rows.map(({ name, ms, spread: share, above }) => [
    name,
    number(ms),
    `${(share * 100).toFixed(1)}%`,
    number(above),
    `${(above / 10).toFixed(2)} %`,
  ]);
  return `\n## ${title}\n\n${table(['processor ms a second', 'median', 'spread', 'above the first', 'of an event loop'], lines)}`;
}

async function main() {
  const values = valuesOf(__filename, {
    json: { type: 'boolean' },
    casts: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '4' },
    rate: { type: 'string', default: '60' },
  });
  const [casts, rounds, seconds, rate] = [values.casts, values.rounds, values.seconds, values.rate].map(Number);
  if (!(casts > 0 && rounds > 0 && seconds > 0 && rate > 0))
    throw new Error('--casts, --rounds, --seconds and --rate take numbers above 0');
  const measured = [];
  for (let cast = 0; cast < casts; cast++) measured.push(await measureCast(cast, { rounds, seconds, rate }));
  const joined = (/** @type {'loaded' | 'resting'} */ part) => ROWS.map((_, i) => measured.flatMap((one) => one[part][i]));
  const results = [
    resultOf(`wiki, ${rate} ordinary pages a second for each`, joined('loaded')),
    resultOf('wiki, at rest after that', joined('resting')),
  ];
  const { node, cpu, cores, date } = machine();
  if (values.json) return console.log(JSON.stringify({ bench: 'dash', machine: machine(), results }));
  const foot = `${casts} times ${rounds} rounds, differences within a round; Node ${node}, ${cores} cores, ${cpu}, ${date}`;
  console.log(`${results.map(format).join('\n')}\n\n${foot}`);
}

if (require.main === module) {
  endOnSignals();
  main().catch((error) => {
    console.error(`bench/dash: ${error.message}`);
    process.exitCode = 1;
  });
}
