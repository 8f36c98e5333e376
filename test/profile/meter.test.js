'use strict';

const assert = require('node:assert/strict');
const net = require('node:net');
const vm = require('node:vm');
const { inspect } = require('node:util');
const { Meter, SLOT, LONG_MS, pollMeters } = require('../../lib/profile/meter');
const { bucketOf, percentile, withRoom } = require('../../lib/profile/histogram');
const { newSlots } = require('../../lib/profile/meter-slots');
const { Samples } = require('../../lib/profile/samples');
const { sizeOf } = require('../../lib/profile/size');
const { addHistogram, emptySlot, joinHistograms, mergeHistogram } = require('../../lib/profile/slot');

/**
 * Feeds a meter as a wrapper would.
 * @param {Meter} meter
 * @param {number[]} durations ms
 * @param {{isLongSeen?: boolean}} [given] whether the coarse clock runs
 * @returns {number} calls that were timed
 */
function feed(meter, durations, { isLongSeen = true } = {}) {
  let timed = 0;
  for (const ms of durations) {
    meter.slots[SLOT.calls]++;
    if (--meter.slots[SLOT.due] <= 0) {
      timed++;
      meter.bookTimed(ms, 0, meter.beginSample());
    } else if (isLongSeen && ms >= LONG_MS) meter.bookLong(ms, 0);
  }
  return timed;
}

/** @param {number} actual @param {number} expected @param {number} share */
function near(actual, expected, share) {
  assert.ok(Math.abs(actual - expected) <= share * expected, `${actual} is not within ${share * 100} % of ${expected}`);
}

