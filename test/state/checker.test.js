'use strict';

// A sequential-model checker: random programs against a module that remembers. Each runs twice, at home one call after another (the model),
// and distributed, with calls in flight together while replicas come, go and die. What every call gave must be the same. A failure prints
// the seed: IGNIS_TEST_SEED=n runs that program alone.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Distributed, loadAnew } = require('../helpers/distributed');
const { Random } = require('../helpers/random');

const STORE = path.join(__dirname, '../fixtures/state/store.js');
const PROGRAMS = 30;
const STEPS = 40;
const ONLY = process.env.IGNIS_TEST_SEED;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-checker-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

/** @typedef {{does: string, args: any[]}} Step does: a function of the module, or 'write', 'delete', 'pause', 'resize', 'kill' */

/** @param {Random} random @param {(random: Random) => Step} operation @param {string[]} events */
function makeProgram(random, operation, events) {
  return Array.from({ length: STEPS }, () => {
    const dice = random.below(12);
    if (dice === 0) return { does: 'pause', args: [] };
    if (dice === 1 && events.length > 0) return { does: random.pick(events), args: [random.below(4)] };
    return operation(random);
  });
}

/** @param {any} lib @param {Step} step @returns {any} */
function perform(lib, { does, args }) {
  if (does === 'write' || does === 'delete') {
    const names = args[0].split('.');
    const holder = names.slice(0, -1).reduce((object, name) => object[name], lib);
    if (does === 'delete') delete holder[names.at(-1)];
    else holder[names.at(-1)] = args[1];
    return undefined;
  }
  return lib[does](...args);
}

/** What a step gave, as plain data. @param {any} lib @param {Step} step */
function outcome(lib, step) {
  try {
    const result = perform(lib, step);
    if (step.does.startsWith('use')) return Promise.resolve(result).then(() => 'set up');
    return Promise.resolve(result).catch((error) => ({ failed: error.code ?? error.message }));
  } catch (error) {
    return Promise.resolve({ failed: error.code ?? error.message });
  }
}

/** The model: one after another, at home. @param {Step[]} program */
async function runPlain(program) {
  const lib = loadAnew(STORE);
  const outcomes = [];
  for (const step of program) if (!['pause', 'resize', 'kill'].includes(step.does)) outcomes.push(await outcome(lib, step));
  return outcomes;
}

/** @param {Step[]} program @param {object} recipe @param {Random} random @param {number[]} settled indices of calls as they settle */
async function runDistributed(program, recipe, random, settled) {
  const on = new Distributed(STORE, recipe);
  const running = [];
  await on.set.resize(random.below(3));
  for (const step of program) {
    if (step.does === 'pause') await (random.below(2) === 0 ? new Promise(setImmediate) : Promise.all(running));
    else if (step.does === 'resize') await (random.below(3) === 0 ? on.set.resize(step.args[0]) : void on.set.resize(step.args[0]));
    else if (step.does === 'kill') on.set.replicas[step.args[0]]?.kill('killed by the test');
    else {
      const index = running.length;
      const isCall = !['write', 'delete', 'use', 'useLater'].includes(step.does);
      running.push(outcome(on.lib, step).finally(() => isCall && settled.push(index)));
    }
  }
  const outcomes = await Promise.all(running);
  await on.close();
  const away = on.fleet.records().reduce((sum, { calls }) => sum + calls, 0);
  return { outcomes, away };
}

/**
 * @param {string} title
 * @param {object} given
 * @param {object} given.recipe
 * @param {(random: Random, file: string) => Step} given.operation
 * @param {string[]} given.events
 * @param {boolean} [given.isOrdered] calls settle in their order
 * @param {boolean} [given.mayLose] a call may be lost with its replica, if it says so
 */
function check(title, { recipe, operation, events, isOrdered = false, mayLose = false }) {
  it(`${title}, in ${PROGRAMS} random programs`, async function () {
    this.timeout(120000);
    let compared = 0;
    let inReplicas = 0;
    const seeds = ONLY === undefined ? Array.from({ length: PROGRAMS }, (_, i) => i + 1) : [Number(ONLY)];
    for (const seed of seeds) {
      const random = new Random(seed);
      const file = path.join(folder, `${seed}`);
      const program = makeProgram(random, (source) => operation(source, file), events);
      fs.writeFileSync(file, '0');
      const expected = await runPlain(program);
      fs.writeFileSync(file, '0');
      const settled = [];
      const { outcomes: found, away } = await runDistributed(program, recipe, random, settled);
      inReplicas += away;
      for (let i = 0; i < expected.length; i++) {
        if (mayLose && found[i]?.failed === 'IGNIS_REPLICA_LOST') continue;
        assert.deepEqual(found[i], expected[i], `seed ${seed}, step ${i} of ${JSON.stringify(program)}`);
        compared += 1;
      }
      if (isOrdered)
        assert.deepEqual(
          settled,
          settled.toSorted((a, b) => a - b),
          `seed ${seed}: settled out of order`,
        );
    }
    assert.ok(compared > seeds.length * STEPS * 0.5, `only ${compared} outcomes could be compared`);
    assert.ok(inReplicas > seeds.length * STEPS * 0.1, `only ${inReplicas} calls ran in replicas`);
    if (process.env.IGNIS_DEBUG) process.stderr.write(`    ${compared} compared, ${inReplicas} calls in replicas\n`);
  });
}

