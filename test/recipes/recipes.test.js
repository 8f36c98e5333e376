'use strict';

// Holds every shipped recipe to the real package: what it calls pure, set-up, or changed is tried at home and in replicas, through Ignis
// itself.

const assert = require('node:assert/strict');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { identify, packageOf } = require('../../lib/import/module-id');
const { allShipped, findShipped } = require('../../lib/recipe/shipped');
const { Distributed } = require('../helpers/distributed');
const { sameGraph } = require('../session/same-graph');
const { callOf, casesOf, fileOf, functionAt, targetsOf } = require('./cases');
const { INSTALL_MS, installed } = require('./installed');

/** @typedef {{ name: string, input: string, args: any[], again: () => any[], callback: boolean, expected: any }} Trial */

/** @param {any} one @param {any} two @param {string} what */
function assertSame(one, two, what) {
  try {
    sameGraph(one, two);
  } catch (error) {
    assert.fail(`${what}: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * That two objects have the same names, to any depth; functions need not be the same, since the module was loaded twice.
 *
 * @param {any} one
 * @param {any} two
 */
function sameShape(one, two) {
  assert.equal(typeof two, typeof one);
  if (typeof one !== 'object' || one === null) return;
  assert.deepEqual(Object.keys(two), Object.keys(one));
  for (const name of Object.keys(one)) sameShape(one[name], two[name]);
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

/** @param {() => any} run @returns {Promise<any>} what it gives, or the message of its error: an answer too */
async function answerOf(run) {
  try {
    return await run();
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/** Something that an importer imports, at home and in replicas. */
class Subject {
  /** @type {Trial[]} */
  trials = [];

  /** @param {import('./cases').Target} target @param {import('./cases').Wrong[]} [wrong] */
  constructor({ file, recipe, functions }, wrong = []) {
    this.file = file;
    this.recipe = recipe;
    this.functions = functions;
    this.wrong = wrong;
    this.home = require(file);
  }

  /** Makes of each case what it gives at home, the first time it is called. */
  async begin() {
    for (const [name, sizes] of Object.entries(this.functions)) {
      for (const { input, args, callback = false } of sizes) {
        const again = () => args(this.home);
        const trial = { name, input, args: again(), again, callback, expected: undefined };
        trial.expected = await this.tryAt(this.home, trial, 'at first');
        this.trials.push(trial);
      }
    }
    return this;
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

  /** Again, after all that is wrong, and in another order. */
  async repeat() {
    for (const trial of this.trials) await this.tryAt(this.home, trial, 'again');
    for (const { function: name, args } of this.wrong) await errorOf(() => callOf(this.home, name, args(this.home)));
    for (const trial of this.trials.toReversed()) await this.tryAt(this.home, trial, 'after all others');
  }

  /** @param {'process' | 'thread'} where @returns {Promise<Distributed>} with one replica that is ready */
  async distribute(where) {
    const on = new Distributed(this.file, { ...this.recipe, call: 'await', copies: 1 }, where);
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
    const [replica] = on.set.replicas;
    const before = replica.calls;
    try {
      if (where === 'process') for (const trial of this.trials) await this.tryAt(on.lib, trial, `in a ${where}`);
      await Promise.all(this.trials.map((trial) => this.tryAt(on.lib, trial, `in a ${where}, all at once`)));
      // One whose result cannot be sent would have gone home, and not come again.
      assert.equal(replica.calls - before, (where === 'process' ? 2 : 1) * this.trials.length, 'all calls were sent');
      for (const { function: name, args } of this.wrong)
        assert.deepEqual(
          await errorOf(() => callOf(on.lib, name, args(this.home))),
          await errorOf(() => callOf(this.home, name, args(this.home))),
          name,
        );
    } finally {
      await on.close();
    }
  }

  /**
   * @param {'process' | 'thread'} where
   * @param {Record<string, import('./cases').Setting>} settings those that replicas cannot have last
   */
  async setUp(where, settings) {
    const on = await this.distribute(where);
    try {
      for (const [name, { args, write, shows, staysHome = false }] of Object.entries(settings)) {
        const resultOf = async (/** @type {any} */ exported) => answerOf(() => callOf(exported, shows.function, shows.args(this.home)));
        const earlier = await resultOf(on.exports);
        if (args === undefined) write?.(on.lib);
        else await callOf(on.lib, name, args(this.home));
        const later = await resultOf(on.exports);
        assert.throws(() => sameGraph(earlier, later), `${name} changes nothing`);
        assertSame(later, await resultOf(on.lib), `after ${name}`);
        assert.equal(on.set.journal.refusal !== '', staysHome, `${name}: ${on.set.journal.refusal || 'it was sent'}`);
      }
    } finally {
      await on.close();
    }
  }
}

describe('the recipe book', function () {
  this.timeout(120_000);

  before('installs the packages', () => void installed()).timeout(INSTALL_MS);

  for (const shipped of allShipped()) {
    describe(shipped.package, () => {
      const { functions, ownFile = {}, mutates = {}, setup = {}, wrong } = casesOf(shipped) ?? { functions: {} };
      const { threads, recipe } = shipped;
      const anywhere = threads === true ? 'thread' : 'process';
      /** @type {any} */
      let home;
      /** @type {Subject[]} the package, and the file of one's own */
      let subjects;

      before(async () => {
        home = require(fileOf(shipped));
        subjects = await Promise.all(targetsOf(shipped).map((target, i) => new Subject(target, i === 0 ? wrong : []).begin()));
      });

      it('is for what its name loads, in the version that is installed', () => {
        const id = identify({ filename: fileOf(shipped), appRoot: __dirname });
        assert.equal(findShipped(id)?.package, shipped.package);
      });

      it('names what is there', async () => {
        for (const file of shipped.files ?? []) {
          const { root } = /** @type {NonNullable<ReturnType<typeof packageOf>>} */ (packageOf(fileOf(shipped)));
          const { default: whole, ...parts } = await import(pathToFileURL(path.join(root, file)).href);
          for (const name of Object.keys(recipe.functions ?? {}))
            assert.equal(typeof functionAt({ ...whole, ...parts }, name).fn, 'function', `${name} of ${file}`);
        }
        const named = [...Object.keys(recipe.functions ?? {}), ...(shipped.mutates ?? []).map((row) => row.function)];
        for (const name of named) assert.equal(typeof functionAt(home, name).fn, 'function', name);
        for (const name of recipe.setup ?? []) assert.notEqual(functionAt(home, name).fn, undefined, name);
      });

      it('has cases for all that it says', () => {
        const own = Object.keys(ownFile).map((name) => `${name} (own file)`);
        assert.deepEqual(Object.keys(functions).sort(), Object.keys(recipe.functions ?? {}).sort());
        assert.deepEqual(Object.keys(mutates).sort(), (shipped.mutates ?? []).map((row) => row.function).sort());
        assert.deepEqual(Object.keys(setup).sort(), [...(recipe.setup ?? [])].sort());
        assert.equal(own.length > 0, shipped.ownFile !== undefined);
        for (const row of shipped.pays) assert.ok(row.function in functions || own.includes(row.function), row.function);
      });

      for (const { function: name, argument } of shipped.mutates ?? []) {
        it(`${name} changes what it is given`, async () => {
          const args = mutates[name](home);
          await callOf(home, name, args);
          assert.throws(() => sameGraph(mutates[name](home)[argument], args[argument]));
          // What is called pure is not restored; what may run once only cannot come home when it was given what cannot be sent.
          if (functions[name] === undefined || recipe.functions?.[name].idempotent !== true) return;
          const on = await subjects[0].distribute(anywhere);
          try {
            const sent = mutates[name](home);
            await callOf(on.lib, name, sent);
            assert.equal(on.set.replicas[0].calls, 1, 'it was sent');
            sameShape(args[argument], sent[argument]);
          } finally {
            await on.close();
          }
        });
      }

      if (Object.keys({ ...functions, ...ownFile }).length === 0) return;

      it('repeats itself at home, in any order, and leaves its arguments', async () => {
        for (const subject of subjects) await subject.repeat();
      });

      it('answers the same in a process', async () => {
        for (const subject of subjects) await subject.serve('process');
      });

      if (threads === true)
        it('answers the same in a thread', async () => {
          for (const subject of subjects) await subject.serve('thread');
        });

      if (recipe.setup !== undefined)
        it('set-up changes later results, and replicas hear of it or are no more', () => subjects[0].setUp(anywhere, setup));
    });
  }
});
