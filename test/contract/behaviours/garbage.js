'use strict';

const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { AWAY } = require('../places');
const { until } = require('../../helpers/until');

exports.title = 'what stays when nobody holds it';
exports.fixture = 'garbage.js';
exports.places = AWAY;

const LIMIT_MS = 15000;

/** Both sides' tables get as they were before a use, or empty when none is given. */
async function untilAsBefore(place, before = null) {
  let counts;
  const isBack = () => {
    global.gc();
    counts = place.counts();
    return Object.entries(counts).every(([name, count]) => count <= (before?.[name] ?? 0));
  };
  await until(isBack, 'the tables get as they were', LIMIT_MS).catch((error) => {
    throw new Error(`${error.message}; before ${JSON.stringify(before)}, now ${JSON.stringify(counts)}`);
  });
}

/** Uses a module in a place of its own; afterwards nothing may be left of it there. */
async function leavesNothing(t, use) {
  const place = t.open();
  try {
    await (async () => use(t.load(exports.fixture, place)))();
    await untilAsBefore(place);
  } finally {
    await place.close();
  }
}

/** Uses a module once to warm up, then again; afterwards only the module itself and its functions may be left. */
async function leavesAsBefore(t, use) {
  const place = t.open();
  try {
    const m = t.load(exports.fixture, place);
    await (async () => use(m))();
    await new Promise(setImmediate);
    for (let i = 0; i < 3; i++) {
      global.gc();
      await new Promise(setImmediate);
    }
    const before = place.counts();
    for (let i = 0; i < 20; i++) await (async () => use(m))();
    await untilAsBefore(place, before);
    assert.equal(typeof m.echo, 'function');
  } finally {
    await place.close();
  }
}

