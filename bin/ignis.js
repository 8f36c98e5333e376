#!/usr/bin/env node
'use strict';

const { main } = require('../lib/cli/main.js');

const { code, launch } = main(process.argv.slice(2), {
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
  env: process.env,
});
if (code !== 0) process.exitCode = code;
// Outside of any try: what the user's program throws is its own.
launch?.();
