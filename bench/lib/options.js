'use strict';

// The options of a benchmark. In: its file, the options that it takes, the command line. Out: their values. `--help` prints what the file
// says of itself first and ends the process; what it does not take is said in one sentence, with exit code 2.

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');

/** @typedef {NonNullable<import('node:util').ParseArgsConfig['options']>} Options */

/**
 * @param {string} file
 * @returns {string} its first comment, which says what it does and takes
 */
function introduction(file) {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith('//'));
  const length = lines.slice(first).findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(first, first + length)
    .map((line) => line.slice('// '.length))
    .join('\n');
}

/**
 * @template {Options} T
 * @param {string} file of the benchmark
 * @param {T} options as `parseArgs` of node:util takes them
 * @param {string[]} [args] default: the command line
 * @returns {ReturnType<typeof parseArgs<{options: T}>>['values']}
 */
function valuesOf(file, options, args = process.argv.slice(2)) {
  if (args.includes('--help')) {
    console.log(introduction(file));
    process.exit(0);
  }
  const mistake = mistakeIn(options, args);
  if (mistake === null) return parseArgs({ args, options }).values;
  console.error(`${path.join(path.basename(path.dirname(file)), path.basename(file, '.js'))}: ${mistake}`);
  process.exit(2);
}

/** @param {Options} options @param {string[]} args @returns {string | null} what is wrong with them, in one sentence */
function mistakeIn(options, args) {
  const names = Object.entries(options).map(([name, { type }]) => (type === 'string' ? `--${name} VALUE` : `--${name}`));
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'it takes none';
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') return `${JSON.stringify(token.value)} is no option; ${known}`;
    if (token.kind !== 'option') continue;
    const taken = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (taken === undefined) return `there is no option ${token.rawName}; ${known}`;
    if (taken.type === 'string' && token.value === undefined) return `${token.rawName} lacks its value`;
    if (taken.type === 'boolean' && token.value !== undefined) return `${token.rawName} takes no value`;
  }
  return null;
}

exports.introduction = introduction;
exports.mistakeIn = mistakeIn;
exports.valuesOf = valuesOf;
