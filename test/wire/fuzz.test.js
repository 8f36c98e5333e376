'use strict';

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { StreamChannel } = require('../../lib/wire/stream-channel');
const { BlockReader } = require('../../lib/wire/block');
const { makeCodec, CODEC_NAMES } = require('../../lib/wire/codec');
const { checkFrame } = require('../../lib/wire/frame');
const { Peer } = require('../../lib/session/peer');
const { Channel } = require('../../lib/wire/channel');
const { marshal } = require('../../lib/session/marshal');
const { Random } = require('../helpers/random');
const { duplexPair } = require('../helpers/streams');
const { block } = require('./golden');

const EXPECTED = new Set(['IGNIS_BAD_FRAME', 'IGNIS_FRAME_TOO_LARGE', 'IGNIS_VERSION_MISMATCH']);
const LIMITS = { maxBlockBytes: 1 << 20 };

/** A few frames with all that frames may have in them. */
function sample(random) {
  const args = marshal(
    [
      { n: random.below(1000), at: new Date(0), u: undefined, s: new Set([1]), list: Object.assign([1], { 2: 3 }) },
      'text',
      Buffer.alloc(random.below(40)),
      10n,
    ],
    null,
    'args',
  );
  const result = marshal(Buffer.alloc(4096 + random.below(100), 5), null, 'result');
  const error = marshal(new TypeError('wrong', { cause: 'input' }), null, 'error');
  return {
    frames: [
      [3, 0, ['parse', 'inner']],
      [4, random.below(9), 0, args.value, args.special],
      [6, 1, result.value, result.special],
      [7, 2, error.value, error.special],
      [8, [1, 2]],
      [9, 5, 1.5, 0.25],
      [10, 0],
      [11, 3, 0, args.value, args.special],
      [12, 4, ['options', 'strict'], [random.below(2) === 0], null],
      [13, 0],
      [14, random.below(4), random.below(2), 3, [null, [1, [false, ['a'], ['b', 1, true], null, 0]]], [0, [[0], 'argument', 1]]],
      [15, 1, 3, [[null], []], [0, [[0, 0], 'own', 1]]],
    ],
    attachments: result.attachments,
  };
}

/** Changes, cuts, doubles or inserts bytes. @param {Random} random @param {Buffer} bytes */
function corrupt(random, bytes) {
  const at = random.below(bytes.length);
  switch (random.below(6)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(8))]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), random.bytes(1 + random.below(8)), bytes.subarray(at)]);
    case 3: {
      const copy = Buffer.from(bytes);
      // In the head and the table, where lengths stand, more often than chance would.
      copy[random.below(Math.min(bytes.length, 20))] = random.pick([0, 1, 0x7f, 0x80, 0xff]);
      return copy;
    }
    default: {
      const copy = Buffer.from(bytes);
      for (let i = 1 + random.below(4); i > 0; i--) copy[random.below(Math.min(copy.length, 400))] = random.below(256);
      return copy;
    }
  }
}

/** @param {() => void} run what it throws must be an error of ours @param {Buffer} bytes */
function expectOurs(run, bytes) {
  try {
    run();
    return 'read';
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    assert.ok(EXPECTED.has(code), `${error instanceof Error ? error.stack : error}\nfrom ${bytes.toString('hex').slice(0, 600)}`);
    return code;
  }
}

