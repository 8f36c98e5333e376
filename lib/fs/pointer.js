'use strict';
/*
 * A pointer stands in place of a file whose contents are on other nodes: a file of the same name, mode and times that names those nodes,
 * and the size of the contents. It also says so to people who find it. In: holders and a size. Out: bytes, and back. Each contains the
 * secret of the root, so that nothing else is taken for one. Pure.
 */

/** All have this size, so that other files are told apart without looking inside. */
const POINTER_BYTES = 1024;
/** The code with which a node answers that it does not have the contents. */
const ELSEWHERE = 'IGNIS_ELSEWHERE';
const SAYS = 'Ignis: the contents of this file are in other folders of its file system (docs/fs.md).\n';

/** @typedef {{holders: string[], size: number}} Pointer holders: names of nodes, as in rendezvous.js; size: of the contents, bytes */

/** @param {Pointer} pointer @param {string} secret of the root @returns {Buffer} */
function encodePointer({ holders, size }, secret) {
  const text = `${SAYS}${secret} ${size} ${holders.join(',')}\n`;
  if (text.length > POINTER_BYTES) throw new Error(`${holders.length} holders are too many to name`);
  return Buffer.from(text.padEnd(POINTER_BYTES), 'latin1');
}

/** @param {Uint8Array} bytes @param {string} secret @returns {Pointer | null} null: it is something else */
function decodePointer(bytes, secret) {
  if (bytes.length !== POINTER_BYTES) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!text.startsWith(`${SAYS}${secret} `)) return null;
  const [size, holders] = text.slice(SAYS.length + secret.length + 1).trimEnd().split(' '); // prettier-ignore
  return { size: Number(size), holders: (holders ?? '').split(',').filter((id) => id !== '') };
}

exports.ELSEWHERE = ELSEWHERE;
exports.POINTER_BYTES = POINTER_BYTES;
exports.decodePointer = decodePointer;
exports.encodePointer = encodePointer;
