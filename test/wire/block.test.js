'use strict';

const assert = require('node:assert/strict');
const { BlockReader, SIGN, encodeHead, encodeSign, HEAD_BYTES } = require('../../lib/wire/block');
const { makeCodec } = require('../../lib/wire/codec');
const { VERSION, LIMITS } = require('../../lib/wire/frame');
const { Random } = require('../helpers/random');
const { golden, block } = require('./golden');

const codec = makeCodec('msgpackr');

/** A reader that keeps what it read. */
function reading(limits, by = codec) {
  const seen = [];
  const reader = new BlockReader(by, (frames, attachments) => seen.push({ frames, attachments }), limits);
  return { reader, seen, push: (bytes) => reader.push(bytes) };
}

/** @param {Partial<{magic: string, version: number, flags: number, body: number, attachments: number}>} fields */
function head({ magic = 'IG', version = VERSION, flags = 0, body = 1, attachments = 0 }) {
  const bytes = Buffer.alloc(HEAD_BYTES);
  bytes.write(magic, 'latin1');
  bytes[2] = version;
  bytes[3] = flags;
  bytes.writeUInt32LE(body, 4);
  bytes.writeUInt32LE(attachments, 8);
  return bytes;
}

describe('BlockReader', () => {
  it('reads the bytes up to an end, and what is behind it when that has come', () => {
    const whole = Buffer.concat([block(codec, [[1]], []), block(codec, [[2, 'two']], [Buffer.alloc(5000, 2)]), block(codec, [[3]], [])]);
    for (let end = 0; end <= whole.length; end += end < 100 ? 1 : 97) {
      const { reader, seen } = reading();
      const scratch = Buffer.concat([whole.subarray(0, end), Buffer.alloc(500, 0x49)]);
      reader.push(scratch, end);
      scratch.fill(0);
      reader.push(whole.subarray(end));
      assert.deepEqual(
        seen.map(({ frames, attachments }) => [frames[0][0], attachments.length]),
        [
          [1, 0],
          [2, 1],
          [3, 0],
        ],
      );
      assert.ok(seen[1].attachments[0].equals(Buffer.alloc(5000, 2)));
    }
  });

  it('reads the example of docs/protocol.md, whose bytes are those that the code writes', () => {
    const { frames, attachments, bytes } = golden();
    assert.equal(block(codec, frames, attachments).toString('hex'), bytes.toString('hex'));
    const { seen, push, reader } = reading();
    push(bytes);
    assert.deepEqual(
      seen.map(({ frames: read }) => read),
      [frames],
    );
    assert.deepEqual(seen[0].attachments, attachments);
    assert.ok(reader.isBetweenBlocks);
  });

  it('reads a block cut in two at each byte', () => {
    const frames = [
      [4, 0, 0, ['x'.repeat(20)], [0, [[1], 'bytes', 'Buffer', 0]]],
      [6, 1, null, null],
    ];
    const attachments = [Buffer.from('first attachment'), Buffer.alloc(0), Buffer.from('third')];
    const bytes = block(codec, frames, attachments);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { seen, push, reader } = reading();
      push(bytes.subarray(0, cut));
      assert.equal(reader.isBetweenBlocks, cut === 0 || cut === bytes.length, `cut at ${cut}`);
      push(bytes.subarray(cut));
      assert.deepEqual(seen, [{ frames, attachments }], `cut at ${cut}`);
    }
  });

  it('reads signs between blocks, cut at each byte, where they are expected, and nowhere else', () => {
    const number = 5 * 2 ** 32 + 7;
    const sign = encodeSign(SIGN.HAVE, number);
    assert.equal(sign.toString('hex'), '494701010700000005000000');
    const bytes = Buffer.concat([sign, block(codec, [['frame']], []), encodeSign(SIGN.BYE, 1), sign]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const seen = [];
      const reader = new BlockReader(
        codec,
        (frames) => seen.push(frames),
        {},
        (kind, what) => seen.push([kind, what]),
      );
      reader.push(bytes.subarray(0, cut));
      reader.push(bytes.subarray(cut));
      assert.deepEqual(seen, [[SIGN.HAVE, number], [['frame']], [SIGN.BYE, 1], [SIGN.HAVE, number]], `cut at ${cut}`);
    }
    assert.throws(() => reading().push(sign), { code: 'IGNIS_BAD_FRAME' });
  });

  it('reads blocks that come one byte at a time', () => {
    const bytes = Buffer.concat([block(codec, [['a']], [Buffer.from('xyz')]), block(codec, [['b']], [])]);
    const { seen, push } = reading();
    for (const byte of bytes) push(Buffer.from([byte]));
    assert.deepEqual(
      seen.map(({ frames }) => frames),
      [[['a']], [['b']]],
    );
  });

  it('reads several blocks in one chunk, and the beginning of another', () => {
    const random = new Random(7);
    const blocks = Array.from({ length: 50 }, (_, i) => ({
      frames: [[6, i, 'v'.repeat(i), null]],
      attachments: Array.from({ length: i % 4 }, () => random.bytes(i * 3)),
    }));
    const bytes = Buffer.concat(blocks.map(({ frames, attachments }) => block(codec, frames, attachments)));
    const { seen, push, reader } = reading();
    push(bytes.subarray(0, bytes.length - 3));
    assert.equal(seen.length, blocks.length - 1);
    assert.ok(!reader.isBetweenBlocks);
    push(bytes.subarray(bytes.length - 3));
    assert.deepEqual(seen, blocks);
  });

  for (const length of [0, 1, 4095, 4096, 65536, 1 << 20]) {
    it(`reads an attachment of ${length} bytes, whole or in pieces, into memory of its own`, () => {
      const attachment = Buffer.alloc(length, new Random(length + 1).bytes(251));
      const bytes = block(codec, [['with', length]], [attachment]);
      for (const step of [bytes.length, 65536, 1000]) {
        const { seen, push } = reading();
        for (let at = 0; at < bytes.length; at += step) {
          const chunk = Buffer.from(bytes.subarray(at, at + step));
          push(chunk);
          chunk.fill(0xee); // as a socket that reuses its memory would
        }
        assert.deepEqual(seen[0].frames, [['with', length]]);
        assert.ok(attachment.equals(seen[0].attachments[0]));
        assert.equal(seen[0].attachments[0].buffer.byteLength, length);
      }
    });
  }

  it('keeps a body that came before its attachments, though the chunk is reused', () => {
    const bytes = block(codec, [['the body stays']], [Buffer.alloc(100, 1)]);
    const { seen, push } = reading();
    const first = Buffer.from(bytes.subarray(0, bytes.length - 50));
    push(first);
    first.fill(0xc1);
    push(bytes.subarray(bytes.length - 50));
    assert.deepEqual(seen[0].frames, [['the body stays']]);
  });

  it('refuses a wrong mark, unknown flags and another version', () => {
    assert.throws(() => reading().push(head({ magic: 'IF' })), { code: 'IGNIS_BAD_FRAME' });
    assert.throws(() => reading().push(head({ magic: 'GI' })), { code: 'IGNIS_BAD_FRAME' });
    assert.throws(() => reading().push(head({ flags: 1 })), { code: 'IGNIS_BAD_FRAME' });
    assert.throws(() => reading().push(head({ version: VERSION + 1 })), {
      code: 'IGNIS_VERSION_MISMATCH',
      message: new RegExp(`${VERSION + 1}.*${VERSION}`),
    });
  });

  it('takes garbage behind a whole block for garbage, not for another version', () => {
    const { push, seen } = reading();
    push(block(codec, [['first']], []));
    assert.throws(() => push(head({ version: VERSION + 1 })), { code: 'IGNIS_BAD_FRAME', message: /version 2 behind/ });
    assert.equal(seen.length, 1);
  });

  it('refuses a body, or a body and attachments together, over the limit before it takes memory for them', () => {
    const before = process.memoryUsage().arrayBuffers;
    assert.throws(() => reading().push(head({ body: 0xffffffff })), { code: 'IGNIS_FRAME_TOO_LARGE' });
    assert.throws(() => reading({ maxBlockBytes: 1000 }).push(head({ body: 1001 })), { code: 'IGNIS_FRAME_TOO_LARGE' });
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32LE(0xffffffff, 0);
    assert.throws(() => reading().push(Buffer.concat([head({ attachments: 2 }), sizes])), { code: 'IGNIS_FRAME_TOO_LARGE' });
    sizes.writeUInt32LE(500, 0);
    sizes.writeUInt32LE(501, 4);
    assert.throws(() => reading({ maxBlockBytes: 1000 }).push(Buffer.concat([head({ attachments: 2, body: 0 }), sizes])), {
      code: 'IGNIS_FRAME_TOO_LARGE',
    });
    assert.ok(process.memoryUsage().arrayBuffers - before < 1e6);
  });

  it('takes a block exactly at the limit', () => {
    const bytes = block(codec, [['x']], [Buffer.alloc(100)]);
    const { seen, push } = reading({ maxBlockBytes: bytes.length - HEAD_BYTES - 4 });
    push(bytes);
    assert.equal(seen.length, 1);
  });

  it('refuses too many attachments and too many frames', () => {
    assert.throws(() => reading().push(head({ attachments: LIMITS.maxAttachments + 1 })), { code: 'IGNIS_BAD_FRAME' });
    assert.throws(() => reading().push(block(codec, Array(LIMITS.maxFrames + 1).fill(0), [])), { code: 'IGNIS_BAD_FRAME' });
  });

  it('refuses a body that is no list, is empty, or cannot be decoded', () => {
    for (const by of ['msgpackr', 'msgpack-lite'].map(makeCodec)) {
      assert.throws(() => reading({}, by).push(head({ body: 0 })), { code: 'IGNIS_BAD_FRAME' });
      assert.throws(() => reading({}, by).push(Buffer.concat([head({ body: 1 }), Buffer.from([0xc1])])), { code: 'IGNIS_BAD_FRAME' });
      assert.throws(() => reading({}, by).push(Buffer.concat([head({ body: 1 }), Buffer.from([0x80])])), { code: 'IGNIS_BAD_FRAME' });
      assert.throws(() => reading({}, by).push(Buffer.concat([head({ body: 2 }), Buffer.from([0x92, 1])])), { code: 'IGNIS_BAD_FRAME' });
    }
  });

  it('lets msgpack-lite read blocks that msgpackr wrote, and the other way round', () => {
    const frames = [[4, 7, 0, [{ a: [1, -2.5, 'é', null, true] }, Buffer.from('bytes')], [0, [[0, 'b'], 'undefined']]]];
    for (const [writer, reader] of [
      ['msgpackr', 'msgpack-lite'],
      ['msgpack-lite', 'msgpackr'],
    ]) {
      const { seen, push } = reading({}, makeCodec(reader));
      push(block(makeCodec(writer), frames, [Buffer.from('behind')]));
      assert.deepEqual(seen[0].frames, frames);
      assert.equal(seen[0].attachments[0].toString(), 'behind');
    }
  });

  it('writes a head that says what follows', () => {
    const bytes = encodeHead(5, [Buffer.alloc(7), Buffer.alloc(0)]);
    assert.equal(bytes.toString('hex'), `4947${VERSION.toString(16).padStart(2, '0')}00050000000200000007000000` + '00000000');
  });
});
