'use strict';

// Processor time that this program's replicas in processes have used, their starts included: to the machine it is used, to this program it
// is its own. In: their pids, as they come and go. Out: ms since the first look; none where the system does not tell.
// Source: proc(5), /proc/<pid>/stat, fields 14 and 15.

const { Buffer } = require('node:buffer');
const { closeSync, openSync, readSync } = require('node:fs');
const { Map, Set } = require('../engine');

/** A look costs 10 us a child; of a crowd what they were seen to do has to do. */
const MOST = 16;
/** What Linux counts in, on all platforms that Node has (USER_HZ). */
const TICK_MS = 10;
/** More than the fields up to those that count. */
const text = Buffer.alloc(512);

/** @type {Set<number>} pids */
const children = new Set();

/** @param {number | undefined} pid of a replica; undefined: it could not be started */
function noteChild(pid) {
  if (pid !== undefined) children.add(pid);
}

/** @param {number | undefined} pid */
function forgetChild(pid) {
  if (pid !== undefined) children.delete(pid);
}

class ChildTime {
  #pids;
  /** @type {Map<number, number>} ms that each of them has used */
  #known = new Map();
  #ms = 0;

  /** @param {ReadonlySet<number>} [pids] */
  constructor(pids = children) {
    this.#pids = pids;
  }

  /** @returns {number} ms that they have used, of those that have ended what was seen; NaN: not known, they are too many */
  read() {
    if (this.#pids.size > MOST) return NaN;
    const known = new Map();
    for (const pid of this.#pids) {
      const ms = usedBy(pid);
      if (ms === null) continue;
      this.#ms += ms - (this.#known.get(pid) ?? 0);
      known.set(pid, ms);
    }
    this.#known = known;
    return this.#ms;
  }
}

/** @param {number} pid @returns {number | null} ms on all cores, of all its threads; null: not told */
function usedBy(pid) {
  let file;
  try {
    file = openSync(`/proc/${pid}/stat`, 'r');
    const read = text.toString('latin1', 0, readSync(file, text, 0, text.length, 0));
    // What stands before it is the name of a program, which may hold anything.
    const fields = read.slice(read.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return ticks >= 0 ? ticks * TICK_MS : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

exports.ChildTime = ChildTime;
exports.forgetChild = forgetChild;
exports.noteChild = noteChild;
