'use strict';

// ignis simulate: what other numbers of replicas, more load or more cores would have brought, from a report's busiest window. The report
// may come from anywhere: impossible values are refused with a sentence.

const { IgnisError } = require('../errors.js');
const { fact, nearest, show, wholeNumber } = require('../option-table.js');
const { coresOf } = require('../rank/hosts.js');
const { measuredFromReport } = require('../rank/measured-report.js');
const { DEFAULT_CLIENTS } = require('../rank/full.js');
const { modelOf, smallestThatDoes } = require('../rank/prediction.js');
const { DEFAULT_SEED, simulate } = require('../rank/simulation.js');
const { whole } = require('../view/figures.js');
const { withReport } = require('./report-of.js');
const { Progress } = require('./progress.js');
const { figure, fold, plain, toTable } = require('./table.js');
const { misused } = require('./misuse.js');

/** @typedef {import('../rank/measured.js').Measured} Measured */
/** @typedef {Record<string, number>} Counts replicas by module */

const WIDTH = 100;

/** A person has time for more calls than a coordinator, and so for steadier figures. */
const CALLS = 20_000;
/** At least this many for each caller: the first calls of all come at once, and show only the start. */
const CALLS_A_CLIENT = 10;

const MOST_LINES = 256;
const MOST_REPLICAS = 256;
const MOST_LOAD = 1000;

/** @param {unknown} text @returns {number} NaN if it is no factor */
function factorOf(text) {
  return typeof text === 'string' && /^\d+(\.\d+)?x?$/.test(text) ? parseFloat(text) : NaN;
}

exports.usage = 'simulate [options] <report|pid|name>';
exports.summary =
  'Predicts calls a second, latencies and event-loop share for other numbers of replicas, from the busiest window of a report or of a running program.';
exports.options = Object.freeze([
  {
    name: 'replicas',
    type: 'module=0..4',
    isRepeated: true,
    check: (/** @type {unknown} */ value) => Array.isArray(value) || "of the form 'module=0..4' or 'module=2'",
    sentence:
      'How many replicas of a module; given several times, all combinations are simulated. By default the module that would free most of the event loop, with 0 replicas up to the number of cores, of this machine or of its hosts.',
  },
  {
    name: 'load',
    type: '2x',
    check: (/** @type {unknown} */ value) => {
      const factor = factorOf(value);
      return (factor > 0 && factor <= MOST_LOAD) || `a factor above 0 and up to ${MOST_LOAD}, such as 2x or 0.5x`;
    },
    sentence: 'A multiple of the measured load; by default 1x.',
  },
  {
    name: 'cores',
    type: 'number',
    check: wholeNumber(1, 1024),
    sentence: 'The cores of the machine, without those of other hosts; by default those in the report.',
  },
  {
    name: 'clients',
    type: 'number',
    check: wholeNumber(0, 100_000),
    sentence: `The number of callers, each of which waits for its answer and then calls again; 0: calls come at random, as often as measured. By default 0; but if the loop or the replicas were full, as many as were waiting, or as many calls as a turn of the full loop answered: at most ${DEFAULT_CLIENTS}, which is also taken if that is not known.`,
  },
  {
    name: 'seed',
    type: 'number',
    default: DEFAULT_SEED,
    check: wholeNumber(0, 2 ** 31),
    sentence: 'The seed of the random numbers: the same seed gives the same answer.',
  },
  { name: 'json', type: 'true | false', check: fact, sentence: 'Prints JSON: every answer, the model, and its sources.' },
  { name: 'quiet', type: 'true | false', check: fact, sentence: 'Does not print its progress.' },
]);

/** @param {string} detail @param {Record<string, unknown>} [fields] */
function wrong(detail, fields = {}) {
  return new IgnisError('IGNIS_BAD_OPTION', detail, fields);
}

/**
 * @param {string} text 'uri-js=0..4'
 * @param {Measured} measured
 * @returns {{module: string, counts: number[]}}
 * @throws {IgnisError} IGNIS_BAD_OPTION
 */
function readRange(text, measured) {
  const [, module, from, to = from] = /^(.+)=(\d{1,9})(?:\.\.(\d{1,9}))?$/s.exec(text) ?? [];
  if (module === undefined) throw wrong(`option 'replicas' is ${show(text)}; it must be of the form 'module=0..4' or 'module=2'`);
  const [least, most] = [Number(from), Number(to)];
  if (least > most) throw wrong(`option 'replicas' is ${show(text)}; write the smaller number first: ${most}..${least}`);
  if (most > MOST_REPLICAS) throw wrong(`option 'replicas' is ${show(text)}; at most ${MOST_REPLICAS} replicas are simulated`);
  const names = measured.modules.map((one) => one.module);
  if (!names.includes(module)) {
    const hint = nearest(module, names);
    throw wrong(`no module '${plain(module)}' was used in the busiest window of ${measured.from}; did you mean '${plain(hint)}'?`, {
      nearest: hint,
    });
  }
  return { module, counts: Array.from({ length: most - least + 1 }, (_, index) => least + index) };
}

/**
 * @param {Measured} measured
 * @param {any} report
 * @returns {import('../rank/measured.js').MeasuredModule} the one that would free most of the event loop; for an older report, the most
 *   pressed one
 */
function firstOf({ modules }, { prospects }) {
  return modules.find(({ module }) => module === prospects?.[0]?.module) ?? modules[0];
}

/**
 * @param {string[]} texts
 * @param {Measured} measured
 * @param {import('../rank/measured.js').MeasuredModule} first what is asked about if nothing is said
 * @param {number} cores
 * @returns {Counts[]} every combination, the fewest replicas first
 * @throws {IgnisError} IGNIS_BAD_OPTION
 */
