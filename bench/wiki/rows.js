'use strict';

// The rows of the wiki's tables: a way to run it, and what one load on it gives.
// In: the name of a way, and what to measure. Out: a row for the harness. A row whose program judges links wrongly is refused.

const { wrap } = require('../lib/screen.js');
const { Program, whyNot } = require('./program.js');

const WARM_SECONDS = 3;
const CONNECTIONS = 32;
const ALL = ['plain', 'ignis', 'ignis, lift', 'piscina, a task a call', 'piscina, a task a page', 'node:cluster'];
const MOST_TOLD = 12;
const KNOWN_PAGE = '/wiki/Writing_Pages';

/**
 * @typedef {object} Options
 * @property {number} rounds
 * @property {number} seconds of one measured load
 * @property {number} rate requests a second, where it is fixed
 */
/** @typedef {import('./program.js').LoadReport} LoadReport */

/**
 * @param {string} name
 * @param {(program: Program) => Promise<Record<string, number>>} run
 * @returns {import('../lib/harness.js').Row}
 */
function row(name, run) {
  /** @type {Program} */
  let program;
  return {
    name,
    skip: whyNot(name),
    setup: async () => {
      program = await new Program(name).ready();
    },
    check: () => checkAnswer(program.url),
    run: () => run(program),
    teardown: async () => tell(name, await program?.end()),
  };
}

/**
 * @param {string} url
 * @throws {Error} when the links of a known page are not judged as they should be
 */
async function checkAnswer(url) {
  checkText(await (await fetch(new URL(KNOWN_PAGE, url))).text(), url);
}

/**
 * @param {string} text of the known page
 * @param {string} where it is from
 * @throws {Error} the same
 */
function checkText(text, where) {
  for (const part of ['9 checked, 2 broken', 'better written as http://example.org/a/c']) {
    if (!text.includes(part)) throw new Error(`the page at ${where} does not say ${JSON.stringify(part)}`);
  }
}

/**
 * @param {LoadReport} report
 * @returns {LoadReport}
 */
function withoutErrors(report) {
  if (report.errors > 0) throw new Error(`${report.errors} requests failed: ${JSON.stringify(report.errorKinds)}`);
  return report;
}

/**
 * What Ignis did, so that a figure can be understood.
 * @param {string} name
 * @param {any} report of Ignis; null without it
 */
function tell(name, report) {
  if (!report || process.argv.includes('--json')) return;
  const acts = report.decisions.filter((/** @type {any} */ decision) => decision.action !== 'stay');
  if (acts.length > 0) console.log(`\n${name} decided, ${acts.length} times:`);
  for (const { action, sentence } of acts.slice(0, MOST_TOLD)) console.log(wrap(`${action}: ${sentence}`, '  '));
}

exports.ALL = ALL;
exports.CONNECTIONS = CONNECTIONS;
exports.KNOWN_PAGE = KNOWN_PAGE;
exports.WARM_SECONDS = WARM_SECONDS;
exports.checkAnswer = checkAnswer;
exports.checkText = checkText;
exports.row = row;
exports.withoutErrors = withoutErrors;
