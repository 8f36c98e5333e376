'use strict';

// npm run suites [-- --only a,b --mode plain,profiled --from DIR]: other people's test suites under Ignis.
// In: the lists of suites, options. Out: a table of what passed in each mode, below it every test that passes plain and not there, by
// reason. Exits 1 when a test was lost that known.json does not list, 2 when it was called wrong. It never writes into this repository.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { REGISTRY } = require('./suites');
const { CHECKOUTS } = require('./checkouts');
const { prepare } = require('./prepare');
const { MODES, MORE_MODES, commandsOf, runSuite } = require('./run');
const { baselineOf, lostIn, checkKnown, knownOn } = require('./compare');
const { report } = require('./report');

/** @typedef {import('./run').Mode} Mode */

const HELP = `npm run suites -- [options]
  --only a,b        these suites (default: all; those from a checkout only with --from)
  --mode a,b        of plain, profiled, exact, thread, process (default: all of these; plain always runs, twice), and host: the package
                    on a host, whose daemon IGNIS_NODES names (and IGNIS_IDENTITY a folder that ignis keys has made)
  --imports         the package is imported by ES modules, instead of being required
  --from DIR        a folder with one checkout a package, for suites that the registry does not serve
  --cache DIR       where sources and what they need are laid out (default: ignis-suites in the temporary folder)
  --ignis DIR       another copy of Ignis, to be put to the test (default: this one)
  --timeout SECONDS for one suite in one mode (default: 60)
  --print           the commands instead of running them
  --json            the result as JSON
  --all             every lost test, not the first five of a reason
  --list            the suites`;

/** @type {import('./compare').Known[]} */
const KNOWN = knownOn(require('./known.json'), process.versions.node);

const OPTIONS = /** @type {const} */ ({
  only: { type: 'string' },
  mode: { type: 'string' },
  imports: { type: 'boolean' },
  from: { type: 'string' },
  cache: { type: 'string' },
  ignis: { type: 'string' },
  timeout: { type: 'string' },
  print: { type: 'boolean' },
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
});

const ALL_MODES = [...MODES, ...MORE_MODES];

/** Wrong on the command line: said in one sentence, without a stack. */
class Misuse extends Error {}

/** @param {string[]} args */
function readOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS, strict: true }));
  } catch (error) {
    throw new Misuse(/** @type {Error} */ (error).message);
  }
  const modes = /** @type {Mode[]} */ (
    values.mode === undefined ? MODES : ALL_MODES.filter((mode) => mode === 'plain' || values.mode?.split(',').includes(mode))
  );
  const strange = values.mode?.split(',').find((mode) => !ALL_MODES.some((known) => known === mode));
  if (strange !== undefined) throw new Misuse(`there is no mode ${strange}; there are ${ALL_MODES.join(', ')}`);
  if (modes.includes('host') && !(process.env.IGNIS_NODES && process.env.IGNIS_IDENTITY))
    throw new Misuse('mode host needs a daemon: IGNIS_NODES=IP:PORT, and IGNIS_IDENTITY=FOLDER for who this machine is');
  const timeoutMs = Number(values.timeout ?? 60) * 1000;
  if (!(timeoutMs > 0)) throw new Misuse('--timeout is a number of seconds above 0');
  const { from, only } = values;
  const ignis = values.ignis === undefined ? undefined : path.resolve(values.ignis);
  return {
    ...values,
    ignis,
    modes,
    timeoutMs,
    suites: choose(only, from),
    cache: path.resolve(values.cache ?? path.join(os.tmpdir(), 'ignis-suites')),
  };
}

/** @param {string | undefined} only @param {string | undefined} from */
function choose(only, from) {
  const all = [...REGISTRY, ...CHECKOUTS];
  const served =
    from === undefined
      ? REGISTRY
      : all.filter((suite) => suite.source === 'registry' || fs.existsSync(path.join(from, suite.package ?? suite.name)));
  if (only === undefined) return served;
  return only.split(',').map((name) => {
    const suite = served.find((known) => known.name === name);
    if (suite !== undefined) return suite;
    if (all.some((known) => known.name === name)) throw new Misuse(`${name} needs a checkout: --from DIR, with ${name} in it`);
    throw new Misuse(`there is no suite ${name}; there are ${all.map((known) => known.name).join(', ')}`);
  });
}

/**
 * @param {import('./suites').Suite} suite
 * @param {string} folder
 * @param {{ modes: Mode[], timeoutMs: number, ignis?: string, imports?: boolean }} options
 * @param {(line: string) => void} say
 */
