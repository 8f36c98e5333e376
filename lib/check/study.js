'use strict';
/*
 * Has the recorded calls of one module replayed, in processes of their own: in the recorded order, in other orders, and in other worlds;
 * and has its functions probed. In: what was seen at home. Out: what the replicas said, function by function. A process that takes too long
 * is ended, and what it was to show counts as not shown.
 */
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');
const { judge } = require('./judge');

/** @typedef {import('./gather').SeenModule} SeenModule */
/** @typedef {import('./replayed').Recorded} Recorded */

/**
 * @typedef {object} World how the calls of one function went in one replica
 * @property {string} name
 * @property {number} compared
 * @property {number} equal
 * @property {{where: string, home: string, there: string, args: string, at: string} | null} first difference
 */

/**
 * @typedef {object} Studied
 * @property {World[]} worlds
 * @property {Set<string>} notes
 * @property {import('./judge').Finding[]} findings
 * @property {string[]} suspects what its source mentions of the world
 */

/**
 * @typedef {object} Answers
 * @property {Map<string, Studied>} functions
 * @property {string[]} worlds all that there were
 * @property {string[]} opaque
 * @property {string[]} globals that the module has made
 * @property {string[]} exported names of all functions of the module
 * @property {string} failed why no replica could be had; '' if all is well
 */

const DAY_MS = 86400000;
const MOST_HISTORIES = 6;
const MOST_RESTARTS = 6;
const LATE = 'it did not come back within';
const NOT_STARTED = 'no process could be started for it';
/** Parts of one replica's time for its probes: for all of them together at least this, and more if there are many functions. */
const PROBES_SHARE = 2;
const PROBE_SHARE = 1 / 12;
/** Other places, another user, another time zone. */
const ELSEWHERE = {
  TZ: 'Pacific/Kiritimati',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'de_DE.UTF-8',
  NODE_ENV: 'ignis-check',
  USER: 'nobody',
  HOME: os.tmpdir(),
};
const HERE = Object.freeze({});

/**
 * @param {SeenModule} module
 * @param {object} given
 * @param {string} given.folder for files
 * @param {number} given.limitMs for one replica
 * @param {import('./interruption').Interruption} given.interruption after it, no more replicas start, and the answers are useless
 * @returns {Promise<Answers>}
 */
async function study(module, { folder, limitMs, interruption }) {
  /** @type {Answers} */
  const answers = { functions: new Map(), worlds: [], opaque: [], globals: [], exported: [], failed: '' };
  const distinct = [...module.functions.values()]
    .flatMap((seen) => seen.distinct)
    .sort((a, b) => /** @type {any} */ (a).seq - /** @type {any} */ (b).seq);
  const run = makeRun(module, { folder, limitMs, interruption }, answers);
  for (const [i, history] of module.histories.slice(0, MOST_HISTORIES).entries()) {
    const calls = history.calls.filter(
      ({ args, kind, result }) => args !== null && kind !== 'pending' && (result !== null || kind === 'rejected'),
    );
    if (calls.length > 0) await run({ name: `as recorded ${i + 1}`, mode: 'order', calls, history });
    if (answers.failed !== '') return answers;
  }
  if (distinct.length === 0) return answers;
  const [history] = module.histories;
  await run({ name: 'shuffled', mode: 'order', calls: shuffled(distinct), history, shiftMs: 401.3 * DAY_MS, env: ELSEWHERE });
  await run({
    name: 'backwards, each twice',
    mode: 'order',
    calls: [...distinct].reverse(),
    history,
    shiftMs: -1130.7 * DAY_MS,
    isTwice: true,
    env: { TZ: 'America/St_Johns' },
  });
  await run({
    name: 'each function alone',
    mode: 'probe',
    calls: distinct,
    settled: [...module.functions.values()].filter((seen) => isSettled(seen, answers, module)).map(({ fn }) => fn),
    history,
    shiftMs: 33.6 * DAY_MS,
    env: { TZ: 'Asia/Kathmandu', LC_ALL: 'C' },
  });
  return answers;
}

/**
 * @param {import('./gather').Seen} seen
 * @param {Answers} answers so far
 * @param {SeenModule} module
 * @returns {boolean} whether what is known keeps the function at home, whatever else is found
 */
function isSettled(seen, answers, module) {
  return judge(seen, answers.functions.get(seen.fn), { ...answers, writes: module.writes }).verdict === 'home';
}

/**
 * @param {SeenModule} module
 * @param {{folder: string, limitMs: number, interruption: import('./interruption').Interruption}} given
 * @param {Answers} answers new ones are added
 */
