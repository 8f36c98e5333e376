'use strict';

const assert = require('node:assert/strict');
const net = require('node:net');
const { EventEmitter, once } = require('node:events');
const { ResumableChannel } = require('../../lib/wire/resumable-channel');
const { SIGN, encodeBlock, encodeSign } = require('../../lib/wire/block');
const { streamPool } = require('../../lib/wire/byte-pool');
const { makeCodec } = require('../../lib/wire/codec');
const { BreakingProxy } = require('../helpers/breaking-proxy');
const { Random } = require('../helpers/random');
const { duplexPair, socketPair } = require('../helpers/streams');
const { until } = require('../helpers/until');
const { channelContract } = require('./channel.contract');

const codec = makeCodec('msgpackr');
const WAIT_MS = 20000;

/** @param {any} socket @param {object} [resuming] @param {object} [limits] */
const channelOver = (socket, resuming = {}, limits = {}) => new ResumableChannel(socket, codec, limits, { waitMs: WAIT_MS, ...resuming });

for (const [what, pair] of Object.entries({ 'a socket': socketPair, 'a pair in memory': async () => duplexPair() })) {
  describe(`ResumableChannel over ${what}`, () => {
    channelContract(async () => {
      const [a, b] = await pair();
      const [one, two] = [channelOver(a), channelOver(b)];
      let hasMet = false;
      two.onFrames = () => (hasMet = true);
      one.send(['met']);
      await until(() => hasMet, 'that they have met');
      return { one, two };
    });
  });
}

