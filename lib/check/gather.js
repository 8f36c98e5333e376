'use strict';
/*
 * Turns the records of all processes of a checked program into what is known of each module. In: records. Out: for each module its
 * functions, their different calls, and its histories, one for each process and each copy of the module in it. Pure.
 */
const { differsAt, keyOf, preview, previewResult } = require('../session/copies');

/** @typedef {import('./replayed').Recorded} Recorded */

/**
 * @typedef {object} Seen a function at home
 * @property {string} fn
 * @property {number} calls
 * @property {number} constructs
 * @property {number} foreignThis
 * @property {number} recorded
 * @property {number} large calls left out because of their size
 * @property {Recorded[]} distinct calls that could be copied completely, each once
 * @property {{why: string, count: number, at: string}[]} refusals
 * @property {{what: string, detail: string, args: string, at: string}[]} findings
 */

/**
 * @typedef {object} SeenModule
 * @property {string} name
 * @property {string} filename
 * @property {string | null} version
 * @property {Map<string, Seen>} functions
 * @property {{cwd: string, argv: string[], loaders: string[], calls: Recorded[]}[]} histories the longest first
 * @property {string[]} writes to its exports
 */

/**
 * @param {{process: string, records: any[]}[]} logs
 * @returns {{modules: SeenModule[], imported: string[], processes: {argv: string[], cwd: string}[], skipped: number}} imported: files,
 *   including those of modules that were not called
 */
function gather(logs) {
  /** @type {Map<string, SeenModule>} */
  const modules = new Map();
  const processes = [];
  let skipped = 0;
  for (const { records } of logs) {
    /** @type {Map<string, SeenModule>} copy of a module -> module */
    const copies = new Map();
    /** @type {Map<string, any[]>} */
    const histories = new Map();
    const own = records.find(({ type }) => type === 'process') ?? { argv: [], loaders: [], cwd: process.cwd() };
    processes.push({ argv: own.argv, cwd: own.cwd });
    for (const record of records) {
      if (record.type === 'full') skipped += record.skipped;
      if (record.type === 'module') copies.set(record.module, moduleOf(modules, record));
      const module = copies.get(record.module);
      if (module === undefined) continue;
      if (record.type === 'write') module.writes.push(`'${record.path}' (by ${record.by})`);
      if (record.type === 'count') addCount(seenOf(module, record.fn), record);
      if (record.type !== 'call') continue;
      const calls = histories.get(record.module);
      if (calls === undefined) histories.set(record.module, [record]);
      else calls.push(record);
    }
    for (const [copy, calls] of histories) {
      calls.sort((a, b) => a.seq - b.seq);
      // A call may be recorded as pending at a signal, and again once its outcome was known.
      const last = calls.filter(({ seq }, i) => calls[i + 1]?.seq !== seq);
      copies.get(copy)?.histories.push({ cwd: own.cwd, argv: own.argv, loaders: own.loaders, calls: last });
    }
  }
  for (const module of modules.values()) {
    module.histories.sort((a, b) => b.calls.length - a.calls.length);
    sortCalls(module);
  }
  const all = [...modules.values()];
  const imported = all.map(({ filename }) => filename);
  return { modules: all.filter(({ functions }) => functions.size > 0), imported, processes, skipped };
}

/** @param {Map<string, SeenModule>} modules @param {any} record @returns {SeenModule} */
function moduleOf(modules, { name, filename, version }) {
  let module = modules.get(name);
  if (module === undefined) modules.set(name, (module = { name, filename, version, functions: new Map(), histories: [], writes: [] }));
  return module;
}

/** @param {SeenModule} module @param {string} fn @returns {Seen} */
function seenOf(module, fn) {
  let seen = module.functions.get(fn);
  if (seen === undefined) {
    seen = { fn, calls: 0, constructs: 0, foreignThis: 0, recorded: 0, large: 0, distinct: [], refusals: [], findings: [] };
    module.functions.set(fn, seen);
  }
  return seen;
}

/** @param {Seen} seen @param {any} record */
function addCount(seen, { calls, constructs, foreignThis, recorded, large }) {
  seen.calls += calls;
  seen.constructs += constructs;
  seen.foreignThis += foreignThis;
  seen.recorded += recorded;
  seen.large += large;
}

/** @param {SeenModule} module */
function sortCalls(module) {
  /** @type {Map<string, any>} */
  const known = new Map();
  for (const { calls } of module.histories) {
    for (const call of calls) {
      const seen = seenOf(module, call.fn);
      const why = call.args === null ? call.why : call.why || call.whyResult;
      if (why !== '' || call.kind === 'pending') {
        refuse(seen, why || 'its promise did not settle', call.at);
        continue;
      }
      if (call.after !== null) find(seen, 'mutates', `args${differsAt(call.args, call.after)}`, call);
      if (call.same >= 0) find(seen, 'returns', `argument ${call.same}`, call);
      const key = `${call.fn}\0${call.self}\0${keyOf(call.args)}`;
      const earlier = known.get(key);
      if (earlier === undefined) {
        known.set(key, call);
        seen.distinct.push(call);
      } else if (isOther(earlier, call)) {
        find(seen, 'home', `${preview(earlier.args)}: first ${outcomeOf(earlier)}, then ${outcomeOf(call)}`, call);
      }
    }
  }
}

/** @param {Seen} seen @param {string} why @param {string} at */
function refuse(seen, why, at) {
  const known = seen.refusals.find((one) => one.why === why);
  if (known === undefined) seen.refusals.push({ why, count: 1, at });
  else known.count += 1;
}

/** @param {Seen} seen @param {string} what @param {string} detail @param {any} call */
function find(seen, what, detail, call) {
  if (seen.findings.some((one) => one.what === what)) return;
  seen.findings.push({ what, detail, args: preview(call.args), at: call.at });
}

/** @param {any} one @param {any} two with equal arguments @returns {boolean} */
function isOther(one, two) {
  if (one.kind !== two.kind || (one.after === null) !== (two.after === null)) return true;
  if (one.after !== null && differsAt(one.after, two.after) !== null) return true;
  return one.result !== null && two.result !== null && differsAt(one.result, two.result) !== null;
}

/** @param {any} call */
function outcomeOf({ kind, result }) {
  return result === null ? `(${kind})` : `${kind === 'error' ? 'threw ' : ''}${previewResult(result)}`;
}

exports.gather = gather;
