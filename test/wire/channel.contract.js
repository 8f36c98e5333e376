'use strict';
/*
 * What each channel must do, whatever moves its frames. In: a maker of two joined channels. Out: tests.
 */
const assert = require('node:assert/strict');
const { Random } = require('../helpers/random');
const { until } = require('../helpers/until');

/**
 * @param {() => Promise<{one: any, two: any, end?: () => void}>} join
 */
function channelContract(join) {
  let one;
  let two;
  let end;
  /** @type {{frames: any[], attachments: any[]}[]} */
  let batches;
  /** @type {(Error | null)[]} */
  let closed;

  beforeEach(async () => {
    ({ one, two, end } = await join());
    batches = [];
    closed = [];
    two.onFrames = (frames, attachments) => batches.push({ frames, attachments });
    two.onClose = (error) => closed.push(error);
  });

  afterEach(() => {
    one.destroy();
    two.destroy();
    end?.();
  });

  const frames = () => batches.flatMap((batch) => batch.frames);

  it('sends the frames of one tick as one batch', async () => {
    for (let i = 0; i < 100; i++) one.send([6, i, null, null]);
    assert.equal(batches.length, 0);
    await until(() => batches.length > 0, 'a batch');
    assert.equal(batches.length, 1);
    assert.deepEqual(
      batches[0].frames,
      Array.from({ length: 100 }, (_, i) => [6, i, null, null]),
    );
  });

  it('keeps the order over many ticks, both ways at once', async () => {
    const back = [];
    one.onFrames = (arrived) => back.push(...arrived);
    for (let tick = 0; tick < 50; tick++) {
      for (let i = 0; i < 10; i++) {
        one.send([6, tick * 10 + i, null, null]);
        two.send([6, tick * 10 + i, null, null]);
      }
      await new Promise(setImmediate);
    }
    await until(() => frames().length === 500 && back.length === 500, 'all frames');
    const ids = Array.from({ length: 500 }, (_, i) => i);
    assert.deepEqual(
      frames().map((frame) => frame[1]),
      ids,
    );
    assert.deepEqual(
      back.map((frame) => frame[1]),
      ids,
    );
  });

  it('brings attachments behind their frames, each with its offset', async () => {
    const random = new Random(3);
    const sent = [0, 1, 2, 3].map((count) =>
      Array.from({ length: count }, () => {
        const bytes = Buffer.allocUnsafeSlow(count * 5000);
        random.bytes(count * 5000).copy(bytes);
        return bytes;
      }),
    );
    const expected = sent.flat().map((bytes) => Buffer.from(bytes));
    sent.forEach((attachments, i) => one.send([6, i, null, [0]], attachments.length === 0 ? null : attachments));
    await until(() => batches.length > 0, 'a batch');
    assert.deepEqual(
      frames().map((frame) => frame[3][0]),
      [0, 0, 1, 3],
    );
    const { attachments } = batches[0];
    assert.equal(attachments.length, expected.length);
    expected.forEach((bytes, i) =>
      assert.ok(bytes.equals(Buffer.from(attachments[i].buffer, attachments[i].byteOffset, attachments[i].byteLength))),
    );
  });

  it('moves attachments of 1 MB', async () => {
    for (let i = 0; i < 4; i++) one.send([6, i, null, [0]], [Buffer.allocUnsafeSlow(1 << 20).fill(i)]);
    await until(() => frames().length === 4, 'the frames');
    let at = 0;
    for (const { attachments } of batches) {
      for (const bytes of attachments)
        assert.ok(bytes.every((/** @type {number} */ byte) => byte === at) && bytes.length === 1 << 20, `attachment ${at++}`);
    }
  });

  it('cuts a batch that grows heavy', async () => {
    for (let i = 0; i < 12; i++) one.send([6, i, 'x'.repeat(1000), null], null, 1024 * 1024);
    await until(() => frames().length === 12, 'the frames');
    assert.ok(batches.length > 1);
  });

  it('sends at once what is flushed', async () => {
    one.send([6, 0, null, null]);
    one.flush();
    one.send([6, 1, null, null]);
    await until(() => frames().length === 2, 'both');
    assert.equal(batches.length, 2);
  });

  it('still sends what is queued when it is closed, and nothing more', async () => {
    for (let i = 0; i < 10; i++) one.send([6, i, 'last words', null]);
    one.close();
    one.close();
    assert.equal(one.state, 'closing');
    one.send([6, 10, 'too late', null]);
    await until(() => closed.length > 0, 'the end of the other side');
    assert.deepEqual(
      frames().map((frame) => frame[1]),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    assert.deepEqual(closed, [null]);
    await until(() => one.state === 'closed', 'closed');
  });

  it('ends both sides when it is destroyed, and tells each once', async () => {
    const ends = [];
    one.onClose = (error) => ends.push(error);
    const why = new Error('why');
    one.destroy(why);
    one.destroy(new Error('again'));
    one.close();
    one.send([6, 0, null, null]);
    assert.deepEqual(ends, [why]);
    assert.equal(one.state, 'closed');
    await until(() => closed.length > 0, 'the end of the other side');
    assert.deepEqual(closed, [null]);
    assert.deepEqual(batches, []);
  });

  it('counts the time it takes', async () => {
    for (let i = 0; i < 1000; i++) one.send([6, i, 'x'.repeat(100), null]);
    await until(() => frames().length === 1000, 'the frames');
    assert.ok(one.busyMs > 0 && two.busyMs > 0);
  });

  it('lingers behind what came on the side that is to, and on no other', async () => {
    two.linger();
    two.onFrames = () => two.send([6, 1, null, null]);
    let answers = 0;
    one.onFrames = () => answers++;
    await until(() => {
      one.send([6, 0, null, null]);
      return two.lingeredMs > 0 && answers > 0;
    }, 'time in which it lingered');
    assert.equal(one.lingeredMs, 0);
  });
}

exports.channelContract = channelContract;
