'use strict';

// Lift over applications of other people, put to the test by their own tests.
//   node bench/lift.js [--json] [--only release-it,mercurius] [--cache DIR] [--timeout 240]
// In: the list in bench/lift/apps.js; their tarballs come from the registry, as those of `npm run suites` do. Out: for each application how
// many calls of what it imports are lifted, why the others are not, and whether its tests pass as before: with every import lifted and all
// of it at home, and with the calls of its pure packages in a replica. Exits with 1 when a test is lost, or when `ignis lift --dry-run`
// says something else than the run.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { table } = require('./lib/table.js');
const { wrap } = require('./lib/screen.js');
const { valuesOf } = require('./lib/options.js');
const { APPS } = require('./lift/apps.js');
const { awayOf, differing, expectedOf, sumOf, talliesOf } = require('./lift/tally.js');
const { baselineOf, groupByReason, lostIn } = require('./suites/compare.js');
const { filesOf } = require('./suites/files.js');
const { prepare } = require('./suites/prepare.js');
const { runSuite } = require('./suites/run.js');

const ROOT = path.join(__dirname, '..');
const PRELOADS = [path.join(ROOT, 'lib', 'register.js'), path.join(__dirname, 'lift', 'record.js')];

/** @typedef {import('./lift/apps.js').App} App */
/** @typedef {'lifted' | 'away'} Mode lifted: all at home; away: calls of the pure packages go to a replica */

/**
 * Of all that is not named pure nothing is said but `lift`: it may keep a state, so it stays at home.
 *
 * @param {App} app
 * @param {Mode} mode
 */
function recipeOf({ pure }, mode) {
  const away = Object.fromEntries(pure.map((name) => [name, { lift: true, pure: true, copies: 1, where: 'thread' }]));
  return { modules: { '**': { lift: true }, ...(mode === 'away' ? away : {}) } };
}

/**
 * @param {App} app
 * @param {string} folder
 * @param {Mode} mode
 * @param {number} timeoutMs
 */
async function runLifted(app, folder, mode, timeoutMs) {
  const home = path.dirname(folder);
  const records = path.join(home, `lift-${mode}`);
  const recipe = path.join(home, `lift-${mode}.json`);
  fs.rmSync(records, { recursive: true, force: true });
  fs.writeFileSync(recipe, JSON.stringify(recipeOf(app, mode)));
  // Through the environment, so that it also holds in what the tests start.
  const env = {
    ...app.env,
    NODE_OPTIONS: PRELOADS.map((file) => `--require ${JSON.stringify(file)}`).join(' '),
    IGNIS_RECIPE: recipe,
    IGNIS_QUIET: 'true',
    LIFT_RECORD: records,
  };
  const run = await runSuite({ ...app, env }, folder, 'plain', { timeoutMs });
  return { run, records: readRecords(records), recipe };
}

/** @param {string} folder @returns {import('./lift/tally.js').Record[]} */
function readRecords(folder) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).map((file) => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')));
}

/** @param {App} app @param {string} folder @param {string} recipe @returns {import('./lift/tally.js').DryRun[]} */
function dryRuns({ entries }, folder, recipe) {
  return entries.map((entry) => {
    const args = [path.join(ROOT, 'bin', 'ignis.js'), 'lift', '--dry-run', '--json', '--recipe', recipe, entry];
    return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 }));
  });
}

/** @param {App} app @param {string} folder @param {number} timeoutMs @param {(line: string) => void} say */
async function measure(app, folder, timeoutMs, say) {
  const plain = [await runSuite(app, folder, 'plain', { timeoutMs }), await runSuite(app, folder, 'plain', { timeoutMs })];
  const baseline = baselineOf(plain.map(({ outcomes }) => outcomes));
  say(`${app.name} plain: ${baseline.passed.size} passed, ${baseline.failed.size} failed, ${baseline.flaky.size} flaky`);
  /** @type {Record<string, any>} */
  const modes = {};
  for (const mode of /** @type {Mode[]} */ (['lifted', 'away'])) {
    const first = await runLifted(app, folder, mode, timeoutMs);
    let lost = lostIn(baseline, first.run);
    // A test that hangs on the time of day may fail once, here as plain.
    if (lost.length > 0) {
      const again = new Set(lostIn(baseline, (await runLifted(app, folder, mode, timeoutMs)).run).map(({ test }) => test));
      lost = lost.filter(({ test }) => again.has(test));
    }
    modes[mode] = { ...first, lost };
    say(`${app.name} ${mode}: ${baseline.passed.size - lost.length} of ${baseline.passed.size}${first.run.isLate ? ', stopped' : ''}`);
  }
  const seen = talliesOf([...modes.lifted.records, ...modes.away.records], folder);
  const expected = expectedOf(dryRuns(app, folder, modes.lifted.recipe));
  const sources = new Set(filesOf(folder, sourcePatterns(app, folder)));
  const own = [...seen].filter(([file]) => sources.has(file));
  return {
    app: `${app.name} ${app.version}`,
    sources: { ...sumOf(own.map(([, [tally]]) => tally)), read: [...sources].length },
    others: sumOf([...seen].filter(([file]) => !sources.has(file)).map(([, [tally]]) => tally)),
    dryRun: { compared: own.filter(([file]) => expected.has(file)).length, differing: differing(new Map(own), expected) },
    tests: { plain: baseline.passed.size, lifted: passed(baseline, modes.lifted), away: passed(baseline, modes.away) },
    flaky: [...baseline.flaky],
    lost: [...modes.lifted.lost, ...modes.away.lost],
    callsAway: awayOf(modes.away.records),
  };
}

