'use strict';

// Compares ways to do the same thing, in one process and one run.
// In: rows, each with a function to measure. Out: a table on stdout (or, with --json, one JSON line) and the same as a record.
// The rows take turns, round by round, each round from another row on, so that what else the machine does falls on all of
// them; a ratio is the median of the ratios within a round. It never times a row whose answer is wrong: checks come first.

const os = require('node:os');
const { median, percentile, spread } = require('./statistics.js');
const { Stolen } = require('./stolen.js');
const { number, table } = require('./table.js');

/**
 * @typedef {number | Record<string, number>} Measure one number, or several by name; the name is the title in the table
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {() => unknown} [setup] once, before the check
 * @property {() => unknown} [check] throws (or rejects) when the row computes something else than it should
 * @property {(round: number) => Measure | Promise<Measure>} run one round, counted from 0, below that while warming up; again where a
 *   hypervisor disturbed it: its last answer counts
 * @property {() => unknown} [teardown] once, also after an error
 * @property {string | null} [skip] why this row cannot run here; it stands in the table with the reason
 *
 * @typedef {object} Metric
 * @property {string} [unit]
 * @property {'higher' | 'lower'} [better]
 *
 * @typedef {object} Comparison
 * @property {string} title
 * @property {Row[]} rows
 * @property {string} [baseline] name of the row that is 1.00; the first by default
 * @property {number} [rounds] at least 1, default 7
 * @property {number} [warmup] rounds that do not count, default 1
 * @property {string} [unit] of all metrics that have none of their own
 * @property {'higher' | 'lower'} [better] default 'higher'
 * @property {Record<string, Metric>} [metrics] by name
 * @property {boolean} [json] default: whether the command line holds --json
 * @property {boolean} [quiet] prints nothing at all; default false
 * @property {boolean} [keepsAll] every run counts, disturbed or not, since what fails in one must not be dropped; default false
 * @property {Stolen} [stolen] counts runs that a hypervisor disturbed; one of its own by default
 *
 * @typedef {object} Summary of one metric of one row
 * @property {number} median
 * @property {number} p99 what all but a hundredth of the rounds kept at least: the slow end, whichever that is
 * @property {number} spread between the quartiles, as a share of the median
 * @property {number} ratio to the baseline row; 1 for the baseline itself
 * @property {number[]} values one a round
 *
 * @typedef {object} RowResult
 * @property {string} name
 * @property {string | null} skipped
 * @property {Record<string, Summary>} metrics
 *
 * @typedef {object} Result
 * @property {string} title
 * @property {string} baseline
 * @property {number} rounds
 * @property {Record<string, Required<Metric>>} metrics
 * @property {RowResult[]} rows
 * @property {Machine} machine
 * @property {string} disturbed in words; '' when no run was repeated
 *
 * @typedef {object} Machine
 * @property {string} node
 * @property {string} cpu
 * @property {number} cores
 * @property {string} platform
 * @property {string} date
 */

/**
 * @returns {Machine} what a figure must name beside itself
 */
function machine() {
  const cpus = os.cpus();
  return {
    node: process.version,
    cpu: cpus[0]?.model.trim() || 'unknown',
    cores: os.availableParallelism(),
    platform: `${process.platform} ${process.arch}`,
    date: new Date().toISOString().slice(0, 10),
  };
}

/**
 * @param {Comparison} comparison
 * @returns {Promise<Result>}
 * @throws {Error} when a name occurs twice, the baseline is not among the rows, or a row fails
 */
async function compare(comparison) {
  const { rows, rounds = 7, warmup = 1, quiet = false, keepsAll = false, json = process.argv.includes('--json') } = comparison;
  const baseline = comparison.baseline ?? rows[0].name;
  checkNames(rows, baseline);
  const live = rows.filter((row) => !row.skip);
  /** @type {Map<string, Record<string, number>[]>} */
  const samples = new Map(live.map((row) => [row.name, []]));
  /** @type {Row[]} */
  const begun = [];
  const stolen = comparison.stolen ?? new Stolen();
  try {
    for (const row of live) {
      begun.push(row);
      await row.setup?.();
      await row.check?.();
    }
    for (let round = -warmup; round < rounds; round++) {
      for (let turn = 0; turn < live.length; turn++) {
        const row = live[(turn + round + warmup) % live.length];
        if (!quiet) progress(`${comparison.title}: round ${round + warmup + 1} of ${rounds + warmup}, ${row.name}`);
        const measured = await (round < 0 || keepsAll ? row.run(round) : stolen.undisturbed(() => row.run(round)));
        if (round >= 0) samples.get(row.name)?.push(typeof measured === 'number' ? { value: measured } : measured);
      }
    }
  } finally {
    if (!quiet) progress('');
    await tearDown(begun);
  }
  const result = { ...summarize(comparison, baseline, rounds, samples), disturbed: String(stolen) };
  if (!quiet) console.log(json ? JSON.stringify(result) : format(result));
  return result;
}

