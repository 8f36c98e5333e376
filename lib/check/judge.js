'use strict';
/*
 * What the evidence about one function proves, and no more. In: what was seen at home, and what the replicas said. Out: a verdict, with
 * every reason against a better one. Pure. The rule: one reason is enough against `pure`, and what was not examined is a reason.
 */
const { count } = require('../view/figures');

/** @typedef {import('./gather').Seen} Seen */
/**
 * @typedef {{what: string, detail: string, args: string, at: string, names?: string[]}} Finding `names`: of the variables in which
 *   something was remembered
 */

/**
 * @typedef {object} Verdict
 * @property {string} fn
 * @property {'pure' | 'stateless' | 'home'} verdict
 * @property {boolean} isIdempotent
 * @property {boolean} changesArguments or returns them
 * @property {number} calls at home
 * @property {number} compared calls in replicas
 * @property {number} equal
 * @property {number} distinct different calls
 * @property {number} orders in which all of them were made
 * @property {{why: string, detail: string, args: string, at: string}[]} reasons against `pure`; the weightiest first
 * @property {string[]} notes what does not speak against it
 */

const FEWEST = 3;

/** What each finding means; in order of weight. @type {Readonly<Record<string, string>>} */
const MEANINGS = Object.freeze(
  Object.assign(Object.create(null), {
    home: 'answered differently to equal arguments at home',
    twice: 'the same call twice in a row answers differently',
    again: 'the same call, made again, answers differently',
    count: 'the same call, made many times, answers differently',
    later: 'the same call, made later, answers differently',
    after: 'depends on earlier calls of another function',
    differs: 'answers differently without the calls before it',
    state: 'keeps state: every call changes something that it can reach',
    shows: 'remembers something that other code sees',
    set: 'reads what another function changes',
    keeps: 'keeps an argument',
    same: 'returns an object that it keeps, and that its caller may change',
    mutates: 'mutates an argument',
    returns: 'returns an argument',
    shares: 'returns a part of an argument',
    result: 'cannot be sent',
    blind: 'its state could not be fully examined',
    stuck: 'a replay did not end',
  }),
);

/** What may be found in a function that keeps no state. */
const HARMLESS = new Set(['mutates', 'returns', 'shares']);
/** What a call may ask of the world without leaving anything there. */
const ASKS = /^(?:reads|depends on|draws)/;
/** What a source may mention of the world, which no longer matters if it asks for something else there. */
const ASKED = new Set([
  'Math.random',
  'the time',
  'random numbers',
  'the locale',
  'the time zone',
  'its async context',
  'garbage collection',
]);

/** @param {Finding} finding */
const keyOf = ({ what }) => (what.startsWith('after ') ? 'after' : what);

/**
 * @param {Seen} seen
 * @param {import('./study').Studied | undefined} studied
 * @param {object} module
 * @param {string[]} module.worlds
 * @param {string[]} module.opaque
 * @param {string} module.failed
 * @param {string[]} module.writes
 * @returns {Verdict}
 */
function judge(seen, studied, module) {
  const worlds = studied?.worlds ?? [];
  const sum = (/** @type {'compared' | 'equal'} */ field) => worlds.reduce((total, world) => total + world[field], 0);
  const reasons = [...fromHome(seen, module), ...fromReplicas(seen, studied, module)];
  const others = reasons.filter(({ what }) => !HARMLESS.has(what));
  // It is, if only questions to the world, and effects on arguments, speak against `pure`.
  const isStateless = others.every(({ what, why }) => what === 'note' && ASKS.test(why));
  const isPure = reasons.length === 0;
  const remembered = studied?.findings.find(({ what }) => what === 'remembers');
  const changes = reasons.some(({ what }) => HARMLESS.has(what));
  return {
    fn: seen.fn,
    verdict: isPure ? 'pure' : isStateless ? 'stateless' : 'home',
    isIdempotent: isPure || (isStateless && !changes),
    changesArguments: changes,
    calls: seen.calls,
    compared: sum('compared'),
    equal: sum('equal'),
    distinct: seen.distinct.length,
    orders: worlds.length,
    reasons: reasons.map(({ why, detail, args, at }) => ({ why, detail, args, at })),
    notes: [
      ...(remembered === undefined || !isStateless ? [] : [`remembers something (${remembered.detail}), which no result showed`]),
      ...(seen.large > 0 ? [`${count(seen.large, 'call')} left out: too large to be copied`] : []),
    ],
  };
}

/** @typedef {{what: string, why: string, detail: string, args: string, at: string}} Reason */

/** @param {string} what @param {string} why @param {Partial<Reason>} [more] @returns {Reason} */
const reason = (what, why, { detail = '', args = '', at = '' } = {}) => ({ what, why, detail, args, at });