describe('meter', () => {
  it('times the first calls, then one in 64 or fewer, and is right about the sum', () => {
    const meter = new Meter();
    const timed = feed(meter, Array(50_000).fill(0.01));
    assert.ok(timed > 500 && timed < 1200, `${timed} timed`);
    near(meter.read().exclusiveMs, 500, 0.01);
    const cheap = new Meter();
    assert.ok(feed(cheap, Array(50_000).fill(0.0005)) < 300);
    near(cheap.read().exclusiveMs, 25, 0.02);
  });

  it('remembers when its first call began, also when others follow', () => {
    const meter = new Meter();
    assert.equal(meter.begunAt, -Infinity);
    const before = performance.now();
    feed(meter, [40]);
    const first = meter.begunAt;
    assert.ok(first >= before - 40 && first <= performance.now() - 40, String(first - before));
    feed(meter, Array(500).fill(1));
    assert.equal(meter.begunAt, first);
  });

  it('is right about the first few calls too', () => {
    const meter = new Meter();
    feed(meter, Array(9).fill(0.01));
    near(meter.read().exclusiveMs, 0.09, 1e-9);
  });

  it('times every call of a function that takes long on average', () => {
    const meter = new Meter();
    assert.equal(feed(meter, Array(1000).fill(0.2)), 1000);
    near(meter.read().exclusiveMs, 200, 1e-9);
  });

  it('does not miss one call of 500 ms in a thousand, and books it once', () => {
    const durations = Array(20_000).fill(0.01);
    for (let i = 500; i < durations.length; i += 1000) durations[i] = 500;
    const meter = new Meter();
    feed(meter, durations);
    const { exclusiveMs, longest, calls, histogram } = meter.read();
    near(exclusiveMs, 20 * 500 + 200, 0.01);
    assert.equal(longest, 500);
    assert.equal(calls, 20_000);
    near(percentile(histogram, 0.9999), 500, 0.1);
    near(percentile(histogram, 0.5), 0.01, 0.1);
  });

  it('is not fooled by a rhythm of 64', () => {
    const meter = new Meter();
    const durations = Array.from({ length: 200_000 }, (_, i) => (i % 64 === 0 ? 0.3 : 0.005));
    feed(meter, durations);
    near(
      meter.read().exclusiveMs,
      durations.reduce((sum, ms) => sum + ms, 0),
      0.15,
    );
  });

  it('goes back to samples some calls after a long one', () => {
    const meter = new Meter();
    feed(meter, Array(100).fill(0.001));
    feed(meter, [500]);
    const timed = feed(meter, Array(100_000).fill(0.001));
    assert.ok(timed > 40 && timed < 2000, `${timed} timed`);
  });

  it('looks at the next call when something hints at longer ones, and stays right about the sum', () => {
    const meter = new Meter();
    feed(meter, Array(1000).fill(0.01));
    meter.hurry();
    meter.hurry();
    assert.equal(feed(meter, [0.01]), 1);
    near(meter.read().exclusiveMs, 10.01, 1e-6);
  });

  it('gives the longest call since the last read, and totals that only grow', () => {
    const meter = new Meter();
    feed(meter, [1, 3, 2]);
    assert.equal(meter.peek().longest, 3);
    assert.equal(meter.read().longest, 3);
    assert.equal(meter.read().longest, 0);
    assert.equal(meter.read().exclusiveMs, 6);
    assert.equal(meter.calls, 3);
  });

  it('never says that a function took less than no time', () => {
    const meter = new Meter();
    meter.slots[SLOT.calls]++;
    meter.bookTimed(1, 5, meter.beginSample());
    assert.equal(meter.read().exclusiveMs, 0);
  });

  it('estimates sizes from samples', () => {
    const meter = new Meter();
    for (let i = 0; i < 100; i++) {
      meter.slots[SLOT.calls]++;
      meter.see(['x'.repeat(1000)], Buffer.alloc(500));
    }
    const { argBytes, resultBytes } = meter.read();
    assert.ok(argBytes > 60_000 && argBytes < 110_000, String(argBytes));
    assert.ok(resultBytes > 30_000 && resultBytes < 60_000, String(resultBytes));
  });

  it('takes no promise for what it comes to', () => {
    const meter = new Meter();
    meter.slots[SLOT.calls]++;
    meter.see([], Promise.resolve('x'.repeat(1000)));
    assert.equal(meter.read().resultBytes, 0);
  });

  it('holds a few promises, which stand for all, looks at them, and forgets them', async () => {
    const meter = new Meter();
    const opened = [];
    // Promises are forgotten after half a minute.
    const since = performance.now();
    for (let i = 0; i < 400; i++) meter.watch(new Promise((resolve) => opened.push(resolve)), since, 1);
    assert.equal(meter.read().pending, 400);
    // On average half of the calls are done by then; eight that stand for all say so roughly, and a hundred times eight better.
    let done = 0;
    for (let round = 0; round < 100; round++) {
      const half = new Meter();
      for (let i = 0; i < 200; i++) half.watch(i % 2 === 0 ? Promise.resolve() : new Promise(() => {}), since, 1 + (i % 3));
      half.poll();
      const { pending, completions } = half.read();
      assert.equal(pending + completions, 399);
      done += completions;
    }
    assert.ok(done > 0.4 * 39_900 && done < 0.6 * 39_900, String(done));
    for (const open of opened) open({ large: 'x'.repeat(10) });
    pollMeters();
    const { pending, completions } = meter.read();
    assert.deepEqual([pending, completions], [0, 400]);
  });

  it('counts promises that reject as failures, and those of any class when they settle', () => {
    class Own extends Promise {}
    const meter = new Meter();
    const rejected = [Promise.reject(new Error('x')), Own.reject({ a: 1 }), Promise.reject('<pending>')];
    for (const promise of rejected) promise.catch(() => {});
    const fulfilled = [Promise.resolve('<rejected>'), Own.resolve(new Error('<rejected>')), Promise.resolve(Buffer.from('a'))];
    for (const promise of [...rejected, ...fulfilled]) meter.watch(promise, 0, 3);
    for (const open of [new Promise(() => {}), new Own(() => {})]) meter.watch(open, 0, 5);
    meter.poll(10);
    const { failures, completions, pending } = meter.read();
    assert.deepEqual({ failures, completions, pending }, { failures: 9, completions: 18, pending: 10 });
  });

  it('lets go of a promise that stays open', () => {
    const meter = new Meter();
    meter.watch(new Promise(() => {}), 0, 64);
    meter.poll(29_000);
    assert.equal(meter.read().pending, 64);
    meter.poll(31_000);
    assert.equal(meter.read().pending, 0);
  });

  it('runs nothing of a promise or its value when it looks', () => {
    const meter = new Meter();
    const trap = new Proxy(
      {},
      {
        get() {
          throw new Error('touched');
        },
        getOwnPropertyDescriptor() {
          throw new Error('touched');
        },
        ownKeys() {
          throw new Error('touched');
        },
        getPrototypeOf() {
          throw new Error('touched');
        },
      },
    );
    const value = {
      get x() {
        throw new Error('touched');
      },
      [Symbol.for('nodejs.util.inspect.custom')]() {
        throw new Error('touched');
      },
      trap,
    };
    meter.watch(Promise.resolve(value), 0, 1);
    meter.poll();
    assert.equal(meter.completions, 1);
  });
});

