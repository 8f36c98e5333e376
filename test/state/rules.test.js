'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { WARY_MS } = require('../../lib/spawn/pace');
const { Distributed, loadAnew } = require('../helpers/distributed');
const { until } = require('../helpers/until');

const STORE = path.join(__dirname, '../fixtures/state/store.js');
const AWAY = { call: 'await', state: 'shared', copies: 1 };

describe('a module that keeps state', function () {
  this.timeout(20000);
  /** @type {Distributed} */
  let on;
  const open = (recipe, file = STORE, where = 'thread') => (on = new Distributed(file, recipe, where));

  afterEach(() => on.close());

  it('leaves before its first call, and calls wait for its replica', async () => {
    const { lib, set, exports } = open(AWAY);
    assert.equal(set.ready, 0);
    assert.deepEqual(await Promise.all([lib.add(1), lib.add(2)]), [1, 3]);
    assert.equal(set.ready, 1);
    assert.equal(exports.add(0), 0, 'home has none of it');
  });

  it('stays at home from its first call there, and says why', async () => {
    const { lib, set } = open({ call: 'await', state: 'shared', copies: [0, 1] });
    assert.deepEqual(on.permission, { allowed: true, copies: [0, 1] });
    assert.equal(lib.add(2), 2);
    const { allowed, why } = on.permission;
    assert.equal(allowed, false);
    assert.match(why, /'add' was called at home, so a replica would lack/);
    await set.resize(1);
    assert.equal(await lib.add(1), 3);
    await lib.add(1);
    assert.equal(
      set.records().reduce((sum, { calls }) => sum + calls, 0),
      0,
    );
  });

  it('is taken for shared while nobody says what it keeps', async () => {
    const { lib, set } = open({ call: 'await', hot: true });
    assert.equal(set.state, 'shared');
    lib.add(1);
    assert.match(on.permission.why, /'add' was called at home/);
    assert.equal(new Distributed(STORE, { call: 'await', copies: [0, 3] }).set.state, 'private', 'many replicas, by the word of its user');
    assert.equal(new Distributed(STORE, { call: 'await', pure: true }).set.state, 'none');
  });

  it('stays at home with a function that could not go where the state is, and names it', () => {
    open({ state: 'shared', copies: 1 });
    assert.match(on.permission.why, /'add' would stay at home, where its state would be missing: .* no call: 'await'/);
    assert.equal(on.lib.add(1), 1);
    assert.equal(on.set.wanted, 0);
    // It goes on with what held it back, which its user can do something about.
    assert.match(
      on.permission.why,
      /'add' was called at home, .*; its state is 'shared', and 'add' would stay at home, where its state would be missing/,
    );
  });

  it('stays at home without a key, where state is kept for each', () => {
    open({ call: 'await', state: 'keyed', copies: 2 });
    assert.match(on.permission.why, /'add' has no key/);
  });

  it('stays at home while another file imports it without a recipe', () => {
    open({ ...AWAY, copies: [0, 1] });
    on.import({}, on.exports);
    assert.match(on.permission.why, /parent-1\.js imports it without a recipe/);
  });

  it('is never brought home, and never has a second replica', async () => {
    const { lib, set } = open(AWAY);
    await lib.add(5);
    await set.resize(0);
    await set.resize(3);
    assert.deepEqual([set.ready, set.starting, set.wanted], [1, 0, 1]);
    assert.deepEqual(on.permission, { allowed: true, copies: [1, 1] });
    assert.equal(await lib.add(1), 6);
  });

  it('refuses what would have to run at home while its state is in a replica', async () => {
    const { lib } = open(AWAY);
    await lib.add(5);
    await assert.rejects(
      lib.add(() => 1),
      { code: 'IGNIS_REFUSED', message: /'add'.*it was given a function/ },
    );
    await assert.rejects(lib.add(Promise.resolve()), { code: 'IGNIS_UNMARSHALABLE' });
    assert.throws(() => (lib.mark = new WeakMap()), { code: 'IGNIS_UNMARSHALABLE' });
    assert.equal(await lib.add(0), 5);
  });

  it('begins anew when its replica is lost, with its set-up, and says that it was', async () => {
    const { lib, set } = open({ ...AWAY, setup: ['use'] }, STORE, 'process');
    lib.use({ prefix: '>' });
    lib.mark = '!';
    assert.equal(await lib.add(5), 5);
    const [{ pid }] = set.replicas;
    process.kill(pid, 'SIGKILL');
    await until(() => on.failures.length > 0, 'the loss');
    assert.equal(on.failures[0].code, 'IGNIS_REPLICA_LOST');
    assert.equal(await lib.add(1), 1);
    assert.equal(await lib.format('x'), '>x!');
    assert.notEqual(await lib.who(), pid);
    assert.equal(on.exports.add(0), 0, 'nothing ran at home');
  });

  it('keeps a key with its replica when others come, and only keys that are new go there', async () => {
    const functions = Object.fromEntries(['add', 'put', 'append', 'format'].map((name) => [name, { call: 'local' }]));
    const { lib, set } = open({ call: 'await', state: 'keyed', key: ([key]) => key, copies: [1, 3], functions });
    const keys = Array.from({ length: 12 }, (_, i) => `key ${i}`);
    await Promise.all(keys.map((key) => lib.putKey(key, 1)));
    await set.resize(3);
    assert.deepEqual(
      await Promise.all(keys.map((key) => lib.addKey(key, 1))),
      keys.map(() => 2),
    );
    assert.deepEqual(on.permission.copies, [1, 3]);
    await Promise.all(keys.map((key) => lib.putKey(`new ${key}`, 1)));
    assert.ok(set.records().filter(({ calls }) => calls > 0).length > 1, 'new keys spread');
    const { least } = set;
    await set.resize(0);
    assert.equal(set.ready, least);
    assert.deepEqual(
      await Promise.all(keys.map((key) => lib.get(key))),
      keys.map(() => 2),
    );
    await assert.rejects(lib.get(undefined), { code: 'IGNIS_REFUSED', message: /key gives nothing/ });
  });

  it('lets the keys of a lost replica begin anew, and no others', async () => {
    const functions = Object.fromEntries(['add', 'put', 'append', 'format'].map((name) => [name, { call: 'local' }]));
    const { lib, set } = open({ call: 'await', state: 'keyed', key: ([key]) => key, copies: 2, functions });
    await until(() => set.ready === 2, 'both');
    const keys = Array.from({ length: 16 }, (_, i) => `key ${i}`);
    await Promise.all(keys.map((key) => lib.putKey(key, 1)));
    set.replicas[0].kill('killed by the test');
    await until(() => on.failures.length > 0 && set.ready === 2, 'another');
    const found = await Promise.all(keys.map((key) => lib.get(key)));
    assert.ok(found.includes(1) && found.includes(null), `${found}`);
  });
});

