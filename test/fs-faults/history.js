'use strict';
/*
 * Histories of reads and writes of one path, and whether they can be explained. In: operations with the times when they began and ended,
 * and what they gave. Out: whether there is an order of all of them, each at one moment between its begin and its end, in which every read
 * gives what was written last (Wing and Gong 1993, with the memory of Lowe 2017). A write whose end nobody heard of may have happened at
 * any time after its begin, or never.
 */

/**
 * @typedef {{kind: 'read' | 'write', value: string | null, began: number, ended: number}} Operation ended: Infinity where nobody heard of
 *   it
 */

/**
 * @param {Operation[]} operations at most 30 or so
 * @param {string | null} first what was there before
 * @returns {boolean}
 */
function isLinearizable(operations, first) {
  const sorted = [...operations].sort((a, b) => a.began - b.began);
  const full = (1n << BigInt(sorted.length)) - 1n;
  const seen = new Set();
  const search = (done, value) => {
    // What nobody heard of need not have happened.
    if (sorted.every((operation, i) => (done >> BigInt(i)) & 1n || operation.ended === Infinity)) return true;
    if (done === full) return true;
    const key = `${done} ${value}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const open = sorted.map((operation, i) => ({ operation, i })).filter(({ i }) => !((done >> BigInt(i)) & 1n));
    const earliestEnd = Math.min(...open.map(({ operation }) => operation.ended));
    for (const { operation, i } of open) {
      // One that began after another had ended cannot come before it.
      if (operation.began > earliestEnd) continue;
      if (operation.kind === 'read' && operation.value !== value) continue;
      if (search(done | (1n << BigInt(i)), operation.kind === 'write' ? operation.value : value)) return true;
    }
    return false;
  };
  return search(0n, first);
}

exports.isLinearizable = isLinearizable;
