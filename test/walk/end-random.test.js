'use strict';

// Random schedules of starts, scaling, losses and calls, some of modules that cannot be started: after close() nobody is left, however far
// everything had come.

const assert = require('node:assert/strict');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const { Fleet } = require('../../lib/spawn/fleet');
const { SparePool } = require('../../lib/spawn/spare-pool');
const { StartGate } = require('../../lib/spawn/start-gate');
const { Call } = require('../../lib/session/call');
const { Random, seedOf } = require('../helpers/random');
const { until } = require('../helpers/until');
const { isAlive } = require('../spawn/sets');

const FIXTURES = path.join(__dirname, '../spawn/fixtures');
/** The second and third cannot be loaded, and end while they are. */
const MODULES = ['work.js', 'throws.js', 'exits.js'];
const SEED = 3211966564;
const SCHEDULES = 24;
const AT_ONCE = 4;
const STEPS = 12;

/** What was launched, and has not ended. */
class Launches {
  #living = new Set();
  pids = new Set();

  /** @param {Fleet} fleet */
  constructor(fleet) {
    const { launch } = fleet.spares;
    fleet.spares.launch = async (settings) => {
      const launched = await launch(settings);
      this.#living.add(launched);
      launched.onExit(() => this.#living.delete(launched));
      if (launched.where === 'process') this.pids.add(launched.pid);
      return launched;
    };
  }

  get living() {
    return this.#living.size;
  }
}

/** @param {string} name */
const idOf = (name) => ({ name, kind: 'file', filename: path.join(FIXTURES, name), packageName: null, version: null, inside: '' });

/** @param {any} set @returns {Promise<any>} settles however the call ends */
function call(set) {
  const plan = {
    key: 'sleep',
    path: ['sleep'],
    mode: /** @type {const} */ ('promise'),
    canRerun: true,
    affinity: null,
    runAtHome: () => 'at home',
  };
  const made = new Call(plan, null, [5, 'slept']);
  const ended = new Promise((resolve) => Object.assign(made, { resolve, reject: resolve }));
  if (!set.submit(made, performance.now())) made.runAtHome();
  return ended;
}

/** @param {number} number of the schedule */
async function play(number) {
  const random = new Random(seedOf(SEED, number));
  // In every second one starts do not wait for each other, so that many are under way.
  const spares = number % 2 === 0 ? new SparePool(undefined, 60_000, new StartGate(99)) : undefined;
  const fleet = new Fleet({ spares: 1, startMs: 60_000, closeMs: 2000, maxFrameBytes: 1 << 26 }, spares);
  const launches = new Launches(fleet);
  const where = random.pick(['process', 'thread']);
  const open = () => fleet.open(idOf(random.pick(MODULES)), { where }, () => undefined);
  /** @type {Promise<any>[]} */
  const asked = [];
  const steps = [
    () => void open().resize(random.below(4)),
    () => void open().preload(),
    () => void open().preload(),
    () => void fleet.prepare({ where }),
    () => void fleet.spares.keep({ where, comm: 'auto', codec: 'msgpackr' }, random.below(3)),
    () => open().replicas[0]?.kill('struck by a test'),
    () => void asked.push(call(open())),
    () => fleet.retire(random.pick(MODULES)),
    () => pause(random.below(120)),
    () => pause(random.below(20)),
  ];
  for (let step = 0; step < STEPS; step++) await random.pick(steps)();
  await fleet.close();
  await Promise.all(asked);
  await until(() => launches.living === 0, `the end of ${launches.living} replicas of schedule ${number}`, 30_000);
  for (const pid of launches.pids) await until(() => !isAlive(pid), `the end of ${pid} of schedule ${number}`, 30_000);
  return launches.pids.size;
}

describe('random schedules of starts and ends', function () {
  this.timeout(300_000);

  it(`${SCHEDULES} of them leave nobody behind`, async () => {
    // Starts do not keep a program alive.
    const alive = setInterval(() => {}, 1000);
    const stderr = process.stderr.write;
    // Replicas that cannot be started say so there.
    process.stderr.write = () => true;
    try {
      let launched = 0;
      for (let number = 0; number < SCHEDULES; number += AT_ONCE) {
        const counts = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => play(number + i)));
        launched += counts.reduce((sum, count) => sum + count, 0);
      }
      assert.ok(launched > 10, `only ${launched} processes were started`);
    } finally {
      process.stderr.write = stderr;
      clearInterval(alive);
    }
  });
});
