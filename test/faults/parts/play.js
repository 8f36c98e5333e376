'use strict';
/*
 * What parts have in common whose calls leave a program that is not blocked. In: the part's recipe, its callers, its rules. Out: what is
 * off, and counts. First each function is called once at home, since nothing is known of it before; those calls are accounted for, too.
 */
const fs = require('node:fs');
const { checkCalls, tallyRuns } = require('../checker');
const { readRuns } = require('../ledger');
const { Stage } = require('../stage');

/**
 * @typedef {object} PartOptions
 * @property {number} seed
 * @property {number} ms how long, unless calls or kills say it
 * @property {number} [calls] at least so many
 * @property {number} [kills] and so many faults that end a replica
 * @property {number} [meanMs] between faults
 * @property {string} log file of the runs
 * @property {(figures: Record<string, number>) => void} onLook told now and then how far it is
 */

/**
 * @typedef {object} PartResult
 * @property {string[]} problems
 * @property {Record<string, number>} counts
 * @property {Record<string, number>} struck
 */

/**
 * @typedef {object} Script
 * @property {string} part
 * @property {object} recipe
 * @property {string} [file] of the module
 * @property {'process' | 'thread'} [where]
 * @property {number} [wanted]
 * @property {number} [callers]
 * @property {object} [faults]
 * @property {import('../checker').Rules} [rules]
 * @property {(stage: Stage, random: import('../../helpers/random').Random, number: number) => Promise<unknown>} caller makes one call or a
 *   few
 * @property {(stage: Stage) => Promise<unknown>} [before] calls each function once, at home
 * @property {(stage: Stage, runs: import('../ledger').Run[]) => string[]} [check] what else is to hold
 * @property {number} [leastAway] share of runs that must be in replicas; 0.4
 */

/** @param {PartOptions} options @returns {(stage: Stage) => boolean} */
function enough({ ms, calls, kills }) {
  const end = performance.now() + ms;
  if (calls === undefined && kills === undefined) return () => performance.now() > end;
  return ({ ledger, downs }) => ledger.made >= (calls ?? 0) && downs >= (kills ?? 0);
}

/** @param {PartOptions} options @param {Script} script @returns {Promise<PartResult>} */
async function play(options, { part, file, recipe, where, wanted, callers = 12, faults, rules, caller, before, check, leastAway = 0.4 }) {
  const { seed, log, meanMs } = options;
  const stage = new Stage({ part, seed, file, recipe, where, wanted, faults: { ...(meanMs === undefined ? {} : { meanMs }), ...faults } });
  const problems = [];
  try {
    await before?.(stage);
    await stage.open();
    const isEnough = enough(options);
    problems.push(
      ...(await stage.play({
        callers,
        isEnough: () => isEnough(stage),
        caller: (random, number) => caller(stage, random, number),
        onLook: () =>
          options.onLook({ calls: stage.ledger.made, pending: stage.ledger.pending, faults: total(stage.struck), ready: stage.set.ready }),
      })),
    );
  } finally {
    await stage.close();
  }
  const runs = readRuns(fs.readFileSync(log, 'utf8'));
  const tally = tallyRuns(runs);
  problems.push(...checkCalls(stage.ledger.entries.values(), runs, rules), ...(check?.(stage, runs) ?? []));
  if (tally.away < leastAway * (tally.away + tally.home))
    problems.push(`only ${tally.away} of ${tally.away + tally.home} runs were in replicas`);
  const failed = [...stage.ledger.entries.values()].filter(({ error }) => error !== null).length;
  const counts = { calls: stage.ledger.made, failed, downs: stage.downs, ...tally };
  return { problems, counts, struck: stage.struck };
}

/** @param {Record<string, number>} counts */
const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

exports.play = play;
exports.total = total;
