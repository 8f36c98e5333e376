'use strict';
/*
 * The wiki (examples/wiki) with Ignis, whose replicas are struck while people read it. In: options of a part. Out: what is off, and counts.
 * Each page is to be what the plain program gives for it; a request that the plain program serves may not fail.
 */
const { setTimeout: pause } = require('node:timers/promises');
const { Program } = require('../../../bench/wiki/program');
const { prepare } = require('../../../examples/wiki/load/pages');
const { WikiClient } = require('../../examples/wiki-client');
const { Random, seedOf } = require('../../helpers/random');
const { until } = require('../../helpers/until');
const { checkAnswers } = require('../checker');
const { Ledger } = require('../ledger');
const { Pace, schedule } = require('../schedule');
const { passAll, strikeProcess } = require('../strikes');

/** @typedef {import('./play').PartOptions} PartOptions */

const CALLERS = 6;
/** As the fixture says. */
const WANTED = 2;
/** One page in so many has the link that takes long. */
const SLOW_IN = 15;
const SLOW_PAGE = 'Slow_Link';
const STARTS = 4;
const START_MS = 120_000;
const REQUEST_MS = 120_000;
const COPIES = require.resolve('../fixtures/wiki-copies.js');

/**
 * A link that takes uri-js 2.1.1 a while: each `%F0` nearly twice as long as one less. Not as long as that of the benchmark, which is a
 * second or ten where all compute.
 */
const SLOW_TEXT = `A link: [menu](http://example.com/${'%F0'.repeat(14)}<), and [another](http://example.com/a).\n`;

/** Tokens differ for each reader. @param {string} text */
const shown = (text) => text.replace(/name="token" value="[^"]*"/g, '');

/** @param {string} url */
async function saveSlowPage(url) {
  const client = Object.assign(Object.create(WikiClient.prototype), { url, cookie: '' });
  await client.enter('/sign-up', 'somebody', 'somebody-password');
  const { status } = await client.save(SLOW_PAGE, SLOW_TEXT);
  if (status !== 303) throw new Error(`the slow page was not saved: ${status}`);
}

/** @param {string} url @returns {Promise<{status: number, text: string}>} */
async function read(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_MS) });
  return { status: response.status, text: shown(await response.text()) };
}

/** @param {string} url of the plain wiki @param {string[]} paths */
async function answersOf(url, paths) {
  const answers = new Map();
  for (const path of paths) answers.set(path, await read(url + path));
  return answers;
}

/** @param {Program} wiki @returns {number[]} */
const replicasOf = (wiki) =>
  wiki
    .processes()
    .slice(1)
    .map(({ pid }) => pid);

/** Strikes the replicas of a wiki until it is enough. */
class Striker {
  struck = /** @type {Record<string, number>} */ ({});
  downs = 0;

  /** @param {Program} wiki @param {PartOptions} options @param {() => boolean} isOver */
  async run(wiki, { seed, meanMs = 600 }, isOver) {
    const pace = new Pace();
    for (const { kind, afterMs, forMs, pick } of schedule(seedOf(seed, 2), { meanMs, kinds: ['kill', 'stop', 'slow'], phases: ['busy'] })) {
      await pause(afterMs);
      while (!isOver() && !pace.allows(performance.now(), WANTED)) await pause(20);
      if (isOver()) return;
      const pids = replicasOf(wiki);
      const pid = pids[Math.floor(pick * pids.length)];
      if (pid === undefined || !strikeProcess(pid, kind, forMs)) continue;
      this.struck[kind] = (this.struck[kind] ?? 0) + 1;
      if (kind !== 'kill') continue;
      this.downs += 1;
      pace.note(performance.now());
    }
  }
}

/** @param {PartOptions} options @param {Program} wiki @param {Map<string, object>} answers by path, the slow one last */
async function readUnderFaults(options, wiki, answers) {
  const ledger = new Ledger('wiki-');
  const striker = new Striker();
  const end = performance.now() + options.ms;
  const isFixed = options.calls !== undefined || options.kills !== undefined;
  const isOver = () => (isFixed ? ledger.made >= (options.calls ?? 0) && striker.downs >= (options.kills ?? 0) : performance.now() > end);
  const paths = [...answers.keys()];
  const striking = striker.run(wiki, options, isOver);
  const reading = Array.from({ length: CALLERS }, async (_, number) => {
    const random = new Random(seedOf(options.seed, 100 + number));
    while (!isOver()) {
      const path = random.below(SLOW_IN) === 0 ? /** @type {string} */ (paths.at(-1)) : random.pick(paths);
      const id = ledger.open(path, 'again');
      ledger.expect(id, answers.get(path));
      await read(wiki.url + path).then(
        (answer) => ledger.fulfil(id, answer),
        (error) => ledger.reject(id, error),
      );
      options.onLook({ calls: ledger.made, pending: ledger.pending, downs: striker.downs });
    }
  });
  await Promise.all([striking, ...reading]);
  return { ledger, striker };
}

/**
 * A program gives up when it is not ready in 20 s, which a machine with much to do may take.
 *
 * @param {string} name
 * @param {object} [options]
 * @returns {Promise<Program>}
 */
async function started(name, options) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await new Program(name, options).ready();
    } catch (error) {
      if (attempt === STARTS) throw error;
    }
  }
}

/** @param {PartOptions} options @returns {Promise<import('./play').PartResult>} */
exports.wiki = async (options) => {
  const [plain, wiki] = [await started('plain'), await started('ignis', { env: { NODE_OPTIONS: `-r ${COPIES}` } })];
  try {
    const { ordinary } = await prepare(plain.url, false);
    for (const { url } of [plain, wiki]) await saveSlowPage(url);
    const paths = [...ordinary.map(({ path }) => path), `/wiki/${SLOW_PAGE}`];
    const answers = await answersOf(plain.url, paths);
    await read(wiki.url + paths[0]);
    await until(() => replicasOf(wiki).length >= WANTED, 'replicas of the wiki', START_MS);
    const { ledger, striker } = await readUnderFaults(options, wiki, answers);
    passAll();
    const report = await wiki.end();
    const problems = checkAnswers(ledger.entries.values());
    const away = report.replicas.reduce((/** @type {number} */ sum, /** @type {any} */ { calls }) => sum + calls, 0);
    if (away === 0) problems.push('no replica took a call');
    const counts = { calls: ledger.made, failed: 0, downs: striker.downs, away };
    return { problems, counts, struck: striker.struck };
  } finally {
    passAll();
    await Promise.all([plain.end(), wiki.end()]);
  }
};
