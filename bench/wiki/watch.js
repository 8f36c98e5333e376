'use strict';

// What it costs to be watched, in processor time a request, since requests a second of one process and the next of the same program differ
// by more than that. In: how many processes each row has. Out: a table. All of them live at the same time and work by turns, a short while
// each, so that what the machine does falls on all alike; a row is the median over its processes.

const { fork } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { compare } = require('../lib/harness.js');
const { layOutPlain } = require('./plain-source.js');
const { checkText, KNOWN_PAGE } = require('./rows.js');

const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js');
const PROCESSES = 4;
const WARM_MS = 2000;
const WINDOW_MS = 500;
const WINDOWS = 6;

/** @type {Record<string, {args: string[], env?: Record<string, string>}>} */
const WAYS = {
  plain: { args: [] },
  'only watched': { args: ['-r', REGISTER] },
  'nothing watched (level 0)': { args: ['-r', REGISTER], env: { IGNIS_LEVEL: '0' } },
};

/**
 * @param {string} name
 * @param {number} count of processes
 * @returns {import('../lib/harness.js').Row}
 */
function handedRow(name, count) {
  let folder = '';
  /** @type {{child: import('node:child_process').ChildProcess, lost: Promise<never>}[]} */
  const wikis = [];
  /** @param {typeof wikis[number]} wiki @param {number} ms */
  async function ask({ child, lost }, ms) {
    /** @type {Promise<Record<string, number>>} */
    const answered = new Promise((resolve) => child.once('message', (/** @type {any} */ measured) => resolve(measured)));
    child.send(ms);
    return Promise.race([answered, lost]);
  }
  return {
    name,
    skip: process.platform === 'linux' ? null : 'the time of a thread is read from Linux',
    setup: async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-watch-'));
      const { args, env } = WAYS[name];
      const wiki = layOutPlain(path.join(folder, 'wiki'));
      for (let i = 0; i < count; i++) {
        const data = path.join(folder, `data-${i}`);
        const child = fork(path.join(__dirname, 'handed.js'), [wiki, KNOWN_PAGE], {
          execArgv: args,
          env: { ...process.env, NODE_ENV: 'production', ...env, WIKI_DATA: data },
        });
        const lost = once(child, 'exit').then(([code, signal]) => {
          throw new Error(`${name}: the wiki ended with ${signal ?? code}`);
        });
        lost.catch(() => {});
        wikis.push({ child, lost });
        const [text] = await Promise.race([once(child, 'message'), lost]);
        checkText(text, wiki);
      }
    },
    check: async () => {
      for (const wiki of [...wikis, ...wikis]) await ask(wiki, WARM_MS);
    },
    run: (round) => ask(wikis[round % wikis.length], WINDOW_MS),
    teardown: async () => {
      for (const { child, lost } of wikis) {
        if (child.connected) child.disconnect();
        await lost.catch(() => {});
      }
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Ordinary pages only, nothing distributed.
 * @param {import('./rows.js').Options} options rounds: times four processes a row
 */
function watch({ rounds }) {
  const count = PROCESSES * rounds;
  return compare({
    title: `wiki without a network, ordinary pages, processor time a request, ${count} processes a row`,
    rounds: count * WINDOWS,
    warmup: 0,
    unit: 'us',
    better: 'lower',
    rows: Object.keys(WAYS).map((name) => handedRow(name, count)),
  });
}

exports.watch = watch;
