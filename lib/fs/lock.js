'use strict';
/*
 * Who owns a folder. In: the file that says it. Out: whether it is ours now. Whoever died without a word owns it no longer: the file names
 * a process and, if the system tells (Linux), when that began, so that another process with the same number is not mistaken for it. Of a
 * process in another container, or on another machine, we only see that it touches its file twice a second: after long silence it counts as
 * dead. The owner checks as often whether the folder is still its own.
 */
const fs = require('node:fs');
const process = require('node:process');
const { isGone, sinceOf, spaceOf } = require('../host/processes');
const { Map, clearInterval, performance, setInterval } = require('../engine');

const POLL_MS = 20;
/** Nobody takes this long to write such a file, or to remove one, ms. */
const OLD_MS = 5000;
/** How often it is touched, ms. */
const BEAT_MS = 500;
/** How long it may stay untouched if its process cannot be seen, ms. */
const SILENT_MS = 3000;
const LOOK_MS = 100;

/** Touches ours, by file. @type {Map<string, NodeJS.Timeout>} */
const beats = new Map();
/** What an owner wrote that cannot be seen, and its last touch: we have waited in vain for another since. */
let waitedFor = '';

/** @param {string} file @returns {string | null} what it says; null: there is none */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** @param {string} file @param {string} text its contents @returns {number | null} the living process that it names */
function ownerIn(file, text) {
  const [pid, begin, space = ''] = text.split(' ');
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 0) return null;
  const isSeen = space === '' || space === spaceOf();
  return (isSeen ? !isGone({ pid: number, since: begin ?? '' }) : isTouched(file, text)) ? number : null;
}

/** @param {string} file @param {string} text its contents @returns {string} changes whenever it is touched */
function touchOf(file, text) {
  return `${text} ${fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs}`;
}

/** Blocks. @param {string} file @param {string} text its contents @returns {boolean} whether somebody touches it, or it has changed */
function isTouched(file, text) {
  const before = touchOf(file, text);
  if (before === waitedFor) return false;
  for (const end = performance.now() + SILENT_MS; performance.now() < end; pause(LOOK_MS))
    if (touchOf(file, read(file) ?? '') !== before) return true;
  waitedFor = before;
  return false;
}

/** @returns {string} */
function ownText() {
  return `${process.pid} ${sinceOf(process.pid)} ${spaceOf()}`;
}

/** @param {string} file ours @param {(owner: number) => void} onTaken */
function keep(file, onTaken) {
  // If nobody can tell one container from another, nobody looks.
  if (spaceOf() === '') return;
  const own = ownText();
  const touch = () => {
    const text = read(file);
    const now = new Date();
    if (text === own) return fs.utimes(file, now, now, () => {});
    // It is gone, or somebody is about to write it.
    if (text === null || text === '') return;
    clearInterval(beats.get(file));
    beats.delete(file);
    onTaken(Number(text.split(' ')[0]));
  };
  beats.set(file, setInterval(touch, BEAT_MS).unref());
}

/** @param {string} file @returns {boolean} whether it was missing, and is ours now */
function make(file) {
  let made;
  try {
    made = fs.openSync(file, 'wx');
  } catch (error) {
    if (/** @type {any} */ (error).code === 'EEXIST') return false;
    throw error;
  }
  try {
    fs.writeSync(made, ownText());
    return true;
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw error;
  } finally {
    fs.closeSync(made);
  }
}

/** @param {string} place @returns {boolean} whether it has been there longer than anybody takes to make it */
function isOld(place) {
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  // Do not wait for a clock that was set back.
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > OLD_MS;
}

/** @param {string} file @returns {boolean} whether nobody owns it: whoever made it is dead; an empty one is being written */
function isStale(file) {
  const text = read(file);
  return text !== null && (text === '' ? isOld(file) : ownerIn(file, text) === null);
}

/**
 * Of all who find it stale, one at a time removes it, after another look: it may be the new one of somebody who was faster.
 *
 * @param {string} file
 * @throws {Error} an error of node:fs when nobody can
 */
function takeAway(file) {
  const turn = `${file}.taking`;
  try {
    fs.mkdirSync(turn);
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'EEXIST') throw error;
    // Whoever had the turn was killed during it.
    if (isOld(turn)) fs.rmSync(turn, { recursive: true, force: true });
    return;
  }
  try {
    if (isStale(file)) fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(turn, { recursive: true, force: true });
  }
}

/**
 * @param {string} file
 * @param {(owner: number) => void} [onTaken] it was ours and belongs to somebody else now, since this process stood still for too long
 * @returns {number | null} null: it is ours; otherwise who owns it
 * @throws {Error} an error of node:fs when it cannot be made
 */
function tryLock(file, onTaken = () => {}) {
  for (;;) {
    if (make(file)) {
      keep(file, onTaken);
      return null;
    }
    const text = read(file);
    const owner = text === null ? null : ownerIn(file, text);
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

/** @param {string} file that was ours */
function unlock(file) {
  clearInterval(beats.get(file));
  beats.delete(file);
  if (read(file) === ownText()) fs.rmSync(file, { force: true });
}

exports.lock = lock;
exports.tryLock = tryLock;
exports.unlock = unlock;