describe('20,000 corrupted streams', function () {
  this.timeout(30000);

  for (const name of CODEC_NAMES) {
    it(`give an error of ours or frames, read by ${name}`, () => {
      const random = new Random(20260101);
      const codec = makeCodec(name);
      const outcomes = new Map();
      for (let i = 0; i < 10000; i++) {
        const { frames, attachments } = sample(random);
        const bytes = corrupt(random, block(codec, frames, attachments));
        const reader = new BlockReader(codec, (read) => read.forEach(checkFrame), LIMITS);
        const outcome = expectOurs(() => {
          const cut = random.below(bytes.length + 1);
          reader.push(bytes.subarray(0, cut));
          reader.push(bytes.subarray(cut));
        }, bytes);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      for (const code of [...EXPECTED, 'read']) assert.ok(outcomes.get(code) > 0, `${code} never came`);
      assert.equal({}.polluted, undefined);
    });
  }
});

/** A channel that moves nothing: the test is the other side. */
class Silent extends Channel {
  _write() {}
}

describe('a peer fed with corrupted frames', function () {
  this.timeout(30000);

  it('ends its link with an error of ours, gives its calls back, and never throws', () => {
    const random = new Random(99);
    const codec = makeCodec('msgpackr');
    for (let i = 0; i < 5000; i++) {
      const { frames, attachments } = sample(random);
      let read;
      try {
        read = codec.decode(corrupt(random, codec.encode(frames)));
      } catch {
        continue;
      }
      if (!Array.isArray(read)) continue;
      const channel = new Silent();
      const settled = [];
      const lost = [];
      const peer = new Peer(channel, { onCall() {}, onLoad() {}, onLost: (error, pending) => lost.push({ error, pending }) });
      const waiting = Array.from({ length: 4 }, () => ({
        id: -1,
        sequence: 0,
        finish: () => settled.push(1),
        fail: () => settled.push(1),
        met: { objects: [[], { a: 1 }, new Map()], symbols: [] },
      }));
      for (const call of waiting) peer.load({}, call);
      channel._arrived(read, attachments);
      if (lost.length === 0) continue;
      const { error, pending } = lost[0];
      assert.ok(EXPECTED.has(error.code), `${error.stack}\nfrom ${inspect(read, { depth: 9 }).slice(0, 500)}`);
      assert.equal(settled.length + pending.length, 4);
      assert.equal(channel.state, 'closed');
    }
  });

  it('takes specials that lead to odd places for bad frames', () => {
    const odd = [
      [[['length'], 'bigint', '4294967295']],
      [[['length'], 'hole']],
      [[['__proto__'], 'undefined']],
      [[['constructor'], 'undefined']],
      [[[9], 'undefined']],
      [[[0, 'a'], 'undefined']],
      [[[0], 'constructor']],
      [[[0], '__proto__']],
      [[[0], 'nothing']],
      [[[0]]],
      [['0', 'undefined']],
      [[null, 'undefined']],
      [null],
      [[]],
      ['x'],
      [[[0], 'bigint', 'x']],
      [[[0], 'bigint', {}]],
      [[[0], 'regexp', '(', '']],
      [[[0], 'regexp', 'a', 'zz']],
      [[[0], 'regexp']],
      [[[0], 'url', 'no url']],
      [[[0], 'symbol']],
      [[[0], 'known-symbol', 'length']],
      [[[0], 'known-symbol', 'constructor']],
      [[[0], 'bytes', 'Buffer', 0]],
      [[[0], 'bytes', 'Buffer', -2]],
      [[[0], 'bytes', 'Buffer', 'length']],
      [[[0], 'bytes', 'Function', -1]],
      [[[0], 'bytes', '__proto__', -1]],
      [[[0], 'same', [7]]],
      [[[0], 'same']],
      [[[0], 'same', 'x']],
      [[[0], 'map']],
      [[[0], 'set']],
      [[[0], 'members']],
      [[[0], 'null-prototype']],
      [[[0], 'error', 'x', 'y']],
      [[[0], 'error', ['x']]],
      [[[0], 'error', ['Error'], 'Error']],
      [[[0], 'extras', 5]],
      [[[0], 'arguments']],
      [[[0], 'function', 'x', false, 0, 'f']],
      [[[0], 'text']],
      [[[], 'undefined']],
      [[[], 'null-prototype']],
      [[[], 'sparse', 4294967295]],
      [[['length'], 'date', 4294967295]],
      [[[0], 'sparse', 4294967296]],
      [[[0], 'sparse', -1]],
      [[[0], 'sparse', 'x']],
      [[[0], 'text', { length: 2147483647 }]],
      [[[0], 'text', 'utf16le']],
      [[[0], 'text', 'latin1']],
      [[[0], 'text', 4096]],
      [[[0], 'bigint', '0x10']],
      [[[0], 'bigint', '']],
      [[[0], 'date', '2020']],
      [[[0], 'regexp', 'a', 'g', {}]],
      [[[0], 'same', [], 1]],
      [[[0], 'same', [], '0']],
      [[[0], 'same', [], -1]],
      [
        [[], 'part', []],
        [[0], 'undefined'],
      ],
      [[[0], 'view', 'Uint8Array', 0, 1, 0, 0]],
      [[[0], 'view', 'Uint8Array', 0, 1, 1, Buffer.alloc(4)]],
      [[[0], 'view', 'Uint8Array', 0, 5, 0, Buffer.alloc(4)]],
      [[[0], 'view', 'Uint8Array', -1, 1, 0, Buffer.alloc(4)]],
      [[[0], 'view', 'Uint8Array', 0, 4294967295, 0, Buffer.alloc(4)]],
      [[[0], 'view', 'constructor', 0, 1, 0, Buffer.alloc(4)]],
      [[[0], 'own-symbol', 0, 5]],
      [[[0], 'boxed']],
      [[[0], 'error', { map: 1, length: 1 }, 'x']],
      [[[], 'bigint', '1']],
    ];
    for (const entries of odd) {
      const channel = new Silent();
      const lost = [];
      new Peer(channel, { onCall() {}, onLost: (error) => lost.push(error) });
      channel._arrived([[4, 0, 0, [null], [0, ...entries]]], []);
      assert.equal(lost.length, 1, JSON.stringify(entries));
      assert.equal(lost[0].code, 'IGNIS_BAD_FRAME', `${JSON.stringify(entries)}: ${lost[0].stack}`);
    }
    assert.equal(Object.keys(Object.prototype).length, 0);
  });

  it('takes a list for a bad frame that was made, and says that it is longer than what it holds', () => {
    for (const tag of ['arguments', 'map', 'set', 'members', 'sparse', 'error'])
      for (const entries of [
        [[[0], tag, []]],
        [
          [[1], 'same', [0]],
          [[1], tag, []],
        ],
      ]) {
        const channel = new Silent();
        const lost = [];
        new Peer(channel, { onCall() {}, onLost: (error) => lost.push(error) });
        channel._arrived([[4, 0, 0, [[], null], [0, [[0], 'sparse', 1e6], ...entries]]], []);
        assert.match(String(lost[0]), new RegExp(`a special '${tag}' of what was made already`), tag);
      }
  });

  it('takes a list that is not to be iterated as one for a bad frame', () => {
    const channel = new Silent();
    const lost = [];
    const peer = new Peer(channel, { onLost: (error) => lost.push(error) });
    const reference = peer.lent.lend(() => assert.fail('was called'));
    const iterator = [[0, 0], 'known-symbol', 'iterator'];
    channel._arrived([[5, reference, [[null, 1]], [0, iterator, [[], 'extras', 0]]]], []);
    assert.equal(lost[0]?.code, 'IGNIS_BAD_FRAME');
  });

  it('ends no other link', () => {
    const [a] = duplexPair();
    const good = new StreamChannel(/** @type {any} */ (a), makeCodec('msgpackr'));
    const channel = new Silent();
    new Peer(channel, {});
    channel._arrived([[99]], []);
    assert.equal(channel.state, 'closed');
    assert.equal(good.state, 'open');
    good.destroy();
  });
});
