'use strict';
/*
 * Accounts for every call. In: what callers heard, and what the module wrote of its runs. Out: what is off, a sentence each; nothing when
 * each call has exactly one outcome, ran again only where it may, and gave what it is to give. Pure functions of plain records.
 */
const { isDeepStrictEqual } = require('node:util');

/** @typedef {import('./ledger').Entry} Entry */
/** @typedef {import('./ledger').Run} Run */

/**
 * @typedef {object} Rules
 * @property {readonly string[]} [mayFail] codes of errors that callers may get, for calls that may run only once; IGNIS_REPLICA_LOST
 * @property {readonly string[]} [mayFailAgain] the same for those that may run again; none
 * @property {readonly string[]} [neverAtHome] functions that must run in replicas only
 */

/**
 * @param {Iterable<Entry>} entries
 * @param {Run[]} runs
 * @param {Rules} [rules]
 * @returns {string[]}
 */
function checkCalls(entries, runs, { mayFail = ['IGNIS_REPLICA_LOST'], mayFailAgain = [], neverAtHome = [] } = {}) {
  const begun = begunBy(runs);
  const problems = [];
  const known = new Set();
  for (const entry of entries) {
    known.add(entry.id);
    const places = begun.get(entry.id) ?? [];
    const said = checkOne(entry, places.length, entry.rule === 'again' ? mayFailAgain : mayFail);
    if (neverAtHome.includes(entry.name) && places.includes('home')) said.push('ran at home');
    for (const what of said) problems.push(`${entry.name} ${entry.id} ${what}`);
  }
  for (const id of begun.keys()) if (!known.has(id)) problems.push(`${id} ran and was never called`);
  return problems;
}

/** @param {Entry} entry @param {number} ran how often it began @param {readonly string[]} mayFail @returns {string[]} */
function checkOne({ rule, want, outcomes, value, error }, ran, mayFail) {
  const said = [];
  if (outcomes === 0) said.push('hangs');
  if (outcomes > 1) said.push(`was answered ${outcomes} times`);
  if (rule === 'once' && ran > 1) said.push(`ran ${ran} times`);
  if (error !== null) said.push(...checkError(error, ran, mayFail));
  else if (outcomes > 0 && ran === 0) said.push('was answered and never ran');
  else if (outcomes > 0 && want !== undefined && !isDeepStrictEqual(value, want)) said.push('gave a wrong result');
  return said;
}

/** @param {any} error @param {number} ran @param {readonly string[]} mayFail @returns {string[]} */
function checkError(error, ran, mayFail) {
  if (!mayFail.includes(error.code)) return [`failed: ${error.code ?? ''} ${error.message}`];
  if (error.code !== 'IGNIS_REPLICA_LOST') return [];
  if (error.ran !== 'no' && error.ran !== 'maybe') return ['was lost, and nobody says whether it ran'];
  return error.ran === 'no' && ran > 0 ? ['ran, and its caller was told that it did not'] : [];
}

/** @param {Run[]} runs @returns {Map<string, string[]>} of each call, where it began */
function begunBy(runs) {
  /** @type {Map<string, string[]>} */
  const begun = new Map();
  for (const { mark, id, place } of runs) {
    if (mark !== 'b') continue;
    const places = begun.get(id);
    if (places === undefined) begun.set(id, [place]);
    else places.push(place);
  }
  return begun;
}

/**
 * Where nobody wrote the runs down: each call is to be answered once, and right.
 *
 * @param {Iterable<Entry>} entries
 * @returns {string[]}
 */
function checkAnswers(entries) {
  const problems = [];
  for (const entry of entries) for (const what of checkOne(entry, 1, [])) problems.push(`${entry.name} ${entry.id} ${what}`);
  return problems;
}

/**
 * `order: true`: each call begins when the one before has settled, and all settle in the order they were made. One that was lost has no
 * end; what runs again does so before the next begins.
 *
 * @param {string[]} made ids in the order of the calls
 * @param {string[]} settled ids in the order of their outcomes
 * @param {Run[]} runs
 * @param {Set<string>} lost ids of those that have no result
 * @returns {string[]}
 */
function checkOrder(made, settled, runs, lost) {
  const problems = [];
  const rank = new Map(made.map((id, i) => [id, i]));
  for (let i = 1; i < settled.length; i++) {
    if ((rank.get(settled[i]) ?? 0) < (rank.get(settled[i - 1]) ?? 0)) problems.push(`${settled[i]} settled after ${settled[i - 1]}`);
  }
  let last = -1;
  let open = '';
  for (const { mark, id } of runs) {
    const at = rank.get(id) ?? -1;
    if (mark === 'b') {
      if (at < last) problems.push(`${id} began after ${made[last]}`);
      else if (open !== '' && open !== id && !lost.has(open)) problems.push(`${id} began before ${open} had ended`);
      [last, open] = [Math.max(at, last), id];
    } else if (id === open) open = '';
  }
  return problems;
}

/**
 * `state: 'keyed'`: the calls of a key count in one life of the module, one up each time; when that life is lost another begins at one, and
 * the old one never comes back. A call that was lost may have counted, so a count may jump over as many as were lost.
 *
 * @param {{key: string, life: string, count: number}[]} counted results in the order of the calls
 * @param {Map<string, number>} lost of each key, how many calls have no result
 * @returns {string[]}
 */
function checkKeyed(counted, lost) {
  const problems = [];
  /** @type {Map<string, {life: string, count: number, past: Set<string>}>} */
  const keys = new Map();
  for (const { key, life, count } of counted) {
    const now = keys.get(key);
    if (now === undefined) keys.set(key, { life, count, past: new Set() });
    else if (now.life !== life) {
      if (now.past.has(life)) problems.push(`${key} went on counting in ${life}, which was left before`);
      now.past.add(now.life);
      Object.assign(now, { life, count });
    } else {
      if (count <= now.count || count > now.count + 1 + (lost.get(key) ?? 0)) problems.push(`${key} counted ${count} after ${now.count}`);
      now.count = count;
    }
  }
  return problems;
}

/**
 * @param {Run[]} runs
 * @returns {{home: number, away: number, again: number}} runs by where they began, and runs of calls that had run before
 */
function tallyRuns(runs) {
  const tally = { home: 0, away: 0, again: 0 };
  for (const places of begunBy(runs).values()) {
    tally.again += places.length - 1;
    for (const place of places) tally[place === 'home' ? 'home' : 'away'] += 1;
  }
  return tally;
}

exports.checkAnswers = checkAnswers;
exports.checkCalls = checkCalls;
exports.checkKeyed = checkKeyed;
exports.checkOrder = checkOrder;
exports.tallyRuns = tallyRuns;
