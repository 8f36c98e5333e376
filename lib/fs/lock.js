'use strict';
/*
 * Who has a folder. In: the file that says it. Out: whether it is ours now. Whoever died without a word has it no longer: the file names a
 * process, and when it began where the system tells (Linux), so that another process of the same number is not taken for it. Of a process
 * in another container, or on another machine, nothing can be seen but that it touches its file twice a second: one that does not for long
 * is taken for dead. Whoever has it looks as often whether it is his yet.
 */
const fs = require('node:fs');
const process = require('node:process');
const { isGone, sinceOf, spaceOf } = require('../host/processes');
const { Map, clearInterval, performance, setInterval } = require('../engine');

const POLL_MS = 20;
/** Nobody takes so long to write one, or to take one away, ms. */
const OLD_MS = 5000;
/** So often it is touched, ms. */
const BEAT_MS = 500;
/** So long it may stand untouched where its process cannot be seen, ms. */
const SILENT_MS = 3000;
const LOOK_MS = 100;

/** What touches those that are ours, by file. @type {Map<string, NodeJS.Timeout>} */
const beats = new Map();
/** What somebody wrote who cannot be seen, and when he touched it last: since then he was waited for in vain. */
let waitedFor = '';

/** @param {string} file @returns {string | null} what it says; null: it is not there */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** @param {string} file @param {string} text of it @returns {number | null} the process that it names and that is alive */
function ownerIn(file, text) {
  const [pid, begin, space = ''] = text.split(' ');
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 0) return null;
  const isSeen = space === '' || space === spaceOf();
  return (isSeen ? !isGone({ pid: number, since: begin ?? '' }) : isTouched(file, text)) ? number : null;
}

/** @param {string} file @param {string} text of it @returns {string} another one whenever it is touched */
function touchOf(file, text) {
  return `${text} ${fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs}`;
}

/** Blocks. @param {string} file @param {string} text of it @returns {boolean} whether somebody touches it, or it is another one by now */
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

/** @param {string} file that is ours @param {(owner: number) => void} onTaken */
function keep(file, onTaken) {
  // Where nobody tells one container from another, nobody looks.
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
    fs.writeSync(made, ownText());
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
  return text !== null && (text === '' ? isOld(file) : ownerIn(file, text) === null);
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

/**
 * @param {string} file
 * @param {(owner: number) => void} [onTaken] it was ours, and is somebody else's now, as this process stood still for long
 * @returns {number | null} null: it is ours; else who has it
 * @throws {Error} of node:fs, where it cannot be made
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