describe('histogram', () => {
  it('tells percentiles within an eighth, over seven powers of ten', () => {
    for (const ms of [0.0012, 0.01, 0.33, 1, 7, 99, 1234, 15_000]) {
      const histogram = withRoom(null);
      histogram[bucketOf(ms)] += 3;
      near(percentile(histogram, 0.5), ms, 0.125);
    }
  });

  it('weighs', () => {
    const histogram = withRoom(null);
    histogram[bucketOf(1)] += 64 * 10;
    histogram[bucketOf(500)] += 7;
    near(percentile(histogram, 0.98), 1, 0.125);
    near(percentile(histogram, 0.995), 500, 0.125);
  });

  it('takes room for what it has, and more when a longer call comes: of many functions each call takes microseconds', () => {
    const meter = new Meter();
    const track = { lastHistogram: null };
    const slots = [emptySlot(0, 1, 1), emptySlot(1, 2, 1), emptySlot(2, 3, 1)];
    feed(meter, [0.002]);
    addHistogram(slots[0], meter.read(), track);
    assert.deepEqual([track.lastHistogram.length, meter.peek().histogram.length], [32, 32]);
    feed(meter, [500]);
    addHistogram(slots[1], meter.read(), track);
    feed(meter, [0.002]);
    addHistogram(slots[2], meter.read(), track);
    const longer = bucketOf(500) + 1;
    assert.ok(track.lastHistogram.length >= longer && track.lastHistogram.length < withRoom(null).length);
    assert.deepEqual(track.lastHistogram, meter.peek().histogram);
    const sum = (histogram) => histogram.reduce((all, weight) => all + weight, 0);
    const [all, first, both] = [slots, slots.slice(0, 1), slots.slice(0, 2).reverse()].map(joinHistograms);
    assert.deepEqual([sum(all), sum(first), sum(both)], [3, 1, 2]);
    assert.equal(both[bucketOf(500)], 1);
    const joined = { histogram: null };
    for (const histogram of [first, both]) mergeHistogram(joined, histogram);
    assert.deepEqual([joined.histogram[bucketOf(0.002)], joined.histogram[bucketOf(500)]], [2, 1]);
    assert.equal(joinHistograms([emptySlot(0, 1, 1)]), null);
  });

  it('takes what is out of its range, and answers 0 when empty', () => {
    for (const ms of [0, -1, NaN, 1e-9, 1e9, Infinity]) assert.ok(bucketOf(ms) >= 0 && bucketOf(ms) < withRoom(null).length);
    assert.equal(percentile(withRoom(null), 0.5), 0);
    assert.equal(percentile([], 0.5), 0);
  });
});

