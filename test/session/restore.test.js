'use strict';

const assert = require('node:assert/strict');
const { Link, JOIN_NAMES } = require('../helpers/link');
const { Random, seedOf } = require('../helpers/random');
const { until } = require('../helpers/until');
const { Call } = require('../../lib/session/call');
const { NOTHING, unmarshal } = require('../../lib/session/unmarshal');
const { marshal } = require('../../lib/session/marshal');
const { marshalNoting } = require('../../lib/session/restore-pack');
const { openRestored } = require('../../lib/session/restore-home');
const { applyChanges } = require('../../lib/session/restore-apply');
const { survey } = require('../../lib/session/restore-survey');
const { makeCodec } = require('../../lib/wire/codec');
const { RandomValue } = require('./random-value');
const { sameGraph } = require('./same-graph');
const mutates = require('../fixtures/restore/mutates');

/** @param {number} seed @returns {any[]} arguments, the same again for the same seed */
function argsOf(seed) {
  const limit = Error.stackTraceLimit;
  // A stack would tell one making from another.
  Error.stackTraceLimit = 0;
  try {
    const values = new RandomValue(new Random(seed));
    return [{ first: values.make(), second: values.make() }];
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** @param {number} seed @returns {any[]} the same with nothing of another realm */
function plainArgsOf(seed) {
  const { value, special, attachments } = marshal(argsOf(seed), null, 'args');
  return special === null
    ? value
    : unmarshal(value, special, { attachments: attachments ?? [], hold: () => assert.fail(), errorClass: () => undefined });
}

const MEMORIES = [Uint8Array, Float64Array, DataView, ArrayBuffer];

/** @param {any} Bytes */
const makeBytes = (Bytes) => new Bytes(Bytes === DataView ? new ArrayBuffer(64) : 64);

/** @param {string} name @param {any[]} args @param {object} [plan] */
function callFor(name, args, plan = {}) {
  const call = new Call(
    {
      key: name,
      path: [name],
      mode: 'promise',
      canRerun: false,
      affinity: null,
      restores: true,
      runAtHome: (self, given) => Reflect.apply(/** @type {any} */ (mutates)[name], self, given),
      ...plan,
    },
    null,
    args,
  );
  const result = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
  return { call, result };
}

/** @param {() => any} run @returns {Promise<any>} what it gave or threw */
async function outcome(run) {
  try {
    return { value: await run() };
  } catch (thrown) {
    // Two stacks of two places are never the same.
    if (thrown instanceof Error) return { message: thrown.message, given: /** @type {any} */ (thrown).given };
    return { thrown };
  }
}

describe('objects of arguments', () => {
  it('have the same numbers on both sides', function () {
    this.timeout(60_000);
    const codec = makeCodec('msgpackr');
    for (let i = 0; i < 4000; i++) {
      const seed = seedOf(31, i);
      const args = argsOf(seed);
      const { packed, met } = marshalNoting(args, () => assert.fail('no functions'));
      const [value, special] = /** @type {any[]} */ (codec.decode(codec.encode([packed.value, packed.special])));
      /** @type {import('../../lib/session/unmarshal').Context} */
      const context = { attachments: packed.attachments ?? [], hold: () => assert.fail(), errorClass: () => undefined };
      const copy = special === null ? value : unmarshal(value, special, context);
      const numbers = survey(copy, (context.received ?? NOTHING).roots);
      try {
        sameGraph(met.objects, [...numbers.keys()]);
      } catch (error) {
        throw new Error(`seed ${seed}: ${/** @type {Error} */ (error).message}`, { cause: error });
      }
    }
  });

  it('have the same numbers where they are the cause of an error of the web, or another member of it', () => {
    const error = Object.assign(new DOMException('m', { name: 'Mine', cause: { a: [1] } }), { more: { b: {} } });
    const { packed, met } = marshalNoting([error, { c: 1 }], () => assert.fail());
    /** @type {import('../../lib/session/unmarshal').Context} */
    const context = { attachments: [], hold: () => assert.fail(), errorClass: () => undefined };
    const copy = unmarshal(structuredClone(packed.value), /** @type {any[]} */ (packed.special), context);
    const numbers = survey(copy, (context.received ?? NOTHING).roots);
    assert.equal(numbers.size, 7);
    sameGraph(met.objects, [...numbers.keys()]);
  });

  it('have the same numbers where they lie deep, and where they are many', () => {
    let deep = {};
    for (let i = 0; i < 500; i++) deep = i % 3 === 0 ? [deep, { i }] : { deep, list: Array.from({ length: i % 90 }, () => ({ i })) };
    const { packed, met } = marshalNoting([deep], () => assert.fail());
    /** @type {import('../../lib/session/unmarshal').Context} */
    const context = { attachments: [], hold: () => assert.fail(), errorClass: () => undefined };
    const copy = unmarshal(structuredClone(packed.value), /** @type {any[]} */ (packed.special), context);
    const { roots } = context.received ?? NOTHING;
    assert.ok(roots.length > 10);
    sameGraph(met.objects, [...survey(copy, roots).keys()]);
  });
});

for (const join of JOIN_NAMES) {
  describe(`arguments that are restored, over a ${join}`, function () {
    this.timeout(60_000);
    /** @type {Link} */
    let link;
    let lose = (/** @type {any} */ _error) => {};

    beforeEach(async () => {
      link = new Link(mutates, { join, hooks: { onLost: (/** @type {any} */ error) => lose(error) } });
      await link.load();
    });

    afterEach(() => link.close());

    /** @param {string} name @param {any[]} args @param {object} [plan] */
    const send = (name, args, plan) => {
      const { call, result } = callFor(name, args, plan);
      lose = (error) => call.fail(error ?? new Error('the link has ended'));
      link.home.send(call);
      return result;
    };

    for (const name of ['scramble', 'scrambleLater', 'scrambleAndThrow']) {
      it(`are after ${name} what they would be at home, and so is what came back`, async () => {
        for (let i = 0; i < 400; i++) {
          const seed = seedOf(name.length, i);
          const [here, there] = [plainArgsOf(seed), plainArgsOf(seed)];
          const plain = await outcome(() => /** @type {any} */ (mutates)[name](here[0], seed, 1 + (i % 6)));
          const restored = await outcome(() => send(name, [there[0], seed, 1 + (i % 6)]));
          try {
            sameGraph([here, plain], [there, restored]);
          } catch (error) {
            throw new Error(`seed ${seed}, number ${i}: ${/** @type {Error} */ (error).message}`, { cause: error });
          }
        }
      });
    }

    it('are the very objects of the caller, and so are results that are or contain one', async () => {
      const inner = { list: [1] };
      const outer = { inner };
      assert.equal(await send('assign', [outer, { more: inner }]), outer);
      assert.equal(/** @type {any} */ (outer).more, inner);
      assert.equal(await send('same', [outer]), outer);
      const holder = { a: [1], b: [2] };
      const { a, b } = holder;
      assert.equal(await send('swap', [holder]), b);
      assert.deepEqual([holder.a === b, holder.b === a], [true, true]);
      const list = [{ at: 3 }, { at: 1 }, { at: 2 }];
      const [three, one, two] = list;
      assert.equal(await send('sort', [list]), list);
      assert.ok(list[0] === one && list[1] === two && list[2] === three);
      assert.deepEqual(await send('pull', [[1, 2, 1, 3], 1]), [2, 3]);
      assert.deepEqual(await send('merge', [{ a: { b: 1 } }, { a: { c: 2 } }]), { a: { b: 1, c: 2 } });
    });

    it('keep what the caller changed meanwhile in other members', async () => {
      const object = { a: 1, b: 2, list: [1, 2, 3] };
      const pending = send('assign', [object, { b: 'theirs' }]);
      object.a = 'ours';
      object.list.push(4);
      await pending;
      assert.deepEqual(object, { a: 'ours', b: 'theirs', list: [1, 2, 3, 4] });
    });

    it('keep own symbols as keys', async () => {
      const own = Symbol('own');
      const object = { [own]: 1, plain: 2 };
      await send('merge', [{}, {}]);
      assert.equal(await send('assign', [object, { [own]: 'new' }]), object);
      assert.deepEqual(object, { [own]: 'new', plain: 2 });
    });

    it('hide and show the members that were hidden and shown there', async () => {
      const object = { a: 1, secret: [2] };
      const { secret } = object;
      assert.equal(await send('hide', [object, 'secret']), object);
      assert.deepEqual([Object.keys(object), object.secret === secret], [['a'], true]);
      const error = new Error('told');
      await send('show', [error, 'message']);
      assert.deepEqual(Object.keys(error), ['message']);
    });

    it('are closed there as they are at home, and closed at home as they were there', async () => {
      const frozen = Object.freeze({ a: 1 });
      await assert.rejects(send('write', [frozen, 'a', 2]), TypeError);
      assert.deepEqual(frozen, { a: 1 });
      const open = { a: [1] };
      assert.equal(await send('freeze', [open]), open);
      assert.ok(Object.isFrozen(open) && !Object.isFrozen(open.a));
    });

    it('are restored before their callback is called', async () => {
      const bytes = Buffer.alloc(4);
      const seen = await new Promise((resolve) => {
        const { call } = callFor('fill', [bytes, (/** @type {any[]} */ ...results) => (call.finish(undefined), resolve(results))], {
          mode: 'callback',
        });
        link.home.send(call);
      });
      assert.deepEqual([...bytes], [7, 7, 7, 7]);
      assert.equal(seen[1], bytes);
    });

    it('stay as they are where their call was given up, whatever its callback comes with later', async () => {
      for (const [name, given] of [
        ['fill', Buffer.alloc(8)],
        ['tellAdded', new Map([['at', 1]])],
      ]) {
        const told = [];
        const { call } = callFor(name, [given, (...results) => told.push(results)], { mode: 'callback' });
        const before = structuredClone(given);
        link.home.send(call);
        call.giveUp(new Error('late'));
        link.home.abandon(call);
        await until(() => told.length === 1, 'what comes late');
        assert.deepEqual(structuredClone(given), before);
        assert.equal(link.homeChannel.state, 'open');
      }
    });

    it('are refused with their path when they were given what cannot be sent', async () => {
      const object = { inner: {} };
      const message = /: args\[0\]\.inner was changed to hold something that is a function$/;
      await assert.rejects(send('giveFunction', [object]), { code: 'IGNIS_UNMARSHALABLE', path: 'args[0].inner', message });
      assert.deepEqual(object, { inner: {} });
    });

    it('are refused with their path where no copy can be as they are there', async () => {
      const object = { inner: {} };
      for (const [name, message] of [
        ['giveAccessor', /was given an accessor, 'at'/],
        ['givePrototype', /was given another prototype/],
      ])
        await assert.rejects(send(/** @type {string} */ (name), [object]), { code: 'IGNIS_UNMARSHALABLE', path: 'args[0].inner', message });
      assert.deepEqual(Object.getOwnPropertyNames(object.inner), []);
      assert.equal(Object.getPrototypeOf(object.inner), Object.prototype);
    });

    it('are refused to a callback, which is told why', async () => {
      const object = { inner: {} };
      const told = await new Promise((resolve) => {
        const { call } = callFor('giveFunctionAndCallBack', [object, (error) => (call.finish(error), resolve(error))], {
          mode: 'callback',
        });
        link.home.send(call);
      });
      assert.deepEqual([told.code, told.path], ['IGNIS_UNMARSHALABLE', 'args[0].inner']);
      assert.deepEqual(object, { inner: {} });
    });

    it('are an error where the caller closed meanwhile what was changed, and all else is as it is there', async () => {
      const refused = (message) => ({ code: 'IGNIS_UNMARSHALABLE', message });
      const [shut, open] = [{ a: 1 }, { a: 1 }];
      const merged = send('merge', [
        { shut, open },
        { shut: { a: 2 }, open: { a: 2 } },
      ]);
      Object.freeze(shut);
      await assert.rejects(merged, refused(/an argument was changed in the replica, and 'a' of it cannot be written$/));
      assert.deepEqual([shut, open], [{ a: 1 }, { a: 2 }]);
      const removed = send('remove', [open, 'a']);
      Object.seal(open);
      await assert.rejects(removed, refused(/'a' of it cannot be deleted$/));
      const list = [1, 2];
      const cleared = send('clear', [list]);
      Object.freeze(list);
      await assert.rejects(cleared, refused(/its contents cannot be written$/));
      assert.deepEqual(list, [1, 2]);
    });

    it('are an error where the memory of one was given away, by the caller meanwhile or there, and all else is as it is there', async () => {
      const refused = (message) => ({ code: 'IGNIS_UNMARSHALABLE', message });
      for (const Bytes of MEMORIES) {
        const [given, open] = [makeBytes(Bytes), { a: 1 }];
        const flipped = send('flipAndWrite', [given, open]);
        mutates.giveAway(given);
        await assert.rejects(flipped, refused(/its contents cannot be written$/), Bytes.name);
        assert.equal(open.a, 2);
        await assert.rejects(send('giveAway', [makeBytes(Bytes)]), refused(/args\[0\] has memory of another size$/), Bytes.name);
      }
    });

    it('go through an accessor that the caller has put there meanwhile', async () => {
      const object = { a: 1 };
      const written = send('write', [object, 'a', 2]);
      const seen = [];
      Object.defineProperty(object, 'a', {
        get: () => 0,
        set(value) {
          seen.push(value);
        },
      });
      assert.equal(await written, object);
      assert.deepEqual(seen, [2]);
    });

    it('are thrown as the very object, with what was done to it', async () => {
      const error = new TypeError('given');
      const { stack } = error;
      assert.equal(await send('throwGiven', [error]).catch((/** @type {any} */ thrown) => thrown), error);
      assert.equal(/** @type {any} */ (error).seen, true);
      assert.equal(error.stack, stack);
    });

    it('are changed once when a call was sent twice', async () => {
      const list = [{ at: 2 }, { at: 1 }];
      const { call, result } = callFor('sort', [list]);
      link.home.send(call);
      link.home.send(call);
      await result;
      list.push({ at: 0 });
      await send('read', [{}]);
      assert.deepEqual(list, [{ at: 1 }, { at: 2 }, { at: 0 }]);
    });
  });
}

describe('an answer from the wire', () => {
  it('may name an object of the caller, and makes nothing else of it', () => {
    for (const tag of ['null-prototype', 'set', 'arguments']) {
      const own = { a: 1 };
      const context = {
        attachments: [],
        hold: () => assert.fail(),
        errorClass: () => undefined,
        met: { objects: [[own], own], symbols: [] },
      };
      const entries = [[[0], 'argument', 1], [[0], tag]]; // prettier-ignore
      assert.throws(() => unmarshal([null], [0, ...entries], context), { code: 'IGNIS_BAD_FRAME' }, tag);
      assert.equal(Object.getPrototypeOf(own), Object.prototype);
      assert.equal(unmarshal([null], [0, entries[0]], context)[0], own);
    }
  });
});

describe('changes from the wire', () => {
  it('are a bad frame where a list in them holds less than it is long, which would be walked through all the same', () => {
    const long = new Array(1e6);
    for (const [object, change] of [
      [{}, [false, long, [], null, 0]],
      [new Map(), [false, [], [], [false, long, []], 0]],
      [new Map(), [false, [], [], [false, [], long], 0]],
      [new Set(), [false, [], [], [false, long, []], 0]],
      [new Set(), [false, [], [], [false, [], long], 0]],
    ])
      assert.throws(() => applyChanges([/** @type {any} */ (object)], [0, change]), { code: 'IGNIS_BAD_FRAME' });
  });
});

describe('changes from the wire that do not fit', () => {
  const change = (set, level = 0) => [false, [], set, null, level];
  for (const [what, objects, changes] of [
    ['the length of an array as a member', [[1]], [0, change(['length', -1, true])]],
    ['an element of bytes as a member', [Buffer.from('a')], [0, change(['0', {}, true])]],
    ['bytes that are frozen', [Buffer.from('a')], [0, change([], 3)]],
    ['an object in the place of a number', [{}], [{ toString: null }, change([])]],
  ])
    it(`are a bad frame: ${what}`, () => {
      assert.throws(() => applyChanges(/** @type {any} */ (objects), changes), { code: 'IGNIS_BAD_FRAME' });
    });

  it('are a bad frame where the answer is no list that they could stand in', () => {
    const met = { objects: [[]], symbols: [] };
    const context = /** @type {any} */ ({});
    assert.throws(() => openRestored(context, met, 1, () => undefined), { code: 'IGNIS_BAD_FRAME' });
    assert.equal(context.met, null);
  });

  it('and those that do: a value that is called as the length of an array is', () => {
    const list = [];
    applyChanges([list], [0, change(['0', 'length', true])]);
    assert.deepEqual(list, ['length']);
  });
});

describe('a call that is restored and runs at home after all', () => {
  it('has the memory that it was given, where the caller gave that away meanwhile', async () => {
    for (const Bytes of MEMORIES) {
      const [given, open] = [makeBytes(Bytes), { a: 1 }];
      const { call, result } = callFor('flipAndWrite', [given, open]);
      mutates.giveAway(given);
      call.runAtHome();
      await assert.rejects(result, { code: 'IGNIS_UNMARSHALABLE', message: /its contents cannot be written$/ }, Bytes.name);
      assert.equal(open.a, 2);
      const read = makeBytes(Bytes);
      const reading = callFor('sizeOf', [read]);
      mutates.giveAway(read);
      reading.call.runAtHome();
      assert.ok((await reading.result) > 0);
    }
  });

  for (const name of ['scramble', 'scrambleLater', 'scrambleAndThrow']) {
    for (const isChanged of [false, true]) {
      it(`means the same, ${name}, ${isChanged ? 'with copies, since the caller changed something' : 'with the objects themselves'}`, async () => {
        for (let i = 0; i < 300; i++) {
          const seed = seedOf(77 + name.length, i);
          const [here, there] = [plainArgsOf(seed), plainArgsOf(seed)];
          const plain = await outcome(() => /** @type {any} */ (mutates)[name](here[0], seed, 1 + (i % 6)));
          const extra = { n: 0 };
          const { call, result } = callFor(name, [there[0], seed, 1 + (i % 6), extra]);
          if (isChanged) extra.n = 1;
          call.runAtHome();
          const restored = await outcome(() => result);
          assert.equal(extra.n, isChanged ? 1 : 0);
          try {
            sameGraph([here, plain], [there, restored]);
          } catch (error) {
            throw new Error(`seed ${seed}, number ${i}: ${/** @type {Error} */ (error).message}`, { cause: error });
          }
        }
      });
    }
  }
});
