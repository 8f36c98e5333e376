'use strict';

// The weblog of examples/koablog: its entries as plain files, in three copies with Ignis (one line), and in a store by hand.
//   node bench/koablog.js [--json] [--posts 1000] [--bytes 1100000] [--rounds 5] [--seconds 8] [--connections 16] [--disks /a,/b,/c] [--tiny]
//   --posts 10000 is the paper's (33 GB with three copies); --tiny shows that it runs, and measures nothing. --disks: folders on three disks; the first has what all programs read, the others
//   have the other copies of Ignis. Without, all lies on one disk, and copies can make nothing quicker.
// In: nothing but the options. Out: a table without and one with a busy disk (the first; three copies of files at a time), what a reader
// sees while nodes are killed, and how many lines each way took. All programs run at the same time but take load in turn. Files that fit
// into memory are read from there: say how much memory there was beside a figure.

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { fill, read } = require('../examples/koablog/load.js');
const { Program } = require('./koablog/program.js');
const { compare } = require('./lib/harness.js');
const { valuesOf } = require('./lib/options.js');

/**
 * @typedef
 *   {{posts: number, bytes: number, rounds: number, seconds: number, connections: number, disks: string[], diskMegabytes: number, json: boolean}}
 *   Options
 */
/** @typedef {{name: string, kind: 'plain' | 'ignis' | 'store', folder: string, program: Program, addresses: string[]}} Running */

const ENTRIES = path.join(__dirname, '..', 'examples', 'koablog', 'lib', 'entries.js');
/** @type {[string, Running['kind']][]} */
const WAYS = [
  ['plain', 'plain'],
  ['Ignis, 3 copies', 'ignis'],
  ['LevelDB by hand', 'store'],
];
const METRICS = /** @type {const} */ ({
  'requests/s': { better: 'higher' },
  p50: { unit: 'ms', better: 'lower' },
  p90: { unit: 'ms', better: 'lower' },
  p99: { unit: 'ms', better: 'lower' },
  'p99.9': { unit: 'ms', better: 'lower' },
});

/** @param {string[]} folders one a disk @param {Options} options @returns {Promise<Running[]>} filled, each in a folder of its own */
async function startAll(folders, { posts, bytes }) {
  /** @type {Running[]} */
  const all = [];
  try {
    for (const [name, kind] of WAYS) {
      const [own, ...others] = folders.map((folder) => path.join(folder, kind));
      for (const folder of [own, ...others]) fs.mkdirSync(folder);
      const program = await Program.start(kind, own, others);
      all.push({ name, kind, folder: own, program, addresses: [] });
      all[all.length - 1].addresses = await fill(program.url, posts, bytes);
    }
    return all;
  } catch (error) {
    await Promise.all(all.map(({ program }) => program.end()));
    throw error;
  }
}

/** @param {Running} running @param {Options} options */
async function check({ program, addresses }, { bytes }) {
  const page = await (await fetch(program.url + addresses[0])).text();
  assert.ok(page.includes('What was written here is of no interest') && page.length > bytes, 'the page is not whole');
}

/** @param {Running[]} all @param {Options} options @param {string} title */
async function measure(all, options, title) {
  const { rounds, seconds, connections, json } = options;
  const rows = all.map((running) => ({
    name: running.name,
    check: () => check(running, options),
    run: async () => {
      const { requests, p50, p90, p99, p999, failed } = await read({
        url: running.program.url,
        addresses: running.addresses,
        connections,
        seconds,
      });
      assert.equal(failed, 0, `${running.name}: ${failed} requests failed`);
      return { 'requests/s': requests, p50, p90, p99, 'p99.9': p999 };
    },
  }));
  await compare({ title, rows, rounds, warmup: rounds > 1 ? 1 : 0, metrics: METRICS, json });
}

/** @param {string} folder @param {number} megabytes @param {() => Promise<void>} run while the disk is busy */
async function withBusyDisk(folder, megabytes, run) {
  const copying = Array.from({ length: 3 }, () =>
    spawn(process.execPath, [path.join(__dirname, 'koablog', 'disk-load.js'), folder, String(megabytes)], { stdio: 'inherit' }),
  );
  try {
    await run();
  } finally {
    for (const child of copying) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
    }
  }
}