describe('samples', () => {
  const size = (functionAt, instance = '') => ({ bytes: 1, values: 1, functionAt, instance });
  const seen = (kind, ...samples) => {
    const one = new Samples(newSlots());
    for (const [given, gave] of samples) one.see(size(given), size(gave));
    return one.whyBound(kind);
  };

  it('say why most calls of a function could not leave', () => {
    assert.equal(seen('sync', [-1, -1], [-1, -1]), '');
    assert.equal(seen('sync', [1, -1], [1, -1], [-1, -1]), 'it is given functions');
    assert.equal(seen('sync', [-1, 0]), 'it gives functions');
    assert.equal(seen('sync', [1, -1], [-1, -1]), '');
    for (const kind of ['sync', 'promise', 'callback']) assert.equal(seen(kind, [2, -1]), 'it is given functions within its arguments');
  });

  it('tell a function that is given a callback from those that are given other functions', () => {
    const why = (/** @type {unknown} */ result, /** @type {unknown[]} */ ...args) => {
      const one = new Samples(newSlots());
      one.take(args, result, false, 1);
      return one.whyBound('sync');
    };
    const call = () => {};
    assert.equal(why(undefined, { n: 1 }, call), 'it is given a callback');
    assert.equal(why(undefined, call), 'it is given a callback');
    assert.equal(why([], [1], call), 'it is given functions');
    assert.equal(why(undefined, call, 1), 'it is given functions');
    assert.equal(why(undefined, call, call), 'it is given functions');
    assert.equal(why(undefined, { call }, call), 'it is given functions within its arguments');
  });

  it('say of objects of classes that no copy has them, in the arguments of any function and in what one gives at once', () => {
    const seenOf = (kind, given, gave) => {
      const one = new Samples(newSlots());
      for (const call of given.keys()) one.see(size(-1, given[call]), gave === null ? null : size(-1, gave[call]));
      return one.whyBound(kind);
    };
    const request = 'an instance of Request';
    for (const kind of ['sync', 'promise', 'callback']) {
      assert.equal(seenOf(kind, [request, request], null), `it is given ${request}`);
      assert.equal(seenOf(kind, [request, ''], null), '');
    }
    assert.equal(seenOf('sync', ['', ''], [request, request]), `it gives ${request}`);
    assert.equal(seenOf('sync', ['', ''], ['', request]), '');
    assert.equal(seenOf('callback', ['', ''], [request, request]), '');
  });

  it('say nothing of the callback of a function that calls back, nor of one that returns promises', () => {
    for (const kind of ['promise', 'callback', 'unknown']) assert.equal(seen(kind, [1, 0]), '');
  });

  it('look at what comes later when it comes, of one call each time that sizes are looked at', () => {
    const meter = new Meter();
    meter.slots[SLOT.calls]++;
    meter.see(['text'], Promise.resolve());
    assert.deepEqual([meter.whyStays, meter.slots[SLOT.resultBytes]], ['', 0]);
    const { samples } = meter;
    samples.takeLate([() => {}]);
    assert.equal(meter.whyStays, 'it gives functions');
    assert.ok(meter.slots[SLOT.resultBytes] > 0);
    const before = meter.slots[SLOT.resultBytes];
    samples.takeLate('x'.repeat(1000));
    assert.equal(meter.slots[SLOT.resultBytes], before, 'nobody asked for it');
    meter.slots[SLOT.calls] += 7;
    meter.see(['text'], Promise.resolve());
    samples.takeLate('x'.repeat(1000));
    near(meter.slots[SLOT.resultBytes] - before, 7000, 0.1);
    assert.equal(meter.whyStays, '', 'half of them is not most');
  });

  it('are those of calls whose sizes are looked at', () => {
    const meter = new Meter();
    assert.equal(meter.peek().whyBound, '');
    meter.slots[SLOT.calls]++;
    meter.see([{ type: () => {} }], 'text');
    assert.equal(meter.peek().whyBound, 'it is given functions within its arguments');
  });
});

