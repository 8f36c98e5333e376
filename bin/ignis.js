#!/usr/bin/env node
'use strict';

const { refuseRuntime } = require('../lib/import/refuse-runtime.js');
try {
  refuseRuntime();
} catch (/** @type {any} */ error) {
  process.stderr.write(`ignis: ${error.message} (${error.code})\n`);
  process.exit(2);
}
const { main } = require('../lib/cli/main.js');
const { err, out } = require('../lib/cli/output.js');

const { code, launch } = main(process.argv.slice(2), { out, err, env: process.env });
if (code !== 0) process.exitCode = code;
// Outside of any try: what the user's program throws is its own.
launch?.();