describe('set-up and writes', function () {
  this.timeout(20000);
  /** @type {Distributed} */
  let on;
  afterEach(() => on.close());

  it('are made in a replica before it takes calls, however long they take', async () => {
    on = new Distributed(STORE, { call: 'await', state: 'none', copies: [0, 2], setup: ['use', 'useLater'] });
    const { lib, set } = on;
    assert.equal(lib.use({ prefix: 'a' }), lib, 'what it gives is the wrapper');
    await lib.useLater({ prefix: 'b' });
    assert.throws(() => lib.use({ isWrong: true }), TypeError);
    await set.resize(2);
    assert.deepEqual(await Promise.all([lib.format(1), lib.format(1), lib.format(1)]), ['ab1', 'ab1', 'ab1']);
    assert.deepEqual(on.failures, []);
    void lib.useLater({ prefix: 'c' });
    assert.deepEqual(await Promise.all([lib.format(2), lib.formatLater(2)]), ['abc2', 'abc2']);
  });

  it('that cannot be sent keep the module at home, and say so', async () => {
    on = new Distributed(STORE, { call: 'await', state: 'none', copies: [0, 2], setup: ['use'] });
    const { lib, set } = on;
    await set.resize(1);
    assert.equal(await lib.format('x'), 'x');
    lib.use({ prefix: 'p', plugin: () => {} });
    assert.equal(await lib.format('x'), 'px');
    assert.match(on.permission.why, /'use' sets it up, .*args\[0\]\.plugin/);
    await until(() => set.replicas.length === 0, 'its replicas to end');
    await on.close();
    on = new Distributed(STORE, { call: 'await', state: 'none', copies: [0, 2] });
    on.lib.mark = new WeakMap();
    assert.match(on.permission.why, /wrote a value to 'mark' that no replica can have/);
  });

  it('of functions keep only those at home', async () => {
    on = new Distributed(STORE, { call: 'await', state: 'none', copies: [0, 2] }, 'process');
    const { lib, set } = on;
    await set.resize(1);
    lib.get = () => 'mine';
    assert.equal(lib.get(), 'mine');
    assert.notEqual(await lib.who(), process.pid);
    assert.equal(on.permission.allowed, true);
  });

  it('of functions that set it up keep all at home', async () => {
    for (const [setup, write] of [
      [['get'], (lib) => (lib.get = () => 'mine')],
      [['defaults'], (lib) => (lib.defaults.filter = () => 'mine')],
    ]) {
      on = new Distributed(STORE, { call: 'await', state: 'none', copies: [0, 2], setup, functions: { get: { pure: true } } });
      const { lib, set } = on;
      await set.resize(1);
      assert.ok(lib.get('a') instanceof Promise, 'a pure one is called as any other');
      assert.equal(set.journal.size, 0);
      write(lib);
      assert.match(on.permission.why, /wrote a function of its own to '(get|defaults\.filter)', which sets it up/);
      await until(() => set.replicas.length === 0, 'its replicas to end');
      if (setup[0] === 'get') await on.close();
    }
  });

  it('are not kept when later ones made them void', async () => {
    on = new Distributed(STORE, { call: 'await', state: 'none', copies: [0, 2], setup: ['use'] });
    const { lib, set } = on;
    for (let i = 0; i < 1000; i++) lib.mark = i;
    lib.defaults.suffix = 'a';
    lib.defaults = { suffix: 'b', inner: { times: 1 } };
    assert.equal(set.journal.size, 2);
    lib.use({ prefix: 'p' });
    lib.mark = '!';
    assert.equal(set.journal.size, 4);
    await set.resize(1);
    assert.equal(await lib.format('x'), 'px!b');
  });

  it('end a replica that cannot make them, since it would not be like home', async () => {
    on = new Distributed(STORE, { call: 'await', state: 'none', copies: [0, 2] });
    const { lib, set } = on;
    await set.resize(1);
    // Home has an object there that no replica has.
    on.exports.onlyAtHome = { a: 1, f() {} };
    on.boundaries[0].reconcile();
    lib.onlyAtHome.a = 2;
    await until(() => set.lost === 1, 'its end');
    assert.match(set.ended[0].endedWhy, /could not repeat 'onlyAtHome\.a'/);
  });
});

