'use strict';
/*
 * Brings arguments of `fs` into the one form that nodes take. In: flags, modes, data, times, ranges of buffers, as a program gives them.
 * Out: numbers and bytes, or the error that Node's own `fs` throws.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const process = require('node:process');
const { Object } = require('../engine');

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_SYNC, O_TRUNC, O_WRONLY } = fs.constants;

/** @type {Readonly<Record<string, number>>} */
const FLAGS = Object.freeze(
  Object.assign(Object.create(null), {
    r: O_RDONLY,
    rs: O_RDONLY | O_SYNC,
    'r+': O_RDWR,
    'rs+': O_RDWR | O_SYNC,
    w: O_TRUNC | O_CREAT | O_WRONLY,
    wx: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
    'w+': O_TRUNC | O_CREAT | O_RDWR,
    'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
    a: O_APPEND | O_CREAT | O_WRONLY,
    ax: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
    as: O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
    'a+': O_APPEND | O_CREAT | O_RDWR,
    'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
    'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
    sr: O_RDONLY | O_SYNC,
    'sr+': O_RDWR | O_SYNC,
    xw: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
    'xw+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
    xa: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
    'xa+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
    sa: O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
    'sa+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
  }),
);

/** A path that cannot be opened: then only the other arguments can be wrong. */
const NOWHERE = path.join(os.devNull, 'nowhere');

/** The same as a descriptor: no system gives out such a number. */
const NO_FILE = 2 ** 31 - 1;

/** @param {() => void} ask calls Node's own function, with a path that leads nowhere @throws as Node does, unless only the path is wrong */
function checkOptions(ask) {
  try {
    ask();
  } catch (error) {
    if (/** @type {any} */ (error).syscall === undefined) throw error;
  }
}

/** @param {any} flags @param {string} usual @returns {number} @throws as Node does */
function flagsOf(flags, usual) {
  const given = flags ?? usual;
  if (typeof given === 'number') return given;
  const known = FLAGS[given];
  if (known !== undefined) return known;
  fs.closeSync(fs.openSync(NOWHERE, given));
  return O_RDONLY;
}

/** @param {any} mode @param {number} usual @returns {number} without the bits of the program's umask @throws as Node does */
function modeOf(mode, usual) {
  return permissionsOf(mode ?? usual) & ~process.umask();
}

/** @param {any} mode number, or octal text @returns {number} @throws as Node does */
function permissionsOf(mode) {
  if (typeof mode === 'number' && Number.isInteger(mode) && mode >= 0 && mode <= 0xffffffff) return mode & 0o7777;
  if (typeof mode === 'string' && /^[0-7]+$/.test(mode)) return Number.parseInt(mode, 8) & 0o7777;
  fs.chmodSync(NOWHERE, mode);
  return 0;
}

/** @param {any} data text or bytes @param {any} encoding @returns {Uint8Array | null} null: it is neither */
function bytesOf(data, encoding) {
  if (typeof data === 'string') return Buffer.from(data, encoding ?? 'utf8');
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : null;
}

/** @param {any} time Date, number of seconds, or such a number as text @returns {number} seconds @throws as Node does */
function secondsOf(time) {
  if (time instanceof Date) return time.getTime() / 1000;
  if (typeof time === 'number' && Number.isFinite(time)) return time < 0 ? Date.now() / 1000 : time;
  if (typeof time === 'string' && time.trim() !== '' && Number.isFinite(Number(time))) return Number(time);
  fs.utimesSync(NOWHERE, time, time);
  return 0;
}

/** @param {any} position @returns {number | null} null: where the file stands now */
function positionOf(position) {
  if (typeof position === 'bigint') return position < 0n ? null : Number(position);
  return typeof position === 'number' && position >= 0 ? position : null;
}

/**
 * @param {any} buffer @param {any} offset @param {any} length
 * @param {(fd: number, buffer: any, offset: any, length: any) => any} ask calls Node's own function, which says what is wrong with them
 * @returns {Uint8Array} the part that is meant @throws as Node does
 */
function rangeOf(buffer, offset, length, ask) {
  const whole = ArrayBuffer.isView(buffer) ? /** @type {Uint8Array} */ (bytesOf(buffer, undefined)) : new Uint8Array();
  const from = offset ?? 0;
  const count = length ?? whole.length - from;
  const isRight = Number.isInteger(from) && Number.isInteger(count) && from >= 0 && count >= 0 && from + count <= whole.length;
  if (!isRight || !ArrayBuffer.isView(buffer)) ask(NO_FILE, buffer, offset, length);
  return whole.subarray(from, from + count);
}

/**
 * @param {any} buffers
 * @param {(fd: number, buffers: any) => any} ask calls Node's own function, which says what is wrong with them
 * @returns {Uint8Array[]} @throws as Node does
 */
function wholesOf(buffers, ask) {
  if (!Array.isArray(buffers) || !buffers.every(ArrayBuffer.isView)) ask(NO_FILE, buffers);
  return buffers.map((/** @type {any} */ one) => bytesOf(one, undefined));
}

exports.NOWHERE = NOWHERE;
exports.bytesOf = bytesOf;
exports.checkOptions = checkOptions;
exports.flagsOf = flagsOf;
exports.modeOf = modeOf;
exports.permissionsOf = permissionsOf;
exports.positionOf = positionOf;
exports.rangeOf = rangeOf;
exports.secondsOf = secondsOf;
exports.wholesOf = wholesOf;
