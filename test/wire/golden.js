'use strict';
/*
 * The example block that stands in docs/protocol.md. In: the document. Out: its frames and attachments, and its bytes as the document has
 * them, so that a test can hold the code and the document to each other.
 */
const fs = require('node:fs');
const path = require('node:path');
const { encodeHead } = require('../../lib/wire/block');
const { marshal } = require('../../lib/session/marshal');
const { KIND } = require('../../lib/wire/frame');

const PROTOCOL = path.join(__dirname, '../../docs/protocol.md');

/**
 * @param {import('../../lib/wire/codec').Codec} codec
 * @param {any[]} frames
 * @param {Uint8Array[]} attachments
 * @returns {Buffer} a whole block
 */
function block(codec, frames, attachments) {
  const body = codec.encode(frames);
  return Buffer.concat([encodeHead(body.length, attachments), body, ...attachments]);
}

/** `parse('http://a/', { tolerant: undefined })` as the first call of a link, and an answer to the other side that holds a large buffer. */
function golden() {
  const args = marshal(['http://a/', { tolerant: undefined }], null, 'args');
  const answer = marshal(Buffer.alloc(4096, 'ignis'), null, 'result');
  const frames = [
    [KIND.TARGET, 0, ['parse']],
    [KIND.CALL, 0, 0, args.value, args.special],
    [KIND.RESULT, 3, answer.value, answer.special],
  ];
  return { frames, attachments: /** @type {Buffer[]} */ (answer.attachments), bytes: documented(/** @type {any} */ (answer.attachments)) };
}

/** The attachment itself is too long to print; the document says what is in it. @param {Buffer[]} attachments */
function documented(attachments) {
  const text = fs.readFileSync(PROTOCOL, 'utf8');
  const listing = text.slice(text.indexOf('<!-- golden -->')).match(/```\n([^`]*)```/);
  if (listing === null) throw new Error('docs/protocol.md has no example after <!-- golden -->');
  const hex = listing[1]
    .split('\n')
    .map((line) => line.slice(0, 50).match(/^[0-9a-f ]*/)?.[0] ?? '')
    .join('')
    .replaceAll(' ', '');
  return Buffer.concat([Buffer.from(hex, 'hex'), ...attachments]);
}

exports.golden = golden;
exports.block = block;
