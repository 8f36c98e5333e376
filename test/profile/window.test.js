'use strict';

const assert = require('node:assert/strict');
const { Window } = require('../../lib/profile/window');
const { bucketOf, withRoom } = require('../../lib/profile/histogram');
const { FRACTIONS } = require('../../lib/rank/service-time');

class FakeMeter {
  reads = 0;
  totals = {
    calls: 0,
    failures: 0,
    exclusiveMs: 0,
    inclusiveMs: 0,
    pending: 0,
    completions: 0,
    latencyMs: 0,
    longest: 0,
    kind: 'sync',
    sized: 0,
    argBytes: 0,
    resultBytes: 0,
    values: 0,
    histogram: withRoom(null),
  };

  get calls() {
    return this.totals.calls;
  }
  get failures() {
    return this.totals.failures;
  }
  get completions() {
    return this.totals.completions;
  }

  call(ms, times = 1) {
    const { totals } = this;
    totals.calls += times;
    totals.exclusiveMs += ms * times;
    totals.inclusiveMs += ms * times;
    totals.longest = Math.max(totals.longest, ms);
    totals.histogram[bucketOf(ms)] += times;
  }

  read() {
    this.reads++;
    const read = { ...this.totals };
    this.totals.longest = 0;
    return read;
  }
}

function build() {
  const clock = { time: 0, turns: 0 };
  const window = new Window({ now: () => clock.time, turns: () => clock.turns });
  const tickAt = (time, turns = 0) => {
    clock.time = time;
    clock.turns += turns;
    window.tick();
  };
  const add = (id, names = ['parse']) => {
    const meters = names.map(() => new FakeMeter());
    const points = new Map(names.map((name, index) => [name, { meter: meters[index] }]));
    window.track({ id, parent: { name: './app.js' }, child: { name: id, kind: 'package' }, points });
    return { meters, points };
  };
  return { window, tickAt, add };
}

const near = (actual, expected, by = 1e-9) => assert.ok(Math.abs(actual - expected) <= by, `${actual} is not ${expected}`);

