'use strict';

// ignis check: what the program's own tests show about its modules, and the recipe that follows. The command runs as it is, with its own
// output and exit code; afterwards, replicas replay its calls. What cannot be seen is said.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { check } = require('../check/check.js');
const { evidenceOf } = require('../check/proposal.js');
const { FIRST } = require('../check/sample.js');
const { IgnisError } = require('../errors.js');
const { fact, wholeNumber } = require('../option-table.js');
const { checkTarget } = require('../recipe/pattern.js');
const { count } = require('../view/figures.js');
const { guarded } = require('./guarded.js');
const { fold, plain } = require('./table.js');
const { checkWritable } = require('./writable.js');
const { misused } = require('./misuse.js');

/** @typedef {import('../check/check.js').Result} Result */
/** @typedef {import('../check/judge.js').Verdict} Verdict */

const WIDTH = 110;
/** For one function; `--json` has them all. */
const MOST_REASONS = 4;

/** @param {string} text @returns {string} folded, as an item of a list */
const item = (text) => fold(text, WIDTH, '      ').replace('      ', '    - ');

exports.usage = 'check [options] -- <command> [args..]';
exports.summary = "Runs the program's tests, replays their calls in replicas, and proposes recipes from what it saw.";
exports.options = Object.freeze([
  {
    name: 'module',
    type: 'target',
    isRepeated: true,
    check: (/** @type {any} */ value) => {
      const verdicts = (Array.isArray(value) ? value : [value]).map(checkTarget);
      return verdicts.find((verdict) => verdict !== true) ?? true;
    },
    sentence:
      "Checks this module; may be given several times. By default, checks every module that the program's own files import, except those that only tests import.",
  },
  {
    name: 'exact',
    type: 'true | false',
    default: false,
    check: fact,
    sentence:
      'Hands out exports that the tests cannot tell from the true ones: for tests with mocks, or that compare functions. What one file re-exports of another then counts only for the other.',
  },
  {
    name: 'json',
    type: 'true | false',
    check: fact,
    sentence: 'Prints the result as JSON, and the output of the command on stderr.',
  },
  {
    name: 'recipeOut',
    type: 'file',
    check: (/** @type {any} */ value) => /\.c?js$/.test(String(value)) || 'a file that ends in .js or .cjs',
    sentence: 'Writes the proposed recipe to this file, which must not exist yet.',
  },
  {
    name: 'limitMs',
    type: 'number',
    default: 60000,
    unit: 'ms',
    check: wholeNumber(1000, 3600000),
    sentence: 'How long one replica may take to replay the calls of a module.',
  },
  { name: 'quiet', type: 'true | false', check: fact, sentence: 'Does not print what is being replayed.' },
]);
exports.stopsAtFirst = true;
exports.nodesForm = 'ignis check -- node';

/** @type {Readonly<Record<Verdict['verdict'], string>>} */
const WORDS = Object.freeze({ pure: 'pure', stateless: 'keeps no state', home: 'stays at home' });

/** @param {Verdict} verdict */
function verdictText(verdict) {
  const [first] = verdict.reasons;
  const more =
    verdict.verdict === 'stateless'
      ? `${verdict.isIdempotent ? ', may run twice' : ''}${verdict.changesArguments ? ", args: 'restore'" : ''}`
      : '';
  const why = verdict.verdict === 'pure' ? '' : `${verdict.verdict === 'home' ? '' : '; not pure'}: ${first.why}`;
  return `${WORDS[verdict.verdict]}${more}${why}`;
}

/** @param {Verdict} verdict @returns {string} */
function functionText(verdict) {
  const { fn, reasons, notes } = verdict;
  const parts = [`  ${plain(fn || '(the module itself)')}: ${verdictText(verdict)}\n`, `    ${evidenceOf(verdict)}\n`];
  for (const [i, { why, detail, args, at }] of reasons.slice(0, MOST_REASONS).entries()) {
    const example = [detail, args && `for ${args}`, at && `at ${at}`].filter(Boolean).join(', ');
    if (i > 0 || example !== '') parts.push(item(`${why}${example === '' ? '' : `: ${example}`}`));
  }
  if (reasons.length > MOST_REASONS) parts.push(item(`and ${reasons.length - MOST_REASONS} more`));
  for (const note of notes) parts.push(item(note));
  return parts.join('');
}