/** Nodes die one after the other while somebody reads. @param {Running} running @param {Options} options */
async function killNodes({ program, addresses }, { seconds, connections, json }) {
  const killed = /** @type {number[]} */ ([]);
  const timer = setInterval(() => {
    const pid = program.nodes()[killed.length % 3];
    if (pid === 0 || killed.includes(pid)) return;
    process.kill(pid, 'SIGKILL');
    killed.push(pid);
  }, Math.max(200, (seconds * 1000) / 4)); // prettier-ignore
  const result = await read({ url: program.url, addresses, connections, seconds }).finally(() => clearInterval(timer));
  assert.ok(killed.length > 0, 'no node was killed');
  assert.equal(result.failed, 0, `${result.failed} reads failed while nodes were killed`);
  const said = { title: 'koablog: nodes are killed while it is read', killed: killed.length, ...result };
  if (json) console.log(JSON.stringify(said));
  else
    console.log(`\n## ${said.title}\n\n${killed.length} killed, ${Math.round(result.requests)} requests/s, p99 ${result.p99} ms, 0 failed`);
}

/** @param {string} before @param {string} after @returns {number} lines of the second that are not in the first, as a diff counts them */
function added(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  /** How many lines the rests have in common, from a pair of places on. */
  const common = Array.from({ length: old.length + 1 }, () => new Array(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--)
      common[i][j] = old[i] === now[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  }
  return now.length - common[0][0];
}

/** @returns {Record<string, number>} lines of lib/entries.js that are others with each way */
function changedLines() {
  const text = fs.readFileSync(ENTRIES, 'utf8');
  const plain = text.replace("require('fs', { copies: 3 })", "require('fs')");
  const byHand = fs.readFileSync(path.join(__dirname, 'koablog', 'store-entries.js'), 'utf8');
  return { 'Ignis, 3 copies': added(plain, text), 'LevelDB by hand': added(plain, byHand) };
}

/** @param {Options} options */
async function run(options) {
  const disks = options.disks.length > 0 ? options.disks : [os.tmpdir()];
  const folders = disks.map((disk) => fs.mkdtempSync(path.join(disk, 'ignis-bench-koablog-')));
  /** @type {Running[]} */
  let all = [];
  try {
    all = await startAll(folders, options);
    const what = `koablog: ${options.posts} entries of ${options.bytes} bytes, ${disks.length === 1 ? 'one disk' : `${disks.length} disks`}`;
    await measure(all, options, what);
    await withBusyDisk(folders[0], options.diskMegabytes, () =>
      measure(all, options, `${what}, ${disks.length === 1 ? 'it' : 'the first'} busy`),
    );
    await killNodes(all[1], options);
    const lines = changedLines();
    if (options.json) console.log(JSON.stringify({ title: 'koablog: lines changed by hand', lines }));
    else console.log(`\nlines changed by hand: ${Object.entries(lines).map(([name, count]) => `${name} ${count}`).join(', ')}`); // prettier-ignore
  } finally {
    await Promise.all(all.map(({ program }) => program.end()));
    for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  const values = valuesOf(__filename, {
    json: { type: 'boolean', default: false },
    posts: { type: 'string' },
    bytes: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string', default: '16' },
    disks: { type: 'string' },
    tiny: { type: 'boolean', default: false },
  });
  const { posts, bytes, rounds, seconds } = values.tiny
    ? { posts: 3, bytes: 20_000, rounds: 1, seconds: 1 }
    : { posts: 1000, bytes: 1_100_000, rounds: 5, seconds: 8 };
  await run({
    posts: Number(values.posts ?? posts),
    bytes: Number(values.bytes ?? bytes),
    rounds: Number(values.rounds ?? rounds),
    seconds: Number(values.seconds ?? seconds),
    connections: Number(values.connections),
    disks: values.disks === undefined ? [] : values.disks.split(',').map((disk) => path.resolve(disk)),
    diskMegabytes: values.tiny ? 4 : 256,
    json: values.json,
  });
}

if (require.main === module) {
  main().catch((error) => {
    console.error(`bench/koablog: ${error.stack}`);
    process.exitCode = 1;
  });
}

exports.changedLines = changedLines;
