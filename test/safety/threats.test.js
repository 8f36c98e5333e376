'use strict';

// The claims of docs/security.md. Each that is checked here stands there in italics, with the title of its test.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { once } = require('node:events');
const { spawn } = require('node:child_process');
const { Call } = require('../../lib/session/call');
const { Replica } = require('../../lib/spawn/replica');
const { KIND } = require('../../lib/wire/frame');
const { FakeAgent } = require('../spawn/fake-agent');
const { TestSet, isAlive } = require('../spawn/sets');
const { until } = require('../helpers/until');

const ROOT = path.join(__dirname, '..', '..');

/** A replica behind which the test stands, ready; and what home heard of its end. */
async function hostile() {
  const agent = new FakeAgent();
  const replica = new Replica(agent.launched);
  const seen = { ended: [] };
  const hooks = {
    onBroken() {},
    onIdle() {},
    errorClass: () => undefined,
    onEnded: (_replica, pending, exit) => seen.ended.push({ pending, why: exit.why }),
  };
  const loaded = replica.load(/** @type {any} */ ({ kind: 'file', name: 'm.js', place: '/m.js', argv: [] }), hooks, 8000);
  agent.hello();
  await until(() => agent.frames.length === 1, 'the load');
  agent.channel.send([KIND.RESULT, agent.frames[0][1], null, null]);
  await loaded;
  agent.frames.length = 0;
  return { agent, replica, seen };
}

/** @param {Replica} replica @param {any[]} args @param {object} [plan] */
function callTo(replica, args, plan = {}) {
  const call = new Call(
    { key: 'f', path: ['f'], mode: 'await', canRerun: false, affinity: null, runAtHome: () => assert.fail('it ran at home'), ...plan },
    null,
    args,
  );
  const result = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
  result.catch(() => {});
  replica.send(call, performance.now());
  return { call, result };
}

