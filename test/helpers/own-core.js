'use strict';

// Programs whose time is looked at, on a machine that others use, too. In: how to run one, and what must hold of it. Out: the failure of a
// run in which it had a core when it wanted one.

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const { promisify } = require('node:util');

/** Of the time that a program wanted a core it may have waited for one so much: else what it shows is the machine's. */
const MOST_WAITED = 0.1;
/** What is wrong is wrong so often. */
const FAILURES = 4;
/** Runs, with those that others disturbed. */
const RUNS = 40;
const LOOK_MS = 20;

/**
 * @param {string[]} args of Node
 * @param {object} options of execFile
 * @returns {Promise<{stdout: string, waited: number}>} waited: the part of its main thread's time; 0 where the system does not tell
 */
async function runWatched(args, options) {
  const running = promisify(execFile)(process.execPath, args, options);
  let waited = 0;
  const look = () => {
    try {
      const [ran, waits] = fs.readFileSync(`/proc/${running.child.pid}/schedstat`, 'utf8').split(' ').map(Number);
      waited = waits / (ran + waits) || 0;
    } catch {
      // It has ended, or this is another system.
    }
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    const { stdout } = await running;
    return { stdout, waited };
  } finally {
    clearInterval(timer);
  }
}

/**
 * @template {{waited: number}} Run
 * @param {() => Promise<Run>} run
 * @param {(run: Run) => void | Promise<void>} check throws where it does not hold
 */
async function holds(run, check) {
  for (let failures = 0, runs = 1; ; runs++) {
    const result = await run();
    try {
      return await check(result);
    } catch (error) {
      if (result.waited <= MOST_WAITED) failures++;
      if (failures < FAILURES && runs < RUNS) continue;
      error.message += `\n${runs} runs failed, ${runs - failures} of them on a machine that was full of other work`;
      throw error;
    }
  }
}

exports.holds = holds;
exports.runWatched = runWatched;
