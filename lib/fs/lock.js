'use strict';
/*
 * Who has a folder. In: the file that says it. Out: whether it is ours now. Whoever died without a word has it no longer: the file names a process, and when it began where
 * the system tells (Linux), so that another process of the same number is not taken for it.
 */
const fs = require('node:fs');
const process = require('node:process');

const POLL_MS = 20;

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

/** @param {string} file @returns {number | null} the process that has it and is alive */
function ownerOf(file) {
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  const [pid, begin] = text.split(' ');
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 0) return null;
  return isAlive(number, begin) ? number : null;
}

/** @param {string} file @returns {number | null} null: it is ours; else who has it */
function tryLock(file) {
  for (;;) {
    try {
      fs.writeFileSync(file, `${process.pid} ${beginOf(process.pid)}`, { flag: 'wx' });
      return null;
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'EEXIST') throw error;
    }
    const owner = ownerOf(file);
    if (owner !== null) return owner;
    // By way of a name of our own, so that of two who find it stale only one takes it away.
    const stale = `${file}.${process.pid}`;
    try {
      fs.renameSync(file, stale);
      fs.rmSync(stale, { force: true });
    } catch {
      // Somebody was quicker.
    }
  }
}

/** Blocks until it is ours. @param {string} file @param {number} patienceMs @returns {number | null} as tryLock */
function lock(file, patienceMs) {
  const end = Date.now() + patienceMs;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const owner = tryLock(file);
    if (owner === null || Date.now() > end) return owner;
    Atomics.wait(sleeper, 0, 0, POLL_MS);
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