/** @param {Seen} seen @param {{writes: string[], failed: string, opaque: string[]}} module @returns {Reason[]} */
function fromHome(seen, { writes, failed, opaque }) {
  const reasons = [];
  if (failed !== '') reasons.push(reason('failed', 'its module cannot be loaded in a replica', { detail: failed }));
  if (seen.constructs > 0)
    reasons.push(reason('constructs', `it is called with \`new\` (${seen.constructs} times), and objects stay where they were made`));
  if (seen.foreignThis > 0) reasons.push(reason('this', `it is called on objects other than its module (${seen.foreignThis} times)`));
  for (const { why, count: times, at } of seen.refusals.slice(0, 3))
    reasons.push(reason('refused', `cannot be sent: ${why}${times > 1 ? ` (${times} calls)` : ''}`, { at }));
  if (writes.length > 0) reasons.push(reason('writes', `the program writes to its module: ${[...new Set(writes)].slice(0, 3).join(', ')}`));
  for (const what of opaque) reasons.push(reason('opaque', `its module ${what}`));
  for (const finding of seen.findings) reasons.push(reason(finding.what, MEANINGS[finding.what], finding));
  return reasons;
}

/** @param {number} calls different ones */
const tooFew = (calls) => (calls === 0 ? 'no call could be compared' : `only ${count(calls, 'different call')} could be compared`);

/**
 * @param {Seen} seen
 * @param {import('./study').Studied | undefined} studied
 * @param {{worlds: string[], failed: string}} module
 * @returns {Reason[]}
 */
function fromReplicas(seen, studied, { worlds: all, failed }) {
  const reasons = [];
  const worlds = studied?.worlds ?? [];
  const findings = studied?.findings ?? [];
  for (const note of studied?.notes ?? []) reasons.push(reason('note', note));
  // What was seen in action was judged by its effects.
  const named = studied?.suspects ?? [];
  const isGlobal = (/** @type {string} */ name) => name.startsWith('the global ');
  for (const name of named.filter(isGlobal)) reasons.push(reason('global', `shares ${name} with other modules: each replica has its own`));
  const suspects = named.filter((name) => !isGlobal(name) && !wasSeen(name, findings, [...(studied?.notes ?? [])]));
  for (const name of suspects)
    reasons.push(reason('suspect', `its source, or that of a function it calls, names ${name}, though no call reached that`));
  const order = Object.keys(MEANINGS);
  const found = findings.filter(({ what }) => what !== 'remembers').sort((a, b) => order.indexOf(keyOf(a)) - order.indexOf(keyOf(b)));
  for (const finding of found) {
    if (seen.findings.some(({ what }) => what === finding.what)) continue;
    const other = /^after (.*)$/.exec(finding.what)?.[1];
    reasons.push(reason(keyOf(finding), other === undefined ? MEANINGS[finding.what] : `depends on earlier calls, of ${other}`, finding));
  }
  const asRecorded = worlds.filter(({ name }) => name.startsWith('as recorded'));
  for (const { name, compared, equal, first } of worlds) {
    // For that one there is a finding.
    if (compared === equal || name === 'each function alone') continue;
    const isDependent = !name.startsWith('as recorded') && asRecorded.every((world) => world.compared === world.equal);
    const why = isDependent ? 'depends on earlier calls, or on time and place' : 'a replica answers differently';
    const detail = first === null ? '' : `${first.where}: home ${first.home}, ${name} ${first.there}`;
    reasons.push(reason('world', `${why} (${compared - equal} of ${compared}, ${name})`, { detail, args: first?.args, at: first?.at }));
  }
  if (failed !== '' || seen.calls === 0) return reasons;
  if (seen.distinct.length < FEWEST) reasons.push(reason('few', tooFew(seen.distinct.length)));
  else {
    const needed = all.filter((name) => !name.startsWith('as recorded'));
    const missing = needed.filter((name) => !worlds.some((world) => world.name === name && world.compared > 0));
    if (missing.length > 0 || asRecorded.length === 0)
      reasons.push(reason('missing', `it was not compared in every order (${missing.join(', ') || 'as recorded'} is missing)`));
  }
  return reasons;
}

/**
 * @param {string} suspect
 * @param {Finding[]} findings
 * @param {string[]} notes
 * @returns {boolean} whether a call came there, so that it was judged by its effects
 */
function wasSeen(suspect, findings, notes) {
  if (suspect.startsWith('a change of its argument')) return findings.some(({ what }) => what === 'mutates');
  const variable = /^a change of '(.*)'$/.exec(suspect)?.[1];
  if (variable !== undefined) {
    const remembered = findings.flatMap(({ what, names }) => (what === 'remembers' ? (names ?? []) : []));
    return remembered.includes(variable) || (/^(?:this|exports|module)$/.test(variable) && remembered.includes('<1>'));
  }
  if (suspect === 'process' || suspect === 'timers') return notes.some((note) => note.includes(suspect.replace(/s$/, '')));
  // 'fs.readFileSync', 'console.log'
  if (/^[a-z_/]+\d?(?:\.\w+)?$/.test(suspect) && notes.some((note) => note.includes(suspect))) return true;
  return ASKED.has(suspect) && notes.length > 0;
}

exports.judge = judge;