describe('docs/security.md', () => {
  const page = fs.readFileSync(path.join(ROOT, 'docs', 'security.md'), 'utf8');
  const claims = [...page.matchAll(/\*([a-z][^*|]{20,})\*/g)].map(([, title]) => title.replace(/\s+/g, ' '));
  const own = fs.readFileSync(__filename, 'utf8');

  it('names only tests that there are, and all of them', () => {
    const titles = [...own.matchAll(/\bit\((?:`|')([^`']+)(?:`|')/g)].map(([, title]) => title).slice(1);
    assert.deepEqual(claims.toSorted(), titles.toSorted());
  });
});

describe('the wire', function () {
  this.timeout(60_000);

  it('makes no code of what comes: no eval, no Function, no vm in the rooms that read frames', () => {
    const CODE = /\beval\s*\(|\bnew Function\b|\bFunction\s*\(\s*['"`]|require\('(?:node:)?vm'\)|runIn(?:New|This)?Context/;
    for (const room of ['wire', 'session', 'spawn']) {
      const folder = path.join(ROOT, 'lib', room);
      for (const file of fs.readdirSync(folder)) assert.doesNotMatch(fs.readFileSync(path.join(folder, file), 'utf8'), CODE, file);
    }
  });

  for (const [what, frame] of Object.entries({
    load: [KIND.LOAD, 0, { kind: 'builtin', name: 'child_process', place: 'child_process', argv: [] }],
    target: [KIND.TARGET, 0, ['exec']],
    call: [KIND.CALL, 0, 0, ['touch /tmp/x'], null],
    change: [KIND.WRITE, 0, ['f'], ['x'], null],
  })) {
    describe(`with a ${what}`, () => {
      it('lets no replica load a module at home, or call one', async () => {
        const { agent, replica, seen } = await hostile();
        const { call } = callTo(replica, [1]);
        agent.channel.send(frame);
        await replica.ended;
        assert.match(seen.ended[0].why, /asks for what this side does not serve/);
        assert.deepEqual(seen.ended[0].pending, [call]);
      });
    });
  }

  it('lets a replica call only what was lent to it', async () => {
    const { agent, replica } = await hostile();
    const heard = [];
    const { result } = callTo(replica, [(value) => heard.push(value)], { mode: 'promise' });
    await until(() => agent.frames.some(([kind]) => kind === KIND.CALL), 'the call');
    const [, id, , , special] = agent.frames.find(([kind]) => kind === KIND.CALL);
    const lent = special[1][2];
    for (const reference of [lent + 1, 999]) {
      agent.channel.send([KIND.CAST, reference, ['never lent'], null]);
      agent.channel.send([KIND.CALL, reference, -reference, ['never lent'], null]);
    }
    agent.channel.send([KIND.CAST, lent, ['lent'], null]);
    agent.channel.send([KIND.RESULT, id, 'done', null]);
    assert.equal(await result, 'done');
    await until(() => agent.frames.filter(([kind]) => kind === KIND.ERROR).length === 2, 'two refusals');
    assert.deepEqual(heard, ['lent']);
    replica.kill('done');
    await replica.ended;
  });

  it('gives no value from a replica a way to a prototype of home', async () => {
    const hostiles = [
      [JSON.parse('{"__proto__": {"polluted": true}}'), null],
      [{ a: null }, [0, [['a', '__proto__'], 'undefined']]],
      [{ a: null }, [0, [['constructor', 'prototype'], 'undefined']]],
      [[['__proto__', { polluted: true }]], [0, [[0], 'members', false]]],
      [{ a: {} }, [0, [['a', '__proto__', 'polluted'], 'date', 0]]],
      [
        ['message', 'x'],
        [0, [[], 'error', ['__proto__', 'constructor'], 'toString']],
      ],
      [null, [0, [[], 'constructor']]],
      [null, [0, [[], '__proto__', 1]]],
    ];
    for (const [value, special] of hostiles) {
      const { agent, replica } = await hostile();
      const { call } = callTo(replica, []);
      await until(() => agent.frames.some(([kind]) => kind === KIND.CALL), 'the call');
      let isOver = false;
      Object.assign(call, { resolve: () => (isOver = true), reject: () => (isOver = true) });
      void replica.ended.then(() => (isOver = true));
      agent.channel.send([KIND.RESULT, call.id, value, special]);
      await until(() => isOver, 'an answer, or the end of the link');
      assert.equal(/** @type {any} */ ({}).polluted, undefined);
      assert.equal(/** @type {any} */ ([]).polluted, undefined);
      replica.kill('done');
      await replica.ended;
    }
  });
});

describe('a replica that is a process', function () {
  this.timeout(60_000);
  /** @type {TestSet | null} */
  let on = null;
  afterEach(async () => {
    await on?.close();
    on = null;
  });

  it('opens no door: neither home nor a replica listens', async () => {
    on = new TestSet('process');
    await on.set.resize(1);
    const listens = (/** @type {string[]} */ kinds) => kinds.filter((kind) => /server/i.test(kind));
    assert.deepEqual(listens(process.getActiveResourcesInfo()), []);
    assert.deepEqual(listens(await on.call('active')), []);
  });

  it('ends the link of a replica that sends garbage, and nothing else', async () => {
    on = new TestSet('process');
    await on.set.resize(2);
    const other = on.call('sleep', 300, 'answered');
    await assert.rejects(on.call('garble'), { code: 'IGNIS_REPLICA_LOST', message: /not valid/ });
    assert.equal(await other, 'answered');
  });

  it('takes no call home from a replica that crashed', async () => {
    on = new TestSet('process');
    await on.set.resize(1);
    await assert.rejects(on.start('abort', [], { canRerun: true, retry: 0 }).result, { code: 'IGNIS_REPLICA_LOST', harm: 'crash' });
    await until(() => on?.set.ready === 1, 'another replica', 30_000);
    const both = [on.start('abort', [], { canRerun: true }), on.start('abort', [], { canRerun: true })];
    for (const { result } of both) await assert.rejects(result, { code: 'IGNIS_REPLICA_LOST' });
    assert.deepEqual(on.atHome, []);
  });

  it('leaves no replica behind when home is killed, though they compute', async () => {
    const home = spawn(process.execPath, [path.join(ROOT, 'test/spawn/fixtures/home.js'), 'process', 'computing'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    home.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const { pids } = await until(() => said.includes('\n') && JSON.parse(said), 'the replicas', 30_000);
    assert.ok(pids.length === 2 && pids.every(isAlive));
    home.kill('SIGKILL');
    await once(home, 'close');
    for (const pid of pids) await until(() => !isAlive(pid), `the end of ${pid}`, 30_000);
  });
});

describe('the environment', function () {
  this.timeout(60_000);
  const SECRETS = { IGNIS_HOST_KEY: 'k', IGNIS_TOKEN: 't', IGNIS_CLUSTER_SECRET_FILE: 's' };
  const OPEN = { SAFETY_ONE: '1', SAFETY_TWO: '2', IGNIS_KEYBOARD: 'no secret' };
  before(() => Object.assign(process.env, SECRETS, OPEN));
  after(() => {
    for (const name of Object.keys({ ...SECRETS, ...OPEN })) delete process.env[name];
  });

  /** @param {'process' | 'thread'} where @param {string[]} [env] @returns {Promise<Record<string, string>>} what a module sees there */
  async function seenIn(where, env) {
    const on = new TestSet(where, { launch: { env } });
    try {
      await on.set.resize(1);
      return await on.call('env');
    } finally {
      await on.close();
    }
  }

  it('gives replicas the environment without secrets of Ignis', async () => {
    for (const where of /** @type {const} */ (['process', 'thread'])) {
      const seen = await seenIn(where);
      assert.deepEqual([seen.SAFETY_ONE, seen.SAFETY_TWO, seen.IGNIS_KEYBOARD], ['1', '2', 'no secret']);
      assert.deepEqual(
        Object.keys(seen).filter((name) => name in SECRETS || name === 'IGNIS_AGENT'),
        [],
      );
    }
  });

  it('gives replicas only the variables that the recipe names', async () => {
    for (const where of /** @type {const} */ (['process', 'thread'])) {
      const seen = await seenIn(where, ['SAFETY_ONE', 'IGNIS_TOKEN']);
      assert.deepEqual([seen.SAFETY_ONE, seen.PATH], ['1', process.env.PATH]);
      assert.deepEqual(
        Object.keys(seen).filter((name) => name in SECRETS || name === 'SAFETY_TWO' || name === 'IGNIS_KEYBOARD'),
        [],
      );
    }
  });
});
