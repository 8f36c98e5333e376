'use strict';
/*
 * Which replicas take more memory than their recipe allows (`memoryMb`). Pure: in, replicas as they are; out, the one to replace next. A
 * replica that took as much when it had just become ready is left alone: another would take as much.
 */

const MB = 1024 * 1024;
/** It must also take this many times what it took when it was ready. */
const GROWN = 1.5;

/**
 * @template {{rssBytes: number | null, baseBytes: number | null}} T
 * @param {T[]} replicas
 * @param {number} [memoryMb]
 * @returns {T | undefined} the largest of those that are too large
 */
function overMemory(replicas, memoryMb = Infinity) {
  const isOver = (/** @type {T} */ { rssBytes, baseBytes }) =>
    rssBytes !== null && baseBytes !== null && rssBytes > memoryMb * MB && rssBytes > GROWN * baseBytes;
  const over = memoryMb === Infinity ? [] : replicas.filter(isOver);
  return over.sort((a, b) => Number(b.rssBytes) - Number(a.rssBytes))[0];
}

exports.overMemory = overMemory;
exports.MB = MB;
