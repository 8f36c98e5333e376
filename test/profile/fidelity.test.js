'use strict';

// The cross-check: one run of a program, attributed by Ignis, and sampled by the profiler of the engine at the same time.

const assert = require('node:assert/strict');
const path = require('node:path');
const { holds, runWatched } = require('../helpers/own-core');

const FOLDER = path.join(__dirname, '../fixtures/fidelity');
const LIB = path.join(__dirname, '../../lib');
const MOST_APART = 0.05;

const MODULES = ['store.js', 'hash.js', 'queue.js', 'report.js', 'render.js', 'order.js', 'tokens.js'];

/**
 * Before Node 26 the profiler takes all of what was inlined for its caller's: of a function with a loop, called in a loop, it saw 9 ms and
 * 1,208 of the caller on Node 20, 1,488 and 2 on 26.
 */
const INLINING = Number(process.versions.node.split('.')[0]) < 26 ? ['--no-turbo-inlining'] : [];

/** @returns {Promise<{ours: Record<string, number>, engines: Record<string, number>, waited: number}>} ms by module */
async function run() {
  const { stdout, waited } = await runWatched([...INLINING, '-r', path.join(LIB, 'register.js'), 'app.js'], {
    cwd: FOLDER,
    env: { ...process.env, IGNIS_RECIPE: 'recipe.js', FIDELITY_IGNIS: path.join(LIB, 'index.js') },
  });
  return { ...JSON.parse(stdout), waited };
}

/** @param {Record<string, number>} ms @returns {Record<string, number>} parts of the whole */
function shares(ms) {
  const whole = MODULES.reduce((sum, name) => sum + ms[name], 0);
  return Object.fromEntries(MODULES.map((name) => [name, ms[name] / whole]));
}

describe('fidelity', () => {
  it('the shares of the modules agree with those of the engine’s profiler within 5 percentage points', async function () {
    this.timeout(600_000);
    // A machine that others use may take the core away for as long as whole calls take.
    await holds(run, ({ ours, engines }) => {
      const [seen, sampled] = [shares(ours), shares(engines)];
      const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;
      const table = MODULES.map((name) => `${name}: ${percent(seen[name])}, by samples ${percent(sampled[name])}`).join('\n');
      for (const name of MODULES) assert.ok(Math.abs(seen[name] - sampled[name]) <= MOST_APART, table);
      // The parts are far enough apart for that to mean something.
      assert.ok(sampled['store.js'] > 0.2 && sampled['hash.js'] > 0.2 && sampled['tokens.js'] < 0.06, table);
    });
  });
});
