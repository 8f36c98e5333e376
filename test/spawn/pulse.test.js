'use strict';

const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { Pulse, BEATS } = require('../../lib/spawn/pulse');
const { TestSet } = require('./sets');
const { until } = require('../helpers/until');

/** A socket whose other end is the test. */
class FakeSocket extends EventEmitter {
  asked = 0;
  isDestroyed = false;
  unref() {}
  write() {
    this.asked += 1;
  }
  destroy() {
    this.isDestroyed = true;
  }
  /** @param {number} kib */
  answer(kib = 1024) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(kib);
    this.emit('data', bytes);
  }
}

/** @param {number} [limitMs] */
function open(limitMs = 40) {
  const socket = new FakeSocket();
  const pulse = new Pulse(/** @type {any} */ (socket), limitMs);
  const seen = [];
  pulse.onSilent = () => seen.push('silent');
  pulse.onRelief = () => seen.push('relief');
  return { socket, pulse, seen };
}

describe('Pulse', () => {
  it('asks nobody before the first sign of life, and knows the memory from it', async () => {
    const { socket, pulse } = open(8);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.deepEqual([socket.asked, pulse.rssBytes], [0, null]);
    socket.answer(2048);
    assert.equal(pulse.rssBytes, 2048 * 1024);
    await until(() => socket.asked === 1, 'a question');
    pulse.end();
  });

  it('has doubts first, then gives up, once', async () => {
    const { socket, pulse, seen } = open();
    socket.answer();
    await until(() => pulse.isDoubtful, 'doubts');
    assert.deepEqual(seen, []);
    await until(() => seen.length > 0, 'the end of patience');
    assert.deepEqual([seen, socket.asked, pulse.isDoubtful], [['silent'], BEATS + 1, true]);
    socket.answer();
    assert.deepEqual(seen, ['silent']);
    pulse.end();
    assert.ok(socket.isDestroyed);
  });

  it('does not take for dead what was stopped just when it was looked at, or for less than the limit', async () => {
    const { socket, pulse, seen } = open(24);
    const { write } = socket;
    // Of so many questions in a row none is answered, then one is.
    const silences = [1, BEATS, 1, BEATS - 1, 1];
    let silence = silences.shift();
    socket.write = () => {
      write.call(socket);
      if (silence === undefined) return;
      if (silence > 0) return void (silence -= 1);
      setImmediate(() => socket.answer());
      silence = silences.shift();
    };
    socket.answer();
    await until(() => silence === undefined || seen.includes('silent'), 'all of them');
    assert.deepEqual(seen, ['relief', 'relief']);
    pulse.end();
  });

  it('is relieved by an answer in pieces', async () => {
    const { socket, pulse, seen } = open();
    socket.answer();
    await until(() => pulse.isDoubtful, 'doubts');
    socket.emit('data', Buffer.from([0, 4]));
    socket.emit('data', Buffer.from([0, 0]));
    assert.deepEqual([seen, pulse.isDoubtful, pulse.rssBytes], [['relief'], false, 1024 * 1024]);
    pulse.end();
  });

  it('does not count time in which home did not run', async () => {
    const { socket, pulse, seen } = open(40);
    socket.answer();
    await until(() => socket.asked === 1, 'a question');
    for (let i = 0; i < BEATS - 1; i++) {
      // Much longer than the limit, but no more than one beat each.
      const end = performance.now() + 100;
      while (performance.now() < end);
      await new Promise(setImmediate);
      assert.deepEqual(seen, []);
    }
    pulse.end();
  });

  it('ends with a link that brings what no replica says', () => {
    const { socket, pulse } = open();
    socket.emit('data', Buffer.alloc(1 << 17));
    assert.ok(socket.isDestroyed);
    assert.equal(pulse.rssBytes, null);
  });
});

describe('a process that is a replica', function () {
  this.timeout(60_000);
  const launch = { heartbeatMs: 1000 };
  /** @type {TestSet} */
  let on;
  afterEach(() => on.close());

  const beats = () => until(() => on.set.replicas.every(({ rssBytes }) => rssBytes !== null), 'a sign of life', 30_000);

  it('is found when it is stopped: what may run again does, other calls are told', async () => {
    on = new TestSet('process', { launch });
    await on.set.resize(1);
    await beats();
    // Its window opens when it has reported how short its calls are.
    const [{ meanMs }] = on.set.replicas;
    assert.equal(meanMs, null);
    while (on.set.replicas[0].meanMs === null) await on.callPure('sleep', 20);
    const [replica] = on.set.replicas;
    let isOpen = false;
    while (!isOpen) {
      const call = on.callPure('add', 1, 1);
      isOpen = replica.hasRoom(performance.now());
      await call;
    }
    const [pid] = on.pids;
    process.kill(pid, 'SIGSTOP');
    const [pure, other] = [on.callPure('add', 1, 2), on.start('sleep', [1])];
    assert.ok(other.call.wasSent);
    assert.equal(await pure, 3);
    await assert.rejects(other.result, { code: 'IGNIS_REPLICA_LOST', ran: 'maybe', message: /no sign of life for 1000 ms/ });
    assert.deepEqual(on.atHome, []);
    assert.equal(on.set.lost, 1);
  });

  it('is not taken for dead while it computes', async () => {
    on = new TestSet('process', { launch });
    await on.set.resize(1);
    await beats();
    assert.equal(await on.call('spin', 3000, 'computed'), 'computed');
    assert.equal(on.set.lost, 0);
  });
});
