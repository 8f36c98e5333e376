'use strict';

// What a part of all tests (test/run.js, .ci/run) says of itself: only failures and a count are printed, with the slowest files. Its counts
// go to the file in the option `output`. A process that is still alive LEFT_MS after its last test is ended here: that is a failure, which
// says what kept it.

const fs = require('node:fs');
const path = require('node:path');
const { reporters, Runner } = require('mocha');

const LEFT_MS = 30_000;
const SLOWEST = 8;

module.exports = class Reporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const { output } = options.reporterOptions;
    const files = new Map();
    const add = (file, ms) => files.set(file, (files.get(file) ?? 0) + ms);
    let since = Date.now();
    let last;
    // The time between the ends of two tests counts for the later one's file: hooks are in it.
    runner.on(Runner.constants.EVENT_TEST_END, (test) => {
      const now = Date.now();
      last = path.relative(process.cwd(), test.file ?? '?');
      add(last, now - since);
      since = now;
    });
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      console.log(`FAILED ${test.fullTitle()} (${path.relative(process.cwd(), test.file ?? '?')})\n${error?.stack ?? error}`);
      for (let { cause } = error ?? {}; cause instanceof Error; { cause } = cause) console.log(`caused by ${cause.stack}`);
    });
    const write = (more) => fs.writeFileSync(output, JSON.stringify({ stats: { ...this.stats, failures: this.stats.failures + more } }));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      this.epilogue();
      const slowest = [...files].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
      console.log(`slowest files: ${slowest.map(([file, ms]) => `${file} ${(ms / 1000).toFixed(1)} s`).join(', ')}`);
      write(0);
      setTimeout(() => {
        console.log(
          `FAILED to end: still alive ${LEFT_MS / 1000} s after the last test (of ${last}), kept by ${process.getActiveResourcesInfo().join(', ') || 'nothing named'}`,
        );
        for (const handle of process._getActiveHandles())
          console.log(`  ${handle.constructor?.name} ${handle.spawnargs?.join(' ') ?? handle.fd ?? ''} ${handle.pid ?? ''}`);
        write(1);
        process.exit(1);
      }, LEFT_MS).unref();
    });
  }
};
