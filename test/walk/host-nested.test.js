'use strict';

// Ignis in a replica on another host: what the replica's module imports is replicated there, within what that host may run, and ends with
// it. Daemons in this process, homes in programs of their own.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { isAlive } = require('../spawn/sets');
const { startHome } = require('../helpers/home-program');
const { TestHosts } = require('../helpers/hosts');
const { until } = require('../helpers/until');
const { write } = require('../helpers/hosted-app');

const WORDS = `exports.count = (text) => {
  if (text === '') throw new RangeError('no words');
  return text.split(' ').length;
};
exports.pid = () => process.pid;
exports.spin = () => { for (;;); };`;
const renderOf = (/** @type {string} */ words) => `const words = require('${words}');
exports.count = async (text) => await words.count(text);
exports.pids = async () => [process.pid, await words.pid()];
exports.spin = async () => await words.spin();`;

const FILES = {
  'package.json': JSON.stringify({ name: 'app', dependencies: { render: '1' } }),
  'ignis.config.js': `module.exports = { modules: {
    './words.js': { copies: 1, state: 'none', call: 'await', where: 'process' },
    words: { copies: 1, state: 'none', call: 'await', where: 'process' },
  } };`,
  'render.js': renderOf('./words'),
  'words.js': WORDS,
  'node_modules/render/package.json': JSON.stringify({ name: 'render', version: '1.0.0', dependencies: { words: '1' } }),
  'node_modules/render/index.js': renderOf('words'),
  'node_modules/words/package.json': JSON.stringify({ name: 'words', version: '1.0.0' }),
  'node_modules/words/index.js': WORDS,
};

describe('Ignis in a replica on another host', function () {
  this.timeout(90000);

  /** @type {TestHosts} */
  let hosts;
  let app;
  before(async () => {
    hosts = await TestHosts.make(['home', 'host1']);
    app = path.join(hosts.folder, 'app');
    write(app, FILES);
  });
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(() => hosts.close());

  /**
   * A program that has `module` on a host, with Ignis active in it.
   *
   * @param {object} node
   * @param {string} module
   * @param {string} body statements, after both are away
   * @param {string} [reach] until when it waits
   */
  function start(node, module, body, reach = 'pids[0] !== process.pid && pids[0] !== pids[1]') {
    const recipe = { copies: 1, state: 'none', nested: true, where: 'host', nodes: [node] };
    const home = startHome(
      app,
      `const name = ${JSON.stringify(module)};
      ignis.start({ quiet: true, spares: 0, startMs: 60000, identity: ${JSON.stringify(hosts.keys('home'))} });
      const render = ignis()(name, ${JSON.stringify(recipe)});
      const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
      const inside = (rows) => rows.filter(({ home }) => home !== undefined);
      const look = async () => {
        let pids = await render.pids().catch(() => [process.pid, process.pid]);
        for (; !(${reach}); pids = await render.pids().catch(() => [process.pid, process.pid])) await turn();
        return pids;
      };
      (async () => {
        const pids = await look();
        ${body}
      })().catch((error) => tell({ error: error.stack }));`,
    );
    children.push(home.child);
    return home;
  }

  for (const [module, set, words] of [
    ['./render', './render.js', './words.js'],
    ['render', 'render', 'words'],
  ]) {
    it(`replicates what ${module} imports there, by what the recipe file of home says, tells home of it, and ends with it`, async () => {
      const { daemon, node, log } = await hosts.daemon('host1');
      const body = `const values = [];
        for (const text of ['a', 'a b', '']) values.push(await render.count(text).catch(({ name, message }) => [name, message]));
        while (inside(ignis.report().replicas).every(({ state }) => state !== 'ready')) await turn();
        const { boundaries, replicas } = ignis.report();
        tell({ pid: process.pid, pids, values, boundaries: inside(boundaries), replicas: inside(replicas) });
        while (!require('node:fs').existsSync('${module.length}.seen')) await turn();
        await ignis.close();
        tell('closed');`;
      const { ended, lines } = start(node, module, body);
      await until(() => lines.length > 0, () => `its word: ${log.join('; ')}`, 60000); // prettier-ignore
      const [{ pid, pids, values, boundaries, replicas, error }] = lines;
      assert.equal(error, undefined);
      assert.equal(new Set([pid, ...pids]).size, 3);
      assert.deepEqual(values, [1, 2, ['RangeError', 'no words']]);
      const [row] = boundaries;
      assert.match(row.home, new RegExp(`^${set} #\\d+$`));
      assert.deepEqual([row.child, row.state, row.replicas], [words, 'distributed', 1]);
      assert.deepEqual(
        replicas.map((/** @type {any} */ one) => [one.home, one.module, one.where, one.pid, one.state]),
        [[row.home, words, 'process', pids[1], 'ready']],
      );
      // Both count.
      assert.equal(daemon.replicas, 2);
      fs.writeFileSync(path.join(app, `${module.length}.seen`), '');
      await ended;
      assert.deepEqual(lines.slice(1), ['closed']);
      await until(() => daemon.replicas === 0 && !isAlive(pids[0]) && !isAlive(pids[1]), () => log.join('; ')); // prettier-ignore
    });
  }

  it('starts none that its host may not run, and says why; calls go on without', async () => {
    const { daemon, node } = await hosts.daemon('host1', { maxReplicas: 1 });
    const body = `const isToldWhy = ({ sentence }) => /it runs 1 replica, and may run 1/.test(sentence);
      const rows = () => [...inside(ignis.report().decisions), ...inside(ignis.report().boundaries)];
      while (!rows().some(isToldWhy)) await turn();
      tell([await render.count('a b c'), pids[0] === pids[1]]);
      await ignis.close();`;
    const { ended, lines } = start(node, './render', body, 'pids[0] !== process.pid');
    await ended;
    assert.deepEqual(lines, [[3, true]]);
    await until(() => daemon.replicas === 0, 'their end');
  });

  it('leaves nothing behind when the replica, or home, is killed, also while the innermost computes for ever', async () => {
    const { daemon, node, log } = await hosts.daemon('host1', { leaseMs: 300 });
    const body = `render.spin().catch(() => {});
      while (!inside(ignis.boundaries()).some(({ pending }) => pending > 0)) await turn();
      tell(pids);
      setInterval(() => {}, 1000);`;
    for (const which of ['replica', 'home']) {
      const { lines, child, ended } = start(node, './render', body);
      await until(() => lines.length > 0, 'its word', 60000);
      const [[outer, inner]] = lines;
      if (which === 'home') child.kill('SIGKILL');
      else process.kill(outer, 'SIGKILL');
      await until(() => !isAlive(outer) && !isAlive(inner), () => log.join('; '), 20000); // prettier-ignore
      child.kill('SIGKILL');
      await ended;
      await until(() => daemon.replicas === 0, 'the end of all', 20000);
    }
  });
});