/** @param {import('./suites/compare.js').Baseline} baseline @param {{lost: unknown[]}} mode */
const passed = (baseline, { lost }) => baseline.passed.size - lost.length;

/** @param {App} app @param {string} folder @returns {string[]} of its sources, folders with all below them */
function sourcePatterns({ sources }, folder) {
  return sources.map((source) =>
    fs.statSync(path.join(folder, source), { throwIfNoEntry: false })?.isDirectory() ? `${source}/**/*.js` : source,
  );
}

/** @param {number} value */
const count = (value) => value.toLocaleString('en-US');

/** @param {Awaited<ReturnType<typeof measure>>[]} results @returns {string} */
function report(results) {
  const titles = ['application', 'files', 'calls', 'lifted', 'share', 'tests plain', 'lifted', 'away', 'lost', 'calls away'];
  const rows = results.map(({ app, sources, tests, lost, callsAway }) => [
    app,
    count(sources.files),
    count(sources.sites),
    count(sources.lifted),
    sources.share === null ? '-' : `${Math.round(sources.share * 100)} %`,
    ...[tests.plain, tests.lifted, tests.away].map(count),
    String(lost.length),
    count(Object.values(callsAway).reduce((sum, times) => sum + times, 0)),
  ]);
  const parts = [table(titles, rows)];
  for (const { app, sources, others, dryRun, callsAway, lost } of results) {
    const list = (/** @type {{[name: string]: number}} */ counts) =>
      Object.entries(counts)
        .map(([name, times]) => `${name} ${count(times)}`)
        .join(', ');
    const agreement = dryRun.differing.length === 0 ? `the same in ${dryRun.compared} files` : `another in ${dryRun.differing.join(', ')}`;
    parts.push(
      wrap(
        `${app}: not lifted: ${list(sources.reasons)}; in its tests ${others.lifted} of ${others.sites} lifted; the dry run says ${agreement}; away: ${list(callsAway) || 'none'}`,
        '',
      ),
    );
    for (const group of groupByReason(/** @type {any} */ (lost))) {
      parts.push(`  ${group.lost.length} x ${group.reason}\n${group.lost.map(({ test }) => `      ${test}`).join('\n')}`);
    }
  }
  return parts.join('\n\n');
}

/** @param {string[]} args @returns {Promise<number>} exit code */
async function main(args) {
  const values = valuesOf(
    __filename,
    {
      json: { type: 'boolean' },
      only: { type: 'string', default: APPS.map(({ name }) => name).join(',') },
      cache: { type: 'string', default: path.join(os.tmpdir(), 'ignis-lift') },
      timeout: { type: 'string', default: '240' },
    },
    args,
  );
  const apps = values.only.split(',').map((name) => {
    const app = APPS.find((known) => known.name === name);
    if (app === undefined)
      throw new Error(`there is no application ${JSON.stringify(name)}; there are ${APPS.map((known) => known.name).join(', ')}`);
    return app;
  });
  const timeoutMs = Number(values.timeout) * 1000;
  if (!(timeoutMs > 0)) throw new Error('--timeout is a number of seconds above 0');
  const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
  const folders = prepare(apps, { cache: path.resolve(values.cache), from: null, say });
  const results = [];
  for (const app of apps) results.push(await measure(app, String(folders.get(app.name)), timeoutMs, say));
  console.log(values.json ? JSON.stringify({ bench: 'lift', node: process.version, results }) : report(results));
  return results.some(({ tests, lost, dryRun }) => tests.plain === 0 || lost.length > 0 || dryRun.differing.length > 0) ? 1 : 0;
}

if (require.main === module) {
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      console.error(`bench/lift: ${error.message}`);
      process.exitCode = 1;
    },
  );
}

exports.recipeOf = recipeOf;
