'use strict';

// Applications of other people, unmodified: plain, under `ignis run`, and under `ignis run --dash` with its page open.
//   node bench/apps.js [--json] [--only verdaccio,node-red] [--cache DIR] [--rounds 5] [--seconds 3] [--connections 8] [--check]
// In: the list in bench/apps/list.js; the packages come from the registry into a folder outside this repository. Out: what each loads, how
// long it takes until it serves, requests a second, p99 and processor time of its process for a request. None is measured that does not do
// its job, and with --check that is all that is looked at.

const os = require('node:os');
const path = require('node:path');
const { APPS } = require('./apps/list.js');
const { install } = require('./apps/install.js');
const { Running, WAYS } = require('./apps/running.js');
const { endOnSignals } = require('./lib/ending.js');
const { compare, machine } = require('./lib/harness.js');
const { number, table } = require('./lib/table.js');
const { valuesOf } = require('./lib/options.js');

/** Before the first round: enough that V8 has compiled what is hot, on a slow machine too. */
const WARM_REQUESTS = 8000;
const NAME = /[\\/]node_modules[\\/](@[^\\/]+[\\/][^\\/]+|[^\\/@.][^\\/]*)[\\/]/g;

/**
 * @typedef {import('./apps/list.js').App} App
 * @typedef {{rounds: number, seconds: number, connections: number, isCheck: boolean}} How
 * @typedef {import('./lib/harness.js').Result} Result
 * @typedef
 *   {{app: string, what: string, installed: number, packages: number, boundaries: number, start: Result | null, load: Result | null}}
 *   Measured
 */

/** @param {App} app @param {string} main @returns {Promise<number>} packages of which it has loaded a file, itself among them */
async function packagesOf(app, main) {
  const running = await Running.start(app, main, 'plain', { isCounted: true });
  try {
    await app.check(running.url);
    const roots = (await running.loaded()).map((url) => {
      const last = [...decodeURI(url).matchAll(NAME)].at(-1);
      return last === undefined ? null : decodeURI(url).slice(0, last.index + last[0].length);
    });
    return new Set(roots.filter((root) => root !== null)).size;
  } finally {
    await running.end();
  }
}

/**
 * @param {App} app
 * @param {string} url
 * @param {{connections: number, seconds: number, amount?: number}} how amount: so many requests, however long that takes
 */