describe('profile/window', () => {
  it('does not take what a boundary has counted long ago for news when it is tracked again, and does where it is a new one', () => {
    const { window, tickAt, add } = build();
    const boundary = { id: 'uri', parent: { name: './app.js' }, child: { name: 'uri', kind: 'package' }, points: new Map() };
    const meter = new FakeMeter();
    boundary.points.set('parse', { meter });
    window.track(/** @type {any} */ (boundary));
    meter.call(1, 50);
    for (let time = 100; time <= 3000; time += 100) tickAt(time);
    window.track(/** @type {any} */ (boundary));
    tickAt(3100);
    assert.equal(window.reading('uri')?.calls ?? 0, 0);
    add('uri').meters[0].call(1, 7);
    tickAt(3200);
    assert.equal(window.reading('uri').calls, 7);
  });

  it('knows how large the calls at home were, however many have left since, of which no sizes are known', () => {
    const { window, tickAt, add } = build();
    const [meter] = add('uri').meters;
    meter.call(1, 2);
    Object.assign(meter.totals, { sized: 2, argBytes: 2000, resultBytes: 1000, values: 6 });
    tickAt(100);
    meter.call(0, 98);
    tickAt(200);
    const { bytes, values } = window.reading('uri');
    assert.deepEqual([bytes, values], [1500, 3]);
    const { argBytes, resultBytes } = window.totals('uri').functions.parse;
    assert.deepEqual([argBytes, resultBytes], [1000, 500]);
  });

  it('tells how many calls a turn of the loop makes where most of them were, whatever the quiet before', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    meter.call(1);
    tickAt(100, 80);
    near(window.reading('uri').inTurn, 1 / 80);
    meter.call(10, 16);
    tickAt(250, 1);
    meter.call(10, 32);
    tickAt(550, 2);
    near(window.reading('uri').inTurn, 16);
    near(window.readings(400)[0].inTurn, 16);
    // A tick in the midst of a turn, which a long call may cause.
    meter.call(100, 12);
    tickAt(1700, 0);
    near(window.reading('uri').inTurn, 12);
    tickAt(3000, 50);
    assert.equal(window.reading('uri').inTurn, 0);
  });

  it('tells so too where the tick in which a load begins holds two of its turns beside quiet ones, and the next tick one', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    meter.call(165, 33);
    tickAt(170, 5);
    meter.call(80, 16);
    tickAt(250, 1);
    near(window.reading('uri').inTurn, 16);
  });

  it('tells so too where a load begins in the midst of a quiet part of the window', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    tickAt(100, 80);
    meter.call(10, 17);
    tickAt(200, 40);
    meter.call(10, 16);
    tickAt(300, 1);
    near(window.reading('uri').inTurn, 16);
    meter.call(10, 3);
    tickAt(400, 0);
    near(window.reading('uri').inTurn, 16);
  });

  it('tells since when a boundary is called at all: the first call of its functions that was seen to begin', () => {
    const { window, tickAt, add } = build();
    const { meters } = add('uri', ['parse', 'resolve', 'never called']);
    const { meters: unknown } = add('other');
    for (const meter of [...meters.slice(0, 2), ...unknown]) meter.call(1);
    [meters[0].begunAt, meters[1].begunAt] = [420, 300];
    tickAt(600);
    const since = () => window.readings().map(({ boundary, sinceMs }) => [boundary, sinceMs]);
    assert.deepEqual(since(), [['uri', 300], ['other', Infinity]]); // prettier-ignore
  });

  it('counts turns of the true loop: behind a full one there are as many callers as a turn has calls', async () => {
    const window = new Window();
    const meter = new FakeMeter();
    window.track({ id: 'uri', parent: { name: './app.js' }, child: { name: 'uri' }, points: new Map([['f', { meter }]]) });
    const callers = 8;
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        for (let i = 0; i < 40; i++) {
          await new Promise(setImmediate);
          meter.call(1);
          for (const end = performance.now() + 1; performance.now() < end;);
          if (caller === 0 && i % 10 === 9) window.tick();
        }
      }),
    );
    window.tick();
    const { inTurn } = window.reading('uri');
    assert.ok(Math.abs(inTurn - callers) < 1, String(inTurn));
  });

  it('never says that less than no time was taken, though what was booked before is corrected', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    meter.call(50);
    tickAt(5000);
    meter.call(-20);
    tickAt(6500);
    const { exclusiveMs, blockingMs, share, meanMs } = window.reading('uri');
    assert.deepEqual([exclusiveMs, blockingMs, share, meanMs], [0, 0, 0, 0]);
  });

  it('gives its end alone to who asks for it', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    for (let time = 5000; time < 5700; time += 100) {
      meter.call(1);
      tickAt(time);
    }
    for (let time = 5700; time < 6000; time += 100) {
      meter.call(10, 9);
      tickAt(time);
    }
    const [whole] = window.readings();
    const [end] = window.readings(300);
    assert.deepEqual([whole.calls, end.calls, end.windowMs, end.exclusiveMs], [34, 27, 300, 270]);
    near(end.share, 0.9);
    near(end.callsPerSecond, 90);
    assert.ok(whole.share < 0.3);
  });

  it('tells the lengths of calls at fixed fractions, and the longest as it was', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    tickAt(5000);
    assert.ok(window.reading('uri').quantiles.every((ms) => ms === 0));
    meter.call(1, 970);
    meter.call(20, 25);
    meter.call(303, 5);
    tickAt(5100);
    const { quantiles } = window.readings()[0];
    const at = (fraction) => quantiles[FRACTIONS.indexOf(fraction)];
    assert.equal(quantiles.length, FRACTIONS.length);
    near(at(0), 1, 0.1);
    near(at(0.95), 1, 0.1);
    near(at(0.98), 20, 2);
    near(at(0.995), 20, 2);
    near(at(0.999), 303, 30);
    assert.equal(at(1), 303);
    quantiles.forEach((ms, index) => assert.ok(index === 0 || ms >= quantiles[index - 1]));
  });

  it('sees what happened in the last second and forgets what is older', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    tickAt(5000);
    meter.call(10, 5);
    tickAt(5100);
    const [reading] = window.readings();
    assert.deepEqual([reading.boundary, reading.module, reading.calls, reading.exclusiveMs], ['uri', 'uri', 5, 50]);
    near(reading.share, 0.05);
    near(reading.callsPerSecond, 5);
    tickAt(6050);
    assert.equal(window.readings()[0].calls, 5);
    tickAt(6150);
    assert.deepEqual(window.readings(), []);
  });

  it('gives new calls more weight than old ones', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    tickAt(5000);
    meter.call(100);
    tickAt(5100);
    tickAt(5900);
    meter.call(10);
    tickAt(6000);
    const { meanMs, exclusiveMs, maxMs } = window.reading('uri');
    assert.ok(meanMs > 10 && meanMs < 55, `mean ${meanMs}`);
    assert.equal(exclusiveMs, 110);
    assert.equal(maxMs, 100);
  });

  it('covers the whole of a call that lasted longer than the window', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    tickAt(5000);
    meter.call(3000);
    tickAt(8010);
    const { share, windowMs, maxMs } = window.reading('uri');
    assert.equal(maxMs, 3000);
    near(share, 3000 / 3010, 1e-3);
    near(windowMs, 3010);
  });

  it('does not take the first call of a program for a full load', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    meter.call(10);
    tickAt(10);
    near(window.reading('uri').share, 10 / 250);
  });

  it('sums over the functions of a boundary and names the hottest', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [parse, equal],
    } = add('uri', ['parse', 'equal']);
    tickAt(5000);
    parse.call(20);
    equal.call(1, 9);
    equal.totals.kind = 'promise';
    tickAt(5100);
    const reading = window.reading('uri');
    assert.deepEqual([reading.calls, reading.exclusiveMs, reading.blockingMs, reading.hottest], [10, 29, 20, 'parse']);
    assert.deepEqual({ ...reading.kinds }, { parse: 'sync', equal: 'promise' });
  });

  it('finds functions that appear later', () => {
    const { window, tickAt, add } = build();
    const { points } = add('uri');
    tickAt(5000);
    const late = new FakeMeter();
    points.set('late', { meter: late });
    late.call(1);
    tickAt(5100);
    assert.equal(window.reading('uri').calls, 1);
  });

  it('computes percentiles of the window, not of all time', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    meter.call(100, 1000);
    tickAt(5000);
    tickAt(7000);
    meter.call(1, 98);
    meter.call(300, 2);
    tickAt(7100);
    const { quantiles } = window.reading('uri');
    near(quantiles[FRACTIONS.indexOf(0.5)], 1, 0.13);
    near(quantiles[FRACTIONS.indexOf(0.99)], 300, 38);
    near(window.totals('uri').p50Ms, 100, 13);
  });

  it('gives no percentile above the longest call', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    meter.call(195);
    tickAt(5000);
    const { p50Ms, p99Ms, maxMs, functions } = window.totals('uri');
    assert.deepEqual([p50Ms, p99Ms, maxMs], [195, 195, 195]);
    assert.equal(Object.values(functions)[0].p99Ms, 195);
  });

  it('follows calls that are pending, also when they end unseen', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('db');
    tickAt(5000);
    meter.call(0.1);
    meter.totals.pending = 1;
    meter.totals.kind = 'promise';
    tickAt(5100);
    tickAt(9000);
    assert.equal(window.readings()[0].pending, 1);
    Object.assign(meter.totals, { pending: 0, completions: 1, latencyMs: 4000 });
    tickAt(9100);
    const [{ pending, latencyMs }] = window.readings();
    assert.deepEqual([pending, latencyMs], [0, 4000]);
    meter.totals.pending = 1;
    meter.call(0.1);
    tickAt(9200);
    meter.totals.pending = 0;
    tickAt(9300);
    assert.equal(window.reading('db').pending, 0);
  });

  it('reads no meter of an idle boundary', () => {
    const { window, tickAt, add } = build();
    const idle = Array.from({ length: 1000 }, (_, index) => add(`m${index}`).meters[0]);
    const busy = add('busy').meters[0];
    tickAt(1000);
    for (let time = 1100; time < 3000; time += 100) {
      busy.call(1);
      tickAt(time);
    }
    assert.equal(window.size, 1001);
    assert.ok(idle.every(({ reads }) => reads <= 1));
    assert.deepEqual(
      window.readings().map(({ boundary }) => boundary),
      ['busy'],
    );
  });

  it('joins ticks that come close together', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [meter],
    } = add('uri');
    tickAt(5000);
    for (let time = 5001; time <= 5040; time++) {
      meter.call(0.5);
      tickAt(time);
    }
    tickAt(5040);
    assert.equal(window.reading('uri').calls, 40);
  });

  it('adds up everything since the start, function by function', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [parse, equal],
    } = add('uri', ['parse', 'equal', 'never']);
    parse.call(10, 3);
    equal.call(1, 2);
    equal.totals.failures = 1;
    tickAt(500);
    tickAt(60_000);
    parse.call(40);
    tickAt(60_100);
    const totals = window.totals('uri');
    assert.deepEqual([totals.calls, totals.exclusiveMs, totals.failures, totals.maxMs], [6, 72, 1, 40]);
    assert.deepEqual(Object.keys(totals.functions), ['parse', 'equal']);
    assert.deepEqual([totals.functions.parse.calls, totals.functions.parse.maxMs], [4, 40]);
  });

  it('keeps of functions that a module had before it was loaded anew a thousand, and of all others their sums', () => {
    const { window, tickAt, add } = build();
    for (let generation = 0; generation < 5; generation++) {
      const names = Array.from({ length: 500 }, (_, i) => `f${generation}_${i}`);
      const { meters } = add('uri', names);
      for (const meter of meters) meter.call(generation + 1);
      tickAt(100 * (generation + 1));
    }
    add('uri', []);
    const { calls, exclusiveMs, maxMs, functions } = window.totals('uri');
    assert.deepEqual([calls, exclusiveMs, maxMs], [2500, 500 * 15, 5]);
    assert.equal(Object.keys(functions).length, 1024);
    assert.deepEqual([functions['(others)'].calls, functions.f4_0.calls, functions.f0_0], [2500 - 1023, 1, undefined]);
    add('uri', []);
    assert.equal(window.totals('uri').calls, 2500);
  });

  it('adds up what a boundary did before its module was loaded anew, however often that was', () => {
    const { window, tickAt, add } = build();
    const {
      meters: [parse, old],
    } = add('uri', ['parse', 'old']);
    parse.call(10, 3);
    old.call(1, 2);
    parse.totals.pending = 2;
    tickAt(500);
    // Not looked at yet.
    parse.call(50);
    parse.totals.completions = 3;
    const [anew] = add('uri', ['parse', 'young']).meters;
    const first = window.totals('uri');
    assert.deepEqual([first.calls, first.exclusiveMs, first.completions, first.pending, first.maxMs], [6, 82, 3, 0, 50]);
    assert.equal(window.readings().length, 0, 'calls that are over are no load');
    anew.call(20);
    anew.totals.pending = 1;
    tickAt(600);
    assert.equal(window.reading('uri').calls, 1);
    const [last, young] = add('uri', ['parse', 'young']).meters;
    last.call(5);
    young.call(2, 4);
    tickAt(700);
    const totals = window.totals('uri');
    assert.deepEqual([totals.calls, totals.exclusiveMs, totals.pending, totals.maxMs], [12, 115, 0, 50]);
    assert.deepEqual(
      Object.entries(totals.functions).map(([name, { calls, maxMs }]) => [name, calls, maxMs]),
      [
        ['parse', 6, 50],
        ['young', 4, 2],
        ['old', 2, 1],
      ],
    );
    assert.equal(
      window.latencies('uri').reduce((sum, { calls }) => sum + calls, 0),
      12,
    );
  });

  it('looks at the meters of no other boundary where it is asked for the totals of one', () => {
    const { window, tickAt, add } = build();
    const [asked, other] = ['uri', 'marked'].map((id) => add(id).meters[0]);
    tickAt(100);
    let looks = 0;
    const countLooks = { get: () => (looks++, other.totals.calls) };
    Object.defineProperty(other, 'calls', countLooks);
    asked.call(2, 5);
    assert.equal(window.totals('uri').calls, 5);
    assert.equal(looks, 0);
    tickAt(200);
    assert.equal(looks, 1);
    assert.equal(window.reading('uri').calls, 5);
  });

  it('says null of a boundary that it does not know, or was told to forget', () => {
    const { window, tickAt, add } = build();
    add('uri').meters[0].call(1);
    tickAt(100);
    window.forget('uri');
    window.forget('uri');
    assert.deepEqual([window.reading('uri'), window.totals('uri'), window.readings(), window.size], [null, null, [], 0]);
  });
});
