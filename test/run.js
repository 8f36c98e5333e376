'use strict';

// All tests, as `npm test` runs them: in several processes of mocha at a time, since tests that start processes and wait for them leave a
// good part of the processors idle.
//   node test/run.js                  all of them
//   node test/run.js ARGUMENT...      one mocha with these arguments: `npm test -- test/wire -g codec`
// In: the arguments; IGNIS_TEST_LANES, how many at a time. Out: a line as each part ends, with what failed in full before it, and
// `N passed, N failed` as the last one. Exit code 0 only when nothing failed. One that is told to end ends its processes, and then as it
// was told.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROOT = path.join(__dirname, '..');
const MOCHA = require.resolve('mocha/bin/mocha.js');
const REPORTER = path.join(__dirname, 'helpers', 'reporter.js');
const PART_MS = 1_500_000;
/** Mocha hands it on to the process that it runs in. */
const STOP = 'SIGINT';
const LANES = Math.max(1, Number(process.env.IGNIS_TEST_LANES) || Math.min(5, 2 * os.availableParallelism() + 1));

/** Looks at shares of time, and so has the machine for itself. */
const QUIET = { quiet: ['test/profile', 'test/rank'] };

/**
 * What takes longest begins first. Every folder of test/ but those without tests stands somewhere here.
 *
 * @type {Record<string, string[]>}
 */
const PARTS = {
  walk: ['test/walk'],
  host: ['test/host'],
  tools: ['test/cli', 'test/view', 'test/fs', 'test/fs-faults', 'test/*.test.js'],
  imports: ['test/boot', 'test/import', 'test/wrap', 'test/recipe'],
  spawn: ['test/spawn', 'test/safety', 'test/faults'],
  contract: ['test/contract'],
  tables: ['test/suites', 'test/recipes', 'test/state'],
  // Graphs of a million nodes, which are not to slow down what comes after them.
  graphs: ['test/object', 'test/session/marshal.test.js'],
  programs: ['test/check', 'test/examples', 'test/fuzz'],
  links: ['test/session', 'test/wire', '--ignore', 'test/session/marshal.test.js'],
};
const NO_TESTS = ['fixtures', 'helpers'];

const begun = performance.now();
const seconds = (/** @type {number} */ since) => `${Math.round((performance.now() - since) / 1000)} s`;
const say = (/** @type {string} */ text) => console.log(`== ${seconds(begun)}: ${text}`);

/** Nobody is to think that it hangs. */
const TELL_MS = 60_000;

/** @type {Set<string>} parts that run now */
const underWay = new Set();

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();

/** @type {NodeJS.Signals | null} by which this process was told to end */
let told = null;

/** @typedef {{passed: number, failed: number}} Counts */

/**
 * @param {string[]} args of mocha
 * @param {import('node:child_process').SpawnOptions} how
 * @returns {Promise<[code: number | null, signal: NodeJS.Signals | null]>}
 */
async function mocha(args, how) {
  const child = spawn(process.execPath, [MOCHA, ...args], { cwd: ROOT, ...how });
  children.add(child);
  const [code, signal] = await once(child, 'exit');
  children.delete(child);
  return [code, signal];
}

/** Once more, and it ends at once. */
function endWhenTold() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.once(signal, () => {
      told ??= signal;
      for (const child of children) child.kill(STOP);
    });
}

/**
 * @param {string} name
 * @param {string[]} args
 * @param {string} scratch a folder
 * @returns {Promise<Counts>} a process that ends badly counts as one failed, too
 */
async function run(name, args, scratch) {
  const since = performance.now();
  underWay.add(name);
  const [counted, log] = [`${name}.json`, `${name}.log`].map((file) => path.join(scratch, file));
  const said = fs.openSync(log, 'w');
  const [code, signal] = await mocha(['--reporter', REPORTER, '--reporter-option', `output=${counted}`, ...args], {
    stdio: ['ignore', said, said],
    timeout: PART_MS,
    killSignal: STOP,
  });
  underWay.delete(name);
  fs.closeSync(said);
  if (told !== null) return { passed: 0, failed: 1 };
  const { passes, failures } = readCounts(counted);
  // Also a run that says nothing, or ends badly behind its last test (a crash).
  const failed = failures === 0 && (code !== 0 || passes === 0) ? 1 : failures;
  if (failed > 0) process.stdout.write(fs.readFileSync(log));
  if (failed > failures) say(`${name} ended with ${signal ?? code}, and said of no test that it failed`);
  say(`${name}: ${passes} passed, ${failed} failed; it took ${seconds(since)}`);
  return { passed: passes, failed };
}

/** @param {string} file @returns {{passes: number, failures: number}} */
function readCounts(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).stats;
  } catch {
    return { passes: 0, failures: 0 };
  }
}

/** @param {Record<string, string[]>} parts @param {number} lanes @param {string} scratch @returns {Promise<Counts[]>} */
async function runAll(parts, lanes, scratch) {
  const queue = Object.entries(parts);
  /** @type {Counts[]} */
  const counts = [];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined && told === null; next = queue.shift())
      counts.push(await run(next[0], next[1], scratch));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return counts;
}

/** @throws {Error} a folder of tests that nobody would run */
function checkFolders() {
  const named = new Set(Object.values({ ...QUIET, ...PARTS }).flat());
  for (const one of fs.readdirSync(__dirname, { withFileTypes: true }))
    if (one.isDirectory() && !named.has(`test/${one.name}`) && !NO_TESTS.includes(one.name))
      throw new Error(`no part of test/run.js has test/${one.name}`);
}

async function main() {
  endWhenTold();
  const args = process.argv.slice(2);
  if (args.length > 0) {
    const [code] = await mocha(args, { stdio: 'inherit' });
    process.exitCode = code ?? 1;
    return;
  }
  checkFolders();
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-tests-'));
  const teller = setInterval(() => say(`under way: ${[...underWay].join(', ')}`), TELL_MS);
  try {
    say(
      `all tests on ${process.version}, first those that need a quiet machine, then up to ${LANES} parts at a time: some ten minutes on two cores`,
    );
    const counts = [...(await runAll(QUIET, 1, scratch)), ...(await runAll(PARTS, LANES, scratch))];
    if (told !== null) return;
    const sum = (/** @type {keyof Counts} */ of) => counts.reduce((all, one) => all + one[of], 0);
    console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
    if (sum('failed') > 0) process.exitCode = 1;
  } finally {
    clearInterval(teller);
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

void main().finally(() => told !== null && process.kill(process.pid, told));
