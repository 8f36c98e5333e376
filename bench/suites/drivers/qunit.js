'use strict';

// Runs files of QUnit tests, which expect it as a global, and writes TAP, one line an assertion, as they happen.
// In: files on the command line. `qunitjs` is that of the folder we run in.

const { createRequire } = require('node:module');
const path = require('node:path');

const QUnit = createRequire(path.resolve('package.json'))('qunitjs');
const text = (/** @type {unknown} */ value) => String(value).replaceAll('\n', ' ').replaceAll('#', '\\#');
const print = process.stdout.write.bind(process.stdout);

let count = 0;
let title = '';
QUnit.config.autostart = false;
QUnit.log(({ module, name, result, message, actual, expected, source }) => {
  const now = text([module, name].filter(Boolean).join(' > '));
  if (now !== title) print(`# ${(title = now)}\n`);
  print(`${result ? '' : 'not '}ok ${++count} ${text(message ?? '')}\n`);
  if (result) return;
  const told = { message: message ?? String(source), expected, actual };
  const lines = Object.entries(told).map(([field, value]) => `    ${field}: ${text(safely(value))}\n`);
  print(`  ---\n${lines.join('')}  ...\n`);
});
globalThis.QUnit = QUnit;

/** @param {any} value @returns {string} */
function safely(value) {
  try {
    return typeof value === 'string' ? value : String(JSON.stringify(value) ?? value);
  } catch {
    return typeof value;
  }
}

for (const file of process.argv.slice(2)) require(path.resolve(file));