describe('the order of calls', function () {
  this.timeout(20000);
  /** @type {Distributed} */
  let on;
  const file = path.join(os.tmpdir(), `ignis-order-${process.pid}`);
  beforeEach(() => fs.writeFileSync(file, '0'));
  afterEach(async () => {
    await on.close();
    fs.rmSync(file, { force: true });
  });

  it('holds for functions that call back, once they were seen to', async () => {
    on = new Distributed(STORE, { hot: true, state: 'none', order: true, copies: [0, 2] });
    const { lib, set } = on;
    const told = [];
    const tell = (n) => new Promise((resolve) => lib.tellFile(file, n, (error, value) => resolve(told.push(error ?? value))));
    await tell(1);
    await set.resize(2);
    await Promise.all([1, 2, 3, 4].map(tell));
    assert.deepEqual(told, [1, 2, 4, 7, 11]);
    assert.ok(set.records().some(({ calls }) => calls > 0));
    await set.resize(0);
    await Promise.all([tell(1), lib.addFile(file, 1), tell(1)]);
    assert.deepEqual(told, [1, 2, 4, 7, 11, 12, 14]);
  });

  it('has what waits find the module as it was when the call was made: in a replica, where home was changed meanwhile', async () => {
    on = new Distributed(STORE, { hot: true, state: 'none', order: true, copies: [0, 2], setup: ['use'] });
    const { lib, set } = on;
    for (const mark of ['!', '?']) {
      lib.mark = '';
      const [prefix] = (await lib.formatLater(' ')).split(' ');
      const texts = [lib.formatLater('a'), lib.formatLater('b')];
      lib.mark = mark;
      texts.push(lib.formatLater('c'));
      lib.use({ prefix: mark });
      texts.push(lib.formatLater('d'));
      assert.deepEqual(
        await Promise.all(texts),
        ['a', 'b', `c${mark}`, `${mark}d${mark}`].map((text) => prefix + text),
      );
      assert.equal(set.ready, 1);
      // With all of them answered, nobody needs it.
      await set.resize(0);
      assert.equal(set.ready, 0);
    }
    assert.deepEqual(on.failures, []);
  });

  it('has what waits at home, where a module remembers, find it as it is when its turn comes', async () => {
    on = new Distributed(STORE, { hot: true, state: 'shared', order: true, copies: [0, 1] });
    const { lib, set } = on;
    await lib.append('one');
    const said = [lib.append('two'), lib.formatLater('a')];
    lib.mark = '!';
    said.push(lib.formatLater('b'), lib.append('three'));
    assert.deepEqual(await Promise.all(said), [[2, 'one,two'], 'a!', 'b!', [3, 'one,two,three']]);
    assert.deepEqual([set.isAway, set.ready], [false, 0]);
  });

  it('has what was called after a change that no replica can make run at home, and nowhere as it was before that', async () => {
    on = new Distributed(STORE, { hot: true, state: 'none', order: true, copies: [0, 2] });
    const { lib, set } = on;
    lib.mark = '?';
    await lib.formatLater('known');
    const texts = [lib.formatLater('a'), lib.formatLater('b')];
    lib.mark = new (class Mark {
      toString() {
        return '!';
      }
    })();
    texts.push(lib.formatLater('c'));
    lib.defaults.suffix = '.';
    texts.push(lib.formatLater('d'));
    assert.deepEqual(await Promise.all(texts), ['a?', 'b?', 'c!.', 'd!.']);
    await set.resize(0);
    assert.deepEqual([set.ready, await lib.formatLater('e')], [0, 'e!.']);
  });

  it('can be said of single functions, which keep it among each other', async () => {
    on = new Distributed(STORE, {
      call: 'await',
      state: 'none',
      copies: [0, 2],
      functions: { addFile: { order: true }, wait: { order: 'results' } },
    });
    const { lib, set } = on;
    await set.resize(2);
    const settled = [];
    const calls = [
      ...[1, 2, 3].map((n) => lib.addFile(file, n).then((sum) => settled.push(`sum ${sum}`))),
      ...[30, 1].map((ms) => lib.wait(ms, ms).then((value) => settled.push(`waited ${value}`))),
      lib.get('unordered').then(() => settled.push('got')),
    ];
    await Promise.all(calls);
    assert.deepEqual(
      settled.filter((text) => text.startsWith('sum')),
      ['sum 1', 'sum 3', 'sum 6'],
    );
    assert.deepEqual(
      settled.filter((text) => text.startsWith('waited')),
      ['waited 30', 'waited 1'],
    );
    assert.ok(settled.indexOf('got') < settled.indexOf('waited 30'));
  });

  it('lets calls of one replica follow each other without a wait at home', async function () {
    this.timeout(60000);
    on = new Distributed(STORE, { call: 'await', state: 'none', order: true, copies: [0, 2] });
    const { lib, set } = on;
    await set.resize(1);
    for (let i = 0; i < 20; i++) await lib.addFileNow(file, 0);
    let most = 0;
    // While the machine is so full that a call takes milliseconds they follow each other one by one, and so they do for three seconds after
    // one that was held up (spawn/pace.js).
    for (let round = 0; most <= 1 && round < 12; round++) {
      if (round > 0) await new Promise((resolve) => setTimeout(resolve, WARY_MS));
      const sums = Array.from({ length: 200 }, () => {
        const sum = lib.addFileNow(file, 1);
        most = Math.max(most, set.pending);
        return sum;
      });
      assert.deepEqual(
        await Promise.all(sums),
        Array.from({ length: 200 }, (_, i) => round * 200 + i + 1),
      );
    }
    assert.ok(most > 1, 'one at a time');
  });

  it('keeps at home what cannot be sent, in its turn', async () => {
    on = new Distributed(STORE, { call: 'await', state: 'none', order: true, copies: [0, 2] });
    const { lib, set } = on;
    await set.resize(1);
    const settled = [];
    const first = lib.addFile(file, 1).then((value) => settled.push(value));
    const second = lib.put(new WeakMap(), 1).then((value) => settled.push(value));
    await Promise.all([first, second]);
    assert.deepEqual(settled, [1, [null, 1]]);
  });
});