function combinations(texts, measured, first, cores) {
  const given = texts.length > 0 ? texts : [`${first.module}=0..${Math.min(coresOf(first, cores), MOST_REPLICAS - 1)}`];
  const ranges = given.map((text) => readRange(text, measured));
  const twice = ranges.find(({ module }, index) => ranges.findIndex((other) => other.module === module) !== index);
  if (twice !== undefined) throw wrong(`option 'replicas' names '${plain(twice.module)}' twice; one range for each module`);
  const count = ranges.reduce((product, { counts }) => product * counts.length, 1);
  if (count > MOST_LINES)
    throw wrong(`option 'replicas' asks for ${count} combinations; at most ${MOST_LINES} are simulated, so narrow a range`);
  /** @type {Counts[]} */
  let all = [Object.create(null)];
  for (const { module, counts } of ranges)
    all = all.flatMap((one) => counts.map((replicas) => Object.assign(Object.create(null), one, { [module]: replicas })));
  const sum = (/** @type {Counts} */ one) => Object.values(one).reduce((total, replicas) => total + replicas, 0);
  return all.sort((a, b) => sum(a) - sum(b));
}

/**
 * @param {Measured} measured
 * @param {Counts[]} all
 * @param {{load: number, cores: number, clients?: number, seed: number, progress: Progress}} given
 */
function answer(measured, all, { load, cores, clients, seed, progress }) {
  const names = Object.keys(all[0]);
  const { model, source } = modelOf(measured, { modules: names, load, cores, clients });
  for (const { module, replicas } of model.modules)
    if (!names.includes(module)) source.assumed.push(`${module} keeps the ${replicas} replicas that it had`);
  const calls = Math.max(CALLS, CALLS_A_CLIENT * (model.crowd?.clients ?? 0));
  const answers = all.map((replicas, i) => {
    progress.say(`simulating ${i + 1} of ${all.length}: ${names.map((name) => `${replicas[name]} of ${name}`).join(', ')}`);
    const modules = model.modules.map((one) => ({ ...one, replicas: replicas[one.module] ?? one.replicas }));
    return { replicas, isSmallest: false, ...simulate({ ...model, modules }, { seed, calls }) };
  });
  const smallest = smallestThatDoes(answers);
  if (smallest !== null && smallest.callsPerSecond > 0) smallest.isSmallest = true;
  return { names, model, source, answers };
}

/** @param {ReturnType<typeof answer>} found @param {number} seed @returns {string} */
function toText({ names, source, answers }, seed) {
  /** @type {import('./table.js').Column[]} */
  const columns = [
    ...names.map((name) => ({
      title: names.length === 1 ? 'replicas' : name,
      cell: (/** @type {any} */ one) => one.replicas[name],
      isNumber: true,
    })),
    { title: 'calls/s', cell: (one) => figure(one.callsPerSecond, one.callsPerSecond < 100 ? 1 : 0), isNumber: true },
    { title: 'p50 ms', cell: (one) => (one.isSaturated ? 'grows' : figure(one.p50Ms, 2)), isNumber: true },
    { title: 'p99 ms', cell: (one) => (one.isSaturated ? 'grows' : figure(one.p99Ms, 2)), isNumber: true },
    { title: 'loop', cell: (one) => `${figure(one.loopShare * 100, 0)} %`, isNumber: true },
    {
      title: 'replica',
      cell: (one) => (one.modules.some((/** @type {any} */ { replicas }) => replicas > 0) ? `${figure(one.replicaShare * 100, 0)} %` : ''),
      isNumber: true,
    },
    { title: '', cell: (one) => (one.isSmallest ? '*' : '') },
  ];
  const notes = [];
  if (answers.some(({ isSmallest }) => isSmallest))
    notes.push('* the fewest replicas that answer as many calls a second as any other line, within 5 %');
  if (answers.some(({ isSaturated }) => isSaturated))
    notes.push('grows: more calls come than can be answered, so the queue grows without end');
  const simulated = Math.min(...answers.map(({ calls }) => calls));
  return [
    `Replicas of ${names.map(plain).join(' and ')}, simulated\n\n`,
    toTable(columns, answers),
    notes.length === 0 ? '' : '\n',
    ...notes.map((note) => fold(note, WIDTH, '')),
    '\nMeasured\n',
    ...source.measured.map((line) => fold(line, WIDTH, '  ')),
    'Assumed\n',
    ...source.assumed.map((line) => fold(line, WIDTH, '  ')),
    'Simulated\n',
    fold(`${whole(simulated)} calls or more for each line, seed ${seed}`, WIDTH, '  '),
  ].join('');
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length !== 1) throw misused('name one report or program', exports.usage);
  return withReport(rest[0], io, (report, source) => io.out(told(report, source, given)));
};

/**
 * @param {import('../types').Report} report
 * @param {string} from its name in sentences
 * @param {Record<string, unknown>} given
 * @returns {string}
 */
function told(report, from, given) {
  const measured = measuredFromReport(report, from);
  const cores = /** @type {number} */ (given.cores ?? measured.cores);
  const seed = /** @type {number} */ (given.seed);
  const load = given.load === undefined ? 1 : factorOf(given.load);
  const clients = /** @type {number | undefined} */ (given.clients);
  const all = combinations(/** @type {string[]} */ (given.replicas ?? []), measured, firstOf(measured, report), cores);
  const progress = new Progress(process.stderr, given.quiet === true);
  const found = answer(measured, all, { load, cores, clients, seed, progress });
  progress.end();
  const { model, source, answers } = found;
  return given.json === true ? `${JSON.stringify({ answers, model, source, seed }, null, 2)}\n` : toText(found, seed);
}
