'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const { StreamChannel } = require('../../lib/wire/stream-channel');
const { BlockReader } = require('../../lib/wire/block');
const { DirectSocket } = require('../../lib/wire/direct-socket');
const { makeCodec } = require('../../lib/wire/codec');
const { Random } = require('../helpers/random');
const { socketPair } = require('../helpers/streams');
const { until } = require('../helpers/until');
const { channelContract } = require('./channel.contract');
const { block } = require('./golden');

const codec = makeCodec('msgpackr');

/** A pair of which nothing was read, joined at both ends. */
async function freshPair() {
  const pair = await socketPair();
  if (pair[0].connecting) await once(pair[0], 'connect');
  return pair;
}

/** A pair of which both ends were taken over. */
async function directPair() {
  const pair = await freshPair();
  return pair.map((socket) => DirectSocket.takeOver(/** @type {any} */ (socket)));
}

describe('StreamChannel over a direct socket', () => {
  channelContract(async () => {
    const [a, b] = await directPair();
    return { one: new StreamChannel(/** @type {any} */ (a), codec), two: new StreamChannel(/** @type {any} */ (b), codec) };
  });

  it('carries large attachments and bodies, each in memory of its own', async () => {
    const [a, b] = await directPair();
    const one = new StreamChannel(/** @type {any} */ (a), codec);
    const two = new StreamChannel(/** @type {any} */ (b), codec);
    const random = new Random(5);
    const sent = [0, 1, 32767, 32768, 65536, 1 << 20, 3 << 20].map((bytes) => Buffer.alloc(bytes, random.below(256)));
    const got = [];
    two.onFrames = (frames, attachments) => {
      for (const [, id, text] of frames) got.push([id, text.length, ...attachments]);
    };
    for (const [i, bytes] of sent.entries()) {
      one.send([6, i, 'x'.repeat(bytes.length), [0]], [bytes, Buffer.alloc(40000, i)]);
      one.flush();
    }
    await until(() => got.length === sent.length, 'all blocks');
    for (const [i, bytes] of sent.entries()) {
      const [id, length, first, second] = got[i];
      assert.deepEqual([id, length], [i, bytes.length]);
      assert.ok(first.equals(bytes) && second.equals(Buffer.alloc(40000, i)));
      assert.notEqual(first.buffer, second.buffer);
      assert.equal(second.byteLength, second.buffer.byteLength);
    }
    one.close();
    await once(b, 'close');
  });

  it('ends the link on garbage in the middle of what it reads', async () => {
    const [a, b] = await directPair();
    const channel = new StreamChannel(/** @type {any} */ (b), codec);
    const ends = [];
    channel.onClose = (error) => ends.push(error);
    // The other end leaves bytes unread, which TCP may call a reset.
    a.on('error', () => {});
    a.write(Buffer.concat([block(codec, [[6, 0, null, [0]]], [Buffer.alloc(100000)]), Buffer.alloc(100000, 9)]));
    await until(() => ends.length > 0, 'the end');
    assert.equal(ends[0].code, 'IGNIS_BAD_FRAME');
    a.destroy();
  });

  it('says that a block was cut short by the end', async () => {
    const [a, b] = await directPair();
    const channel = new StreamChannel(/** @type {any} */ (b), codec);
    const ends = [];
    channel.onClose = (error) => ends.push(error);
    a.end(block(codec, [[6, 0, null, [0]]], [Buffer.alloc(100000)]).subarray(0, 70000));
    await until(() => ends.length > 0, 'the end');
    assert.equal(ends[0].code, 'IGNIS_BAD_FRAME');
  });

  it('closes the socket it was made of', async () => {
    const [a, b] = await freshPair();
    const direct = DirectSocket.takeOver(/** @type {any} */ (a));
    assert.notEqual(direct, a);
    const closed = once(/** @type {any} */ (a), 'close');
    direct.destroy();
    await closed;
    /** @type {any} */ (b).destroy();
  });
});

describe('BlockReader with room of its own', () => {
  it('reads the same however the bytes are shared out between push and room', () => {
    const random = new Random(6);
    const attachments = [Buffer.alloc(70000, 1), Buffer.alloc(0), Buffer.alloc(33000, 2), Buffer.alloc(10, 3)];
    const frames = [[6, 0, 'x'.repeat(90000), [0]]];
    const bytes = Buffer.concat([block(codec, frames, attachments), block(codec, [[6, 1, null, null]], [])]);
    for (let round = 0; round < 200; round++) {
      const seen = [];
      const reader = new BlockReader(codec, (read, parts) => seen.push([read, parts]));
      for (let at = 0; at < bytes.length;) {
        const room = reader.room();
        const count = Math.min(1 + random.below(60000), bytes.length - at, room?.length ?? Infinity);
        if (room === null) reader.push(bytes.subarray(at, at + count));
        else {
          bytes.copy(room, 0, at, at + count);
          reader.filled(count);
        }
        at += count;
      }
      assert.ok(reader.isBetweenBlocks);
      assert.deepEqual(seen, [
        [frames, attachments],
        [[[6, 1, null, null]], []],
      ]);
    }
  });

  it('has none before a length was checked', () => {
    const reader = new BlockReader(codec, () => {}, { maxBlockBytes: 1000 });
    assert.equal(reader.room(), null);
    assert.throws(() => reader.push(block(codec, [[6, 0, null, [0]]], [Buffer.alloc(50000)])), { code: 'IGNIS_FRAME_TOO_LARGE' });
  });
});
