'use strict';

// Calls in replicas that nothing will ever answer: whole programs, which end with them as they do without replicas.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startHome } = require('../helpers/home-program');
const { TestHosts } = require('../helpers/hosts');
const { write } = require('../helpers/hosted-app');

const FILES = {
  'package.json': JSON.stringify({ name: 'app' }),
  'hot.js': `exports.never = async () => new Promise(() => {});
    exports.tells = (mayTell, done) => void (mayTell && setImmediate(done));
    exports.slowNever = async () => {
      for (const end = Date.now() + 60; Date.now() < end; );
      return new Promise(() => {});
    };
    exports.timed = async (ms) => new Promise((resolve) => setTimeout(resolve, ms, 'in time'));
    exports.hashed = async (rounds) => new Promise((resolve) => require('node:crypto').pbkdf2('a', 'b', rounds, 8, 'sha1', (_, key) => resolve(key.length)));
    exports.asks = async (ask) => (await ask()) + ' asked';
    exports.aborted = async (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const heard = [];
    process.on('beforeExit', () => heard.push('beforeExit'));
    exports.heard = async () => heard;`,
};

/** Longer than calls wait before it is asked whether anything will answer them, ms. */
const LONG_MS = 1300;

for (const where of ['process', 'thread', 'host']) {
  describe(`a call that nothing answers, in a ${where}`, function () {
    this.timeout(60000);
    /** @type {TestHosts} */
    let hosts;
    /** @type {Awaited<ReturnType<TestHosts['process']>> | null} */
    let host = null;
    /** @type {Record<string, Promise<any[]>>} by what they show, what programs told */
    let told = {};
    before(async () => {
      hosts = await TestHosts.make(['home', 'host1']);
      write(path.join(hosts.folder, 'app'), FILES);
      if (where === 'host') host = await hosts.process('host1');
    });
    after(async () => {
      await Promise.allSettled(Object.values(told));
      await host?.close();
      hosts.close();
    });

    /** @param {string} body of an async function that knows \`hot\` @param {object} [more] of the recipe */
    async function run(body, more = {}) {
      const at = host === null ? {} : { nodes: [{ ip: '127.0.0.1', port: host.port }] };
      const recipe = { where, hot: true, state: 'none', copies: 1, ...at, ...more };
      const identity = host === null ? undefined : hosts.keys('home');
      const folder = fs.mkdtempSync(path.join(hosts.folder, 'app', 'run-'));
      const home = startHome(
        folder,
        `ignis.start({ quiet: true, startMs: 30000, identity: ${JSON.stringify(identity)} });
        const hot = ignis()('../hot', ${JSON.stringify(recipe)});
        process.on('beforeExit', () => tell('beforeExit'));
        (async () => {
          // It is known to call back once it did.
          await new Promise((resolve) => hot.tells(true, resolve));
          while (!ignis.report().replicas.some(({ state }) => state === 'ready')) await new Promise((resolve) => setTimeout(resolve, 5));
          ${body}
        })();`,
      );
      const timer = setTimeout(() => home.child.kill(), 40000);
      const { code, err } = await home.ended;
      clearTimeout(timer);
      assert.deepEqual([code, err], [0, ''], JSON.stringify(home.lines));
      return home.lines;
    }

    // They wait most of their time, so all of them do at once.
    before(() => {
      told = {
        unanswered: run(`void hot.slowNever();
          hot.tells(false, () => tell('called'));
          tell(await hot.timed(1));
          process.on('beforeExit', () => tell(ignis.report().replicas[0].calls));
          await hot.never();
          tell('settled');`),
        busy: run(`void hot.never();
          tell(await Promise.all([hot.timed(${LONG_MS}), hot.hashed(2500000)]));
          const stop = new AbortController();
          setTimeout(() => stop.abort(new Error('enough')), ${LONG_MS});
          const aborted = hot.aborted(stop.signal).catch(({ message }) => message);
          tell(await Promise.all([hot.asks(async () => new Promise((resolve) => setTimeout(resolve, ${LONG_MS}, 'home'))), aborted]));
          tell(await hot.heard());`),
        limited: run(`tell(await hot.never().catch(({ code }) => code));`, { timeout: LONG_MS }),
      };
      for (const one of Object.values(told)) one.catch(() => {});
    });
    it('holds up no other, though it was slow itself, and lets the program end', async () => {
      assert.deepEqual(await told.unanswered, ['in time', 'beforeExit', 4]);
    });

    it('holds it while something goes on in the replica, and where home answers or aborts', async () => {
      assert.deepEqual(await told.busy, [['in time', 8], ['home asked', 'enough'], [], 'beforeExit']);
    });

    it('holds it where its time is limited', async () => {
      assert.deepEqual(await told.limited, ['IGNIS_CALL_TIMEOUT', 'beforeExit']);
    });
  });
}