/**
 * @param {Row[]} rows
 * @param {string} baseline
 */
function checkNames(rows, baseline) {
  const names = rows.map((row) => row.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two rows are called ${JSON.stringify(twice)}`);
  if (!names.includes(baseline)) throw new Error(`the baseline ${JSON.stringify(baseline)} is not a row: ${names.join(', ')}`);
}

/**
 * Last begun, first ended; every row gets its turn, the first error is thrown after that.
 * @param {Row[]} begun
 */
async function tearDown(begun) {
  const errors = [];
  for (const row of begun.reverse()) {
    try {
      await row.teardown?.();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/**
 * @param {string} text shown in place on a terminal, nowhere else
 */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/**
 * @param {Comparison} comparison
 * @param {string} baseline
 * @param {number} rounds
 * @param {Map<string, Record<string, number>[]>} samples
 * @returns {Omit<Result, 'disturbed'>}
 */
function summarize(comparison, baseline, rounds, samples) {
  /** @type {Result['metrics']} */
  const metrics = {};
  for (const name of new Set([...samples.values()].flat().flatMap(Object.keys))) {
    const { unit = comparison.unit ?? '', better = comparison.better ?? 'higher' } = comparison.metrics?.[name] ?? {};
    metrics[name] = { unit, better };
  }
  const rows = comparison.rows.map((row) => {
    /** @type {RowResult['metrics']} */
    const summaries = {};
    for (const name of row.skip ? [] : Object.keys(metrics)) {
      const values = column(samples.get(row.name), name);
      const base = column(samples.get(baseline), name);
      summaries[name] = {
        median: median(values.filter(Number.isFinite)),
        p99: percentile(values.filter(Number.isFinite), metrics[name].better === 'lower' ? 99 : 1),
        spread: spread(values.filter(Number.isFinite)),
        ratio: median(values.map((value, round) => value / base[round]).filter(Number.isFinite)),
        values,
      };
    }
    return { name: row.name, skipped: row.skip || null, metrics: summaries };
  });
  return { title: comparison.title, baseline, rounds, metrics, rows, machine: machine() };
}

/**
 * @param {Record<string, number>[] | undefined} samples one a round
 * @param {string} name
 * @returns {number[]} NaN where a round does not have it
 */
function column(samples, name) {
  return (samples ?? []).map((sample) => sample[name] ?? NaN);
}

/**
 * @param {Result} result
 * @returns {string} the tables, one a metric, and the machine
 */
function format(result) {
  const blocks = Object.entries(result.metrics).map(([name, { unit, better }]) => {
    const title = [name === 'value' ? '' : name, unit, `(${better} is better)`].filter(Boolean).join(' ');
    const lines = result.rows.map((row) => {
      const figures = row.metrics[name];
      if (figures === undefined) return [row.name, 'skipped', '', '', ''];
      const share = Number.isFinite(figures.spread) ? `${(figures.spread * 100).toFixed(1)}%` : '-';
      const ratio = Number.isFinite(figures.ratio) ? figures.ratio.toFixed(figures.ratio < 10 ? 3 : 1) : '-';
      return [row.name, number(figures.median), number(figures.p99), share, ratio];
    });
    return table([title, 'median', 'p99', 'spread', 'ratio'], lines);
  });
  const skipped = result.rows.filter((row) => row.skipped).map((row) => `${row.name}: skipped: ${row.skipped}`);
  return [`\n## ${result.title}`, ...blocks, ...skipped, foot(result)].join('\n\n');
}

/**
 * @param {Result} result
 * @returns {string}
 */
function foot(result) {
  const { node, platform, cores, cpu, date } = result.machine;
  const rounds = result.rounds === 1 ? '1 round' : `${result.rounds} rounds`;
  return `ratio to "${result.baseline}", ${rounds}; Node ${node}, ${platform}, ${cores} cores, ${cpu}, ${date}${result.disturbed}`;
}

exports.compare = compare;
exports.format = format;
exports.machine = machine;