describe('ResumableChannel', function () {
  this.timeout(60000);

  const ends = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** What an accepted socket is given to. @param {(socket: net.Socket) => void} onSocket @returns {Promise<number>} the port */
  async function listen(onSocket) {
    const server = net.createServer({ noDelay: true }, onSocket);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => void server.close());
    return server.address().port;
  }

  /** @param {number} port @returns {Promise<net.Socket>} */
  async function dial(port) {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return socket;
  }

  /**
   * Two ends with something between them that breaks links.
   *
   * @param {() => number} [budget] bytes for each
   * @param {object} [resuming] of both
   */
  async function joined(budget, resuming = {}) {
    let two = null;
    const port = await listen((socket) => {
      if (two !== null) return two.resume(socket);
      two = channelOver(socket, resuming);
      ends.push(() => two.destroy());
    });
    const proxy = await BreakingProxy.open(port);
    ends.push(() => proxy.close());
    const one = channelOver(await dial(proxy.port), { dial: () => dial(proxy.port), ...resuming });
    ends.push(() => one.destroy());
    await until(() => two !== null, 'the other end');
    // A link that breaks before is none.
    const met = new Set();
    for (const channel of [one, two]) {
      channel.onFrames = () => met.add(channel);
      channel.send(['met']);
    }
    await until(() => met.size === 2, 'that they have met');
    for (const channel of [one, two]) channel.onFrames = () => {};
    if (budget !== undefined) proxy.budget = budget;
    return { one, two, proxy };
  }

  /** A channel, and the other side of its socket by hand. @param {object} [resuming] */
  async function single(resuming = {}) {
    const [socket, far] = await socketPair();
    const channel = channelOver(socket, resuming);
    const seen = { ends: [], frames: [], bytes: Buffer.alloc(0) };
    channel.onClose = (error) => seen.ends.push(error);
    channel.onFrames = (frames) => seen.frames.push(...frames);
    far.on('error', () => {}).on('data', (bytes) => (seen.bytes = Buffer.concat([seen.bytes, bytes])));
    ends.push(() => channel.destroy(), () => far.destroy()); // prettier-ignore
    return { channel, far, seen };
  }

  const WHY = { ENDED: 0, UNKNOWN: 1 };
  const have = (count) => encodeSign(SIGN.HAVE, count);
  const bye = (why) => encodeSign(SIGN.BYE, why);
  /** @param {any} value */
  const blockOf = (value) => encodeBlock(codec, [value]);

  it('begins with how many blocks it has, and sends nothing before the other side has said the same', async () => {
    const { channel, far, seen } = await single();
    channel.send(['first']);
    await until(() => seen.bytes.length > 0, 'its first bytes');
    assert.deepEqual([...seen.bytes], [0x49, 0x47, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert.equal(channel.isFull, true);
    far.write(have(0));
    await until(() => seen.bytes.length > 12, 'the block');
    assert.deepEqual(seen.bytes.subarray(12), blockOf(['first']));
    assert.equal(channel.isFull, false);
  });

  for (const seed of [1, 2, 3]) {
    it(`delivers each frame once and in order through 50 breaks at any byte, both ways (seed ${seed})`, async () => {
      const random = new Random(seed);
      const { one, two, proxy } = await joined(() => (random.below(4) === 0 ? random.below(200) : random.below(1000000)));
      proxy.breakAll();
      const sides = [one, two].map((channel) => ({ channel, sent: 0, got: [], errors: [] }));
      for (const side of sides) {
        side.channel.onFrames = (frames, attachments) => {
          for (const [number, size, [at]] of frames) {
            side.got.push(number);
            const part = at === undefined || at < 0 ? null : attachments[at];
            if ((part?.length ?? 0) !== size || (part !== null && !part.every((byte) => byte === number % 251))) side.errors.push(number);
          }
        };
        side.channel.onClose = (error) => side.errors.push(error ?? 'closed');
      }
      const send = (side) => {
        const number = side.sent++;
        const size = random.below(4) === 0 ? random.below(100000) : 0;
        const part = size === 0 ? null : streamPool.take(size, true).fill(number % 251);
        side.channel.send([number, size, [-1]], part === null ? null : [part]);
      };
      const pump = () => {
        for (const side of sides) if (side.channel.heldBytes < 1e6) for (let i = random.below(4); i > 0; i--) send(side);
        return proxy.breaks >= 50 || sides.some(({ errors }) => errors.length > 0);
      };
      await until(pump, () => `50 breaks, not ${proxy.breaks}`, 30000);
      proxy.budget = () => Infinity;
      await until(() => one.state !== 'open' || sides.every((side, i) => side.got.length >= sides[1 - i].sent), 'the rest', 20000);
      for (const [i, side] of sides.entries()) {
        assert.deepEqual(
          side.got,
          Array.from({ length: sides[1 - i].sent }, (_, number) => number),
        );
        assert.deepEqual(side.errors, []);
      }
      await until(() => sides.every(({ channel }) => channel.heldBytes === 0), 'what was held is given up');
    });
  }

  it('ends with an error of ours, or goes on, whatever of its bytes is wrong', () => {
    const random = new Random(7);
    const outcomes = new Set();
    for (let i = 0; i < 3000; i++) {
      const socket = Object.assign(new EventEmitter(), { writable: true, writableLength: 0, destroyed: false });
      for (const name of ['write', 'cork', 'uncork', 'end', 'destroy', 'ref', 'unref']) socket[name] = () => {};
      const channel = channelOver(socket);
      let end = 'open';
      channel.onClose = (error) => (end = error === null ? 'parted' : error.code);
      channel.send(['x']);
      channel.flush();
      const parts = [have(0)];
      for (let n = 0; n < 4; n++) parts.push(random.below(2) === 0 ? blockOf([n]) : have(random.below(3)), blockOf([n + 10]));
      const bytes = Buffer.concat(parts);
      const wrong = random.below(bytes.length);
      if (random.below(4) > 0) bytes[wrong] = random.below(8) === 0 ? random.below(256) : random.below(4);
      const cut = random.below(bytes.length);
      for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)]) socket.emit('data', chunk);
      outcomes.add(end);
      channel.destroy();
      socket.emit('close');
      assert.equal(channel.heldBytes, 0);
    }
    for (const code of ['open', 'parted', 'IGNIS_BAD_FRAME', 'IGNIS_FRAME_TOO_LARGE', 'IGNIS_VERSION_MISMATCH'])
      assert.ok(outcomes.delete(code), code);
    assert.deepEqual([...outcomes], []);
  });

  it('takes a newer socket for one that it does not know to be dead', async () => {
    const { channel, far, seen } = await single();
    far.write(Buffer.concat([have(0), blockOf(['one'])]));
    await until(() => seen.frames.length === 1, 'a frame');
    const [socket, newer] = await socketPair();
    const got = [];
    newer.on('data', (bytes) => got.push(bytes));
    channel.resume(socket);
    await Promise.all([once(far, 'close'), once(newer, 'readable').catch(() => {})].slice(0, 1));
    await until(() => Buffer.concat(got).equals(have(1)), 'what it has');
    far.write(blockOf(['from the grave']));
    newer.write(Buffer.concat([have(0), blockOf(['two'])]));
    await until(() => seen.frames.length === 2, 'the next frame');
    assert.deepEqual(seen.frames, [['one'], ['two']]);
    assert.deepEqual(seen.ends, []);
    newer.destroy();
  });

  it('ends a link whose other side says what cannot be, and tells it so', async () => {
    const wrong = {
      'more than was sent': [have(1)],
      'more than was sent, later': [have(0), have(2)],
      'fewer than before': [have(0), have(1), have(0)],
      'a block before its count': [blockOf(['early'])],
      'a count beyond all': [Buffer.concat([have(0).subarray(0, 4), Buffer.alloc(8, 255)])],
      'that it is the last socket, before its count': [encodeSign(SIGN.LAST, 0)],
      'no sign of ours': [Buffer.concat([have(0).subarray(0, 3), Buffer.from([4]), Buffer.alloc(8)])],
    };
    for (const [what, parts] of Object.entries(wrong)) {
      let dials = 0;
      const { channel, far, seen } = await single({ dial: () => (dials++, Promise.reject(new Error('no'))) });
      if (parts.length > 1) {
        channel.send(['one']);
        far.write(parts[0]);
        await until(() => seen.bytes.length > 12, 'its block');
      }
      const closed = once(far, 'close');
      far.write(Buffer.concat(parts.length > 1 ? parts.slice(1) : parts));
      await until(() => seen.ends.length === 1, what);
      assert.equal(seen.ends[0].code, 'IGNIS_BAD_FRAME', what);
      await closed;
      assert.deepEqual(seen.bytes.subarray(-12), bye(parts.length > 1 ? 0 : 1), what);
      assert.deepEqual([channel.state, dials], ['closed', 0], what);
    }
  });

  it('does not resume with another side than before, and both say why', async () => {
    const { one, two, proxy } = await joined();
    const closed = [];
    const closedThere = [];
    const frames = [];
    one.onClose = (error) => closed.push(error);
    two.onFrames = (batch) => frames.push(...batch);
    one.send(['one']);
    await until(() => frames.length === 1 && one.heldBytes === 0, 'what was told');
    // The same address, behind which is a side that knows nothing of it.
    two.resume = (socket) => {
      const other = channelOver(socket);
      other.onClose = (error) => closedThere.push(error);
      ends.push(() => other.destroy());
    };
    proxy.breakAll();
    await until(() => closed.length === 1 && closedThere.length === 1, 'both ends');
    assert.equal(closed[0].code, 'IGNIS_BAD_FRAME');
    assert.match(closed[0].message, /: the other side was restarted, or took this side for gone, and does not know this link$/);
    assert.match(closedThere[0].message, /: it continues a link that is not known here: it was silent for too long, or this side was restarted$/); // prettier-ignore
  });

  it('is over at once, and not dialled again, when either side ends it, or gets garbage', async () => {
    for (const end of [(one) => one.destroy(), (one) => one.close(), (_one, two) => two.destroy(), (_one, two) => two.close()]) {
      const { one, two, proxy } = await joined();
      const closed = [];
      for (const channel of [one, two]) channel.onClose = (error) => closed.push(error);
      await until(() => !one.isFull && one.heldBytes === 0 && proxy.count === 1, 'the link');
      one.send(['x']);
      await until(() => one.heldBytes === 0, 'that it is joined');
      end(one, two);
      await until(() => closed.length === 2, 'the ends');
      assert.deepEqual([closed, proxy.links], [[null, null], 1]);
    }
    let dials = 0;
    const { far, seen } = await single({ dial: () => (dials++, Promise.reject(new Error('no'))) });
    far.write(Buffer.concat([have(0), Buffer.from('GET / HTTP/1.1\r\n')]));
    await until(() => seen.ends.length === 1, 'its end');
    assert.deepEqual([seen.ends[0].code, dials], ['IGNIS_BAD_FRAME', 0]);
  });

  it('that is closed before it has met the other side sends what it has when it has, and only then its last word', async () => {
    const { channel, far, seen } = await single();
    channel.send(['first']);
    void channel.close();
    const ended = once(far, 'close');
    far.write(have(0));
    await ended;
    await until(() => seen.ends.length === 1, 'its end');
    assert.deepEqual(seen.bytes, Buffer.concat([have(0), blockOf(['first']), bye(WHY.ENDED)]));
    assert.deepEqual(seen.ends, [null]);
  });

  it('tells another side that dials again what became of the link', async () => {
    for (const [why, end] of [
      [WHY.ENDED, (channel) => void channel.close()],
      [WHY.UNKNOWN, (channel) => channel.destroy()],
    ]) {
      const { channel, far, seen } = await single();
      far.write(have(0));
      channel.send(['first']);
      await until(() => seen.bytes.length > 12, 'that they have met');
      far.pause();
      end(channel);
      const [again, other] = await socketPair();
      const said = [];
      other.on('data', (bytes) => said.push(bytes)).on('error', () => {});
      channel.resume(again);
      await once(other, 'close');
      assert.deepEqual(Buffer.concat(said), bye(why));
      far.resume();
    }
  });

  it('keeps the program alive as it is told to, also by a socket that comes later', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((kind) => /^(TCPSocketWrap|PipeWrap)$/.test(kind)).length;
    const { channel, far } = await single();
    far.unref();
    const held = sockets();
    channel.unref();
    assert.equal(sockets(), held - 1);
    const [again, other] = await socketPair();
    other.unref();
    channel.resume(again);
    await until(() => sockets() === held - 1, 'that the one before is gone');
    channel.ref();
    assert.equal(sockets(), held);
    other.destroy();
  });

  it('has no other socket once a side has said that this is the last, and goes on with it until then', async () => {
    for (const which of [0, 1]) {
      const { one, two, proxy } = await joined();
      const closed = [];
      const got = [[], []];
      for (const [i, channel] of [one, two].entries()) {
        channel.onClose = (error) => closed.push(error);
        channel.onFrames = (frames) => got[i].push(...frames);
      }
      await until(() => one.heldBytes === 0 && two.heldBytes === 0, 'what was told');
      await new Promise((resolve) => [one, two][which].sayLast(() => resolve(null)));
      one.send(['there']);
      two.send(['and back']);
      await until(() => got.every(({ length }) => length === 1), 'what came after it');
      assert.deepEqual([got, closed], [[[['and back']], [['there']]], []]);
      proxy.breakAll();
      await until(() => closed.length === 2, 'the ends');
      assert.equal(proxy.links, 1);
    }
    // Where nobody hears it, whoever says it is not kept waiting.
    const { channel, far } = await single();
    far.destroy();
    await new Promise((resolve) => channel.sayLast(() => resolve(null)));
  });

  it('dials again until it has waited long enough, then ends as the socket did; one that never met the other side does not', async () => {
    let dials = 0;
    const failing = { waitMs: 300, dial: () => (dials++, Promise.reject(new Error('no'))) };
    const never = await single(failing);
    never.far.destroy();
    await until(() => never.seen.ends.length === 1, 'the end of the one');
    assert.deepEqual([never.seen.ends, dials], [[null], 0]);
    const { channel, far, seen } = await single(failing);
    far.write(have(0));
    channel.send(['x']);
    await until(() => seen.bytes.length > 12, 'its block');
    far.resetAndDestroy();
    await until(() => channel.isBroken, 'the break');
    assert.deepEqual([channel.state, channel.isFull], ['open', true]);
    await until(() => seen.ends.length === 1, 'the end of the other');
    assert.equal(seen.ends[0].code, 'ECONNRESET');
    assert.ok(dials > 2, `${dials} tries`);
    assert.equal(channel.heldBytes, 0);
  });

  it('does not count the time in which its own process computes', async () => {
    const port = await listen((socket) => ends.push(() => void socket.destroy()) && socket.on('error', () => {}).write(have(0)));
    const first = await dial(port);
    let hasComputed = false;
    const compute = () => {
      for (const end = performance.now() + 1100; performance.now() < end;);
      hasComputed = true;
      return dial(port);
    };
    const channel = channelOver(first, { waitMs: 1000, dial: compute });
    ends.push(() => channel.destroy());
    const closed = [];
    channel.onClose = (error) => closed.push(error);
    channel.send(['x']);
    await until(() => channel.heldBytes > 0 && !channel.isFull, 'the link');
    first.destroy();
    await until(() => hasComputed && !channel.isFull, 'the link again');
    assert.deepEqual(closed, []);
  });

  it('waits for a socket that is under way to another side that is known to live', async () => {
    let isThere = true;
    let dials = 0;
    const { channel, far, seen } = await single({ waitMs: 100, dial: () => (dials++, new Promise(() => {})), isThere: () => isThere });
    far.write(have(0));
    channel.send(['x']);
    await until(() => seen.bytes.length > 12, 'its block');
    far.destroy();
    // Four times as long as it would wait.
    for (let i = 0; i < 4; i++) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual([channel.state, dials], ['open', 1]);
    isThere = false;
    await until(() => seen.ends.length === 1, 'its end');
  });

  it('dials another socket beside one on which nothing comes that is waited for, and goes on with it', async () => {
    let tries = 0;
    let bytes = Buffer.alloc(0);
    const dialSecond = async () => {
      tries += 1;
      if (tries !== 3) throw new Error('it computes');
      const [socket, second] = await socketPair();
      ends.push(() => second.destroy());
      second.on('error', () => {}).on('data', (chunk) => (bytes = Buffer.concat([bytes, chunk])));
      second.write(Buffer.concat([have(0), blockOf('second')]));
      return socket;
    };
    let isThere = false;
    const { channel, far, seen } = await single({ dial: dialSecond, isThere: () => isThere, doubtMs: 20 });
    far.write(Buffer.concat([have(0), blockOf('first')]));
    await until(() => seen.frames.length === 1, 'that they have met');
    // A middle box has forgotten the link: what is sent gets nowhere, and no end comes.
    far.pause();
    channel.send(['lost']);
    isThere = true;
    await until(() => tries === 2, 'tries that come to nothing');
    assert.deepEqual([channel.state, channel.isBroken, seen.ends], ['open', false, []]);
    await until(() => seen.frames.length === 2 && bytes.includes(blockOf(['lost'])), 'what had got nowhere');
    assert.deepEqual([seen.frames, seen.ends, channel.state], [['first', 'second'], [], 'open']);
  });

  it('gives memory of the pool back when its block has arrived, not when it was written', async () => {
    const { channel, far, seen } = await single();
    const size = 1 << 20;
    const part = streamPool.take(size, true);
    const { buffer } = part;
    far.write(have(0));
    channel.send(['part', [0]], [part]);
    await until(() => seen.bytes.length > size, 'all of it');
    const taken = [];
    const isBack = () => {
      for (;;) {
        const next = streamPool.take(size);
        taken.push(next);
        if (next.buffer === buffer) return true;
        if (taken.length > 70) return false;
      }
    };
    assert.equal(isBack(), false);
    far.write(have(1));
    await until(() => channel.heldBytes === 0, 'that it has arrived');
    assert.equal(isBack(), true);
  });

  it('holds no more than its bound and one block, while broken and while the other side says nothing', async () => {
    const bound = 1 << 20;
    const part = () => Buffer.allocUnsafeSlow(100000);
    const silent = await single({ maxHeldBytes: bound });
    silent.far.write(have(0));
    let most = 0;
    let blocks = 0;
    const fill = (channel, count) => {
      for (let i = 0; i < count && channel.state === 'open'; i++) {
        channel.send(['x', [0]], [part()]);
        channel.flush();
        blocks += 1;
      }
      most = Math.max(most, channel.heldBytes);
    };
    await until(() => (fill(silent.channel, 1), silent.channel.heldBytes === 0), 'that it holds no more');
    assert.ok(blocks > 10 && most <= bound + 100100, `${blocks} blocks, ${most} bytes`);
    // It goes on, but is not resumed any more.
    await until(() => silent.seen.bytes.length > blocks * 100000, 'all of it at the other side');
    silent.far.destroy();
    await until(() => silent.seen.ends.length === 1, 'its end');
    const broken = await single({ maxHeldBytes: bound });
    broken.far.write(have(0));
    await until(() => !broken.channel.isFull && (broken.channel.send(['x']), broken.seen.bytes.length > 12), 'the link');
    broken.far.destroy();
    await until(() => broken.channel.isBroken, 'the break');
    fill(broken.channel, 100);
    assert.match(broken.seen.ends[0].message, /its link is broken, and more than 1048576 bytes wait/);
  });
});
