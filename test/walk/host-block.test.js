'use strict';

// A module that lives on another host, with callers that wait for it, blocked: whole programs, and a daemon of this machine in a process of
// its own.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { Conversation } = require('../../lib/object/conversation');
const { openResident } = require('../../lib/spawn/resident');
const { startHome } = require('../helpers/home-program');
const { TestHosts } = require('../helpers/hosts');
const { write } = require('../helpers/hosted-app');
const { until } = require('../helpers/until');

const FILES = {
  'package.json': JSON.stringify({ name: 'app', dependencies: { dep: '1' } }),
  'node_modules/dep/index.js': "module.exports = 'dep';",
  'hot.js': `exports.dep = require('dep');
    exports.pid = () => process.pid;
    exports.map = (list, f) => list.map((item) => f(item));
    exports.say = (text) => console.log(text);
    exports.env = (name) => process.env[name];
    exports.Counter = class Counter { #n = 0; next() { return ++this.#n; } };
    exports.spin = (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); return 'done'; };
    exports.exitLater = (code) => process.exit(code);`,
  'cold.js': 'exports.pid = () => process.pid;',
  'zipped.js': "exports.pid = () => process.pid; exports.late = () => require('beside');",
};

describe('a module that lives on another host', function () {
  this.timeout(60000);

  /** @type {TestHosts} */
  let hosts;
  let app;
  before(async () => {
    hosts = await TestHosts.make(['home', 'host1']);
    app = path.join(hosts.folder, 'app');
    write(app, FILES);
  });
  after(() => hosts.close());

  /**
   * @param {{port: number}} host
   * @param {string} body of a function
   * @param {object} [more] of the recipe
   * @param {{env?: Record<string, string>, startMs?: number}} [how]
   * @returns {Promise<{told: any, out: string, err: string, code: number | null}>}
   */
  async function run({ port }, body, more = {}, { env = {}, startMs = 30000 } = {}) {
    const recipe = { where: 'host', call: 'block', nodes: [{ ip: '127.0.0.1', port }], ...more };
    const home = startHome(
      app,
      `const recipe = ${JSON.stringify(recipe)};
      ignis.start({ quiet: true, startMs: ${startMs}, identity: ${JSON.stringify(hosts.keys('home'))} });
      const req = ignis();
      ${body}`,
      env,
    );
    const { out, err, code } = await home.ended;
    assert.notEqual(home.lines.length, 0, `${code}: ${err}`);
    return { told: home.lines[0], out, err, code };
  }

  it('answers at once, calls back meanwhile, prints at home, and is no more when home has ended', async () => {
    const one = await hosts.process('host1');
    const { told, out, err, code } = await run(
      one,
      `const hot = req('./hot', recipe);
      const depths = hot.map([1, 2], (n) => hot.map([n], (m) => m * 21));
      const counter = new hot.Counter();
      hot.say('from far');
      const [{ where, module: name, state }] = ignis.report().replicas;
      tell({ dep: hot.dep, isHere: hot.pid() === process.pid, depths, next: [counter.next(), counter.next()], is: counter instanceof hot.Counter, where, name, state });`,
    );
    assert.deepEqual(
      { ...told, where: undefined },
      { dep: 'dep', isHere: false, depths: [[21], [42]], next: [1, 2], is: true, where: undefined, name: './hot.js', state: 'ready' },
    );
    assert.match(told.where, /^host 127\.0\.0\.1:\d+$/);
    assert.deepEqual([out, err, code], ['from far\n', '', 0]);
    await one.close();
  });

  it('is the last that its daemon has of a home that ended by itself: nothing waits for that one to come again', async () => {
    const one = await hosts.process('host1', ['--lease-ms', '3000']);
    await run(one, "const hot = req('./hot', recipe); tell(hot.dep);");
    await until(() => /home is gone/.test(one.seen.err) && /replica 1 of home ended/.test(one.seen.err), () => one.seen.err); // prettier-ignore
    assert.doesNotMatch(one.seen.err, /no sign of life/);
    assert.match(one.seen.err, /replica 1 of home ended: exit code 0\n/);
    await one.close();
  });

  it('has the environment of its host, whatever home sets, and ends the program where it ends its process', async () => {
    const one = await hosts.process('host1');
    const { told, code } = await run(
      one,
      `process.env.IGNIS_TEST_SECRET = 'before';
      const hot = req('./hot', recipe);
      process.env.IGNIS_TEST_SECRET = 'after';
      tell([hot.env('IGNIS_TEST_SECRET') ?? null, hot.env('PATH')]);
      hot.exitLater(7);`,
    );
    assert.deepEqual([told, code], [[null, process.env.PATH], 7]);
    await one.close();
  });

  it('takes nothing along when its host is killed, but what lived there', async () => {
    const one = await hosts.process('host1');
    const { told, err, code } = await run(
      one,
      `const hot = req('./hot', recipe);
      const counter = new hot.Counter();
      counter.next();
      process.kill(${one.child.pid}, 'SIGKILL');
      const look = () => {
        try { counter.next(); } catch ({ code }) { return tell(code); }
        setTimeout(look, 20);
      };
      look();`,
    );
    assert.match(told, /^IGNIS_(?:STALE_REFERENCE|REPLICA_LOST)$/);
    assert.deepEqual([err, code], ['', 0]);
    await one.exited;
  });

  it('shares its replica with its group, each with its own code', async () => {
    const one = await hosts.process('host1');
    const { told } = await run(
      one,
      `const hot = req('./hot', { ...recipe, group: 'both' }), cold = req('./cold', { ...recipe, group: 'both' });
      tell(hot.pid() === cold.pid() && hot.pid() !== process.pid);`,
    );
    assert.equal(told, true);
    await one.close();
  });

  it('is forced there from outside, all in one replica, and so is what a recipe sends to a host without naming one', async () => {
    const one = await hosts.process('host1');
    const env = { IGNIS_FORCE: 'hot.js,cold.js', IGNIS_WHERE: 'host', IGNIS_NODES: `host1=127.0.0.1:${one.port}` };
    const both =
      "const hot = require('./hot'), cold = require('./cold'); tell([hot.dep, hot.pid() === cold.pid(), hot.pid() === process.pid]);";
    assert.deepEqual((await run(one, both, {}, { env })).told, ['dep', true, false]);
    const unnamed = `const { nodes, ...rest } = recipe; const cold = req('./cold', rest);
      tell([cold.pid() === process.pid, ignis.report().replicas.map(({ where }) => where)]);`;
    const { told } = await run(one, unnamed, {}, { env: { IGNIS_NODES: env.IGNIS_NODES } });
    assert.deepEqual(told, [false, [`host host1 (127.0.0.1:${one.port})`]]);
    await one.close();
  });

  it('is nowhere else where it is forced to a host that does not take it, or home is nobody', async () => {
    const why = "try { require('./cold'); tell('loaded'); } catch ({ code, message }) { tell([code, message]); }";
    const env = { IGNIS_FORCE: 'cold.js', IGNIS_WHERE: 'host', IGNIS_NODES: '127.0.0.1:1' };
    const [code, message] = (await run({ port: 1 }, why, {}, { env })).told;
    assert.equal(code, 'IGNIS_NO_HOST');
    assert.match(message, /127\.0\.0\.1:1 cannot be reached/);
    const nobody = `try { ignis.start({ identity: ${JSON.stringify(hosts.keys('nobody'))} }); } catch ({ code, message }) { tell([code, message]); }`;
    const home = startHome(app, nobody, env);
    await home.ended;
    const [other, sentence] = home.lines[0];
    assert.equal(other, 'IGNIS_BAD_OPTION');
    assert.match(sentence, /the key cannot be read from .*nobody.key\.pem \(ENOENT\); `ignis keys` makes it/);
  });

  it('lives in a process of this machine where no host takes it, and the report says why', async () => {
    const { told } = await run(
      { port: 1 },
      `const hot = req('./hot', recipe);
      const answers = [hot.dep, hot.pid() === process.pid];
      tell({ answers, replicas: ignis.report().replicas.map(({ where, state, endedWhy }) => [where, state, endedWhy]) });`,
    );
    assert.deepEqual(told.answers, ['dep', false]);
    const [[, , why], [where, state]] = told.replicas;
    assert.match(why, /127\.0\.0\.1:1 cannot be reached/);
    assert.deepEqual([where, state], ['process', 'ready']);
  });

  it('lives on the other host where one has no room for its code, and the report names that one alone', async () => {
    const [full, other] = await Promise.all([hosts.process('host1', ['--store-bytes', '0']), hosts.process('host1')]);
    const { told } = await run(
      full,
      `const hot = req('./hot', recipe);
      const cold = req('./cold', recipe);
      tell({ answers: [hot.dep, hot.pid() === cold.pid()], replicas: ignis.report().replicas.map(({ where, state }) => [where, state]) });`,
      { nodes: [{ ...full.node, weight: 9 }, other.node], group: 'both' },
    );
    assert.deepEqual(told, { answers: ['dep', true], replicas: [[`host host1 (127.0.0.1:${other.port})`, 'ready']] });
    await Promise.all([full.close(), other.close()]);
  });

  it('is looked for at home before anything is started for it', async () => {
    const one = await hosts.process('host1');
    const { told } = await run(
      one,
      `const fs = require('node:fs');
      const Module = require('node:module');
      const { _resolveFilename } = Module;
      Module._resolveFilename = function (name, ...rest) { return name === './gone' ? '/nowhere/gone.js' : Reflect.apply(_resolveFilename, this, [name, ...rest]); };
      let code = null;
      try { req('./gone', recipe); } catch (error) { code = error.code; }
      const hot = req('./hot', recipe);
      tell({ code, isThere: hot.dep === 'dep', replicas: ignis.report().replicas.map(({ where }) => where) });`,
    );
    assert.deepEqual(told, { code: 'MODULE_NOT_FOUND', isThere: true, replicas: [`host 127.0.0.1:${one.port}`] });
    await one.close();
  });

  it('lives in a process of this machine, too, where no host has its code in time', async () => {
    const silent = net.createServer(() => {});
    const port = await new Promise((resolve) => silent.listen(0, '127.0.0.1', () => resolve(silent.address().port)));
    const { told } = await run(
      { port },
      `const hot = req('./hot', recipe);
      tell({ answers: [hot.dep, hot.pid() === process.pid], replicas: ignis.report().replicas.map(({ where, endedWhy }) => [where, endedWhy]) });`,
      {},
      // Before home gives up by itself.
      { startMs: 4500 },
    );
    silent.close();
    assert.deepEqual(told.answers, ['dep', false]);
    const [[, why], [where]] = told.replicas;
    assert.match(why, /no host had the code of .* within 4500 ms/);
    assert.equal(where, 'process');
  });

  it('lives in a process of this machine, too, where its files are translated as they are loaded, and only home can do that', async () => {
    const one = await hosts.process('host1');
    const { told } = await run(
      one,
      `require.extensions['.words'] = (module, file) => { module.exports = require('node:fs').readFileSync(file, 'utf8'); };
      const hot = req('./hot', recipe);
      tell({ answers: [hot.dep, hot.pid() === process.pid], replicas: ignis.report().replicas.map(({ where, endedWhy }) => [where, endedWhy]) });`,
    );
    assert.deepEqual(told.answers, ['dep', false]);
    const [[, why], [where]] = told.replicas;
    assert.match(why, /its files are translated as they are loaded/);
    assert.equal(where, 'process');
    await one.close();
  });

  it('lives in a process of this machine, too, where its host is killed while it gets the code', async () => {
    const one = await hosts.process('host1', ['--store', path.join(hosts.folder, 'store', 'cut')]);
    const large = path.join(hosts.folder, 'large');
    write(large, { 'package.json': '{"name":"large"}', 'main.js': 'exports.pid = () => process.pid;' });
    // Whose pieces come one after another.
    const file = fs.openSync(path.join(large, 'data'), 'w');
    for (let at = 0; at < 64; at++) fs.writeSync(file, crypto.randomBytes(1 << 20));
    fs.closeSync(file);
    const running = run(
      one,
      `const large = req(${JSON.stringify(path.join(large, 'main.js'))}, recipe);
      tell({ isElsewhere: large.pid() !== process.pid, places: ignis.report().replicas.map(({ where }) => where) });`,
    );
    const partial = path.join(hosts.folder, 'store', 'cut', 'partial');
    await until(() => fs.readdirSync(partial).length > 0, 'its code is on its way', 30_000);
    one.child.kill('SIGKILL');
    const { told } = await running;
    assert.equal(told.isElsewhere, true);
    assert.equal(told.places.at(-1), 'process');
  });

  it('lives in a process of this machine, too, where packages are found by another resolver, which no host has', async () => {
    const one = await hosts.process('host1');
    const { told } = await run(
      one,
      `process.versions.pnp = '3';
      const Module = require('node:module');
      const { _resolveFilename } = Module;
      Module._resolveFilename = function (name, ...rest) {
        return name === 'beside' ? __filename : Reflect.apply(_resolveFilename, this, [name, ...rest]);
      };
      const zipped = req('./zipped', recipe);
      tell({ isElsewhere: zipped.pid() !== process.pid, replicas: ignis.report().replicas.map(({ where, endedWhy }) => [where, endedWhy]) });`,
    );
    assert.equal(told.isElsewhere, true);
    const [[, why], [where]] = told.replicas;
    assert.match(why, /home does not find the package beside in any node_modules folder/);
    assert.equal(where, 'process');
    await one.close();
  });

  it('lives in a process of this machine where its host runs another Node, and could not load it; else its error is thrown', async () => {
    const one = await hosts.process('host1');
    write(app, { 'odd.js': "if (__dirname.includes('bundles')) throw new SyntaxError('an odd word'); exports.pid = () => process.pid;" });
    const body = `try {
        const odd = req('./odd', recipe);
        tell({ isElsewhere: odd.pid() !== process.pid, replicas: ignis.report().replicas.map(({ where, endedWhy }) => [where, endedWhy]) });
      } catch ({ name, message }) { tell([name, message]); }`;
    assert.deepEqual((await run(one, body)).told, ['SyntaxError', 'an odd word']);
    const { told } = await run(one, `Object.defineProperty(process, 'version', { value: 'v99.0.0' }); ${body}`);
    assert.equal(told.isElsewhere, true);
    const why = `an odd word (that host runs Node ${process.version}, this program v99.0.0)`;
    assert.deepEqual(told.replicas, [
      [`host 127.0.0.1:${one.port}`, why],
      ['process', null],
    ]);
    await one.close();
  });

  it('throws at a caller that waits when its host is killed, and says that the call may have run', async () => {
    const one = await hosts.process('host1');
    const running = run(
      one,
      `const hot = req('./hot', recipe);
      process.stdout.write('ready');
      try { process.kill(${one.child.pid}, 'SIGKILL'); hot.spin(1e9); } catch ({ code, ran }) { tell([code, ran]); }`,
    );
    assert.deepEqual((await running).told, ['IGNIS_REPLICA_LOST', 'maybe']);
  });

  it('says to a caller that waits that its host was stopped, where that one waited no longer', async () => {
    const one = await hosts.process('host1', ['--drain-ms', '300']);
    const { told, err } = await run(
      one,
      `const hot = req('./hot', recipe);
      try {
        process.kill(${one.child.pid}, 'SIGTERM');
        // On a machine that is so busy that the host did not answer in time, it lives here, and the call ends by itself.
        hot.spin(20000);
        tell(ignis.report().replicas.map(({ where, endedWhy }) => [where, endedWhy]));
      } catch ({ code, ran, message }) { tell([code, ran, message]); }`,
    );
    assert.deepEqual(told, ['IGNIS_REPLICA_LOST', 'maybe', 'a replica ended before it answered a call: its host was stopped']);
    assert.equal(err, '');
    await one.exited;
  });

  it('loads nothing from a place that its host has not vouched for', async () => {
    const one = await hosts.process('host1');
    const placing = { nodes: [{ ip: '127.0.0.1', port: one.port }] };
    const resident = openResident({ where: 'host', startMs: 30000, placing, options: { identity: hosts.keys('home') } });
    const conversation = new Conversation(resident.line, { isHome: true, timeoutMs: 20000, onUncaught: (error) => assert.fail(error) });
    try {
      const place = path.join(app, 'cold.js');
      const found = resident.locate({ kind: 'file', name: 'cold', place });
      const [digest] = found.place.split('/');
      const { root, proof } = found.grant;
      const wrong = [
        { ...found, place: `${'0'.repeat(64)}/cold.js` },
        { ...found, place: `${digest}/../../../../etc/hosts` },
        { ...found, grant: undefined },
        { ...found, grant: { root: app, proof } },
        { ...found, grant: { root, proof: proof.slice(1) } },
        { ...found, place: `${'0'.repeat(64)}/cold.js`, grant: { root, proof: proof.replace(/./g, '0') } },
      ];
      for (const target of wrong) assert.throws(() => conversation.load(target), /it lies in no bundle that this host has/);
      assert.notEqual(conversation.load(found).pid(), process.pid);
    } finally {
      await resident.close();
      await one.close();
    }
  });
});
