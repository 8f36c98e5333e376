'use strict';

// npm run demo: the wiki under load, plain and then with Ignis, in about a minute.
// In: nothing. Out: on stdout a line a second (what is answered and how fast; with Ignis also the hottest boundary
// and the replicas), each decision as it is made, and at the end one table of both.
// Both programs are the same files, get the same requests in the same order, and run one after the other.

const os = require('node:os');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { endOnSignals } = require('./lib/ending.js');
const { valuesOf } = require('./lib/options.js');
const { bar, cut, paint, wrap } = require('./lib/screen.js');
const { number, table } = require('./lib/table.js');
const { Program, whyNot } = require('./wiki/program.js');

const RATE = 100;
const FIRST_SECONDS = 3;
const FIXED_SECONDS = 10;
const SATURATED_SECONDS = 8;
const CALM_MS = 25000;
const SLOW_MS = 50;

/** @typedef {import('./wiki/program.js').LoadReport} LoadReport */

/**
 * What Ignis prints on stderr with IGNIS_STATUS_MS.
 * @typedef {object} Status
 * @property {{ id: string, share: number, callsPerSecond: number, p99Ms: number, replicas: number }[]} boundaries
 * @property {{ id: string, pid: number, state?: string, module?: string | null }[]} replicas
 *
 * @typedef {object} Outcome
 * @property {LoadReport} first
 * @property {LoadReport} fixed
 * @property {LoadReport} saturated
 * @property {number} memoryMb
 * @property {number} replicas the most seen at a time
 */

class Watch {
  /** @type {Status | null} */
  status = null;
  most = 0;

  /**
   * @param {string} line of the program's stderr
   */
  line(line) {
    const record = recordOf(line);
    if (record === null) console.error(line);
    else if (record.ignis === 'decision' && record.action !== 'stay') say(record);
    else if (record.ignis === 'status') {
      this.status = record;
      this.most = Math.max(this.most, this.replicas);
    }
  }

  get replicas() {
    return this.status?.boundaries.reduce((most, boundary) => Math.max(most, boundary.replicas ?? 0), 0) ?? 0;
  }

  /** @returns {string} the hottest boundary, for the end of a line; '' before there is a status */
  hottest() {
    const [first] = [...(this.status?.boundaries ?? [])].sort((a, b) => b.share - a.share);
    if (first === undefined) return '';
    const share = `${Math.round(first.share * 100)}%`;
    const [parent, child = ''] = first.id.split(' -> ');
    return `${cut(`${path.basename(parent)} -> ${child}`, 32).padEnd(32)} ${share.padStart(5)}  ${String(this.replicas).padStart(8)}`;
  }
}

/**
 * @param {string} line
 * @returns {any} null when it is none of ours
 */
