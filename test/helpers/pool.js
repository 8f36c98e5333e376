'use strict';

// Whether an ArrayBuffer is one of those that Node cuts small Buffers from: by its size, which is not always Buffer.poolSize (Node 26 adds
// 64 bytes).

const POOL_BYTES = Buffer.from('small').buffer.byteLength;

exports.isPool = (/** @type {ArrayBufferLike} */ buffer) => buffer.byteLength === POOL_BYTES;