const KEYS = ['a', 'b', 'c', 'd', 'e'];

describe('a module that remembers, distributed, gives what it gives at home', () => {
  check('order: true over replicas that come and go, with state outside of them', {
    recipe: { call: 'await', state: 'none', order: true, copies: [0, 3] },
    operation: (random, file) => ({ does: random.pick(['addFile', 'addFileNow']), args: [file, random.below(9)] }),
    events: ['resize', 'resize', 'resize'],
    isOrdered: true,
  });

  check('order: true over replicas that are killed, with calls that may run again', {
    recipe: { call: 'await', state: 'none', order: true, copies: [0, 3], functions: { wait: { pure: true } }, idempotent: true },
    operation: (random, file) =>
      random.below(2) === 0 ? { does: 'wait', args: [random.below(3), random.pick(['fail', 'one'])] } : { does: 'getFile', args: [file] },
    events: ['resize', 'resize', 'kill'],
    isOrdered: true,
  });

  check("order: 'results' with calls in all replicas, some killed", {
    recipe: { hot: true, pure: true, order: 'results', copies: [0, 3] },
    operation: (random) => ({ does: 'wait', args: [random.below(4), random.pick(['fail', 1, 2, 3])] }),
    events: ['resize', 'resize', 'kill'],
    isOrdered: true,
  });

  check("state: 'shared', with a replica that cannot be taken away", {
    recipe: { call: 'await', state: 'shared', copies: 1, setup: ['use'] },
    operation: (random) =>
      random.pick([
        { does: 'add', args: [random.below(9)] },
        { does: 'put', args: [random.pick(KEYS), random.below(9)] },
        { does: 'get', args: [random.pick(KEYS)] },
        { does: 'append', args: [`${random.below(9)}`] },
        { does: 'format', args: ['x'] },
        { does: 'use', args: [{ prefix: `${random.below(9)}` }] },
        { does: 'write', args: ['defaults.suffix', `${random.below(9)}`] },
      ]),
    events: ['resize'],
  });

  check("state: 'shared' with order: true", {
    recipe: { call: 'await', state: 'shared', order: true, copies: 1 },
    operation: (random) =>
      random.pick([
        { does: 'add', args: [random.below(9)] },
        { does: 'append', args: [`${random.below(9)}`] },
        { does: 'addKey', args: [random.pick(KEYS), random.below(9)] },
      ]),
    events: ['resize'],
    isOrdered: true,
  });

  check("state: 'keyed', each key in one replica", {
    recipe: {
      call: 'await',
      state: 'keyed',
      key: ([key]) => key,
      copies: [2, 3],
      functions: Object.fromEntries(['add', 'put', 'append', 'format'].map((name) => [name, { call: 'local' }])),
    },
    operation: (random) => ({ does: random.pick(['putKey', 'addKey']), args: [random.pick(KEYS), random.below(9)] }),
    events: ['resize', 'resize'],
  });

  check('writes and set-up calls reach all replicas in their order', {
    recipe: { call: 'await', state: 'none', copies: [0, 3], setup: ['use', 'useLater'] },
    operation: (random) =>
      random.below(3) > 0
        ? { does: random.pick(['format', 'formatLater']), args: [`${random.below(9)}`] }
        : random.pick([
            { does: 'use', args: [{ prefix: `${random.below(9)}` }] },
            { does: 'use', args: [{ isWrong: true }] },
            { does: 'write', args: ['mark', `${random.below(9)}`] },
            { does: 'write', args: ['defaults.suffix', `-${random.below(9)}`] },
            { does: 'write', args: ['defaults.inner.times', random.below(4)] },
            { does: 'write', args: ['extra', `e${random.below(9)}`] },
            { does: 'delete', args: ['extra'] },
          ]),
    events: ['resize', 'resize', 'resize'],
  });

  check('writes and set-up calls reach all replicas in their order, also new ones in the place of those killed', {
    recipe: { call: 'await', state: 'none', idempotent: true, order: true, copies: [0, 3], setup: ['use'] },
    operation: (random) =>
      random.below(3) > 0
        ? { does: random.pick(['format', 'formatLater']), args: [`${random.below(9)}`] }
        : random.pick([
            { does: 'use', args: [{ prefix: `${random.below(9)}` }] },
            { does: 'write', args: ['mark', `${random.below(9)}`] },
            { does: 'write', args: ['defaults.suffix', `-${random.below(9)}`] },
          ]),
    events: ['resize', 'resize', 'kill'],
    isOrdered: true,
    mayLose: true,
  });
});
