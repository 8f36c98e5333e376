'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const { receiveMessageOnPort } = require('node:worker_threads');
const { Line, makeParts } = require('../../lib/wire/line');
const { RelayedLine } = require('../../lib/wire/line-relayed');
const { relay } = require('../../lib/wire/relay');
const { IgnisError } = require('../../lib/errors');
const { encodeBlock, encodeHead } = require('../../lib/wire/block');
const { makeCodec } = require('../../lib/wire/codec');
const { Random } = require('../helpers/random');
const { socketPair } = require('../helpers/streams');
const { until } = require('../helpers/until');

const codec = makeCodec('msgpackr');

/**
 * The end of a line with its relay, both in this thread.
 *
 * @param {any} socket
 * @param {{maxBlockBytes?: number, isDirect?: boolean}} [settings]
 */
function end(socket, { maxBlockBytes, isDirect = true } = {}) {
  const [own, parts] = makeParts();
  const line = new RelayedLine(own, codec, { fd: isDirect ? socket._handle.fd : -1, maxBlockBytes });
  const joined = relay(parts, socket, { maxBlockBytes });
  joined.onEnd = (error) => (error === null ? joined.line.close() : joined.line.destroy(error));
  line.ref();
  /** @type {any[][]} */
  const came = [];
  line.onMessage = (message) => came.push(message);
  /** @type {Promise<import('../../lib/errors').IgnisError | null>} */
  const closed = new Promise((resolve) => {
    line.onClose = resolve;
  });
  return { line, came, closed };
}

/** The module anew, for which that is the system's. @param {(fd: number, bytes: Uint8Array) => number} writeSync @returns {any} */
function withWriteSync(writeSync) {
  const file = require.resolve('../../lib/wire/line-relayed');
  const [kept, real] = [require.cache[file], fs.writeSync];
  delete require.cache[file];
  fs.writeSync = /** @type {any} */ (writeSync);
  try {
    return require(file);
  } finally {
    fs.writeSync = real;
    require.cache[file] = kept;
  }
}

