'use strict';

// Calls whose callers do not want an answer, at home and over real replicas.

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const path = require('node:path');
const { subscribe } = require('../../lib/diagnostics');
const { Distributed } = require('../helpers/distributed');
const { until } = require('../helpers/until');

const FILE = path.join(__dirname, '../fixtures/oneway/notes.js');
const ONEWAY = ['note', 'noteLater', 'noteName', 'fails', 'rejects', 'gives', 'givesLater', 'ends', 'Note', 'spins'];

describe('oneway calls', function () {
  this.timeout(30000);
  /** @type {Distributed} */
  let on;
  /** @type {any[]} */
  let heard;
  /** @type {any[]} */
  let warned;
  /** @type {() => void} */
  let unsubscribe;
  const warn = (warning) => warned.push(warning);

  beforeEach(() => {
    heard = [];
    warned = [];
    unsubscribe = subscribe('ignis:oneway', (record) => heard.push(record));
    process.on('warning', warn);
  });
  afterEach(async () => {
    unsubscribe();
    process.off('warning', warn);
    await on.close();
  });

  /** @param {number} replicas @param {object} [recipe] @param {'process' | 'thread'} [where] @param {object} [options] */
  const open = async (replicas, recipe = {}, where = 'thread', options = {}) => {
    on = new Distributed(FILE, { oneway: ONEWAY, state: 'private', copies: [0, 2], ...recipe }, where, options);
    await on.set?.resize(replicas);
    return on.lib;
  };

  /** @param {string} name */
  const meter = (name) => on.boundaries[0].points.get(name).meter;

  /** @param {string} name */
  const isDone = (name) => meter(name).peek().pending === 0;

  it('go to the state of their key', async () => {
    const lib = await open(2, { state: 'keyed', key: ([key]) => key, copies: 2 });
    const keys = [...'abcdefgh'];
    for (const key of keys) lib.note(key);
    const found = await Promise.all(keys.map((key) => lib.notes(key)));
    keys.forEach((key, i) => assert.ok(found[i].includes(key), `${key}: ${found[i]}`));
    assert.ok(
      found.every((notes) => notes.length > 0 && notes.length < keys.length),
      'both have some',
    );
  });

  it('run at home each in the context of its own caller', async () => {
    const lib = await open(0);
    const request = new AsyncLocalStorage();
    const seen = [];
    const forget = subscribe('ignis:oneway', ({ error }) => seen.push([error.message, request.getStore()]));
    for (const name of ['a', 'b', 'c']) request.run(name, () => lib.fails(name));
    await until(() => isDone('fails'), 'the calls to end');
    forget();
    assert.deepEqual(seen, [
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ]);
  });

  for (const replicas of [0, 1]) {
    describe(replicas === 0 ? 'at home' : 'in a replica', () => {
      it('give undefined at once, whatever the function gives, and run after that in their order', async () => {
        const lib = await open(replicas);
        const before = await lib.notes();
        const given = [lib.note(1), lib.noteLater(2), lib.note(3), lib.gives(4), await lib.note(5)];
        assert.deepEqual(given, [undefined, undefined, undefined, undefined, undefined]);
        await until(() => isDone('note') && isDone('noteLater') && isDone('gives'), 'the calls to end');
        assert.deepEqual(
          (await lib.notes()).slice(before.length).filter((one) => one !== 2),
          [1, 3, 5],
        );
        assert.deepEqual([meter('note').peek().calls, meter('note').peek().completions, meter('note').peek().failures], [3, 3, 0]);
        assert.deepEqual(heard, []);
        if (replicas > 0) assert.equal(on.set.replicas[0].calls, 7);
      });

      it('never run within the call', async () => {
        const lib = await open(replicas);
        const count = on.exports.note('probe');
        lib.note('later');
        assert.equal(on.exports.note('probe'), count + 1);
        await until(() => isDone('note'), 'the call to end');
        assert.equal(on.exports.note('probe'), count + (replicas === 0 ? 3 : 2));
      });

      it('get the arguments as they were, and change nothing of the caller', async () => {
        const lib = await open(replicas);
        const object = { name: 'first' };
        lib.noteName(object);
        object.name = 'second';
        lib.noteName(object);
        await until(() => isDone('noteName'), 'the calls to end');
        assert.deepEqual((await lib.notes()).slice(-2), ['first', 'second']);
        assert.equal(object.name, 'second');
      });

      it('that fail are counted, published, and warned of once a function', async () => {
        const lib = await open(replicas);
        for (let n = 0; n < 3; n++) {
          lib.fails(`no ${n}`);
          lib.rejects(`never ${n}`);
        }
        await until(() => heard.length === 6 && isDone('fails') && isDone('rejects'), 'all to fail');
        await new Promise(setImmediate);
        assert.deepEqual(
          heard.map((one) => `${one.function} ${one.isLost} ${one.error.name} ${one.error.message}`).sort(),
          [0, 1, 2].flatMap((n) => [`fails false RangeError no ${n}`, `rejects false RangeError never ${n}`]).sort(),
        );
        assert.equal(heard[0].module, FILE);
        for (const name of ['fails', 'rejects']) assert.deepEqual([meter(name).peek().calls, meter(name).peek().failures], [3, 3]);
        assert.deepEqual(
          warned.map(({ code, message }) => `${code} ${message.match(/'(\w+)'/)[1]}`),
          ['IGNIS_ONEWAY fails', 'IGNIS_ONEWAY rejects'],
        );
        assert.match(warned[0].detail, /RangeError: no 0/);
      });

      for (const state of ['none', 'private'])
        it(`given what cannot be copied run at home, with what they were given, with state: ${state}`, async () => {
          const lib = await open(replicas, { state });
          const { exports } = on;
          const noted = async () => (await exports.notes()).length;
          const before = await noted();
          const fn = () => 'mine';
          const socket = new (require('node:net').Socket)();
          assert.equal(lib.note(fn), undefined);
          assert.equal(lib.note({ within: [fn] }), undefined);
          assert.equal(lib.note(socket), undefined);
          assert.equal(await noted(), before, 'not within the call');
          await until(async () => (await noted()) === before + 3, 'the calls to run');
          const [first, second, third] = (await exports.notes()).slice(before);
          assert.deepEqual([first === fn, second.within[0] === fn, third === socket], [true, true, true]);
          assert.equal(isDone('note'), true);
        });

      it('are none where an object is made', async () => {
        const lib = await open(replicas);
        assert.equal(new lib.Note(3).what, 3);
      });
    });
  }

  it('are the choice of a function, too', async () => {
    const lib = await open(0, { oneway: true, functions: { notes: { oneway: false }, gives: { oneway: false } } });
    assert.equal(lib.note(1), undefined);
    assert.equal(lib.gives(7)(), 7);
    assert.ok(Array.isArray(await lib.notes()));
    await until(() => isDone('note'), 'the call to end');
  });

  it('let a synchronous module leave that nobody awaits, also with its state', async () => {
    const lib = await open(0, {
      state: 'shared',
      oneway: ONEWAY.filter((name) => name !== 'Note'),
      functions: { append: { call: 'local' }, Note: { call: 'local' } },
    });
    assert.equal(on.permission.allowed, true);
    await on.set.resize(1);
    lib.note('away');
    assert.deepEqual(await lib.notes(), ['away']);
    assert.throws(() => lib.note(() => 1), { code: 'IGNIS_REFUSED' });
    assert.throws(() => lib.note(process.stdout), { code: 'IGNIS_UNMARSHALABLE' });
    assert.deepEqual([isDone('note'), meter('note').peek().calls], [true, 3]);
  });

  it('that were lost with their replica are counted', async () => {
    const lib = await open(1, {}, 'process');
    lib.ends();
    for (let n = 0; n < 4; n++) lib.note(n);
    await until(() => isDone('note') && isDone('ends'), 'all to have run, or be lost');
    const { lost, failures } = meter('note').peek();
    // Those that had not left yet find another replica.
    assert.equal((await lib.notes()).length + lost, 4);
    assert.deepEqual([failures, meter('ends').peek().lost, heard.length], [lost, 1, lost + 1]);
    assert.deepEqual([...new Set(heard.map(({ isLost, error }) => `${isLost} ${error.code}`))], ['true IGNIS_REPLICA_LOST']);
  });

  it('that may run again do so when their replica was lost', async () => {
    const lib = await open(1, { functions: { note: { idempotent: true } } }, 'process');
    lib.ends();
    for (let n = 0; n < 4; n++) lib.note(n);
    await until(() => isDone('note') && heard.length === 1, 'the others to run');
    assert.deepEqual(await lib.notes(), [0, 1, 2, 3]);
    assert.deepEqual([meter('note').peek().lost, meter('note').peek().failures, meter('ends').peek().lost], [0, 0, 1]);
  });

  it('beyond qDepth run at home', async () => {
    const lib = await open(1, { qDepth: 2, state: 'none' });
    const before = (await on.exports.notes()).length;
    lib.spins(50);
    lib.note('away');
    lib.note('home');
    assert.equal(on.set.pending, 2);
    await until(() => isDone('note') && isDone('spins'), 'the calls to end');
    assert.deepEqual((await on.exports.notes()).slice(before), ['home']);
    assert.deepEqual(await lib.notes(), ['away']);
  });

  it('that are too large to leave run at home with their copies where they may, and fail where not', async () => {
    const functions = { noteName: { idempotent: true } };
    const lib = await open(1, { functions }, 'process', { maxFrameBytes: 100000 });
    const before = (await on.exports.notes()).length;
    const object = { name: 'x'.repeat(200000) };
    lib.noteName(object);
    object.name = 'y';
    lib.note('z'.repeat(200000));
    await until(() => isDone('noteName') && isDone('note'), 'both to end');
    assert.deepEqual((await on.exports.notes()).slice(before), ['x'.repeat(200000)]);
    assert.deepEqual([heard.length, heard[0].function, heard[0].error.code], [1, 'note', 'IGNIS_FRAME_TOO_LARGE']);
    assert.deepEqual([meter('noteName').peek().failures, meter('note').peek().failures], [0, 1]);
  });

  it('that take too long have failed', async () => {
    const lib = await open(1, { timeout: 20 });
    lib.spins(300);
    await until(() => heard.length === 1, 'the time to be over');
    assert.deepEqual([heard[0].error.code, heard[0].isLost, meter('spins').peek().failures], ['IGNIS_CALL_TIMEOUT', false, 1]);
  });

  it('wait for nobody in the replica either: what a call gives need not be sent', async () => {
    const lib = await open(1);
    lib.gives(3);
    lib.givesLater(3);
    await until(() => isDone('gives') && isDone('givesLater'), 'the calls to end');
    assert.deepEqual([heard, meter('gives').peek().failures, meter('givesLater').peek().failures], [[], 0, 0]);
  });
});
