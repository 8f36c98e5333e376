'use strict';

// The workloads, what each is measured by, and the ways to run one.
// In: nothing, or the name of a workload. Out: plans: plain, Ignis deciding alone, and all static configurations.

const os = require('node:os');

/**
 * @typedef {object} Listed
 * @property {string} what for people
 * @property {'throughput' | 'p99'} measure
 *
 * @typedef {object} Plan one way to run a workload
 * @property {string} name
 * @property {'plain' | 'ignis' | 'static'} kind
 * @property {Record<string, number>} [copies] of a static one, by module
 * @property {'process' | 'thread'} [where]
 */

/** @type {Record<string, Listed>} */
const WORKLOADS = {
  'one-hot': { what: 'one hot pure module', measure: 'throughput' },
  'hot-open': { what: 'the same, requests come at a rate', measure: 'p99' },
  'long-calls': { what: 'short calls and a few long ones', measure: 'p99' },
  'two-hot': { what: 'two hot modules', measure: 'throughput' },
  'io-bound': { what: 'a module that waits for others', measure: 'throughput' },
  'compute-and-wait': { what: 'many calls that compute and then wait', measure: 'throughput' },
  'pool-bound': { what: "a module bound by libuv's pool", measure: 'throughput' },
  'tiny-calls': { what: 'tiny calls', measure: 'throughput' },
  'huge-arguments': { what: 'huge arguments', measure: 'throughput' },
  burst: { what: 'a burst of two seconds', measure: 'throughput' },
  moving: { what: 'load that moves to another module', measure: 'throughput' },
  unmovable: { what: 'a hot module nobody may move', measure: 'throughput' },
  'words-small': { what: 'a job as 82,000 small calls', measure: 'throughput' },
  'words-large': { what: 'the same job as one call', measure: 'throughput' },
};

/** @type {Plan} */
const PLAIN = { name: 'plain', kind: 'plain' };
/** @type {Plan} */
const IGNIS = { name: 'ignis', kind: 'ignis' };

/**
 * All numbers of replicas up to twice the processors, in processes and in threads; of several modules, all combinations that
 * together have no more. No replicas at all is what plain is.
 * @param {string[]} modules that the recipe lets be moved
 * @param {number} [cpus]
 * @returns {Plan[]}
 */
function statics(modules, cpus = os.availableParallelism()) {
  /** @type {number[][]} */
  let counts = [[]];
  for (let index = 0; index < modules.length; index++) {
    counts = counts.flatMap((before) => Array.from({ length: 2 * cpus + 1 }, (_, count) => [...before, count]));
  }
  const some = counts.map((list) => ({ list, sum: list.reduce((sum, count) => sum + count, 0) }));
  const fit = some.filter(({ sum }) => sum > 0 && sum <= 2 * cpus);
  return /** @type {const} */ (['process', 'thread']).flatMap((where) =>
    fit.map(({ list, sum }) => ({
      name: `${list.join('+')} ${where}${sum === 1 ? '' : where === 'process' ? 'es' : 's'}`,
      kind: /** @type {const} */ ('static'),
      copies: Object.fromEntries(modules.map((module, index) => [module, list[index]])),
      where,
    })),
  );
}

/**
 * @param {string} name of a workload
 * @returns {string[]} modules that its recipe lets be moved
 */
function movable(name) {
  return Object.keys(require(`./recipes/${name}.js`).modules ?? {});
}

exports.IGNIS = IGNIS;
exports.PLAIN = PLAIN;
exports.WORKLOADS = WORKLOADS;
exports.movable = movable;
exports.statics = statics;
