'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { randomUUID } = require('node:crypto');
const { openEngine } = require('../../lib/host/engine.js');
const { Lease } = require('../../lib/host/lease.js');
const { Fence } = require('../../lib/host/lease-fence.js');
const { breakable } = require('../helpers/breakable-engine.js');
const { HandClock, settle } = require('../helpers/hand-clock.js');

const TTL = 12_000;
const code = (wanted) => (error) => error.code === wanted;

describe('a lease', () => {
  let engine;
  let clock;
  const leases = [];
  beforeEach(async () => {
    engine = await openEngine('embedded', { app: `lease-${randomUUID()}` });
    clock = new HandClock();
  });
  afterEach(async () => {
    for (const lease of leases.splice(0)) await lease.release();
    assert.equal(clock.waiting, 0, 'no timer is left');
    await engine.close();
  });

  function lease(holder, over = engine) {
    const about = { lost: [] };
    about.lease = new Lease(over, { name: 'shop', holder, ttlMs: TTL, clock, onLost: (error) => about.lost.push(error) });
    leases.push(about.lease);
    return about;
  }

  /** Whether a promise is settled by now, and with what. */
  function outcome(promise) {
    const about = { state: 'pending' };
    promise.then(
      (value) => Object.assign(about, { state: 'done', value }),
      (error) => Object.assign(about, { state: 'failed', error }),
    );
    return about;
  }

  it('is held at once by the first, and renewed for as long as that lives', async () => {
    const { lease: one, lost } = lease('one');
    assert.equal(await one.acquire(), 1);
    await clock.turn(10 * TTL);
    assert.equal(one.isHeld, true);
    assert.equal(one.check(), 1);
    assert.deepEqual(lost, []);
    assert.ok((await engine.get('leases/shop')).value.renewal > 50);
  });

  it('is not given to a second while the first lives, and at once when that releases it', async () => {
    const { lease: one } = lease('one');
    const { lease: two } = lease('two');
    await one.acquire();
    const second = outcome(two.acquire());
    await clock.turn(5 * TTL);
    assert.equal(second.state, 'pending');
    await one.release();
    assert.equal(one.isHeld, false);
    await clock.turn(TTL / 6);
    assert.deepEqual(second, { state: 'done', value: 2 });
  });

  it('is given at once to the next, also where a renewal was under way, or its answer was lost', async () => {
    for (const mode of ['under way', 'answers']) {
      const link = breakable(engine);
      /** @type {(() => void)[]} */
      const held = [];
      const over = Object.create(link.engine);
      over.put = async (...args) => {
        const rev = await link.engine.put(...args);
        if (mode === 'under way') await new Promise((resolve) => held.push(() => resolve(null)));
        return rev;
      };
      const { lease: one } = lease('one', over);
      const first = one.acquire();
      await settle();
      held.splice(0).forEach((go) => go());
      await first;
      if (mode === 'answers') link.cut('answers');
      await clock.turn(TTL / 4);
      link.mend();
      const released = one.release();
      for (let turn = 0; turn < 3; turn++) {
        await settle();
        held.splice(0).forEach((go) => go());
      }
      await released;
      const { lease: two } = lease('two');
      const next = outcome(two.acquire());
      await settle();
      assert.equal(next.state, 'done', mode);
      await two.release();
    }
  });

  it('ends for a holder that is cut off before another gets it, and that one gets a higher epoch', async () => {
    const link = breakable(engine);
    const { lease: one, lost } = lease('one', link.engine);
    const { lease: two } = lease('two');
    await one.acquire();
    await clock.turn(TTL / 12);
    const second = outcome(two.acquire());
    link.cut();
    let lostAt = null;
    let takenAt = null;
    for (let ms = 0; ms < 2 * TTL; ms += 100) {
      await clock.turn(100);
      if (lostAt === null && lost.length > 0) lostAt = ms;
      if (takenAt === null && second.state === 'done') takenAt = ms;
      assert.ok(!(one.isHeld && second.state === 'done'), `held by both after ${ms}`);
    }
    assert.ok(lostAt !== null && lostAt <= TTL * 0.75, `it stopped after ${lostAt}`);
    assert.ok(takenAt !== null && takenAt >= TTL - TTL / 12, `it was taken after ${takenAt}`);
    assert.equal(second.value, 2);
    assert.equal(lost[0].code, 'IGNIS_LEASE_LOST');
    assert.throws(() => one.check(), code('IGNIS_LEASE_LOST'));
  });

  it('is not held by a thread that stood still, even before its timers fire', async () => {
    const { lease: one } = lease('one');
    await one.acquire();
    clock.skip(TTL * 0.76);
    assert.equal(one.state, 'held');
    assert.equal(one.isHeld, false);
    assert.throws(() => one.check(), code('IGNIS_LEASE_LOST'));
  });

  it('is kept through answers that were lost', async () => {
    const link = breakable(engine);
    const { lease: one, lost } = lease('one', link.engine);
    const first = outcome(one.acquire());
    await clock.turn(1);
    assert.equal(first.value, 1);
    link.cut('answers');
    await clock.turn(TTL / 6 + 1);
    link.mend();
    await clock.turn(TTL);
    assert.equal(one.isHeld, true);
    assert.deepEqual(lost, []);
    assert.equal(one.epoch, 1);
  });

  it('is taken by who asked when the answer to that was lost, at a higher epoch', async () => {
    const link = breakable(engine);
    const { lease: one } = lease('one', link.engine);
    link.cut('answers');
    const first = outcome(one.acquire());
    await clock.turn(1);
    assert.equal(first.state, 'pending');
    link.mend();
    await clock.turn(TTL / 6);
    assert.deepEqual(first, { state: 'done', value: 2 });
  });

  it('is waited for anew from the time when the engine came back', async () => {
    const dead = lease('dead').lease;
    await dead.acquire();
    const record = (await engine.get('leases/shop')).value;
    await dead.release();
    await engine.put('leases/shop', record);
    const link = breakable(engine);
    const { lease: two } = lease('two', link.engine);
    const second = outcome(two.acquire());
    await clock.turn(TTL * 0.9);
    link.cut();
    await clock.turn(TTL);
    link.mend();
    await clock.turn(TTL * 0.9);
    assert.equal(second.state, 'pending');
    await clock.turn(TTL * 0.5);
    assert.equal(second.value, 2);
  });

  it('goes by the longer time of the two', async () => {
    await engine.put('leases/shop', { holder: 'slow', claim: 'x', epoch: 7, ttlMs: 3 * TTL });
    const { lease: two } = lease('two');
    const second = outcome(two.acquire());
    await clock.turn(2.8 * TTL);
    assert.equal(second.state, 'pending');
    await clock.turn(TTL / 2);
    assert.equal(second.value, 8);
  });

  it('is lost at once when another stands in the record', async () => {
    const { lease: one, lost } = lease('one');
    await one.acquire();
    await engine.put('leases/shop', { holder: 'two', claim: 'y', epoch: 2, ttlMs: TTL });
    await clock.turn(TTL / 6);
    assert.equal(lost.length, 1);
    assert.equal(one.isHeld, false);
  });

  it('is not waited for any more once it is released', async () => {
    const { lease: one } = lease('one');
    const { lease: two } = lease('two');
    await one.acquire();
    const second = outcome(two.acquire());
    await settle();
    await two.release();
    await settle();
    assert.equal(second.state, 'failed');
    assert.equal(second.error.code, 'IGNIS_CLOSED');
  });

  it('is had by one of many who ask at once', async () => {
    const all = Array.from({ length: 8 }, (_, n) => lease(`n${n}`).lease);
    const results = all.map((one) => outcome(one.acquire()));
    await clock.turn(TTL / 2);
    assert.equal(all.filter(({ isHeld }) => isHeld).length, 1);
    assert.equal(results.filter(({ state }) => state === 'done').length, 1);
  });
});

