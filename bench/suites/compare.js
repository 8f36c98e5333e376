'use strict';

// Compares what a suite said in two modes, and holds the losses against the list of known failures.
// In: outcomes, the known list. Out: what passes plain, what was lost elsewhere and why, grouped. Pure.

/**
 * @typedef {import('./outcomes').Outcome} Outcome
 *
 * @typedef {object} Baseline
 * @property {Set<string>} passed names of the tests that pass plain, each time
 * @property {Set<string>} failed plain, each time
 * @property {Set<string>} flaky now so, now so: they count nowhere
 *
 * @typedef {object} Lost a test that passes plain and not here
 * @property {string} suite
 * @property {string} mode
 * @property {string} test
 * @property {string} error
 *
 * @typedef {object} Known
 * @property {string} suite
 * @property {string[]} modes
 * @property {string} test its name; a `*` at the end stands for any rest
 * @property {string} reason one line
 * @property {number} [below] it is lost before this version of Node only
 */

/**
 * @param {Outcome[][]} runs the plain ones
 * @returns {Baseline}
 */
function baselineOf(runs) {
  const maps = runs.map((run) => new Map(run.map(({ name, ok }) => [name, ok])));
  /** @type {Baseline} */
  const baseline = { passed: new Set(), failed: new Set(), flaky: new Set() };
  for (const name of new Set(maps.flatMap((map) => [...map.keys()]))) {
    const seen = maps.map((map) => map.get(name));
    const kind = seen.every((ok) => ok === true) ? 'passed' : seen.every((ok) => ok === false) ? 'failed' : 'flaky';
    baseline[kind].add(name);
  }
  return baseline;
}

/**
 * @param {Baseline} baseline
 * @param {{ outcomes: Outcome[], ending: string | null }} run ending: why it stopped before its end; null when it did not
 * @returns {{ test: string, error: string }[]}
 */
function lostIn(baseline, { outcomes, ending }) {
  const byName = new Map(outcomes.map((outcome) => [outcome.name, outcome]));
  const lost = [];
  for (const test of baseline.passed) {
    const outcome = byName.get(test);
    if (outcome?.ok) continue;
    lost.push({ test, error: outcome === undefined ? `not run: ${ending ?? 'the suite passed it over'}` : (outcome.error ?? 'failed') });
  }
  // A failure that plain never has, such as a call too many, is a loss of its own, unless its test has lost something already.
  const titles = new Set(lost.map(({ test }) => titleOf(test)));
  for (const { name, ok, error } of outcomes) {
    if (ok || baseline.passed.has(name) || baseline.failed.has(name) || baseline.flaky.has(name) || titles.has(titleOf(name))) continue;
    lost.push({ test: name, error: error ?? 'failed' });
    titles.add(titleOf(name));
  }
  return lost;
}

/** @param {string} name of an assertion @returns {string} of the test it stands in */
function titleOf(name) {
  const end = name.lastIndexOf(' > ');
  return end < 0 ? name : name.slice(0, end);
}

/**
 * What errors of one kind have in common: the first line, without what differs from test to test.
 * @param {string} error
 * @returns {string}
 */
function reasonOf(error) {
  const line = (error.split('\n').find((text) => text.trim() !== '') ?? '').trim();
  return line
    .replaceAll(/(?:\/[\w.@+-]+){2,}/g, '<path>')
    .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '<text>')
    .replaceAll(/\b0x[\da-f]+\b|\b\d+(?:\.\d+)?\b/gi, '<n>')
    .slice(0, 160);
}

/**
 * @param {Lost[]} lost
 * @returns {{ reason: string, lost: Lost[] }[]} the most frequent first
 */
function groupByReason(lost) {
  /** @type {Map<string, Lost[]>} */
  const groups = new Map();
  for (const one of lost) {
    const reason = reasonOf(one.error);
    groups.set(reason, [...(groups.get(reason) ?? []), one]);
  }
  return [...groups].map(([reason, all]) => ({ reason, lost: all })).sort((a, b) => b.lost.length - a.lost.length);
}

/** @param {Known} known @param {{ suite: string, mode: string, test: string }} one */
function covers(known, { suite, mode, test }) {
  // A host is a process, too, and loses what one loses.
  if (known.suite !== suite || !(known.modes.includes(mode) || (mode === 'host' && known.modes.includes('process')))) return false;
  return known.test.endsWith('*') ? test.startsWith(known.test.slice(0, -1)) : known.test === test;
}

/** @param {Known[]} list @param {string} version of Node @returns {Known[]} those that are lost there */
function knownOn(list, version) {
  const major = Number(/\d+/.exec(version)?.[0]);
  return list.filter(({ below = Infinity }) => major < below);
}

/**
 * @param {Lost[]} lost
 * @param {Known[]} list
 * @param {{ suite: string, mode: string }[]} ran
 * @returns {{ unlisted: Lost[], healed: { known: Known, mode: string }[] }} healed: listed, ran, and lost nothing
 */
function checkKnown(lost, list, ran) {
  const unlisted = lost.filter((one) => !list.some((known) => covers(known, one)));
  const healed = [];
  for (const known of list) {
    for (const mode of known.modes) {
      if (!ran.some((run) => run.suite === known.suite && run.mode === mode)) continue;
      if (!lost.some((one) => one.mode === mode && covers(known, one))) healed.push({ known, mode });
    }
  }
  return { unlisted, healed };
}

exports.baselineOf = baselineOf;
exports.lostIn = lostIn;
exports.reasonOf = reasonOf;
exports.groupByReason = groupByReason;
exports.checkKnown = checkKnown;
exports.knownOn = knownOn;