function recordOf(line) {
  if (!line.startsWith('{"ignis"')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** @param {{ action: string, sentence: string }} decision */
function say({ action, sentence }) {
  console.log(paint('yellow', wrap(`${action}: ${sentence}`, '     > ')));
}

/** @param {boolean} withIgnis */
function heading(withIgnis) {
  const left = '   s  answered/s  ordinary p99  1 ms ... 1 s';
  const right = 'hottest boundary'.padEnd(32) + '  loop  replicas';
  console.log(paint('dim', withIgnis ? left.padEnd(50) + right : left));
}

/**
 * @param {number} second
 * @param {LoadReport} figures
 * @param {Watch} watch
 */
function line(second, figures, watch) {
  const { ordinary } = figures;
  const ms = ordinary.count === 0 ? 'no answer' : `${ordinary.p99.toFixed(1)} ms`;
  const isSlow = ordinary.count === 0 || ordinary.p99 >= SLOW_MS;
  const blocks = paint(isSlow ? 'red' : 'green', (ordinary.count === 0 ? '' : bar(ordinary.p99, 16)).padEnd(17));
  const left = `${String(second).padStart(4)}  ${figures.requestsPerSecond.toFixed(0).padStart(10)}  ${ms.padStart(12)}  `;
  const errors = figures.errors > 0 ? paint('red', `  ${figures.errors} failed`) : '';
  console.log(`${left}${blocks} ${watch.hottest()}${errors}`.trimEnd());
}

/**
 * @param {string} name of a way to run the wiki
 * @returns {Promise<Outcome>}
 */
async function act(name) {
  const watch = new Watch();
  const program = new Program(name, {
    env: { IGNIS_EXPLAIN: '1', IGNIS_STATUS_MS: '1000' },
    onLine: (text) => watch.line(text),
  });
  try {
    await program.ready();
    let second = 0;
    const onSecond = (/** @type {LoadReport} */ figures) => line(++second, figures, watch);
    console.log(`\n${RATE} requests a second, whatever comes back:`);
    heading(name === 'ignis');
    const first = await program.load({ rate: RATE, seconds: FIRST_SECONDS, onSecond });
    const fixed = await program.load({ rate: RATE, seconds: FIXED_SECONDS, onSecond });
    console.log('\nAs many requests as get answers, 32 at a time:');
    heading(name === 'ignis');
    second = 0;
    const running = program.load({ seconds: SATURATED_SECONDS, onSecond });
    await sleep(SATURATED_SECONDS * 750);
    const memoryMb = program.processes().reduce((sum, one) => sum + one.pssMb, 0);
    const saturated = await running;
    if (name === 'ignis') await calm(watch);
    return { first, fixed, saturated, memoryMb, replicas: watch.most };
  } finally {
    await program.end();
  }
}

/**
 * Waits until Ignis has taken back what it started.
 * @param {Watch} watch
 */
async function calm(watch) {
  console.log('\nThe load is gone.');
  const deadline = performance.now() + CALM_MS;
  while (watch.replicas > 0 && performance.now() < deadline) await sleep(200);
  console.log(watch.replicas > 0 ? `${watch.replicas} replicas are still there.` : 'No replica is left.');
}

/**
 * @param {Record<string, Outcome>} outcomes by way
 * @returns {string}
 */
function summary(outcomes) {
  const ways = Object.keys(outcomes);
  /** @type {[string, (outcome: Outcome) => number, string][]} */
  const rows = [
    [`at ${RATE} requests/s, the first ${FIRST_SECONDS} s: ordinary pages, p99`, (one) => one.first.ordinary.p99, ' ms'],
    ['    after that: ordinary pages, median', (one) => one.fixed.ordinary.p50, ' ms'],
    ['    p99', (one) => one.fixed.ordinary.p99, ' ms'],
    ['    slowest', (one) => one.fixed.ordinary.max, ' ms'],
    ['    slow pages, median', (one) => one.fixed.slow.p50, ' ms'],
    ['saturated: requests/s', (one) => one.saturated.requestsPerSecond, ''],
    ['    ordinary pages, p99', (one) => one.saturated.ordinary.p99, ' ms'],
    ['failed requests', (one) => one.first.errors + one.fixed.errors + one.saturated.errors, ''],
    ['replicas, at most', (one) => one.replicas, ''],
    ['memory of all processes', (one) => one.memoryMb, ' MB'],
  ];
  const cells = rows.map(([title, value, unit]) => {
    const values = ways.map((way) => value(outcomes[way]));
    const ratio = values.length === 2 && values[0] > 0 && values[1] > 0 ? `${(values[1] / values[0]).toFixed(2)}x` : '';
    const shown = values.map((one) => (Number.isFinite(one) && (one > 0 || unit === '') ? number(one) + unit : '-'));
    return ways.length === 2 ? [title, ...shown, ratio] : [title, ...shown];
  });
  return table(ways.length === 2 ? ['', ...ways, 'ratio'] : ['', ...ways], cells);
}

async function main() {
  console.log(paint('bold', 'A wiki, one module of which sometimes takes the event loop'));
  console.log(
    wrap(
      'Each page is shown with its links checked by uri-js. One request in a hundred asks for a page with a link ' +
        'that uri-js needs some 250 to 300 ms for; in one process, everybody else waits. The same load on the same files, ' +
        'without Ignis and with it.',
      '',
    ),
  );
  /** @type {Record<string, Outcome>} */
  const outcomes = {};
  for (const [index, name] of ['plain', 'ignis'].entries()) {
    const title = name === 'plain' ? 'plain: node server.js' : 'ignis: node -r ignis/register server.js';
    console.log(`\n${paint('bold', `${index + 1}/2  ${title}`)}`);
    const reason = whyNot(name);
    if (reason !== null) {
      console.log(`not run: ${reason}`);
      continue;
    }
    outcomes[name] = await act(name);
  }
  console.log(`\n${paint('bold', 'Both')}\n\n${summary(outcomes)}`);
  console.log(`\nNode ${process.version}, ${os.availableParallelism()} cores; the load runs on the same machine.`);
}

if (require.main === module) {
  valuesOf(__filename, {});
  endOnSignals();
  main().catch((error) => {
    console.error(`demo: ${error.message}`);
    process.exitCode = 1;
  });
}
