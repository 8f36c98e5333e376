'use strict';

// npm run bench [-- name ...] [--json] [--option value ...]: runs the benchmarks, each in a process of its own, one after the other.
// In: names of files beside this one (none: all). Out: their tables, or with --json one JSON line a table; with --help what each of them
// says of itself. Exits 1 when one failed, 2 when there is none of that name. What comes after the names goes to the benchmarks as it is.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { introduction } = require('./lib/options.js');

const NOT_BENCHMARKS = new Set(['index.js', 'demo.js']);

/**
 * @returns {string[]} names, sorted
 */
function benchmarks() {
  return fs
    .readdirSync(__dirname)
    .filter((file) => file.endsWith('.js') && !NOT_BENCHMARKS.has(file))
    .map((file) => path.basename(file, '.js'))
    .sort();
}

/**
 * @param {string[]} args the command line after the script
 * @returns {{wanted: string[], options: string[]}} names, and what comes from the first option on
 */
function split(args) {
  const first = args.findIndex((arg) => arg.startsWith('-'));
  const names = first < 0 ? args.length : first;
  return { wanted: args.slice(0, names), options: args.slice(names) };
}

/**
 * @param {string[]} args the command line after the script
 * @returns {Promise<number>} exit code
 */
async function main(args) {
  const { wanted, options } = split(args);
  const known = benchmarks();
  if (wanted.length === 0 && options.some((arg) => known.includes(arg))) {
    console.error('bench: names of benchmarks come before options');
    return 2;
  }
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    console.error(`bench: there is no benchmark ${JSON.stringify(unknown)}; there are ${known.join(', ')}`);
    return 2;
  }
  if (options.includes('--help')) {
    for (const name of wanted.length > 0 ? wanted : ['index', ...known])
      console.log(`${introduction(path.join(__dirname, `${name}.js`))}\n`);
    return 0;
  }
  let failed = 0;
  for (const name of wanted.length > 0 ? wanted : known) {
    const child = spawn(process.execPath, [path.join(__dirname, `${name}.js`), ...options], { stdio: 'inherit' });
    const [code, signal] = await once(child, 'exit');
    if (code === 0) continue;
    failed++;
    console.error(`bench: ${name} ended with ${signal ?? `exit code ${code}`}`);
  }
  return failed > 0 ? 1 : 0;
}

if (require.main === module) {
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      throw error;
    },
  );
}

exports.main = main;
exports.split = split;
