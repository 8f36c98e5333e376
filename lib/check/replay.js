'use strict';
/*
 * A replica of `ignis check`: a process that loads one module and replays recorded calls of it. In: a file with the job. Out: a file with a
 * line for each finding. study.js runs it, and ends it if it takes too long. It touches no other files, and does nothing outside that the
 * calls would do.
 */
const fs = require('node:fs');
const v8 = require('node:v8');
const { Changers } = require('./changers');
const { Probe } = require('./probe');
const { Replayed, differsFromHome } = require('./replayed');
const { preview, shorten } = require('../session/copies');
const { Scopes } = require('./scopes');
const { State } = require('./state');
const { Globals } = require('./globals');
const { Memory } = require('./memory');
const { search } = require('./suspects');
const { isObject } = require('../engine');

// It is replaced for the module under study.
const { appendFileSync } = fs;
const now = Date.now;
const exit = process.exit.bind(process);
const { setImmediate, setTimeout } = globalThis;

/** For all together, ms: each function after each call of each other one. */
const OTHERS_MS = 5000;
const LATER_MS = 15;
/** So long it is waited for what was begun while the module was loaded, at most. */
const REST_MS = 500;
const QUIET_TURNS = 3;
const MOST_OTHER_CALLS = 12;
/** How deep in the exports functions are looked for. */
const DEEPEST = 3;
/**
 * How many parts of pictures are looked at in one replica (half a million take about a second); if all its functions would need more, only
 * those are probed that may still prove pure.
 */
const MOST_PARTS = 20_000_000;
const PICTURES = 5;

/**
 * @typedef {object} Job
 * @property {'order' | 'probe'} mode
 * @property {string} filename
 * @property {string[]} argv
 * @property {string | null} cwd another folder than its first one; null: that one
 * @property {import('./world').Differences} differences
 * @property {import('./replayed').Recorded[]} calls in the order in which they are made
 * @property {boolean} isTwice each is made twice in a row
 * @property {string[]} skip functions that did not come back last time
 * @property {string[]} settled functions that other evidence keeps at home
 * @property {string} answer file
 */

/** @param {Job} job @param {object} record */
function say(job, record) {
  appendFileSync(job.answer, `${JSON.stringify(record)}\n`);
}

/** @param {Job} job @param {Replayed} module */
async function runOrder(job, module) {
  /** @type {Map<string, {compared: number, equal: number, first: any}>} */
  const tallies = new Map();
  for (const call of job.calls) {
    let tally = tallies.get(call.fn);
    if (tally === undefined) tallies.set(call.fn, (tally = { compared: 0, equal: 0, first: null }));
    for (let time = 0; time < (job.isTwice ? 2 : 1); time++) {
      const outcome = await module.call(call);
      const difference = differsFromHome(call, outcome);
      tally.compared += 1;
      if (difference === null) tally.equal += 1;
      else tally.first ??= { ...difference, args: preview(call.args), at: call.at };
    }
  }
  for (const [fn, tally] of tallies) say(job, { type: 'tally', fn, ...tally });
}

/** @param {Job} job @param {Replayed} module @param {State} state @param {Scopes} scopes @param {Globals} globals */
async function runProbes(job, module, state, scopes, globals) {
  /** @type {Map<string, import('./replayed').Recorded[]>} */
  const byFunction = new Map();
  for (const call of job.calls) {
    if (job.skip.includes(call.fn)) continue;
    const calls = byFunction.get(call.fn);
    if (calls === undefined) byFunction.set(call.fn, [call]);
    else calls.push(call);
  }
  const parts = state.take([module.exports]).items.length * PICTURES * byFunction.size;
  if (parts > MOST_PARTS) for (const fn of job.settled) byFunction.delete(fn);
  /** @type {Map<string, Probe>} */
  const probes = new Map();
  for (const [fn, calls] of byFunction) {
    say(job, { type: 'begin', fn });
    probes.set(fn, await new Probe(module, state, calls).run());
  }
  say(job, { type: 'begin', fn: null });
  const end = now() + OTHERS_MS;
  for (const [other, calls] of byFunction) {
    const recheck = async () => {
      for (const [fn, probe] of probes) if (fn !== other && now() < end) await probe.recheck(other);
    };
    for (const call of calls.slice(0, MOST_OTHER_CALLS)) {
      await module.call(call);
      await recheck();
    }
    // By then, what it put off has come.
    await new Promise((resolve) => setTimeout(resolve, LATER_MS));
    await recheck();
  }
  judgeMemories(module, probes, { state, scopes });
  judgeChanges(module, probes, scopes, job.settled);
  for (const [fn, probe] of probes) {
    const calls = byFunction.get(fn) ?? [];
    const { fn: original, holder } = module.find(calls[0].path);
    const { suspects } = search(original, holder, scopes, globals.made());
    const findings = probe.findings.map(({ what, detail, call, names }) => {
      const shown = call < 0 ? { args: '', at: '' } : { args: preview(calls[call].args), at: calls[call].at };
      return { what, detail, names, ...shown };
    });
    say(job, { type: 'probe', fn, compared: probe.compared, equal: probe.equal, findings, suspects });
  }
}

