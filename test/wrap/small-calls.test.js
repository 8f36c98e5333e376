'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { types } = require('node:util');
const { threadId } = require('node:worker_threads');
const { performance } = require('../../lib/engine');
const { SmallestLong } = require('../../lib/profile/smallest-long');
const { lifted } = require('../../lib/wrap/lifted');
const { SmallCalls, mayStay } = require('../../lib/wrap/small-calls');
const { Meter } = require('../../lib/profile/meter');
const { Distributed } = require('../helpers/distributed');

const FILE = path.join(__dirname, '../fixtures/small/burn.js');
const HERE = `${process.pid} ${threadId}`;
const LONG = 'x'.repeat(1200);
const SMALL = 'x';

describe('small calls', function () {
  this.timeout(30000);
  /** @type {Distributed} */
  let on;

  /** One replica, after a call of 120 ms at home. @param {object} recipe @param {'measure' | 'dear'} [name] */
  const open = async (recipe = {}, name = 'measure') => {
    on = new Distributed(FILE, { call: 'await', pure: true, copies: [0, 2], ...recipe });
    on.lib[name](SMALL);
    on.lib[name](LONG);
    await on.set.resize(1);
  };
  const guide = (callMs = 0.2, longCallMs = 20) => on.distribution.guide(FILE, { longCallMs, callMs });
  const isHome = (result) => !types.isPromise(result) && result.place === HERE;
  const meterOf = (name) => on.boundaries[0].points.get(name).meter;
  afterEach(() => on?.close());

  it('stay where longer ones were long, while others leave, and are counted', async () => {
    await open();
    guide();
    assert.ok(isHome(on.lib.measure(SMALL)));
    assert.ok(isHome(on.lib.measure('xxxxx')));
    const away = on.lib.measure(LONG);
    assert.ok(types.isPromise(away));
    assert.notEqual((await away).place, HERE);
    const { calls, belowBytes } = meterOf('measure').peek().stayed;
    assert.equal(calls, 2);
    assert.ok(belowBytes > 900 && belowBytes < 1000, `${belowBytes}`);
  });

  it('stay also where a call is made to wait by `lift`', async () => {
    await open({ call: undefined, lift: true });
    guide();
    const call = async (text) => {
      const result = lifted.method(on.lib, 'measure', 'lib.measure')(text);
      return lifted.isAway(result) ? lifted.away() : lifted.here();
    };
    assert.equal((await call(SMALL)).place, HERE);
    assert.notEqual((await call(LONG)).place, HERE);
  });

  it('are counted once where they are both awaited and made to wait', async () => {
    await open({ lift: true });
    guide();
    const away = lifted.method(on.lib, 'measure', 'lib.measure')(SMALL);
    assert.ok(lifted.isAway(away));
    assert.equal((await lifted.away()).place, HERE);
    assert.equal(meterOf('measure').peek().stayed.calls, 1);
    lifted.isAway(lifted.method(on.lib, 'measure', 'lib.measure')(LONG));
    assert.notEqual((await lifted.away()).place, HERE);
  });

  it('leave before the coordinator has said what it costs to send one', async () => {
    await open();
    assert.notEqual((await on.lib.measure(SMALL)).place, HERE);
    assert.equal(meterOf('measure').peek().stayed, null);
  });

  it('leave while none was long at home', async () => {
    await open({}, 'dear');
    guide();
    for (let i = 0; i < 3; i++) on.lib.measure(SMALL);
    const away = on.lib.measure(SMALL);
    assert.ok(types.isPromise(away));
    assert.notEqual((await away).place, HERE);
  });

  it('leave where small ones were long, too', async () => {
    await open();
    guide();
    meterOf('measure').smallestLong.see([SMALL], 100);
    assert.ok(types.isPromise(on.lib.measure(SMALL)));
  });

  it('leave once some were tried, where they cost more than to send them, and are tried again after a rest', async () => {
    await open({}, 'dear');
    // One that a busy machine holds up for longer than this is a long one, and all such calls leave from then on.
    guide(0.2, 100);
    let stayed = 0;
    // Of 1.1 ms each.
    while (isHome(on.lib.dear(SMALL))) assert.ok(++stayed <= 21);
    assert.ok(stayed > 0);
    assert.notEqual((await on.lib.dear(SMALL)).place, HERE);
    const tried = performance.now();
    let result;
    do result = await on.lib.dear(SMALL);
    while (result.place !== HERE && performance.now() - tried < 20_000);
    assert.equal(result.place, HERE);
  });

  it("leave with `small: 'away'`", async () => {
    await open({ small: 'away' });
    guide();
    assert.notEqual((await on.lib.measure(SMALL)).place, HERE);
  });

  it('leave where the recipe says where calls go, or wants what only replicas do', () => {
    const key = ([first]) => first;
    for (const recipe of [{}, { small: 'home' }, { copies: [0, 4] }, { sched: 'rr' }, { order: false, verify: 0 }])
      assert.ok(mayStay(recipe));
    for (const recipe of [
      { small: 'away' },
      { order: true },
      { order: 'results' },
      { verify: 0.1 },
      { key },
      { sched: 'hash' },
      { sched: () => 0 },
      { timeout: 10 },
      { copies: [1, 4] },
    ])
      assert.equal(mayStay(recipe), false, JSON.stringify(recipe));
  });
});

