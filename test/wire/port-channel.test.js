'use strict';

const assert = require('node:assert/strict');
const { MessageChannel } = require('node:worker_threads');
const { makeCodec } = require('../../lib/wire/codec');
const { PortChannel } = require('../../lib/wire/port-channel');
const { until } = require('../helpers/until');
const { channelContract } = require('./channel.contract');

const codec = makeCodec('msgpackr');

describe('PortChannel', () => {
  channelContract(async () => {
    const { port1, port2 } = new MessageChannel();
    return { one: new PortChannel(port1, codec), two: new PortChannel(port2, codec) };
  });

  /** A channel, the bare port at the other end, and why the channel ended. */
  function single() {
    const { port1, port2 } = new MessageChannel();
    const channel = new PortChannel(port1, codec);
    const ends = [];
    channel.onClose = (error) => ends.push(error);
    return { channel, port: port2, ends };
  }

  it('takes at once what was posted, where that is asked for', () => {
    const { channel, port, ends } = single();
    const arrived = [];
    channel.onFrames = (frames) => arrived.push(...frames);
    port.postMessage([[6, 0, null, [0]]]);
    port.postMessage([[6, 1, null, [0]]]);
    channel.takeRest();
    assert.deepEqual(
      arrived.map(([, number]) => number),
      [0, 1],
    );
    port.postMessage('\xc1');
    channel.takeRest();
    assert.deepEqual(
      ends.map(({ code }) => code),
      ['IGNIS_BAD_FRAME'],
    );
    channel.takeRest();
    port.close();
  });

  it('transfers attachments instead of copying them', async () => {
    const { channel, port } = single();
    const bytes = Buffer.allocUnsafeSlow(1 << 20);
    channel.send([6, 0, null, [0]], [bytes]);
    channel.flush();
    assert.equal(bytes.byteLength, 0);
    channel.destroy();
    port.close();
  });

  it('clones few small frames, encodes more, transfers many, and reads each form', async () => {
    const { channel, port } = single();
    const posts = [];
    port.on('message', (post) => posts.push(post));
    const small = [6, 0, { a: 1 }, null];
    const large = [6, 1, Array(500).fill({ a: 1 }), null];
    const huge = [6, 2, Array(40000).fill({ a: 1 }), null];
    channel.send(small, null, 24);
    channel.flush();
    channel.send(large, null, 12000);
    channel.flush();
    channel.send(huge, null, 960000);
    channel.flush();
    await until(() => posts.length === 3, 'all posts');
    assert.deepEqual(posts[0], [small]);
    assert.deepEqual(codec.decode(Buffer.from(posts[1], 'latin1')), [large]);
    assert.deepEqual(codec.decode(Buffer.from(posts[2][0])), [huge]);
    const arrived = [];
    channel.onFrames = (frames) => arrived.push(...frames);
    for (const post of posts) port.postMessage(post);
    await until(() => arrived.length === 3, 'all back');
    assert.deepEqual(arrived, [small, large, huge]);
    channel.destroy();
  });

  it('ends with IGNIS_BAD_FRAME on a post of another shape', async () => {
    for (const post of [
      'hello',
      null,
      5,
      undefined,
      { 0: [], 1: [] },
      '',
      '\u00c1',
      '\u0001',
      new Uint8Array([0xc1]),
      [new Uint8Array([0x90]), {}],
      [new Uint8Array([0x90])],
      [new Uint8Array([0xc1]), []],
      [new Uint8Array([1]), []],
      [new Uint8Array(0), []],
    ]) {
      const { channel, port, ends } = single();
      port.postMessage(post);
      await until(() => ends.length > 0, 'the end');
      assert.equal(ends[0].code, 'IGNIS_BAD_FRAME');
      assert.equal(channel.state, 'closed');
    }
  });

  it('gives back a frame that cannot be cloned, and goes on', async () => {
    const { channel, port } = single();
    const refused = [];
    const posts = [];
    channel.onRefused = (frame) => refused.push(frame[1]);
    port.on('message', (post) => posts.push(post));
    channel.send([6, 1, () => {}, null]);
    channel.flush();
    channel.send([6, 2, null, null]);
    await until(() => posts.length > 0, 'the good one');
    assert.deepEqual(refused, [1]);
    assert.deepEqual(posts, [[[6, 2, null, null]]]);
    channel.destroy();
  });
});
