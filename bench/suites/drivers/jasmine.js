'use strict';

// Runs specs written for Jasmine 1 and writes TAP, one line a spec, as they end.
// In: files on the command line. `jasmine-node` is that of the folder we run in.

const { createRequire } = require('node:module');
const path = require('node:path');

const jasmine = createRequire(path.resolve('package.json'))('jasmine-node');
const text = (/** @type {unknown} */ value) => String(value).replaceAll('\n', ' ').replaceAll('#', '\\#');
const print = process.stdout.write.bind(process.stdout);

// Files find `describe`, `it` and `expect` as globals.
for (const [name, value] of Object.entries(jasmine)) if (!(name in globalThis)) Reflect.set(globalThis, name, value);

let count = 0;
const environment = jasmine.getEnv();
environment.addReporter({
  reportRunnerStarting() {},
  reportSpecStarting() {},
  reportSuiteResults() {},
  reportRunnerResults() {
    process.exit(0);
  },
  log() {},
  reportSpecResults(spec) {
    const results = spec.results();
    if (results.skipped) return;
    print(`${results.passed() ? '' : 'not '}ok ${++count} ${text(spec.getFullName())}\n`);
    if (results.passed()) return;
    const failed = results.getItems().find((/** @type {any} */ item) => item.passed && !item.passed());
    print(`  ---\n    message: ${text(failed?.message ?? failed?.trace?.message ?? 'failed')}\n  ...\n`);
  },
});
for (const file of process.argv.slice(2)) require(path.resolve(file));
environment.execute();
