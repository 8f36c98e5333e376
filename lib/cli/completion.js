'use strict';

// ignis completion: prints yargs's script with which a shell completes what follows `ignis`, and the choices, for which that script asks at
// each Tab. In: the table of commands, and the words so far. Out: words. Where nothing is proposed, the shell completes paths.

const { IgnisError } = require('../errors.js');
const { isBare, isSwitch, rowOf, startOfRest, toFlag, yargsOf } = require('./arguments.js');
const { misused } = require('./misuse.js');

/** @typedef {import('./main.js').Command} Command */
/** @typedef {Readonly<Record<string, Command>>} Commands */

exports.usage = 'completion <bash|zsh>';
exports.summary = 'Prints a script that lets a shell complete the arguments of `ignis`.';
/** @type {Command['options']} */
exports.options = [];

const SHELLS = ['bash', 'zsh'];

/**
 * @param {string} form such as `'process', 'thread' or 'host'`, or for arguments, `<bash|zsh>`
 * @returns {string[]} the possible values, if these are a few words
 */
function choicesIn(form) {
  const [, words] = /<([a-z]+(?:\|[a-z]+)+)>/.exec(form) ?? [];
  // `<report|pid|name>` names kinds of things.
  if (words !== undefined) return words.includes('pid') ? [] : words.split('|');
  return Array.from(form.matchAll(/'([^']+)'/g), ([, word]) => word);
}

/**
 * @param {Commands} commands
 * @param {readonly string[]} typed `ignis` itself and what follows it, as a shell splits it; the last one is completed
 * @returns {string[]} what may take its place; empty: a path, or something we cannot know
 */
function completions(commands, typed) {
  // For bash, --where=process is three words.
  const [, name, ...args] = typed.filter((word, i) => word !== '=' || i === typed.length - 1);
  if (args.length === 0) return [...Object.keys(commands), 'help', 'version', '--help', '--version'];
  if (name === 'help') return Object.keys(commands);
  const command = commands[name];
  // What follows a program, or `--`, belongs to that program.
  const isOver =
    command === undefined ||
    args.slice(0, -1).includes('--') ||
    (command.stopsAtFirst === true && startOfRest(command.options, args.slice(0, -1)) < args.length - 1);
  if (isOver) return [];
  const [word, before] = [args[args.length - 1], args[args.length - 2]];
  const row = rowOf(command.options, before);
  if (row !== undefined && !isSwitch(row) && !isBare(row, word)) return choicesIn(row.type);
  if (word.startsWith('-')) return [...command.options.map((one) => `--${toFlag(one.name)}`), '--help'];
  return choicesIn(command.usage);
}

/** @param {string} shell @returns {string} yargs decides by the variable that names the user's shell */
function scriptFor(shell) {
  const before = process.env.SHELL;
  process.env.SHELL = shell;
  let script = '';
  yargsOf([])
    .scriptName('ignis')
    .completion('completion', false, () => [])
    .parse(['completion'], (/** @type {unknown} */ _error, /** @type {unknown} */ _argv, /** @type {string} */ output) => {
      script = output;
    });
  if (before === undefined) delete process.env.SHELL;
  else process.env.SHELL = before;
  return `${script}\n`;
}

/** @type {Command['run']} */
exports.run = function run({ rest }, { out }) {
  const [shell] = rest;
  if (rest.length !== 1) throw misused('name one shell', exports.usage);
  if (!SHELLS.includes(shell))
    throw new IgnisError('IGNIS_BAD_OPTION', `there is no script for '${shell}'; there is one for ${SHELLS.join(' and ')}`);
  out(scriptFor(shell));
  return { code: 0 };
};

exports.completions = completions;
