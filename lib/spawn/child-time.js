'use strict';

// Processor time used by this program's replicas in processes, including their starts: for the machine this time is used, for this program
// it is its own. In: their pids, as they come and go. Out: ms since the first look; nothing if the system does not tell. Source: proc(5),
// /proc/<pid>/stat, fields 14 and 15.

const { Buffer } = require('node:buffer');
const { closeSync, openSync, readSync } = require('node:fs');
const { Map, Set } = require('../engine');

/** Looking at one child costs 10 us. If there are more than this, only what was seen before counts. */
const MOST = 16;
/** The unit Linux counts in, on all platforms of Node (USER_HZ). */
const TICK_MS = 10;
/** More than the fields up to those we need. */
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
  /** @type {Map<number, number>} ms used by each */
  #known = new Map();
  #ms = 0;

  /** @param {ReadonlySet<number>} [pids] */
  constructor(pids = children) {
    this.#pids = pids;
  }

  /** @returns {number} ms they have used; for ended ones, what was last seen; NaN: unknown, there are too many */
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

/** @param {number} pid @returns {number | null} ms on all cores, of all its threads; null: unknown */
function usedBy(pid) {
  let file;
  try {
    file = openSync(`/proc/${pid}/stat`, 'r');
    const read = text.toString('latin1', 0, readSync(file, text, 0, text.length, 0));
    // Before these stands the name of a program, which may contain anything.
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
