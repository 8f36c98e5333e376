'use strict';
/*
 * Who has a folder. In: the file that says it. Out: whether it is ours now. Whoever died without a word has it no longer: the file names a process, and when it began where
 * the system tells (Linux), so that another process of the same number is not taken for it.
 */
const fs = require('node:fs');
const process = require('node:process');
const { performance } = require('../engine');

const POLL_MS = 20;
/** Nobody takes so long to write one, or to take one away, ms. */
const OLD_MS = 5000;

/** @param {number} pid @returns {string} when that process began, in the system's own count; '' where it does not tell */
function beginOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? '';
  } catch {
    return '';
  }
}

/** @param {number} pid @param {string} begin when it began; '' where that is not known @returns {boolean} whether that process is there */
function isAlive(pid, begin) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {any} */ (error).code === 'ESRCH') return false;
  }
  return begin === '' || begin === beginOf(pid);
}

/** @param {string} file @returns {string | null} what it says; null: it is not there */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** @param {string} text of a lock @returns {number | null} the process that it names and that is alive */
function ownerIn(text) {
  const [pid, begin] = text.split(' ');
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 0) return null;
  return isAlive(number, begin) ? number : null;
}

/** @param {string} file @returns {boolean} whether it was not there, and is ours now */
function make(file) {
  let made;
  try {
    made = fs.openSync(file, 'wx');
  } catch (error) {
    if (/** @type {any} */ (error).code === 'EEXIST') return false;
    throw error;
  }
  try {
    fs.writeSync(made, `${process.pid} ${beginOf(process.pid)}`);
    return true;
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw error;
  } finally {
    fs.closeSync(made);
  }
}

/** @param {string} place @returns {boolean} whether it is there for longer than anybody takes who makes it */
function isOld(place) {
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  // Of a clock that was set back nobody waits for the time.
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > OLD_MS;
}

/** @param {string} file @returns {boolean} whether nobody has it: whoever made it is dead; what says nothing yet is being written */
function isStale(file) {
  const text = read(file);
  return text !== null && (text === '' ? isOld(file) : ownerIn(text) === null);
}

/**
 * Of all who find it stale one at a time takes it away, and looks again before: it may be the new one of somebody who was quicker.
 *
 * @param {string} file
 * @throws {Error} of node:fs, where nobody can
 */
function takeAway(file) {
  const turn = `${file}.taking`;
  try {
    fs.mkdirSync(turn);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'EEXIST') throw error;
    // Whoever had the turn was killed in it.
    if (isOld(turn)) fs.rmSync(turn, { recursive: true, force: true });
    return;
  }
  try {
    if (isStale(file)) fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(turn, { recursive: true, force: true });
  }
}

/** @param {string} file @returns {number | null} null: it is ours; else who has it @throws {Error} of node:fs, where it cannot be made */
function tryLock(file) {
  for (;;) {
    if (make(file)) return null;
    const text = read(file);
    const owner = text === null ? null : ownerIn(text);
    if (owner !== null) return owner;
    if (isStale(file)) takeAway(file);
    else pause(1);
  }
}

/** @param {number} ms */
function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Blocks until it is ours. @param {string} file @param {number} patienceMs @returns {number | null} as tryLock */
function lock(file, patienceMs) {
  const end = performance.now() + patienceMs;
  for (;;) {
    const owner = tryLock(file);
    if (owner === null || performance.now() > end) return owner;
    pause(POLL_MS);
  }
}

/** @param {string} file that is ours */
function unlock(file) {
  fs.rmSync(file, { force: true });
}

exports.beginOf = beginOf;
exports.isAlive = isAlive;
exports.lock = lock;
exports.tryLock = tryLock;
exports.unlock = unlock;