describe('calls that are small', () => {
  const text = (length) => ['x'.repeat(length)];

  /**
   * How many of so many small calls stay, where 1,200 characters were long.
   *
   * @param {(meter: Meter) => void} run what each of them is found to take
   * @param {number} [count]
   */
  function staying(run, count = 100) {
    const meter = new Meter();
    meter.smallestLong.see(text(1200), 200);
    const small = new SmallCalls(/** @type {any} */ ({ meter, boundary: { guidelines: { callMs: 0.2 } } }));
    let stayed = 0;
    for (let i = 0; i < count; i++) {
      if (!small.stay(text(10))) continue;
      stayed++;
      run(meter);
    }
    return stayed;
  }
  const takes = (ms, childMs) => (/** @type {Meter} */ meter) => meter.bookTimed(ms, childMs, meter.beginSample());

  it('all stay where they take a few microseconds', () => {
    assert.equal(staying(takes(0.005, 0)), 100);
  });

  it('leave as soon as they have taken 20 ms, also where it was other modules that took them', () => {
    for (const [ms, childMs] of [
      [2, 0],
      [2, 1.99],
      [30, 0],
      [30, 29.99],
    ])
      assert.equal(staying(takes(ms, childMs)), ms === 2 ? 12 : 2, `${ms} ms, ${childMs} of them elsewhere`);
  });

  it('go on to stay after a long one, when others show that they are cheap', () => {
    let calls = 0;
    assert.equal(
      staying((meter) => takes(++calls === 20 ? 15 : 0.005, 0)(meter)),
      100,
    );
  });
});

describe('profile/smallest-long', () => {
  const text = (length) => ['x'.repeat(length)];
  const about = (bytes, length) => assert.ok(bytes >= length && bytes < length + 10, `${bytes} for ${length}`);

  it('knows the smallest arguments of a call that was certainly long', () => {
    const smallest = new SmallestLong();
    assert.equal(smallest.bytes, Infinity);
    for (const length of [500, 900, 300]) smallest.see(text(length), 150);
    about(smallest.bytes, 300);
  });

  it('believes one that may have been long by chance when another one is of about its size, whatever came between', () => {
    const smallest = new SmallestLong();
    for (const length of [10, 400]) {
      smallest.see(text(length), 30);
      assert.equal(smallest.bytes, Infinity);
    }
    smallest.see(text(300), 30);
    about(smallest.bytes, 300);
    smallest.see(text(500), 30);
    smallest.see(text(60), 30);
    about(smallest.bytes, 300);
    smallest.see(text(10), 30);
    about(smallest.bytes, 10);
  });

  it('believes neither the first call of a function, which may have loaded something', () => {
    const smallest = new SmallestLong();
    smallest.see(text(20), 150, true);
    assert.equal(smallest.bytes, Infinity);
    smallest.see(text(2000), 150);
    about(smallest.bytes, 2000);
  });

  it('nor two of a size that lie far apart', () => {
    const { now } = performance;
    let ms = 0;
    performance.now = () => ms;
    try {
      const smallest = new SmallestLong();
      for (; ms < 100_000; ms += 10_001) smallest.see(text(20), 30);
      assert.equal(smallest.bytes, Infinity);
      ms -= 5000;
      smallest.see(text(20), 30);
      about(smallest.bytes, 20);
    } finally {
      performance.now = now;
    }
  });
});