function makeRun(module, { folder, limitMs, interruption }, answers) {
  let number = 0;
  return async (/** @type {any} */ { name, mode, calls, history, shiftMs = 0, env = HERE, isTwice = false, settled = [] }) => {
    answers.worlds.push(name);
    /** @type {string[]} */
    const skip = [];
    /** @type {{fn: string, why: string} | null} */
    let doubted = null;
    for (let time = 0; time < MOST_RESTARTS && interruption.signal === null && answers.failed === ''; time++) {
      const stem = path.join(folder, `${process.pid}-${path.basename(module.filename)}-${++number}`);
      const isHome = shiftMs === 0;
      const job = {
        mode,
        filename: module.filename,
        argv: history.argv,
        cwd: isHome ? null : os.tmpdir(),
        differences: { shiftMs, seed: number * 7919 },
        calls,
        isTwice,
        skip,
        settled,
        answer: `${stem}.answer`,
      };
      fs.writeFileSync(`${stem}.job`, v8.serialize(job));
      fs.writeFileSync(job.answer, '');
      const functions = new Set(calls.map((/** @type {{fn: string}} */ { fn }) => fn)).size;
      const wholeMs = mode === 'probe' ? limitMs * Math.max(PROBES_SHARE, functions * PROBE_SHARE) : limitMs;
      const problem = await runReplica(`${stem}.job`, { ...history, env, limitMs: wholeMs, interruption });
      const lastMs = Date.now() - fs.statSync(job.answer).mtimeMs;
      const stuck = take(fs.readFileSync(job.answer, 'utf8'), name, answers, skip);
      fs.rmSync(`${stem}.job`);
      fs.rmSync(job.answer);
      if (problem.startsWith(NOT_STARTED)) {
        answers.failed = problem;
        return;
      }
      const blame = (/** @type {{fn: string, why: string}} */ { fn, why }) =>
        of(answers, fn).findings.push({ what: 'stuck', detail: why, args: '', at: '' });
      if (stuck === null && doubted !== null) blame(doubted);
      if (typeof stuck !== 'string' || mode !== 'probe') return;
      if (problem.startsWith(LATE) && lastMs <= limitMs) {
        // It began only lately. If the replica is late without that function, too, all of them together take too long.
        if (doubted !== null) return;
        doubted = { fn: stuck, why: problem };
      } else blame({ fn: stuck, why: problem });
      skip.push(stuck);
    }
  };
}

/** @param {Answers} answers @param {string} fn @returns {Studied} */
function of(answers, fn) {
  let studied = answers.functions.get(fn);
  if (studied === undefined) answers.functions.set(fn, (studied = { worlds: [], notes: new Set(), findings: [], suspects: [] }));
  return studied;
}

/**
 * @param {string} text what a replica has said
 * @param {string} world
 * @param {Answers} answers
 * @param {string[]} skip
 * @returns {string | null | undefined} null: it came to its end; otherwise the function in which it was stuck, if known
 */
function take(text, world, answers, skip) {
  let isEnded = false;
  let stuck;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const record = JSON.parse(line);
    if (record.type === 'failed') answers.failed = record.why;
    if (record.type === 'begin') stuck = record.fn ?? undefined;
    if (record.type === 'tally')
      of(answers, record.fn).worlds.push({ name: world, compared: record.compared, equal: record.equal, first: record.first });
    if (record.type === 'notes') for (const note of record.notes) of(answers, record.fn).notes.add(note);
    if (record.type === 'probe' && !skip.includes(record.fn)) {
      const studied = of(answers, record.fn);
      studied.worlds.push({ name: world, compared: record.compared, equal: record.equal, first: null });
      studied.findings.push(...record.findings);
      studied.suspects.push(...record.suspects);
    }
    if (record.type === 'end') {
      isEnded = true;
      answers.exported = record.exported;
      answers.globals = [...new Set([...answers.globals, ...record.globals])];
      answers.opaque = [...new Set([...answers.opaque, ...record.opaque])];
    }
  }
  return isEnded || answers.failed !== '' ? null : stuck;
}

/**
 * It begins where the test process was, so that Node finds what it must load first: that may be a package of the program.
 *
 * @param {string} job
 * @param
 *   {{cwd: string, loaders: string[], env: Record<string, string>, limitMs: number, interruption: import('./interruption').Interruption}}
 *   how @returns {Promise<string>} why it ended
 */
function runReplica(job, { cwd, loaders, env, limitMs, interruption }) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('IGNIS_'));
  const child = spawn(process.execPath, [...loaders, '--no-warnings', path.join(__dirname, 'replay.js'), job], {
    cwd: fs.existsSync(cwd) ? cwd : os.tmpdir(),
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'ignore', process.env.IGNIS_DEBUG ? 'inherit' : 'ignore'],
  });
  // Its module may listen to signals, but those are not for others outside.
  interruption.reaches(child, 'SIGKILL');
  return new Promise((resolve) => {
    const finish = (/** @type {string} */ why) => {
      clearTimeout(timer);
      resolve(why);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish(`${LATE} ${limitMs / 1000} s`);
    }, limitMs);
    child.once('error', (error) => finish(`${NOT_STARTED}: ${error.message}`));
    child.once('exit', (code, signal) => finish(code === 0 ? '' : `its replica ended with ${signal ?? code}`));
  });
}

/** The same each time. @template T @param {T[]} list @returns {T[]} */
function shuffled(list) {
  const copy = [...list];
  let state = 20190622;
  for (let i = copy.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 4294967296) * (i + 1));
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}

exports.study = study;