async function load({ name, requests }, url, { connections, seconds, amount }) {
  const result = await require('autocannon')({
    url,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    requests: requests.map((request) => ({ method: 'GET', ...request })),
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0 || result['2xx'] === 0) throw new Error(`${name}: ${failed} of ${result.requests.sent} requests failed`);
  return result;
}

/** @param {App} app @param {string} main @param {How} how */
function compareStarts(app, main, { rounds }) {
  return compare({
    title: `${app.name}, until it serves`,
    rounds,
    warmup: 1,
    unit: 'ms',
    better: 'lower',
    quiet: true,
    metrics: { start: {}, 'processor at start': {} },
    rows: WAYS.map((way) => ({
      name: way,
      run: async () => {
        const running = await Running.start(app, main, way);
        const computed = running.processorMs;
        await running.end();
        return { start: running.startMs, 'processor at start': computed };
      },
    })),
  });
}

/** @param {App} app @param {string} main @param {How} how @param {{boundaries: number}} page what it showed */
function compareLoad(app, main, how, page) {
  return compare({
    title: `${app.name}, ${how.connections} clients`,
    rounds: how.isCheck ? 1 : how.rounds,
    warmup: how.isCheck ? 0 : 1,
    quiet: true,
    metrics: {
      'requests/s': { better: 'higher' },
      p99: { unit: 'ms', better: 'lower' },
      'processor a request': { unit: 'us', better: 'lower' },
    },
    rows: WAYS.map((way) => {
      /** @type {Running} */
      let running;
      return {
        name: way,
        setup: async () => {
          running = await Running.start(app, main, way);
        },
        check: async () => {
          await app.check(running.url);
          if (!how.isCheck) await load(app, running.url, { ...how, amount: WARM_REQUESTS });
        },
        run: async () => {
          const before = running.processorMs;
          const { requests, latency, duration } = await load(app, running.url, how);
          const took = running.processorMs - before;
          return { 'requests/s': requests.total / duration, p99: latency.p99, 'processor a request': (took * 1000) / requests.total };
        },
        teardown: async () => {
          if (running === undefined) return;
          if (way === 'ignis run --dash') {
            page.boundaries = await running.boundaries();
            if (page.boundaries === 0) throw new Error(`${app.name}: the page shows no boundary`);
          }
          await running.end();
        },
      };
    }),
  });
}

/** @param {App} app @param {string} cache @param {How} how @param {(line: string) => void} say @returns {Promise<Measured>} */
async function measure(app, cache, how, say) {
  const { main, installed } = install(app, cache, say);
  const packages = await packagesOf(app, main);
  const page = { boundaries: 0 };
  say(`${app.name} ${app.version}: ${installed} packages installed, ${packages} loaded; it does its job plain`);
  const result = await compareLoad(app, main, how, page);
  say(`${app.name}: it does its job in all three ways; ${page.boundaries} boundaries on the page`);
  const start = how.isCheck ? null : await compareStarts(app, main, how);
  return { app: `${app.name} ${app.version}`, what: app.what, installed, packages, ...page, start, load: how.isCheck ? null : result };
}

/** @param {Result | null} result @param {string} metric @returns {string[]} the plain figure, and the ratios of the others */
function figures(result, metric) {
  const [plain, ...others] = (result?.rows ?? []).map((row) => row.metrics[metric]);
  return plain === undefined ? ['-', '-', '-'] : [number(plain.median), ...others.map(({ ratio }) => ratio.toFixed(3))];
}

/** @param {Measured[]} all @returns {string} */
function report(all) {
  const { node, cpu, cores, date } = machine();
  const parts = [
    table(
      ['application', 'packages loaded', 'installed', 'boundaries at level 1'],
      all.map(({ app, packages, installed, boundaries }) => [app, String(packages), String(installed), String(boundaries)]),
    ),
  ];
  for (const [title, metric, of] of /** @type {const} */ ([
    ['until it serves, ms', 'start', 'start'],
    ['processor until it serves, ms', 'processor at start', 'start'],
    ['requests/s', 'requests/s', 'load'],
    ['p99, ms', 'p99', 'load'],
    ['processor a request, us', 'processor a request', 'load'],
  ])) {
    const titles = [title, 'plain', 'ignis run', '--dash, page open'];
    parts.push(
      table(
        titles,
        all.map((one) => [one.app, ...figures(one[of], metric)]),
      ),
    );
  }
  parts.push(`ratios to plain, medians of the ratios within a round; Node ${node}, ${cores} cores, ${cpu}, ${date}`);
  return `\n${parts.join('\n\n')}`;
}

/** @param {Record<string, any>} values @param {string} name @returns {number} */
function numberOf(values, name) {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} takes a number above 0, not ${JSON.stringify(values[name])}`);
  return value;
}

/** @param {string[]} args */
async function main(args) {
  const values = valuesOf(
    __filename,
    {
      json: { type: 'boolean' },
      only: { type: 'string', default: APPS.map(({ name }) => name).join(',') },
      cache: { type: 'string', default: path.join(os.tmpdir(), 'ignis-apps') },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '8' },
      check: { type: 'boolean', default: false },
    },
    args,
  );
  const apps = values.only.split(',').map((name) => {
    const app = APPS.find((known) => known.name === name);
    if (app === undefined)
      throw new Error(`there is no application ${JSON.stringify(name)}; there are ${APPS.map((known) => known.name).join(', ')}`);
    return app;
  });
  /** @type {How} */
  const how = {
    rounds: numberOf(values, 'rounds'),
    seconds: values.check ? 1 : numberOf(values, 'seconds'),
    connections: numberOf(values, 'connections'),
    isCheck: values.check,
  };
  const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
  const all = [];
  for (const app of apps) all.push(await measure(app, path.resolve(values.cache), how, say));
  if (values.json) console.log(JSON.stringify({ bench: 'apps', machine: machine(), all }));
  else if (!values.check) console.log(report(all));
}

if (require.main === module) {
  endOnSignals();
  main(process.argv.slice(2)).catch((error) => {
    console.error(`bench/apps: ${error.message}`);
    process.exitCode = 1;
  });
}
