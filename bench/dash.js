'use strict';

// What being looked at costs: the wiki under Ignis without its monitor, with it and its page while nobody looks, with the page open, with `ignis top` open.
//   node bench/dash.js [--json] [--rounds 12] [--seconds 2] [--rest 5]
// In: nothing but the options. Out: processor time of the home process for a request, ordinary pages only, nothing distributed; requests a second, which say
// the same, through the noise of a shared machine; and processor time for a second at rest, where nothing else moves, so that far less is still seen.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { parseArgs } = require('node:util');
const { compare } = require('./lib/harness.js');
const { OpenPage } = require('./lib/page.js');
const { processorMs } = require('./lib/processor.js');
const { Program } = require('./wiki/program.js');
const { Watching } = require('../lib/view/monitor-client.js');

const CONNECTIONS = 16;
const WARM_SECONDS = 4;
const REST_ROUNDS = 4;
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

/**
 * @param {(typeof ROWS)[number]} row
 * @param {(seen: Seen) => Promise<import('./lib/harness.js').Measure>} run
 * @returns {import('./lib/harness.js').Row}
 */
function rowOf({ name, env, look }, run) {
  /** @type {Seen} */
  let seen;
  return {
    name,
    setup: async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-looked-'));
      const said = { page: '' };
      const onLine = (/** @type {string} */ line) => {
        said.page = /the page is at (\S+)/.exec(line)?.[1] ?? said.page;
      };
      const program = new Program('ignis, only watching', { env: { XDG_RUNTIME_DIR: folder, ...env }, onLine });
      seen = { program, folder, said, looker: null };
      await program.ready();
      seen.looker = await look(seen);
      await program.load({ connections: CONNECTIONS, seconds: WARM_SECONDS, slow: 0 });
    },
    run: () => run(seen),
    teardown: async () => {
      if (seen === undefined) return;
      seen.looker?.close();
      await seen.program.end();
      fs.rmSync(seen.folder, { recursive: true, force: true });
    },
  };
}

/** @param {{rounds: number, seconds: number}} how */
function underLoad({ rounds, seconds }) {
  return compare({
    title: `wiki, ${CONNECTIONS} clients, ordinary pages, nothing distributed`,
    rounds,
    warmup: 1,
    metrics: { 'processor a request': { unit: 'us', better: 'lower' }, 'requests/s': { better: 'higher' } },
    rows: ROWS.map((row) =>
      rowOf(row, async ({ program }) => {
        const before = processorMs(program.pid);
        const { errors, ordinary, requestsPerSecond } = await program.load({ connections: CONNECTIONS, seconds, slow: 0 });
        if (errors > 0) throw new Error(`${errors} requests failed`);
        const took = processorMs(program.pid) - before;
        return { 'processor a request': (took * 1000) / ordinary.count, 'requests/s': requestsPerSecond };
      }),
    ),
  });
}

/** @param {{rest: number}} how */
function atRest({ rest }) {
  return compare({
    title: 'wiki, at rest after that load',
    rounds: REST_ROUNDS,
    warmup: 1,
    metrics: { 'processor a second': { unit: 'ms', better: 'lower' } },
    rows: ROWS.map((row) =>
      rowOf(row, async ({ program }) => {
        const before = processorMs(program.pid);
        await sleep(rest * 1000);
        return { 'processor a second': (processorMs(program.pid) - before) / rest };
      }),
    ),
  });
}

async function main() {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      rounds: { type: 'string', default: '12' },
      seconds: { type: 'string', default: '2' },
      rest: { type: 'string', default: '3' },
    },
  });
  const [rounds, seconds, rest] = [Number(values.rounds), Number(values.seconds), Number(values.rest)];
  if (!(rounds > 0 && seconds > 0 && rest > 0)) throw new Error('--rounds, --seconds and --rest take numbers above 0');
  await underLoad({ rounds, seconds });
  await atRest({ rest });
}

if (require.main === module) {
  process.once('SIGINT', () => process.exit(130));
  main().catch((error) => {
    console.error(`bench/dash: ${error.message}`);
    process.exitCode = 1;
  });
}