async function measure(suite, folder, { modes, timeoutMs: common, ignis, imports: isImported = false }, say) {
  const imports = isImported ? path.join(folder, '.suites-imports.json') : undefined;
  const limits = { timeoutMs: suite.timeoutMs ?? common, ignis, imports };
  if (isImported) await runSuite(suite, folder, 'plain', { ...limits, isRecording: true });
  const plain = [await runSuite(suite, folder, 'plain', limits), await runSuite(suite, folder, 'plain', limits)];
  const baseline = baselineOf(plain.map((run) => run.outcomes));
  const ms = { plain: plain[1].ms };
  say(
    `${suite.name} plain: ${baseline.passed.size} passed, ${baseline.failed.size} failed, ${baseline.flaky.size} flaky, ${seconds(ms.plain)}${ended(plain[1])}`,
  );
  const result = { suite, passed: { plain: baseline.passed.size }, failed: baseline.failed.size, flaky: [...baseline.flaky], ms, lost: [] };
  for (const mode of modes) {
    if (mode === 'plain') continue;
    const run = await runSuite(suite, folder, mode, limits);
    const { lost, once } = await confirmed(baseline, run, { suite: suite.name, mode }, () => runSuite(suite, folder, mode, limits));
    result.flaky.push(...once);
    Object.assign(result.passed, { [mode]: baseline.passed.size - lost.length });
    Object.assign(result.ms, { [mode]: run.ms });
    Object.assign(result, { lost: [...result.lost, ...lost] });
    say(`${suite.name} ${mode}: ${baseline.passed.size - lost.length} of ${baseline.passed.size}, ${seconds(run.ms)}${ended(run)}`);
  }
  return result;
}

/**
 * A test that hangs on the time of day may fail once, here as plain: what is lost and not known has to be lost twice.
 *
 * @param {import('./compare').Baseline} baseline
 * @param {import('./run').Run} run
 * @param {{ suite: string, mode: Mode }} at
 * @param {() => Promise<import('./run').Run>} again
 * @returns {Promise<{ lost: import('./compare').Lost[], once: string[] }>}
 */
async function confirmed(baseline, run, at, again) {
  const lost = lostIn(baseline, run).map((one) => ({ ...at, ...one }));
  if (run.isLate || checkKnown(lost, KNOWN, []).unlisted.length === 0) return { lost, once: [] };
  const second = new Set(lostIn(baseline, await again()).map(({ test }) => test));
  const [twice, once] = [lost.filter(({ test }) => second.has(test)), lost.filter(({ test }) => !second.has(test))];
  return { lost: twice, once: once.map(({ test }) => test) };
}

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** @param {import('./run').Run} run */
const ended = ({ ending }) => (ending === null ? '' : ` (${ending})`);

/** @param {string[]} args @returns {Promise<number>} exit code */
async function main(args) {
  const options = readOptions(args);
  if (options.help) return print(HELP);
  if (options.list) return print(options.suites.map(({ name, version, style }) => `${name} ${version}: ${style}`).join('\n'));
  const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
  const folders = prepare(options.suites, { cache: options.cache, from: options.from ?? null, say });
  const folderOf = (/** @type {string} */ name) => String(folders.get(name));
  if (options.print) {
    for (const suite of options.suites)
      for (const mode of options.modes) printCommands(commandsOf(suite, folderOf(suite.name), mode, { ignis: options.ignis }));
    return 0;
  }
  const results = [];
  for (const suite of options.suites) results.push(await measure(suite, folderOf(suite.name), options, say));
  const lost = results.flatMap((result) => result.lost);
  const ran = results.flatMap(({ suite }) => options.modes.map((mode) => ({ suite: suite.name, mode })));
  const checked = checkKnown(lost, KNOWN, ran);
  if (options.json) print(JSON.stringify({ node: process.version, results, ...checked }, null, 2));
  else print(report(results, options.modes, checked, options.all ? Infinity : 5));
  // A suite of which nothing passes plain was not run at all.
  return checked.unlisted.length > 0 || results.some((result) => result.passed.plain === 0) ? 1 : 0;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** @param {import('./run').Command[]} commands */
function printCommands(commands) {
  const quote = (/** @type {string} */ word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  for (const { args, env, cwd } of commands) {
    const set = Object.entries(env).map(([name, value]) => `${name}=${quote(value)} `);
    print(`(cd ${quote(cwd)} && ${set.join('')}node ${args.map(quote).join(' ')})`);
  }
}

if (require.main === module) {
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      if (!(error instanceof Misuse)) throw error;
      process.stderr.write(`suites: ${error.message}\n`);
      process.exitCode = 2;
    },
  );
}

exports.readOptions = readOptions;
