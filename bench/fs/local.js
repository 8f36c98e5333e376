'use strict';

// What `fs: 'local'` costs. In: Node's own `fs` and what the recipe gives, in one program. Out: a table of ratios, of the two in this
// program, and of a program of its own with Ignis to the same without: the median of all rounds, and between what it lies with 95 %
// probability, by the clock and of processor time. In a round each of the two is called twice, in an order that favours none (1221, then
// 2112), after a go that does not count, as a processor is slower at what it comes back to.

const { fork } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');
const { machine } = require('../lib/harness.js');
const { median, medianBetween } = require('../lib/statistics.js');
const { number, table } = require('../lib/table.js');
const { CALLS, check, time } = require('./calls.js');

const PAIRS = ['in one program', 'with Ignis and without'];
/** After so many rounds the programs are started anew: two that are the same differ by some percent for as long as they live. */
const CAST_ROUNDS = 10;

/** @typedef {import('./calls.js').System} System */
/** @typedef {{us: number, processorUs: number}} Took */
/** @typedef {(what: string, calls: number) => Promise<Took>} Way */

/** @param {import('node:child_process').ChildProcess} child @returns {Way} */
function askOf(child) {
  return async (what, calls) => {
    child.send({ what, calls });
    const [took] = await once(child, 'message');
    return took;
  };
}

/** @param {Took} one @param {Took} other @returns {Took} */
const sum = (one, other) => ({ us: (one.us + other.us) / 2, processorUs: (one.processorUs + other.processorUs) / 2 });

/** @param {Way} one @param {Way} other @param {string} what @param {number} calls @returns {Promise<[Took, Took]>} */
async function takeBoth(one, other, what, calls) {
  await one(what, calls);
  const first = await one(what, calls);
  const second = await other(what, calls);
  const third = await other(what, calls);
  return [sum(first, await one(what, calls)), sum(second, third)];
}

/** @param {[Way, Way]} pair @param {string} what @param {number} calls @param {number} round @returns {Promise<[Took, Took]>} one each */
async function takeInTurn([one, other], what, calls, round) {
  if (round % 2 === 0) return takeBoth(one, other, what, calls);
  const [second, first] = await takeBoth(other, one, what, calls);
  return [first, second];
}

/**
 * @param {[Took, Took][]} rounds
 * @param {keyof Took} kind
 * @returns {{ratio: number, from: number, to: number}} of the second to the first
 */
function ratioOf(rounds, kind) {
  const ratios = rounds.map(([one, other]) => other[kind] / one[kind]);
  const [from, to] = medianBetween(ratios);
  return { ratio: median(ratios), from, to };
}

/** @param {string[]} execArgv @returns {import('node:child_process').ChildProcess} */
function startAlone(...execArgv) {
  // What makes the calls is there before Ignis is: it is not what is looked at.
  const before = ['-r', path.join(__dirname, 'calls.js')];
  return fork(path.join(__dirname, 'alone.js'), { execArgv: [...before, ...execArgv], env: { ...process.env, NODE_OPTIONS: '' } });
}

/** Two programs that are the same, but for Ignis. @param {(without: Way, withIgnis: Way) => Promise<void>} run */
async function withPrograms(run) {
  const children = [startAlone(), startAlone('-r', path.join(__dirname, '..', '..', 'lib', 'register.js'))];
  try {
    await run(askOf(children[0]), askOf(children[1]));
  } finally {
    for (const child of children) {
      child.disconnect();
      await once(child, 'exit');
    }
  }
}

/** @param {{plain: System, local: System}} systems @param {{rounds: number, calls: number, json: boolean}} options */
async function measureLocal({ plain, local }, { rounds, calls, json }) {
  await check(local);
  const taken = Object.keys(CALLS).map((what) => ({ what, rounds: [0, 1].map(() => /** @type {[Took, Took][]} */ ([])) }));
  for (let done = 0; done < rounds; done += CAST_ROUNDS) {
    await withPrograms(async (without, withIgnis) => {
      /** @type {[Way, Way][]} */
      const pairs = [
        [(what, count) => time(plain, what, count), (what, count) => time(local, what, count)],
        [without, withIgnis],
      ];
      for (let round = -1; round < Math.min(CAST_ROUNDS, rounds - done); round++)
        for (const { what, rounds: kept } of taken)
          for (const [i, pair] of pairs.entries()) {
            const took = await takeInTurn(pair, what, calls, round);
            if (round >= 0) kept[i].push(took);
          }
    });
  }
  const results = taken.map(({ what, rounds: kept }) => ({
    what,
    us: median(kept[0].map(([{ us }]) => us)),
    ratios: Object.fromEntries(
      PAIRS.map((name, i) => [name, { clock: ratioOf(kept[i], 'us'), processor: ratioOf(kept[i], 'processorUs') }]),
    ),
  }));
  const title = 'fs: local, ratios to plain fs';
  if (json) return console.log(JSON.stringify({ title, rounds, results, isSame: local.fs === plain.fs, machine: machine() }));
  const told = (/** @type {ReturnType<typeof ratioOf>} */ { ratio, from, to }) =>
    `${ratio.toFixed(3)} (${from.toFixed(3)}..${to.toFixed(3)})`;
  const rows = results.map(({ what, us, ratios }) => [
    what,
    number(us),
    ...Object.values(ratios).flatMap(({ clock, processor }) => [told(clock), told(processor)]),
  ]);
  const titles = ['', 'us', ...PAIRS.flatMap((name) => [name, 'processor time'])];
  console.log(`\n## ${title}\n\n${table(titles, rows)}\n\n${rounds} rounds; the very same object: ${local.fs === plain.fs}`);
}

exports.measureLocal = measureLocal;
