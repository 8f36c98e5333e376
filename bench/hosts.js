'use strict';

// What other hosts cost and bring: a call to a replica there against a bare mutual-TLS echo of as many bytes, what the loss of a host does,
// and the wiki and the ranking with replicas here, there, and on both.
//   node bench/hosts.js [--json] [--quick] [--only call,loss,wiki,ranking] [--rounds 5] [--seconds 6] [--hosts 2] [--delay 0]
// In: nothing but the options; --delay is in ms, each way. Out: tables, and what the hosts were. Their daemons and networks are made here
// and removed; all of them share the processors of this machine.

const assert = require('node:assert/strict');
const path = require('node:path');
const ignis = require('../lib/index');
const { drive, roundTrips } = require('./call/drive');
const { Daemons } = require('./hosts/daemons');
const { bareTls, bytesOf } = require('./hosts/bare');
const { lose } = require('./hosts/loss');
const { openPlaces } = require('./hosts/places');
const { endOnSignals } = require('./lib/ending');
const { compare } = require('./lib/harness');
const { median, percentile } = require('./lib/statistics');
const { valuesOf } = require('./lib/options');
const ranking = require('./ranking');
const { Program } = require('./wiki/program');
const { CONNECTIONS, WARM_SECONDS, checkAnswer, withoutErrors } = require('./wiki/rows');

/** @typedef {import('./hosts/daemons').Node} Node */
/**
 * @typedef {{rounds: number, seconds: number, isQuick: boolean, daemons: Daemons, places: import('./hosts/places').Place[], said: string}}
 *   Settings
 */

const REGISTER = path.join(__dirname, '..', 'lib', 'register.js');
/** In this machine and on the hosts: as many replicas. */
const REPLICAS = 2;
const RECIPE = { call: 'await', pure: true, copies: 1 };
const READY_MS = 60000;

const text = 'a string of about sixty characters, as programs send many. ';
/** @type {Record<string, {value: any, calls: [alone: number, at64: number]}>} */
const SIZES = {
  '100 B': { value: Buffer.alloc(100, 7), calls: [4000, 150000] },
  '100 B of objects': { value: { id: 7, name: text, tags: [1, 2, 3], ok: true }, calls: [4000, 150000] },
  '10 kB of objects': {
    value: Array.from({ length: 90 }, (_, i) => ({ id: i, name: text, tags: [1, 2, 3], ok: true })),
    calls: [800, 2000],
  },
  '1 MB': { value: Buffer.alloc(1 << 20, 7), calls: [60, 128] },
};

/** @param {Settings} settings */
async function call({ rounds, isQuick, daemons, places, said }) {
  ignis.start({ identity: daemons.keys('home') });
  const imports = /** @type {any} */ (ignis());
  const away = imports('./hosts/echo/echo.js', { ...RECIPE, where: 'host', nodes: [daemons.nodes[0]] });
  const near = imports('./call/echo-process.js', { ...RECIPE, where: 'process' });
  const alive = setInterval(() => {}, 1000);
  /** @type {import('./call/ways').Way | undefined} */
  let bare;
  try {
    bare = await bareTls({ near: daemons.keys('home'), far: daemons.keys('host1'), place: places[0] });
    await whenReady(2);
    for (const [size, { value, calls }] of Object.entries(SIZES)) {
      if (isQuick && size === '1 MB') continue;
      const bytes = bytesOf(value);
      const open = [
        { name: 'bare echo over mutual TLS', call: bare.call, sent: bytes },
        { name: 'ignis, on a host', call: away.echo, sent: value },
        { name: 'ignis, in a process', call: near.echo, sent: value },
      ];
      /** @param {(row: (typeof open)[number]) => any} run */
      const rowsOf = (run) => open.map((row) => ({ name: row.name, check: () => checkEcho(row), run: () => run(row) }));
      await compare({
        title: `a call to a host: ${size}, 1 pending (${bytes.length} bytes each way, ${said})`,
        rounds,
        unit: 'us',
        better: 'lower',
        rows: rowsOf(async (row) => {
          const times = await roundTrips(row.call, row.sent, calls[0]);
          return {
            'round trip, mean': times.reduce((sum, one) => sum + one, 0) / times.length,
            p50: median(times),
            p99: percentile(times, 99),
          };
        }),
      });
      await compare({
        title: `a call to a host: ${size}, 64 pending (${said})`,
        rounds,
        unit: 'calls/s',
        rows: rowsOf((row) => drive(row.call, row.sent, 64, calls[1])),
      });
    }
  } finally {
    clearInterval(alive);
    await bare?.end();
    await ignis.close();
  }
}

/** @param {{call: (value: any) => Promise<any>, sent: any}} row */
async function checkEcho({ call: ask, sent }) {
  const back = await ask(sent);
  assert.deepEqual(Buffer.isBuffer(sent) ? Buffer.from(back) : back, sent);
}

