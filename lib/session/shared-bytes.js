'use strict';
/*
 * Views of one ArrayBuffer in one message remain views of one ArrayBuffer. In: the byte arrays of a message, each with its special. Out:
 * the same specials, rewritten from `bytes` to `view` for views that belong together, and the list of attachments. Bytes that no view
 * covers travel only if they are the program's own: Node cuts small Buffers from common pools, whose other bytes are none of the callee's
 * business.
 */

const { Buffer } = require('node:buffer');
const { Map, Math, Set } = require('../engine');

/** From this size on, byte arrays travel as attachments, bytes. */
const ATTACHMENT_BYTES = 4096;
/** If two typed arrays look into an ArrayBuffer of at most this size, it travels whole, bytes. */
const WHOLE_BYTES = 1024 * 1024;

/**
 * @typedef {object} Met
 * @property {ArrayBufferLike} buffer
 * @property {any} view or the buffer itself
 * @property {number} from
 * @property {number} to
 * @property {any[]} entry [path, 'bytes', class, -1 or index]
 * @property {Uint8Array | null} attachment its copy, if that is large
 * @property {{number: number} | null} group of views that travel together: they share its number
 */

class SharedBytes {
  /** @type {Met[]} */
  #met = [];
  #copyOf;

  /** @param {(bytes: Uint8Array) => Buffer} copyOf */
  constructor(copyOf) {
    this.#copyOf = copyOf;
  }

  /**
   * @param {any} view
   * @param {any[]} entry its special
   * @param {Uint8Array | null} attachment
   */
  add(view, entry, attachment) {
    const isView = ArrayBuffer.isView(view);
    const buffer = isView ? view.buffer : view;
    const from = isView ? view.byteOffset : 0;
    this.#met.push({ buffer, view, from, to: from + view.byteLength, entry, attachment, group: null });
  }

  /** @returns {Uint8Array[] | null} the attachments of the message */
  join() {
    const met = this.#met;
    if (met.length > 1) {
      /** @type {Map<ArrayBufferLike, Met[]>} */
      const byBuffer = new Map();
      for (const one of met) {
        const others = byBuffer.get(one.buffer);
        if (others === undefined) byBuffer.set(one.buffer, [one]);
        else others.push(one);
      }
      if (byBuffer.size < met.length) for (const group of byBuffer.values()) if (group.length > 1) this.#joinGroup(group);
    }
    return this.#number();
  }

  /** @param {Met[]} group views of one buffer, in the order they were met */
  #joinGroup(group) {
    if (goesWhole(group)) return this.#rewrite(group, 0, group[0].buffer.byteLength);
    // Otherwise only those that overlap.
    const sorted = [...group].sort((a, b) => a.from - b.from);
    for (let i = 0; i < sorted.length;) {
      let end = sorted[i].to;
      let next = i + 1;
      for (; next < sorted.length && sorted[next].from < end; next++) end = Math.max(end, sorted[next].to);
      if (next - i > 1) {
        const overlapping = new Set(sorted.slice(i, next));
        this.#rewrite(
          group.filter((one) => overlapping.has(one)),
          sorted[i].from,
          end,
        );
      }
      i = next;
    }
  }

  /** @param {Met[]} group @param {number} from @param {number} to */
  #rewrite(group, from, to) {
    const { buffer } = group[0];
    // Elements of 8 bytes must begin at a multiple of 8, as they did.
    const start = group.some(({ view }) => (view.BYTES_PER_ELEMENT ?? 1) > 1) ? from - (from % 8) : from;
    const copy = this.#copyOf(new Uint8Array(buffer, start, to - start));
    const shared = { number: -1 };
    group.forEach((one, i) => {
      const { entry, view } = one;
      one.attachment = i === 0 && copy.byteLength >= ATTACHMENT_BYTES ? copy : null;
      entry.splice(1, 3, 'view', entry[2], one.from - start, view.length ?? view.byteLength, -1);
      one.group = shared;
      if (i === 0) entry.push(one.attachment === null ? copy : -1);
    });
  }

  /**
   * @param {any[] | null} special of the message, whose byte arrays are joined
   * @returns {any[] | null} without the entries of small Buffers that share their memory with nothing in the message
   */
  without(special) {
    // Codecs give the same buffer for all empty arrays.
    const isAlone = (/** @type {Met} */ { entry, attachment, group, from, to }) =>
      group === null && attachment === null && entry[2] === 'Buffer' && to > from;
    const alone = new Set(this.#met.filter(isAlone).map(({ entry }) => entry));
    if (special === null || alone.size === 0) return special;
    return special.length === alone.size + 1 ? null : special.filter((entry) => !alone.has(entry));
  }

  /** @returns {Uint8Array[] | null} */
  #number() {
    /** @type {Uint8Array[] | null} */
    let attachments = null;
    let groups = 0;
    for (const { entry, attachment, group } of this.#met) {
      // The other side counts the buffers as it meets them.
      if (group !== null) {
        if (group.number < 0) group.number = groups++;
        entry[5] = group.number;
      }
      if (attachment !== null) entry[entry.length - 1] = (attachments ??= []).push(attachment) - 1;
    }
    return attachments;
  }
}

/** @param {Met[]} group */
function goesWhole(group) {
  const { buffer } = group[0];
  if (group.some(({ view }) => view === buffer)) return true;
  let bytes = 0;
  for (const { from, to } of group) bytes += to - from;
  const isPooled = isPool(buffer) && group.every(({ view }) => Buffer.isBuffer(view));
  return (
    !isPooled && buffer.byteLength <= Math.max(group.some(({ view }) => !Buffer.isBuffer(view)) ? WHOLE_BYTES : ATTACHMENT_BYTES, 4 * bytes)
  );
}

/**
 * @param {ArrayBufferLike} buffer
 * @returns {boolean} whether it is as large as the pools that Node cuts small Buffers from: since Node 26 somewhat larger than it says
 */
function isPool({ byteLength }) {
  return byteLength === Buffer.poolSize || byteLength === Buffer.allocUnsafe(1).buffer.byteLength;
}

exports.SharedBytes = SharedBytes;
exports.ATTACHMENT_BYTES = ATTACHMENT_BYTES;