describe('a module that is loaded anew', function () {
  this.timeout(20000);
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-anew-')), 'versioned.js');
  const write = (version) => fs.writeFileSync(file, `exports.version = () => '${version}'; let n = 0; exports.count = () => ++n;`);
  /** @type {Distributed} */
  let on;
  afterEach(async () => {
    await on.close();
    fs.rmSync(path.dirname(file), { recursive: true, force: true });
  });

  it('gets replicas of its own, and no call of it runs in the old ones', async () => {
    write('one');
    on = new Distributed(file, { call: 'await', state: 'none', copies: [0, 2] });
    const old = { lib: on.lib, set: on.set };
    await old.set.resize(2);
    assert.equal(await old.lib.version(), 'one');
    const running = Array.from({ length: 10 }, () => old.lib.version());
    write('two');
    const lib = on.import();
    assert.notEqual(on.set, old.set);
    assert.equal(lib.version(), 'two', 'at home until its replicas are ready');
    await on.set.resize(2);
    assert.deepEqual(await Promise.all([lib.version(), lib.version(), ...running]), ['two', 'two', ...Array(10).fill('one')]);
    assert.equal(old.lib.version(), 'one', 'the old one is at home');
    await until(() => old.set.replicas.length === 0, 'the old replicas to end');
    assert.ok(on.fleet.records().some(({ endedWhy }) => endedWhy === 'its module was loaded again'));
  });

  it('does not take over what the old one remembered, and the old one does not go on without it', async () => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    write('one');
    on = new Distributed(file, AWAY);
    const { lib } = on;
    assert.equal(await lib.count(), 1);
    const next = on.import();
    assert.equal(await next.count(), 1);
    await assert.rejects(lib.count(), { code: 'IGNIS_REFUSED', message: /state is gone/ });
  });
});

describe('loadAnew', () => {
  it('gives other exports each time', () => assert.notEqual(loadAnew(STORE), loadAnew(STORE)));
});