exports.behaviours = {
  'the module itself'(_, t) {
    return leavesNothing(t, (m) => assert.equal(m.echo(1), 1));
  },
  'plain data, both ways'(_, t) {
    return leavesNothing(t, (m) => {
      for (let i = 0; i < 50; i++) assert.deepEqual(m.echo({ i, list: [{ i }] }), { i, list: [{ i }] });
      assert.equal(m.data().list[1].two, 2);
    });
  },
  'instances of the module'(_, t) {
    return leavesNothing(t, (m) => assert.equal(m.make(200).reduce((sum, { value }) => sum + value, 0), 19900)); // prettier-ignore
  },
  'instances that a class of the module constructs for home'(_, t) {
    return leavesNothing(t, (m) => {
      for (let i = 0; i < 100; i++) assert.equal(new m.Thing(i).self().value, i);
    });
  },
  'functions, both ways'(_, t) {
    return leavesNothing(t, (m) => {
      for (let i = 0; i < 100; i++) assert.equal(m.call(m.makeFunction()), 'made');
      for (let i = 0; i < 100; i++) assert.equal(m.call(() => i), i); // prettier-ignore
    });
  },
  'callbacks that get objects'(_, t) {
    return leavesNothing(t, (m) => {
      for (let i = 0; i < 100; i++) m.call(({ list }) => list.push(1), { list: [] });
    });
  },
  'what the module kept and dropped'(_, t) {
    return leavesNothing(t, (m) => {
      for (let i = 0; i < 50; i++) m.keep({ i, fn: () => i });
      assert.equal(m.getKept(10).fn(), 10);
      assert.equal(m.drop(), 50);
    });
  },
  'errors, thrown either way'(_, t) {
    return leavesNothing(t, (m) => {
      for (let i = 0; i < 30; i++) {
        assert.throws(() => m.fail('x'), { message: 'x' });
        assert.throws(() => m.call(() => m.fail('inner')), { message: 'inner' });
      }
    });
  },
  'signals of several, aborted or not'(_, t) {
    return leavesNothing(t, (m) => {
      for (let i = 0; i < 20; i++) {
        const controller = new AbortController();
        const either = m.either(controller.signal, new AbortController().signal);
        if (i % 2 === 0) controller.abort(i);
        assert.deepEqual([either.aborted, either.reason], i % 2 === 0 ? [true, i] : [false, undefined]);
      }
    });
  },
  'promises that were kept and broken'(_, t) {
    return leavesNothing(t, async (m) => {
      for (let i = 0; i < 20; i++) assert.equal((await m.later({ i })).i, i);
      await assert.rejects(
        m.later(1).then(() => m.fail('no')),
        { message: 'no' },
      );
    });
  },
  async 'promises that nobody ever settles, both ways'(m, t) {
    const place = t.open();
    try {
      const own = t.load(exports.fixture, place);
      const refs = [];
      for (let i = 0; i < 20; i++) {
        refs.push(new WeakRef(own.wait()));
        own.finalize(new Promise(() => {}));
      }
      const areGone = () => {
        global.gc();
        place.counts();
        return refs.every((ref) => ref.deref() === undefined) && own.finalized() === 20;
      };
      await until(areGone, 'the promises are collected on both sides', LIMIT_MS);
    } finally {
      await place.close();
    }
  },
  async 'a symbol that the module has as a key, and home holds, is there after any number of collections'(m, t) {
    const place = t.open();
    try {
      const own = t.load(exports.fixture, place);
      const keys = [Symbol('early'), Symbol('late')];
      own.know(keys[0], 'a');
      own.echo(keys[1]);
      own.know(keys[1], 'b');
      for (let i = 0; i < 10; i++) {
        global.gc();
        place.counts();
        await new Promise(setImmediate);
      }
      assert.deepEqual(keys.map(own.known), ['a', 'b']);
    } finally {
      await place.close();
    }
  },
  'emitters with listeners of home'(_, t) {
    return leavesNothing(t, (m) => {
      for (let i = 0; i < 20; i++) {
        const emitter = m.emitter();
        let seen = 0;
        emitter.on('x', () => seen++);
        emitter.emit('x');
        assert.equal(seen, 1);
      }
    });
  },
  'generators, run to the end and not'(_, t) {
    return leavesNothing(t, (m) => {
      assert.equal([...m.count(20)].length, 20);
      for (const { i } of m.count(20)) if (i === 3) break;
      m.count(5).next();
    });
  },
  'a use like the one before, while the module is held'(_, t) {
    return leavesAsBefore(t, (m) => {
      assert.equal(new m.Thing(5).value, 5);
      m.call((data) => assert.equal(data.list.length, 2), m.data());
    });
  },
  async 'what home holds is there after any number of collections'(m, t) {
    const place = t.open();
    const own = t.load(exports.fixture, place);
    const things = own.make(20);
    for (let i = 0; i < 10; i++) {
      global.gc();
      place.counts();
      await new Promise(setImmediate);
    }
    assert.deepEqual(
      things.map(({ value }) => value),
      Array.from({ length: 20 }, (_, i) => i),
    );
    await place.close();
  },
  async 'what the module holds is there after any number of collections'(m, t) {
    const place = t.open();
    const own = t.load(exports.fixture, place);
    for (let i = 0; i < 20; i++) own.keep({ i, fn: () => i });
    for (let i = 0; i < 10; i++) {
      global.gc();
      place.counts();
      await new Promise(setImmediate);
    }
    for (let i = 0; i < 20; i++) assert.deepEqual([own.getKept(i).i, own.getKept(i).fn()], [i, i]);
    await place.close();
  },
  async 'what the module refers to weakly is there as long as home holds it, and no longer'(m, t) {
    const place = t.open();
    const own = t.load(exports.fixture, place);
    const held = own.weakly();
    const collected = async () => {
      global.gc();
      place.counts();
      await new Promise(setImmediate);
    };
    for (let i = 0; i < 10; i++) await collected();
    assert.equal(held.weak.deref(), held.target);
    assert.equal(own.finalized(), 0);
    held.target = null;
    await until(async () => (await collected(), own.finalized() === 1), 'its finalizer runs', LIMIT_MS);
    assert.equal(held.weak.deref(), undefined);
    await place.close();
  },
  async 'an object that is sent again while it is being released'(m) {
    const thing = { a: 1 };
    m.keep(thing);
    for (let i = 0; i < 500; i++) {
      assert.equal(m.echo(thing), thing);
      m.make(3);
      if (i % 50 === 0) {
        global.gc();
        await new Promise(setImmediate);
      }
    }
    assert.equal(m.getKept(0), thing);
    m.drop();
  },
  async 'a listener of home lives as long as its emitter'(m) {
    const emitter = m.emitter();
    let seen = 0;
    emitter.on('x', () => seen++);
    for (let i = 0; i < 5; i++) {
      global.gc();
      await new Promise(setImmediate);
    }
    emitter.emit('x');
    assert.equal(seen, 1);
    assert.ok(emitter instanceof EventEmitter);
  },
};