/** @param {Result} result @returns {string} all of it in one line */
function verdictLine({ modules }) {
  const all = modules.flatMap(({ verdicts }) => verdicts);
  const counted = Object.entries({ pure: 'pure', stateless: 'without state', home: 'to keep at home' })
    .map(([kind, words]) => [all.filter(({ verdict }) => verdict === kind).length, words])
    .filter(([count]) => Number(count) > 0)
    .map(([count, words]) => `${count} ${words}`);
  const sums = `${count(all.length, 'function')} of ${count(modules.length, 'module')}`;
  return `Verdict on ${sums}: ${counted.join(', ') || 'none could be judged'}.`;
}

/** @param {Result} result @returns {string} */
function toText(result) {
  const parts = [`\n${result.processes} Node ${result.processes === 1 ? 'process was' : 'processes were'} watched.\n`];
  if (result.processes === 0 && result.signal === null)
    return '\nNo Node process was watched: the command started none, or started it without the NODE_OPTIONS that Ignis had set.\n';
  if (result.signal !== null) parts.push(`The command was ended by ${result.signal}; what it did before that was examined.\n`);
  for (const target of result.unmet) parts.push(`No imported module matches --module ${plain(target)}.\n`);
  if (result.modules.length === 0) {
    if (result.unmet.length > 0) return parts.join('');
    parts.push(
      result.runner === ''
        ? 'Nothing was seen: no module of interest was called through the `require` or `import` of Node itself. A package that only test files import counts only if --module names it.\n'
        : `Nothing was seen: ${result.runner} loads modules in its own way, past Node's \`require\`, so their calls cannot be watched.\n`,
    );
    return parts.join('');
  }
  parts.push(`Of each function, the first ${FIRST} calls in a process were recorded, and ever fewer of the later ones.\n`);
  if (result.skipped > 0) parts.push(`${result.skipped} calls were not recorded, because their copies took too much memory.\n`);
  for (const { name, version, verdicts, failed, globals } of result.modules) {
    parts.push(`\n${plain(name)}${version === null ? '' : ` ${plain(version)}`}\n`);
    if (failed !== '') parts.push(fold(`no replica of it could be started: ${failed}`, WIDTH, '  '));
    if (globals.length > 0)
      parts.push(
        fold(`shared with all modules of its process, but not with other processes: ${globals.map(plain).join(', ')}`, WIDTH, '  '),
      );
    for (const verdict of verdicts) parts.push(functionText(verdict));
  }
  parts.push(`\n${verdictLine(result)}\n`);
  parts.push(result.recipe === '' ? '\nNo recipe is proposed: the evidence supports none.\n' : `\n${result.recipe}`);
  return parts.join('');
}

/** @param {Result} result @returns {number} as a shell would give it */
function exitCodeOf({ exitCode, signal }) {
  return exitCode ?? (signal === null ? 1 : 128 + os.constants.signals[signal]);
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  const { out, err, env } = io;
  if (rest.length === 0) throw misused('name the command to run', exports.usage);
  const recipeOut = given.recipeOut === undefined ? undefined : path.resolve(String(given.recipeOut));
  if (recipeOut !== undefined && fs.existsSync(recipeOut))
    throw new IgnisError('IGNIS_BAD_OPTION', `the file ${given.recipeOut} already exists; name another one with --recipe-out`, {
      path: recipeOut,
    });
  if (recipeOut !== undefined) checkWritable(recipeOut);
  const launch = guarded(io, async () => {
    const result = await check({
      command: rest,
      modules: /** @type {string[]} */ (given.module ?? []),
      exact: given.exact === true,
      limitMs: /** @type {number | undefined} */ (given.limitMs),
      say: given.quiet === true ? undefined : (line) => err(`ignis: ${line}\n`),
      output: given.json === true ? 'aside' : 'inherit',
      env,
    });
    out(given.json === true ? `${JSON.stringify(result, null, 2)}\n` : toText(result));
    // What the tests say comes first.
    process.exitCode = exitCodeOf(result);
    if (recipeOut !== undefined && result.recipe !== '') fs.writeFileSync(recipeOut, result.recipe);
  });
  return { code: 0, launch };
};

exports.toText = toText;
