'use strict';

const assert = require('node:assert/strict');
const { streamPool } = require('../../lib/wire/byte-pool');
const { StreamChannel } = require('../../lib/wire/stream-channel');
const { makeCodec } = require('../../lib/wire/codec');
const { duplexPair, socketPair } = require('../helpers/streams');
const { until } = require('../helpers/until');
const { channelContract } = require('./channel.contract');
const { block } = require('./golden');

const codec = makeCodec('msgpackr');

/** @param {[any, any]} streams @param {object} [limits] */
function channels([a, b], limits) {
  return { one: new StreamChannel(a, codec, limits), two: new StreamChannel(b, codec, limits) };
}

describe('StreamChannel over a socket', () => {
  channelContract(async () => channels(await socketPair()));
});

describe('StreamChannel over a pair in memory', () => {
  channelContract(async () => channels(duplexPair()));
});

describe('StreamChannel over msgpack-lite', () => {
  channelContract(async () => {
    const [a, b] = duplexPair();
    return {
      one: new StreamChannel(/** @type {any} */ (a), makeCodec('msgpack-lite')),
      two: new StreamChannel(/** @type {any} */ (b), codec),
    };
  });
});

describe('StreamChannel', () => {
  /** A channel, the other end of its stream, and why it ended. */
  function single(limits) {
    const [stream, far] = duplexPair();
    const channel = new StreamChannel(/** @type {any} */ (stream), codec, limits);
    const ends = [];
    const frames = [];
    channel.onClose = (error) => ends.push(error);
    channel.onFrames = (batch) => frames.push(...batch);
    far.on('error', () => {});
    return { channel, stream, far, ends, frames };
  }

  it('can be closed when what was sent last is too large, and ends by that', async () => {
    const { channel, ends } = single({ maxBlockBytes: 1000 });
    for (const id of [1, 2]) channel.send([7, id, 'x'.repeat(600), null], null, 10);
    channel.close();
    await until(() => ends.length === 1, 'its end');
    assert.equal(ends[0].code, 'IGNIS_FRAME_TOO_LARGE');
  });

  it('writes one block a tick, in one go', async () => {
    const { channel, stream } = single();
    channel.send([6, 0, 'a', null]);
    channel.send([6, 1, 'b', [0]], [Buffer.alloc(5000, 7)]);
    await until(() => stream.writes.length > 0, 'a write');
    assert.equal(stream.writes.length, 1);
    assert.deepEqual(
      stream.writes[0],
      block(
        codec,
        [
          [6, 0, 'a', null],
          [6, 1, 'b', [0]],
        ],
        [Buffer.alloc(5000, 7)],
      ),
    );
  });

  it('says that it is full while the other side does not read, and when it has drained', async () => {
    const [a, b] = await socketPair();
    const channel = new StreamChannel(a, codec);
    b.pause();
    let drains = 0;
    channel.onDrain = () => {
      drains += 1;
    };
    while (!channel.isFull) {
      channel.send([6, 0, null, [0]], [Buffer.allocUnsafeSlow(1 << 20)]);
      channel.flush();
    }
    assert.equal(drains, 0);
    b.resume();
    await until(() => !channel.isFull, 'room again');
    assert.equal(drains, 1);
    channel.destroy();
    b.destroy();
  });

  it('ends with IGNIS_BAD_FRAME on garbage, and no other link does', async () => {
    const bad = single();
    const good = single();
    bad.far.write('GET / HTTP/1.1\r\n\r\n');
    good.far.write(block(codec, [['fine']], []));
    await until(() => bad.ends.length > 0 && good.frames.length > 0, 'the end of the one, a frame at the other');
    assert.equal(bad.ends[0].code, 'IGNIS_BAD_FRAME');
    assert.equal(bad.channel.state, 'closed');
    assert.ok(bad.stream.destroyed);
    assert.equal(good.channel.state, 'open');
    assert.deepEqual(good.ends, []);
    good.channel.destroy();
  });

  it('hands over the good blocks that stand before a bad one, and none behind it', async () => {
    const { far, ends, frames } = single();
    const good = block(codec, [['good']], []);
    far.write(Buffer.concat([good, good, Buffer.from('bad bad bad bad'), good]));
    await until(() => ends.length > 0, 'the end');
    assert.deepEqual(frames, [['good'], ['good']]);
    assert.equal(ends[0].code, 'IGNIS_BAD_FRAME');
  });

  it('gives memory back to the pool when it is written where it is of one use, and no other', async () => {
    const { channel, stream, far } = single();
    const bytes = new Uint8Array(256 * 1024);
    let came = 0;
    far.on('data', (chunk) => (came += chunk.length));
    const [kept, once] = [streamPool.copyOf(bytes), streamPool.copyOnce(bytes)];
    channel.send([6, 0, 'a', [0]], [kept, once]);
    await until(() => came > 2 * bytes.length && stream.writableLength === 0, 'all of it');
    const next = Array.from({ length: 8 }, () => streamPool.take(bytes.length).buffer);
    assert.deepEqual([next.includes(once.buffer), next.includes(kept.buffer)], [true, false]);
  });

  it('hands over nothing that came behind what it was ended by', async () => {
    const { channel, far, ends, frames } = single();
    channel.onFrames = (batch) => {
      frames.push(...batch);
      channel.destroy(new Error('enough'));
    };
    far.write(Buffer.concat([1, 2, 3].map((id) => block(codec, [[6, id, 'x', null]], []))));
    await until(() => ends.length === 1, 'its end');
    assert.deepEqual(frames, [[6, 1, 'x', null]]);
    assert.deepEqual([ends[0].message, channel.arrived], ['enough', 1]);
  });

  it('ends with IGNIS_BAD_FRAME when the stream ends within a block, and without an error between two', async () => {
    const cut = single();
    const bytes = block(codec, [['cut']], [Buffer.alloc(10)]);
    cut.far.end(bytes.subarray(0, bytes.length - 1));
    await until(() => cut.ends.length > 0, 'the end');
    assert.equal(cut.ends[0].code, 'IGNIS_BAD_FRAME');
    const whole = single();
    whole.far.end(bytes);
    await until(() => whole.ends.length > 0, 'the end');
    assert.deepEqual(whole.ends, [null]);
    assert.deepEqual(whole.frames, [['cut']]);
  });

  it('tells a broken stream as the reason of its end', async () => {
    const { stream, ends } = single();
    const broken = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    stream.destroy(broken);
    await until(() => ends.length > 0, 'the end');
    assert.deepEqual(ends, [broken]);
  });

  it('gives back a frame that is too large, and goes on', async () => {
    const { one, two } = channels(duplexPair(), { maxBlockBytes: 100000 });
    const refused = [];
    const arrived = [];
    one.onRefused = (frame, error) => refused.push([frame[1], /** @type {any} */ (error).code]);
    two.onFrames = (frames) => arrived.push(...frames.map((frame) => frame[1]));
    one.send([6, 1, 'small', null], null, 5);
    one.send([6, 2, 'x'.repeat(200000), null], null, 200000);
    one.send([6, 3, null, [0]], [Buffer.allocUnsafeSlow(100001)]);
    one.send([6, 4, 'small', null], null, 5);
    await until(() => arrived.length === 2, 'the small ones');
    assert.deepEqual(refused, [
      [2, 'IGNIS_FRAME_TOO_LARGE'],
      [3, 'IGNIS_FRAME_TOO_LARGE'],
    ]);
    assert.deepEqual(arrived, [1, 4]);
    assert.equal(one.state, 'open');
    one.destroy();
    two.destroy();
  });

  it('does not let many frames add up to a block over the limit', async () => {
    const { one, two } = channels(duplexPair(), { maxBlockBytes: 65536 });
    let arrived = 0;
    const ends = [];
    two.onFrames = (frames) => {
      arrived += frames.length;
    };
    two.onClose = (error) => ends.push(error);
    for (let i = 0; i < 300; i++) one.send([6, i, 'x'.repeat(1000), null], null, 1016);
    await until(() => arrived === 300 || ends.length > 0, 'all frames');
    assert.deepEqual(ends, []);
    one.destroy();
    two.destroy();
  });

  it('ends when what it should send cannot be encoded, without throwing into anybody', async () => {
    const [stream] = duplexPair();
    const channel = new StreamChannel(/** @type {any} */ (stream), {
      ...codec,
      encode() {
        throw new TypeError('no');
      },
    });
    const ends = [];
    channel.onClose = (error) => ends.push(error);
    channel.send([1]);
    channel.send([2]);
    await until(() => ends.length > 0, 'the end');
    assert.match(ends[0].message, /no/);
  });
});
