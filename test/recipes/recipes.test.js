'use strict';

// Holds every shipped recipe to the real package: what it calls pure, set-up, or changed is tried at home and in replicas, through Ignis itself.

const assert = require('node:assert/strict');
const { isBuiltin } = require('node:module');
const { identify } = require('../../lib/import/module-id');
const { allShipped, findShipped, statelessFunctions } = require('../../lib/recipe/shipped');
const { Distributed } = require('../helpers/distributed');
const { sameGraph } = require('../session/same-graph');
const { callOf, casesOf, functionAt, toldOf } = require('./cases');
const { INSTALL_MS, installed } = require('./installed');

/** @typedef {import('../../lib/types').ShippedRecipe} ShippedRecipe */
/** @typedef {{ name: string, input: string, args: any[], again: () => any[], callback: boolean, expected: any }} Trial */

/** @param {any} one @param {any} two @param {string} what */
function assertSame(one, two, what) {
  try {
    sameGraph(one, two);
  } catch (error) {
    assert.fail(`${what}: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {() => any} run @returns {Promise<{ name: string, message: string, code: unknown }>} of what it throws or rejects with */
async function errorOf(run) {
  try {
    await run();
  } catch (error) {
    const { name, message, code } = /** @type {any} */ (error);
    return { name, message, code };
  }
  return assert.fail('no error');
}

/** One package of the book, at home and in replicas. */
class Subject {
  /** @param {ShippedRecipe} shipped */
  constructor(shipped) {
    this.shipped = shipped;
    this.cases = casesOf(shipped) ?? { functions: {} };
  }

  /** Loads it, and makes of each case what it gives at home, the first time it is called. */
  async load() {
    const { package: name } = this.shipped;
    this.file = isBuiltin(name) ? name : require.resolve(name, { paths: [installed()] });
    this.home = require(this.file);
    /** @type {Trial[]} */
    this.trials = [];
    for (const [fn, sizes] of Object.entries(this.cases.functions)) {
      for (const { input, args, callback = false } of sizes) {
        const again = () => args(this.home);
        const trial = { name: fn, input, args: again(), again, callback, expected: undefined };
        trial.expected = await this.tryAt(this.home, trial, 'at first');
        this.trials.push(trial);
      }
    }
  }

  /**
   * @param {any} exported home's, or what an importer got
   * @param {Trial} trial
   * @param {string} when
   * @returns {Promise<any>} the result, which must be that of the first time; the arguments must be as they were
   */
  async tryAt(exported, { name, input, args, again, callback, expected }, when) {
    const what = `${name}, ${input}, ${when}`;
    let result;
    try {
      result = await callOf(exported, name, args, callback);
    } catch (error) {
      assert.fail(`${what}: ${/** @type {any} */ (error)?.stack ?? error}`);
    }
    if (expected !== undefined) assertSame(expected, result, what);
    assertSame(again(), args, `${what}: an argument`);
    return result;
  }

  /** @param {'process' | 'thread'} where @param {object} [more] of its recipe @returns {Promise<Distributed>} with one replica that is ready */
  async distribute(where, more = {}) {
    const on = new Distributed(this.file, { ...toldOf(this.shipped), call: 'await', copies: 1, ...more }, where);
    // What is asynchronous is found out at home, as it would be in a program.
    const firsts = this.trials.filter(({ name }, i) => name !== this.trials[i - 1]?.name);
    for (const { name, args, callback } of firsts) await callOf(on.lib, name, args, callback);
    await on.set.resize(1);
    assert.equal(on.set.ready, 1, on.failures[0]?.stack);
    return on;
  }

  /** @param {'process' | 'thread'} where */
  async serve(where) {
    const on = await this.distribute(where);
    try {
      for (const trial of this.trials) await this.tryAt(on.lib, trial, `in a ${where}`);
      await Promise.all(this.trials.map((trial) => this.tryAt(on.lib, trial, `in a ${where}, all at once`)));
      // One whose result cannot be sent would have gone home, and not come again.
      assert.equal(on.set.replicas[0].calls, 2 * this.trials.length, 'all calls were sent');
      for (const { function: name, args } of this.cases.wrong ?? [])
        assert.deepEqual(
          await errorOf(() => callOf(on.lib, name, args(this.home))),
          await errorOf(() => callOf(this.home, name, args(this.home))),
          name,
        );
    } finally {
      await on.close();
    }
  }
}

/** @param {ShippedRecipe} shipped */
const isCold = ({ recipe }) => recipe.cold === true;

describe('the recipe book', function () {
  this.timeout(30000);

  before('installs the packages', () => void installed()).timeout(INSTALL_MS);

  for (const shipped of allShipped()) {
    describe(shipped.package, () => {
      const subject = new Subject(shipped);
      const { cases } = subject;
      const stateless = statelessFunctions({ recipe: toldOf(shipped) });

      before(() => subject.load());

      it('is for what its name loads, in the version that is installed', () => {
        const id = identify({ filename: /** @type {string} */ (subject.file), appRoot: __dirname });
        assert.equal(findShipped(id)?.package, shipped.package);
      });

      it('names functions that are there', () => {
        const { recipe, mutates = [], pays } = shipped;
        const named = [
          ...Object.keys(recipe.functions ?? {}),
          ...(recipe.setup ?? []),
          ...[...mutates, ...pays].map((row) => row.function),
        ];
        for (const name of named) assert.equal(typeof functionAt(subject.home, name).fn, 'function', name);
      });

      it('has cases for all that it says', () => {
        assert.deepEqual(stateless.filter((name) => !(cases.functions[name]?.length > 0)).sort(), [], 'functions without a case');
        assert.deepEqual(
          Object.keys(cases.functions).filter((name) => !stateless.includes(name)),
          [],
          'cases of functions that may keep state',
        );
        assert.deepEqual(Object.keys(cases.mutates ?? {}).sort(), (shipped.mutates ?? []).map((row) => row.function).sort());
        assert.deepEqual(Object.keys(cases.setup ?? {}).sort(), [...(shipped.recipe.setup ?? [])].sort());
        for (const { function: name } of shipped.pays) assert.ok(stateless.includes(name), `${name} pays, but may keep state`);
      });

      if (isCold(shipped)) return;

      it('repeats itself at home, in any order, and leaves its arguments', async () => {
        for (const trial of subject.trials) await subject.tryAt(subject.home, trial, 'again');
        for (const { function: name, args } of cases.wrong ?? []) await errorOf(() => callOf(subject.home, name, args(subject.home)));
        for (const trial of subject.trials.toReversed()) await subject.tryAt(subject.home, trial, 'after all others');
      });

      it('answers the same in a process', () => subject.serve('process'));
      if (shipped.threads === true) it('answers the same in a thread', () => subject.serve('thread'));

      for (const { function: name, argument } of shipped.mutates ?? []) {
        it(`${name} changes what it is given`, async () => {
          const make = /** @type {import('./cases').MakeArgs} */ (cases.mutates?.[name]);
          const args = make(subject.home);
          await callOf(subject.home, name, args);
          assert.throws(() => sameGraph(make(subject.home)[argument], args[argument]));
        });
      }

      if (shipped.recipe.setup !== undefined) {
        it('set-up changes later results, and replicas hear of it', async () => {
          const on = await subject.distribute(shipped.threads === true ? 'thread' : 'process');
          try {
            for (const [name, { args, shows }] of Object.entries(cases.setup ?? {})) {
              const result = () => callOf(on.exports, shows.function, shows.args(subject.home));
              const earlier = await result();
              await callOf(on.lib, name, args(subject.home));
              const later = await result();
              assert.throws(() => sameGraph(earlier, later), `${name} changes nothing`);
              assertSame(later, await callOf(on.lib, shows.function, shows.args(subject.home)), `after ${name}`);
            }
            assert.equal(on.set.journal.refusal, '', 'all set-up was sent');
          } finally {
            await on.close();
          }
        });
      }
    });
  }
});