describe('a line over a socket', () => {
  /** @type {any[]} */
  let sockets = [];

  async function pair() {
    sockets = await socketPair();
    return sockets;
  }

  afterEach(async () => {
    await Promise.all(
      sockets.map((socket) => {
        if (socket.closed) return null;
        socket.destroy();
        return once(socket, 'close');
      }),
    );
  });

  for (const isDirect of [true, false]) {
    it(`brings messages of all sizes in order, ${isDirect ? 'written by whoever posts' : 'written by the relay'}`, async () => {
      const [a, b] = await pair();
      const [one, two] = [end(a, { isDirect }), end(b)];
      const random = new Random(11);
      const sent = Array.from({ length: 300 }, (_, i) => {
        const bytes = random.next() < 0.2 ? new Uint8Array(random.below(1 << 20)).fill(i) : new Uint8Array(random.below(9000)).fill(i);
        return [i, [true, null, [bytes, 'text'], [[new Uint8Array(5000).fill(i)]]], 'x'.repeat(random.below(3000)), -1.5];
      });
      for (const message of sent) one.line.post(message);
      await until(() => two.came.length === sent.length, 'all messages');
      for (const [i, message] of sent.entries()) assert.deepEqual(plain(two.came[i]), plain(message));
      two.line.post(['back']);
      await until(() => one.came.length === 1, 'an answer');
      one.line.close();
      assert.equal(await two.closed, null);
    });
  }

  it('leaves what was posted as it was, and takes what is given', async () => {
    const [a, b] = await pair();
    const [one, two] = [end(a), end(b)];
    const shared = new Uint8Array(20_000).fill(1);
    const message = [shared.subarray(0, 8000), [shared.subarray(8000)], new Uint8Array(3)];
    const before = plain(message);
    one.line.post(message);
    assert.deepEqual(plain(message), before);
    one.line.post(message, [shared.buffer]);
    await until(() => two.came.length === 2, 'both');
    for (const came of two.came) assert.deepEqual(plain(came), before);
    one.line.close();
    await two.closed;
  });

  it('lets the last messages leave before it closes, even many', async () => {
    const [a, b] = await pair();
    const [one, two] = [end(a), end(b)];
    for (let i = 0; i < 30; i++) one.line.post([i, new Uint8Array(300_000).fill(i)]);
    one.line.close();
    assert.equal(await two.closed, null);
    assert.deepEqual(
      two.came.map(([i, bytes]) => [i, bytes[299_999]]),
      Array.from({ length: 30 }, (_, i) => [i, i]),
    );
  });

  it('writes nothing to a descriptor that was closed', async () => {
    const [a, b] = await pair();
    const one = end(a);
    const { fd } = a._handle;
    b.destroy();
    await once(a, 'close');
    // The next socket gets the number that is free now.
    const [c, d] = await socketPair();
    sockets.push(c, d);
    /** @type {Buffer[]} */
    const seen = [];
    for (const socket of [c, d]) socket.on('data', (chunk) => seen.push(chunk));
    assert.ok(
      [c, d].some((/** @type {any} */ socket) => socket._handle.fd === fd),
      'the test needs the number to be used again',
    );
    one.line.post(['astray']);
    c.write('c');
    d.write('d');
    await until(() => seen.length >= 2, 'what was written');
    assert.equal(Buffer.concat(seen).toString().split('').sort().join(''), 'cd');
    await one.closed;
  });

  it('writes nothing more to a descriptor whose relay has closed it, after a write that was held up for longer than that waits', () => {
    const [own, other] = makeParts();
    /** @type {Uint8Array[]} */
    const written = [];
    const held = withWriteSync((_fd, bytes) => {
      if (written.push(bytes) === 2) held.shutGuard(own.counters);
      return bytes.length;
    });
    const line = new held.RelayedLine(own, codec, { fd: 1 });
    for (const text of ['at once', 'held up']) line.post([text]);
    assert.equal(written.length, 2);
    line.post(['astray']);
    assert.equal(written.length, 2);
    assert.ok(receiveMessageOnPort(other.port), 'it is left to the relay');
    line.close();
    other.port.close();
  });

  it('refuses to post what is over the limit, and goes on', async () => {
    const [a, b] = await pair();
    const [one, two] = [end(a, { maxBlockBytes: 10_000 }), end(b)];
    assert.throws(() => one.line.post([new Uint8Array(20_000)]), { code: 'IGNIS_FRAME_TOO_LARGE' });
    assert.throws(() => one.line.post(['x'.repeat(20_000)]), { code: 'IGNIS_FRAME_TOO_LARGE' });
    one.line.post(['fits']);
    await until(() => two.came.length === 1, 'the message');
    assert.deepEqual(two.came, [['fits']]);
    one.line.close();
    await two.closed;
  });

  it('takes an empty block for the word that the other side is up', async () => {
    const [a, b] = await pair();
    const [one, two] = [end(a), end(b)];
    one.line.expectUp(8000);
    two.line.sayUp();
    await until(() => one.line.isUp, 'the word');
    two.line.close();
    assert.equal(await one.closed, null);
  });

  /** @param {number} count @param {any[]} frames */
  const apart = (count, ...frames) => {
    const body = codec.encode(frames);
    const parts = Array.from({ length: count }, () => Buffer.alloc(5000));
    return Buffer.concat([encodeHead(body.length, parts), body, ...parts]);
  };
  /** @type {[string, () => Buffer, string][]} */
  const WRONG = [
    ['bytes that are no block', () => Buffer.from('garbage, not a block'), 'IGNIS_BAD_FRAME'],
    ['a block that is cut', () => encodeBlock(codec, [['whole']]).subarray(0, -2), 'IGNIS_BAD_FRAME'],
    ['a body that no codec reads', () => Buffer.concat([encodeHead(2, []), Buffer.from([0xc1, 0xc1])]), 'IGNIS_BAD_FRAME'],
    ['a body that is no list', () => encodeBlock(codec, /** @type {any} */ (7)), 'IGNIS_BAD_FRAME'],
    ['a message that is no list', () => encodeBlock(codec, ['text']), 'IGNIS_BAD_FRAME'],
    ['a place without bytes', () => encodeBlock(codec, [[null], [0]]), 'IGNIS_BAD_FRAME'],
    ['bytes without a place', () => apart(1, [null]), 'IGNIS_BAD_FRAME'],
    ['a place out of the message', () => apart(1, [null], [1]), 'IGNIS_BAD_FRAME'],
    ['a place that is a name', () => apart(1, [null], ['__proto__']), 'IGNIS_BAD_FRAME'],
    ['a place in what is no list', () => apart(1, ['text'], [0, 0]), 'IGNIS_BAD_FRAME'],
    ['an empty place', () => apart(1, [null], []), 'IGNIS_BAD_FRAME'],
    [
      'another version in the middle, which is none',
      () => Buffer.from([0x49, 0x47, 99, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x90]),
      'IGNIS_BAD_FRAME',
    ],
    ['more than the limit', () => encodeHead(1 << 30, []), 'IGNIS_FRAME_TOO_LARGE'],
  ];
  for (const [what, make, code] of WRONG) {
    it(`ends by ${what}, after what came before`, async () => {
      const [a, b] = await pair();
      const one = end(a);
      b.write(encodeBlock(codec, [['good']]));
      b.end(make());
      assert.equal((await one.closed)?.code, code);
      assert.deepEqual(one.came, [['good']]);
    });
  }

  it('ends or goes on by random bytes, and never throws into the event loop', async () => {
    const random = new Random(5);
    for (let i = 0; i < 60; i++) {
      const [a, b] = await pair();
      const one = end(a);
      const bytes = apart(1, ['x', [null]], [1, 0]);
      for (let changes = 0; changes < 3; changes++) bytes[random.below(bytes.length - 5000)] = random.below(256);
      b.end(bytes);
      const error = await one.closed;
      if (error !== null) assert.match(error.code, /^IGNIS_(BAD_FRAME|FRAME_TOO_LARGE|VERSION_MISMATCH)$/);
      if (i < 59) await Promise.all([a, b].map((socket) => socket.closed || once(socket, 'close')));
    }
  });
});

/** Byte arrays of whatever class as lists. @param {any} value @returns {any} */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}

describe('a line to a process that is not up in time', () => {
  it('ends that by itself: its relay may end with home before it comes to it', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'inherit'] });
    const ended = once(child, 'exit');
    const [own, parts] = makeParts();
    const line = new RelayedLine(own, codec);
    const relayEnd = new Line(parts);
    try {
      line.expectUp(60_000);
      relayEnd.post(['wire', -1, child.pid]);
      line.poll();
      line.destroy(new IgnisError('IGNIS_START_FAILED', 'as after startMs'));
      child.stdin.end();
      assert.deepEqual(await ended, [null, 'SIGKILL']);
    } finally {
      child.kill('SIGKILL');
      relayEnd.close();
    }
  });
});