/** @param {number} count of replicas */
async function whenReady(count) {
  const by = performance.now() + READY_MS;
  while (ignis.report().replicas.filter(({ state }) => state === 'ready').length < count) {
    if (performance.now() > by) throw new Error(`the replicas did not start: ${JSON.stringify(ignis.report().replicas)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** @param {Settings} settings */
function loss({ rounds, isQuick, places, said }) {
  return compare({
    title: `a host is lost under load: pure calls, 8 at a time (${said})`,
    rounds: isQuick ? 1 : rounds,
    warmup: 0,
    keepsAll: true,
    better: 'lower',
    metrics: { 'failed calls': { unit: '' }, 'placed anew': { unit: 'ms' }, 'calls answered': { unit: '', better: 'higher' } },
    rows: /** @type {const} */ (['killed', 'stopped', 'cut off']).map((how) => ({
      name: how,
      skip:
        how === 'cut off' && places[0].cut === null
          ? 'hosts on loopback have no link of their own'
          : places.length < 2
            ? 'it takes two hosts'
            : null,
      run: () => lose(how, places),
    })),
  });
}

/**
 * The same program with its replicas elsewhere; on both: here first, and then on the hosts.
 *
 * @param {Settings} settings
 * @param {object} recipe above where they are
 * @returns {{name: string, env: Record<string, string>}[]}
 */
function waysOf({ daemons }, recipe) {
  const { nodes } = daemons;
  const places = { 'local only': {}, 'hosts only': { where: 'host', nodes }, both: { where: ['process', 'host'], nodes } };
  return Object.entries(places).map(([name, where]) => {
    const file = daemons.write(`${name.replace(' ', '-')}.json`, JSON.stringify({ ...recipe, ...where }));
    return { name, env: { IGNIS_RECIPE: file, IGNIS_IDENTITY: daemons.keys('home') } };
  });
}

/** @param {Settings} settings */
function wiki(settings) {
  const { seconds, said, isQuick } = settings;
  const rounds = isQuick ? 1 : settings.rounds;
  const ways = [{ name: 'plain', env: {} }, ...waysOf(settings, { preload: true })];
  return compare({
    title: `wiki, saturated: ${CONNECTIONS} clients, 1 % slow pages (${said})`,
    rounds,
    warmup: 0,
    unit: 'requests/s',
    metrics: { 'ordinary p99': { unit: 'ms', better: 'lower' } },
    rows: ways.map(({ name, env }) => {
      /** @type {Program} */
      let program;
      return {
        name,
        setup: async () => {
          program = await new Program(name === 'plain' ? 'plain' : 'ignis', { env }).ready();
        },
        check: () => checkAnswer(program.url),
        run: async () => {
          await program.load({ connections: CONNECTIONS, seconds: WARM_SECONDS });
          const report = withoutErrors(await program.load({ connections: CONNECTIONS, seconds }));
          return { all: report.requestsPerSecond, 'ordinary p99': report.ordinary.p99 };
        },
        teardown: async () => tellWhere(name, await program?.end()),
      };
    }),
  });
}

/** Where its replicas were, so that a figure can be believed. @param {string} name @param {any} report of Ignis; null without it */
function tellWhere(name, report) {
  if (report === null || report === undefined || process.argv.includes('--json')) return;
  /** @type {Record<string, number>} */
  const count = {};
  for (const { where, calls } of report.replicas) count[where] = (count[where] ?? 0) + (calls ?? 0);
  console.log(
    `\n${name}: calls served by ${
      Object.entries(count)
        .map(([where, calls]) => `${where}: ${calls}`)
        .join(', ') || 'home alone'
    }`,
  );
}

/** @param {Settings} settings */
function rank(settings) {
  const { rounds, isQuick, said } = settings;
  const options = { books: isQuick ? 4 : 6, bytes: isQuick ? 300000 : 1000000, expected: { digest: '' } };
  const ways = waysOf(settings, { copies: [REPLICAS, REPLICAS] });
  return compare({
    title: `ranking: ${options.books} books of ${options.bytes} bytes, 4 at a time, ${REPLICAS} replicas (${said})`,
    rounds,
    unit: 'books/s',
    rows: [
      ranking.row('plain', ['app.js'], options),
      ...ways.map(({ name, env }) => ranking.row(name, ['-r', REGISTER, 'app.js'], { ...options, env })),
    ],
  });
}

/** @type {Record<string, (settings: Settings) => Promise<unknown>>} */
const PARTS = { call, loss, wiki, ranking: rank };

async function main() {
  const values = valuesOf(__filename, {
    json: { type: 'boolean' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(PARTS).join(',') },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    hosts: { type: 'string', default: '2' },
    delay: { type: 'string', default: '0' },
  });
  const isQuick = values.quick;
  const wanted = values.only.split(',');
  const unknown = wanted.find((part) => !Object.hasOwn(PARTS, part));
  if (unknown !== undefined) throw new Error(`there is no part ${JSON.stringify(unknown)}; there are ${Object.keys(PARTS).join(', ')}`);
  const { list, said, remove } = openPlaces(Number(values.hosts), Number(values.delay));
  let daemons;
  try {
    daemons = await Daemons.start(list, 2 * REPLICAS);
    const settings = { rounds: Number(values.rounds ?? (isQuick ? 3 : 5)), seconds: Number(values.seconds ?? (isQuick ? 3 : 8)), isQuick };
    for (const part of wanted) await PARTS[part]({ ...settings, daemons, places: list, said });
  } finally {
    await daemons?.end();
    remove();
  }
}

if (require.main === module) {
  endOnSignals();
  process.once('SIGTERM', () => process.exit(143));
  main().catch((error) => {
    console.error(`bench/hosts: ${error.message}`);
    process.exitCode = 1;
  });
}