/** @param {Replayed} module @param {Map<string, Probe>} probes by name @param {{state: State, scopes: Scopes}} given */
function judgeMemories(module, probes, { state, scopes }) {
  const open = [...probes.values()].filter(({ remembered }) => remembered !== null);
  if (open.length === 0) return;
  const names = open.flatMap(({ remembered }) => remembered ?? []);
  const sharers = functionsOf(module.exports).map((path) => ({
    path,
    ...module.find(path === '' ? [] : path.split('.')),
    isSteady: probes.get(path)?.isSteady ?? false,
  }));
  /** @type {Map<any, Set<any>>} */
  const found = new Map();
  const memory = new Memory({
    state,
    scopes,
    roots: module.loaded(),
    names,
    search: (fn) => {
      const led = found.get(fn) ?? search(fn, sharers.find((one) => one.fn === fn)?.holder, scopes).led;
      found.set(fn, led);
      return led;
    },
  });
  for (const probe of open) {
    const others = memory.seenBy(probe.fn, probe.remembered ?? [], sharers);
    if (others !== null) probe.findings.push({ what: 'shows', detail: others, call: -1 });
  }
}

/**
 * @param {Replayed} module
 * @param {Map<string, Probe>} probes by name
 * @param {Scopes} scopes
 * @param {readonly string[]} settled functions that stay at home in any case
 */
function judgeChanges(module, probes, scopes, settled) {
  const own = module.exports;
  const others = module.loaded().flatMap((root) =>
    functionsOf(root).map((path) => {
      const [fn, holder] = [...(path === '' ? [] : path.split('.'))].reduce(([one], name) => [one?.[name], one], [root, undefined]);
      return { path, fn, holder, isSteady: root === own && probes.get(path)?.isSteady === true };
    }),
  );
  /** @type {Map<any, ReturnType<typeof search>>} */
  const found = new Map();
  const changers = new Changers({
    scopes,
    others,
    remembered: [...probes.values()].flatMap(({ remembered }) => remembered ?? []),
    search: (fn, holder) => {
      const known = found.get(fn) ?? search(fn, holder, scopes);
      found.set(fn, known);
      return known;
    },
  });
  for (const [name, probe] of probes) {
    if (settled.includes(name)) continue;
    const changer = changers.changerOf(probe.fn, probe.holder);
    if (changer !== null) probe.findings.push({ what: 'set', detail: changer, call: -1 });
  }
}

/** @param {any} exports @returns {string[]} paths of its functions; runs no getters */
function functionsOf(exports) {
  /** @type {string[]} */
  const found = [];
  const seen = new Set();
  /** @param {any} value @param {string[]} path */
  const visit = (value, path) => {
    if (!isObject(value) || seen.has(value) || path.length > DEEPEST) return;
    seen.add(value);
    if (typeof value === 'function') found.push(path.join('.'));
    for (const [name, { value: inner }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (name !== 'prototype') visit(inner, [...path, name]);
    }
  };
  visit(exports, []);
  return found;
}

/** @param {any} error @returns {string} */
function whyNotLoaded(error) {
  const why = shorten(String(error?.message ?? error));
  // It could be read where the tests ran.
  if (!(error instanceof SyntaxError)) return why;
  return `${why}: the tests translate it as it is loaded (TypeScript, Babel), but a replica has a loader only if Node's arguments or options name it, as in node --import LOADER, or NODE_OPTIONS='--require LOADER' ignis check`;
}

/**
 * What goes on once a module is loaded is no doing of a call: a loader may tidy its cache (tsx), or write to it.
 *
 * @returns {Promise<void>} when no file is worked on any more
 */
async function rest() {
  const until = now() + REST_MS;
  for (let quiet = 0; quiet < QUIET_TURNS && now() < until;) {
    await new Promise((resolve) => setImmediate(resolve));
    quiet = process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq')) ? 0 : quiet + 1;
  }
}

/** @param {string} file */
async function main(file) {
  /** @type {Job} */
  const job = v8.deserialize(fs.readFileSync(file));
  process.argv.splice(1, process.argv.length, ...job.argv);
  if (job.cwd !== null) process.chdir(job.cwd);
  const scopes = new Scopes();
  const module = new Replayed(job.differences);
  const state = new State(scopes);
  const globals = new Globals();
  try {
    module.load(job.filename);
  } catch (error) {
    say(job, { type: 'failed', why: whyNotLoaded(error) });
    return exit(0);
  }
  await rest();
  if (job.mode === 'order') await runOrder(job, module);
  else await runProbes(job, module, state, scopes, globals);
  for (const [fn, notes] of module.notes) say(job, { type: 'notes', fn, notes: [...notes] });
  say(job, { type: 'end', opaque: [...module.opaque], exported: functionsOf(module.exports), globals: globals.made() });
  return exit(0);
}

main(process.argv[2]).catch((error) => {
  fs.writeSync(2, `${error?.stack}\n`);
  exit(1);
});