describe('a fence', () => {
  let folder;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-fence-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('lets the highest epoch pass, and keeps lower ones out', async () => {
    const fence = await Fence.open(path.join(folder, 'epochs'));
    await fence.admit('shop', 3);
    await fence.admit('shop', 3);
    await fence.admit('other', 1);
    await fence.admit('shop', 5);
    await assert.rejects(fence.admit('shop', 4), (error) => error.code === 'IGNIS_STALE_EPOCH' && error.highest === 5);
    assert.equal(fence.epochOf('other'), 1);
  });

  it('remembers it on the disk', async () => {
    const file = path.join(folder, 'epochs');
    const fence = await Fence.open(file);
    await Promise.all([fence.admit('a', 2), fence.admit('b', 9), fence.admit('a', 4)]);
    const again = await Fence.open(file);
    assert.equal(again.epochOf('a'), 4);
    await assert.rejects(again.admit('b', 8), code('IGNIS_STALE_EPOCH'));
    assert.deepEqual(fs.readdirSync(folder), ['epochs']);
  });

  it('is not opened when its file is not what it wrote', async () => {
    const file = path.join(folder, 'epochs');
    for (const text of ['{', '{"a":"1"}', '']) {
      fs.writeFileSync(file, text);
      await assert.rejects(Fence.open(file), code('IGNIS_BAD_OPTION'), text);
    }
  });

  it('lets nothing pass that it could not write down', async () => {
    const file = path.join(folder, 'in', 'epochs');
    fs.mkdirSync(path.dirname(file));
    const fence = await Fence.open(file);
    fs.rmSync(path.dirname(file), { recursive: true });
    await assert.rejects(fence.admit('a', 1), { code: 'ENOENT' });
    assert.equal(fence.epochOf('a'), 0);
    fs.mkdirSync(path.dirname(file));
    await fence.admit('a', 1);
    assert.equal(fence.epochOf('a'), 1);
  });
});
