'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { execFile } = require('node:child_process');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');
const { Line } = require('../../lib/wire/line');
const { Random } = require('../helpers/random');
const { ask } = require('./ask');

const END = path.join(__dirname, 'line-end.js');

describe('a line between two threads', () => {
  /** @type {{line: Line, worker: Worker}[]} */
  const open = [];

  /** @param {string} does @param {object} [more] @param {object} [options] of the Worker */
  function start(does, more = {}, options = {}) {
    const { line, parts, transferList } = Line.pair();
    const worker = new Worker(END, { workerData: { parts, does, ...more }, transferList, ...options });
    const ended = once(worker, 'exit');
    worker.on('error', () => {});
    open.push({ line, worker });
    return { line, worker, ended };
  }

  afterEach(async () => {
    for (const { line, worker } of open.splice(0)) {
      line.close();
      await worker.terminate();
    }
  });

  it('brings each message once and in order, to whoever asks: waiting, looking, or the event loop', async () => {
    const count = 20_000;
    const { line } = start('count', { count });
    const random = new Random(7);
    /** @type {number[]} */
    const came = [];
    const ways = { loop: 0, wait: 0, look: 0 };
    await new Promise((resolve) => {
      line.ref();
      line.onClose = resolve;
      line.onMessage = ([number]) => {
        came.push(number);
        ways.loop += 1;
        while (random.next() < 0.5 && came.length < count) {
          const isWait = random.next() < 0.5;
          const next = isWait ? line.receive(1000) : line.poll();
          if (next === undefined) continue;
          ways[isWait ? 'wait' : 'look'] += 1;
          came.push(next[0]);
        }
      };
    });
    assert.deepEqual(
      came,
      Array.from({ length: count }, (_, i) => i),
    );
    for (const [way, times] of Object.entries(ways)) assert.ok(times > 0, `${way} brought none`);
  });

  it('keeps what came to the event loop before anybody listened', async () => {
    const { line } = start('count', { count: 5 });
    await new Promise((resolve) => {
      line.ref();
      line.onClose = resolve;
    });
    assert.deepEqual([line.receive(), line.poll()], [[0], [1]]);
    /** @type {any[]} */
    const rest = [];
    await new Promise((resolve) => {
      line.onMessage = (message) => rest.push(message) === 3 && resolve(null);
    });
    assert.deepEqual(rest, [[2], [3], [4]]);
    assert.throws(() => line.receive(), { code: 'IGNIS_CLOSED' });
  });

  for (const lingers of [false, true]) {
    it(`survives 100,000 messages there and back${lingers ? ', to an end that lingers' : ''}`, function () {
      this.timeout(60_000);
      const { line } = start('echo', { lingers });
      roundTrips(line);
    });
  }

  /** @param {Line} line */
  function roundTrips(line) {
    for (let i = 0; i < 50_000; i++) {
      line.post([i, 'a']);
      assert.equal(/** @type {any[]} */ (line.receive())[0], i);
    }
    for (let i = 0; i < 50_000; i++) line.post([i]);
    for (let i = 0; i < 50_000; i++) assert.equal(/** @type {any[]} */ (line.receive())[0], i);
    assert.equal(line.poll(), undefined);
  }

  it('serves nested questions to any depth while it waits', () => {
    const { line } = start('nest');
    for (const depth of [0, 1, 2, 1000]) assert.equal(ask(line, depth), depth);
  });

  it('copies bytes, or gives them away', () => {
    const { line } = start('echo');
    const bytes = new Uint8Array(1 << 20).fill(7);
    line.post([bytes]);
    bytes.fill(1);
    const [copy] = /** @type {any[]} */ (line.receive());
    assert.equal(copy.length, 1 << 20);
    assert.ok(copy.every((/** @type {number} */ byte) => byte === 7));
    line.post([bytes], [bytes.buffer]);
    assert.equal(bytes.length, 0);
    assert.equal(/** @type {any[]} */ (line.receive())[0][0], 1);
  });

  it('says when the time is over, and goes on', () => {
    const { line } = start('echo');
    const begun = performance.now();
    assert.equal(line.receive(20), undefined);
    assert.ok(performance.now() - begun >= 20);
    assert.equal(line.receive(0), undefined);
    line.post(['late']);
    assert.deepEqual(line.receive(), ['late']);
  });

  it('wakes the wait when the other end closes, after what that end posted last', async () => {
    const { line } = start('close');
    const closed = new Promise((resolve) => (line.onClose = resolve));
    line.post(['go']);
    assert.deepEqual(line.receive(), ['last']);
    assert.throws(() => line.receive(), { code: 'IGNIS_CLOSED' });
    assert.throws(() => line.receive(0), { code: 'IGNIS_CLOSED' });
    assert.equal(line.isClosed, true);
    assert.equal(await closed, null);
    line.post(['nobody']);
  });

  it('wakes the wait with what ended the line, and tells it once', async () => {
    const { line } = start('destroy');
    /** @type {any[]} */
    const told = [];
    const closed = new Promise((resolve) => (line.onClose = (error) => resolve(told.push(error))));
    line.post(['go']);
    assert.throws(() => line.receive(), { code: 'IGNIS_REPLICA_LOST', message: /exit code 7$/ });
    line.close();
    await closed;
    assert.deepEqual(told, [line.error]);
  });

  it('wakes the wait when the other thread is gone without a word, and says what that may mean', function () {
    this.timeout(60_000);
    const { line } = start('grow', {}, { resourceLimits: { maxOldGenerationSizeMb: 16 } });
    line.post(['go']);
    assert.throws(() => line.receive(), { code: 'IGNIS_REPLICA_LOST', message: /without a word, as one does that runs out of memory/ });
  });

  it('wakes the wait also where the other end was gone before the first look', () => {
    const sign = new Int32Array(new SharedArrayBuffer(4));
    const { line } = start('vanish', { sign });
    Atomics.wait(sign, 0, 0);
    assert.throws(() => line.receive(10_000), { code: 'IGNIS_REPLICA_LOST', message: /without a word/ });
  });

  it('ends with IGNIS_BAD_FRAME by what is no message', () => {
    const { line } = start('garbage');
    assert.throws(() => line.receive(), { code: 'IGNIS_BAD_FRAME' });
  });

  it('fails a start that takes too long, waiting or not; one that is up is', async () => {
    const waiting = start('silent').line;
    waiting.expectUp(30);
    assert.throws(() => waiting.receive(), { code: 'IGNIS_START_FAILED', message: /within 30 ms/ });
    const idle = start('silent').line;
    idle.ref();
    const ended = new Promise((resolve) => (idle.onClose = resolve));
    idle.expectUp(30);
    assert.equal((await ended).code, 'IGNIS_START_FAILED');
    const good = start('up').line;
    good.expectUp(8000);
    assert.equal(good.isUp, false);
    while (!good.isUp) assert.equal(good.receive(5), undefined);
    const gone = start('destroy').line;
    gone.expectUp(8000);
    gone.post(['go']);
    assert.throws(() => gone.receive(), { code: 'IGNIS_START_FAILED', message: /exit code 7$/ });
  });

  it('keeps the event loop alive only while it is ref-ed', async () => {
    const script = (/** @type {string} */ ref) => `
      const { Line } = require(${JSON.stringify(path.join(__dirname, '../../lib/wire/line'))});
      const { line, parts } = Line.pair();
      const other = new Line(parts);
      line.onMessage = () => { console.log('came'); line.unref(); };
      ${ref}
      setTimeout(() => other.post(['x']), 50).unref();`;
    const run = (/** @type {string} */ text) =>
      new Promise((resolve, reject) => execFile(process.execPath, ['-e', text], (error, out) => (error ? reject(error) : resolve(out))));
    assert.equal(await run(script('')), '');
    assert.equal(await run(script('line.ref();')), 'came\n');
  });
});
