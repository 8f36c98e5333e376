'use strict';

// Runs files whose exports are tests, as nodeunit and its relatives have them (testjs, asynct, CommonJS's `test`), and writes TAP, one line
// a test, as they end. In: files on the command line. A test that takes an argument gets the assertions with `done` and `expect`; one that
// takes none is over when it returns.

const assert = require('node:assert');
const path = require('node:path');

const MOST_MS = 10_000;
const text = (/** @type {unknown} */ value) => String(value).replaceAll('\n', ' ').replaceAll('#', '\\#');
const print = process.stdout.write.bind(process.stdout);

/** @typedef {(...args: any[]) => any} Step */

let count = 0;
/** Of the test that runs. @type {((error?: unknown) => void) | null} */
let settle = null;
process.on('uncaughtException', (error) => {
  if (settle === null) throw error;
  settle(error ?? new Error('threw nothing'));
});

/** @param {string} title @param {unknown} [error] */
function tell(title, error) {
  print(`${error === undefined ? '' : 'not '}ok ${++count} ${text(title)}\n`);
  if (error !== undefined) print(`  ---\n    message: ${text(error instanceof Error ? error.message : error)}\n  ...\n`);
}

/** @param {Step} run with the assertions @param {any} self its `this` @returns {Promise<void>} rejects by what it failed of */
function once(run, self) {
  let expected = -1;
  let made = 0;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle?.(new Error('was not done in time')), MOST_MS);
    settle = (error) => {
      settle = null;
      clearTimeout(timer);
      if (error) reject(error);
      else if (expected >= 0 && expected !== made) reject(new Error(`expected ${expected} assertions, made ${made}`));
      else resolve();
    };
    // What the first failed assertion threw may be caught by who called the test's callback; it has failed all the same.
    const own = settle;
    const assertions = Object.entries(assert).filter(([, value]) => typeof value === 'function' && !/^[A-Z]/.test(value.name));
    const checked = assertions.map(([name, check]) => [
      name,
      (/** @type {any[]} */ ...args) => {
        made++;
        try {
          return /** @type {Step} */ (check)(...args);
        } catch (error) {
          if (settle === own) own(error);
          return undefined;
        }
      },
    ]);
    const test = {
      ...Object.fromEntries(checked),
      expect: (/** @type {number} */ wanted) => (expected = wanted),
      done: (/** @type {unknown} */ error) => settle === own && own(error ?? undefined),
    };
    Object.assign(test, { equals: test.equal, same: test.deepEqual, log: () => {} });
    try {
      const isShort = run.length === 0;
      const back = run.call(self, isShort ? undefined : test, () => test.done());
      if (isShort) Promise.resolve(back).then(() => settle === own && own(), own);
    } catch (error) {
      if (settle === own) own(error);
    }
  });
}

/** @param {Record<string, any>} group @param {string[]} titles @param {Step[][]} around set-up and tear-down, from the outside in */
async function runGroup(group, titles, around) {
  const inner = [...around, [group.setUp, group.tearDown]];
  for (const [name, value] of Object.entries(group)) {
    if (name === 'setUp' || name === 'tearDown') continue;
    const title = [...titles, name];
    if (typeof value === 'object' && value !== null) await runGroup(value, title, inner);
    if (typeof value !== 'function') continue;
    const self = {};
    /** Set-up and tear-down are handed `done` first. @param {Step} step */
    const prepare = (step) => once((/** @type {any} */ test) => step.call(self, () => test.done(), test), self);
    try {
      for (const [setUp] of inner) if (setUp) await prepare(setUp);
      await once(value, self);
      for (const [, tearDown] of inner.toReversed()) if (tearDown) await prepare(tearDown);
      tell(title.join(' > '));
    } catch (error) {
      tell(title.join(' > '), error ?? new Error('threw nothing'));
    }
  }
}

async function main() {
  for (const file of process.argv.slice(2)) {
    const tests = require(path.resolve(file));
    await runGroup(typeof tests === 'function' ? {} : tests, [], []);
  }
  process.exit(0);
}

main();