describe('size', () => {
  it('is roughly that of the bytes', () => {
    near(sizeOf('x'.repeat(1000)).bytes, 1000, 0.1);
    near(sizeOf(Buffer.alloc(5000)).bytes, 5000, 0.1);
    near(sizeOf(Array(10_000).fill('0123456789')).bytes, 100_000, 0.5);
    assert.ok(sizeOf({ a: { b: 'hello' } }).bytes < 40);
  });

  it('names the first object of a class, which no copy has, and nothing that can be sent', () => {
    class Request {}
    const within = (value) => sizeOf([{ list: [1, value] }]).instance;
    assert.equal(within(new Request()), 'an instance of Request');
    assert.equal(within(new (class extends Request {})()), 'an instance of Request');
    assert.equal(sizeOf(new Request()).instance, 'an instance of Request');
    assert.equal(within(Object.create({ state: {} })), 'an object with a prototype of its own');
    assert.equal(within(new net.Socket()), 'an instance of Socket');
    const sent = [
      new Date(),
      /x/g,
      new Map(),
      new Set(),
      new TypeError('x'),
      new URL('http://a.b'),
      Buffer.from('x'),
      new Uint8Array(1),
      new ArrayBuffer(1),
    ];
    const plain = [
      {},
      [],
      Object.create(null),
      Object(1n),
      Object('x'),
      AbortSignal.abort(),
      vm.runInNewContext('({ a: [1, new Date()] })'),
    ];
    for (const value of [...sent, ...plain]) assert.equal(within(value), '', inspect(value));
    class Own extends Error {}
    assert.equal(within(new Own('x')), '');
  });

  it('asks no Proxy for its class, and runs no getter', () => {
    const [get, has] = [assert.fail, assert.fail];
    const never = new Proxy({}, { getPrototypeOf: assert.fail, get, getOwnPropertyDescriptor: assert.fail, has, ownKeys: assert.fail });
    const made = Object.defineProperty({}, 'constructor', { get: assert.fail });
    assert.equal(sizeOf([never]).instance, '');
    const heir = Object.create(Object.create(never));
    assert.deepEqual(sizeOf([heir, { heir }, [heir]]), { ...sizeOf([never, { heir: never }, [never]]) });
    const meter = new Meter();
    meter.slots[SLOT.calls] = 1;
    meter.see([heir], heir);
    assert.equal(meter.kind, 'sync');
    assert.equal(sizeOf([Object.create(Object.create(made))]).instance, 'an object with a prototype of its own');
  });

  it('counts values, also those that lie beyond what it looks at', () => {
    assert.equal(sizeOf(['a', 1, { b: null }]).values, 5);
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `row ${id}`, isNew: true }));
    near(sizeOf([rows]).values, 40_000, 0.05);
    near(sizeOf([{ one: rows, two: rows }]).values, 80_000, 0.05);
    near(sizeOf([rows]).bytes, JSON.stringify(rows).length, 0.5);
  });

  it('sees records as a whole, whatever they hold', () => {
    const rows = Array.from({ length: 1000 }, (_, id) => ({
      id,
      name: `n${id}`,
      price: id / 3,
      tags: ['a', 'b'],
      at: { x: id, y: { z: 1 } },
    }));
    near(sizeOf([rows]).values, 11_000, 0.05);
    near(sizeOf([{ rows, title: 'all' }]).values, 11_000, 0.05);
  });

  it('tells how deep there is a function', () => {
    const at = (value) => sizeOf(value).functionAt;
    assert.deepEqual([at(1), at(() => {}), at(['a', () => {}]), at([{ on: () => {} }, () => {}])], [-1, 0, 1, 2]);
  });

  it('does not grow with each turn of a circle, or each level of a list whose first member is the next one', () => {
    const circle = {};
    circle.all = Array(500).fill(circle);
    circle.self = circle;
    const deep = [];
    for (let at = deep, level = 0; level < 16; level++) {
      const next = [];
      at.push(next, ...Array(499).fill(1));
      at = next;
    }
    for (const one of [circle, deep]) {
      const { bytes, values } = sizeOf([one]);
      assert.ok(bytes < 1e7 && values < 1e7, `${bytes} bytes, ${values} values`);
    }
  });

  it('ends on circles and large trees, and runs no getter', () => {
    const circle = {
      get x() {
        throw new Error('ran');
      },
    };
    circle.self = circle;
    assert.ok(sizeOf(circle).bytes > 0);
    assert.equal(sizeOf(Object.defineProperty([1], 1, { enumerable: true, get: assert.fail })).values, 2);
    const wide = Array.from({ length: 2000 }, () => Array(2000).fill({}));
    const start = performance.now();
    sizeOf(wide);
    assert.ok(performance.now() - start < 200);
  });
});
