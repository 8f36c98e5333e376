'use strict';
/*
 * Replica sets over real processes and threads, for tests. In: where, and settings. Out: a set with ways to call it, and an end that
 * asserts that no process, socket or timer is left over.
 */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { ReplicaSet } = require('../../lib/spawn/replica-set');
const { SparePool } = require('../../lib/spawn/spare-pool');
const { Call } = require('../../lib/session/call');
const { until } = require('../helpers/until');

const FIXTURES = path.join(__dirname, 'fixtures');

/** @param {string} name of a fixture */
const fixture = (name) => ({ kind: 'file', name, place: path.join(FIXTURES, name), argv: process.argv.slice(1) });

/** Whether it runs: one that has ended, and that whoever adopted it has not looked at yet, does not. @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.[0] !== 'Z';
  } catch {
    return false;
  }
}

/** What keeps this process alive, by kind. */
function resources() {
  const counts = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

class TestSet {
  /** @type {string[]} names of functions that ran at home */
  atHome = [];
  /** @type {Error[]} */
  failures = [];
  // One timer is mocha's own, which it starts after the test.
  #before = { ...resources(), Timeout: 1 };
  #pids = new Set();

  /** @param {string} where @param {object} [settings] of the set, or of its launch */
  constructor(where, { target = fixture('work.js'), launch = {}, ...settings } = {}) {
    this.launch = { where, comm: 'auto', codec: 'msgpackr', ...launch };
    this.pool = new SparePool();
    const start = this.pool.launch;
    this.launches = 0;
    this.pool.launch = async (wanted) => {
      this.launches += 1;
      const launched = await start(wanted);
      if (where === 'process') this.#pids.add(launched.pid);
      return launched;
    };
    this.set = new ReplicaSet(
      {
        target,
        launch: this.launch,
        sched: 'least',
        qDepth: Infinity,
        startMs: 30_000,
        closeMs: 2000,
        errorClass: () => undefined,
        ...settings,
      },
      this.pool,
    );
    this.set.onFail = (error) => this.failures.push(error);
  }

  /** The processes that were started so far. */
  get pids() {
    return [...this.#pids];
  }

  /**
   * @param {string} name
   * @param {any[]} args
   * @param {object} [plan]
   * @returns {{call: Call, isTaken: boolean, result: Promise<any>}}
   */
  start(name, args, plan = {}) {
    const call = new Call(
      {
        key: name,
        path: [name],
        mode: 'await',
        canRerun: false,
        affinity: null,
        runAtHome: (_self, given) => {
          this.atHome.push(name);
          return ['at home', ...given];
        },
        ...plan,
      },
      null,
      args,
    );
    const result = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    result.catch(() => {});
    const isTaken = this.set.submit(call, performance.now());
    if (!isTaken) call.runAtHome();
    return { call, isTaken, result };
  }

  /** @param {string} name @param {...any} args @returns {Promise<any>} */
  call(name, ...args) {
    return this.start(name, args).result;
  }

  /** A call that may run twice. @param {string} name @param {...any} args @returns {Promise<any>} */
  callPure(name, ...args) {
    return this.start(name, args, { canRerun: true }).result;
  }

  async close() {
    await Promise.all([this.set.close(), this.pool.close()]);
    assert.equal(this.set.ready + this.set.starting + this.set.replicas.length + this.pool.size, 0);
    for (const pid of this.#pids) await until(() => !isAlive(pid), `the end of process ${pid}`);
    await until(
      () => {
        const now = resources();
        return Object.keys({ ...now, ...this.#before }).every((kind) => (now[kind] ?? 0) <= (this.#before[kind] ?? 0));
      },
      `nothing to be left over: ${JSON.stringify(this.#before)}, then ${JSON.stringify(resources())}`,
    ).catch((error) => {
      throw new Error(`${error.message}, at last ${JSON.stringify(resources())}`, { cause: error });
    });
  }
}

exports.TestSet = TestSet;
exports.fixture = fixture;
exports.isAlive = isAlive;
exports.FIXTURES = FIXTURES;
