'use strict';
/*
 * Errors of a file system elsewhere. In: an error of a node, as plain data. Out: the error that Node's own file system would have thrown
 * here: same code, errno, syscall, path and message. An error of Ignis's own (a node that is gone) is an EIO whose cause says so.
 */
const os = require('node:os');
const path = require('node:path');
const { IgnisError } = require('../errors');

/**
 * @typedef {object} FarError
 * @property {string} code
 * @property {string} message
 * @property {string} [name] of its class, if that is not Error
 * @property {number} [errno]
 * @property {string} [syscall]
 * @property {string} [path] relative to the root
 * @property {string} [dest] relative to the root
 * @property {string} [says] what its message says for the code
 * @property {{detail: string, ran: 'no' | 'maybe'}} [lost]
 * @property {{path?: string, to?: string}} [outside] which of the paths lead out of the root, and where to
 * @property {string[]} [holders] who has the contents, if the asked node does not
 */

/** Stands for the path in messages with Node's own words. */
const PATH = '\0path\0';

/** @param {any} error @param {(real: string) => string | null} relative @returns {FarError} */
function packError(error, relative) {
  const { code = 'EIO', message, errno, syscall, name, holders, outside } = error;
  if (holders !== undefined) return { code, message, holders };
  if (outside !== undefined) return { code, message, outside };
  if (syscall === undefined || typeof errno !== 'number') return { code, message: String(message), name };
  const says = /^[A-Z0-9]+: (.*?), /.exec(message)?.[1];
  // Messages in Node's own words (ERR_FS_EISDIR) name the path somewhere within.
  const told = says === undefined ? { message: message.replaceAll(error.path ?? PATH, PATH), name } : { message, says };
  const packed = /** @type {FarError} */ ({ code, errno, syscall, ...told });
  for (const field of /** @type {const} */ (['path', 'dest'])) {
    if (typeof error[field] === 'string') packed[field] = relative(error[field]) ?? error[field];
  }
  return packed;
}

/** @param {any} error of a file system @returns {string} what its message says for its code */
function saysOf({ message, code }) {
  return /^\w+: (.*?), /.exec(message)?.[1] ?? code;
}

/** @param {string} code @param {string} says @returns {FarError} */
function fault(code, says) {
  return { code, message: says, errno: -(/** @type {any} */ (os.constants.errno)[code]), says };
}

/** @param {string} detail @param {'no' | 'maybe'} ran @returns {FarError} */
function lostError(detail, ran) {
  return { code: 'EIO', message: '', errno: -os.constants.errno.EIO, says: 'i/o error', lost: { detail, ran } };
}

/**
 * @param {FarError} packed
 * @param {object} names
 * @param {string} names.root
 * @param {string} [names.syscall] if the node told none
 * @param {string} [names.path] as the program gave it
 * @param {string} [names.at] the same, relative to the root
 * @param {string} [names.to] the second one, as the program gave it
 * @param {string} [names.toAt]
 * @returns {Error}
 */
function unpackError(packed, names) {
  const { code, errno, lost, says } = packed;
  if (says === undefined || errno === undefined) return plainError(packed, names);
  const syscall = packed.syscall ?? names.syscall ?? 'open';
  const given = lost === undefined ? packed.path : names.at;
  const path = given === undefined ? undefined : named(given, names);
  const other = lost === undefined ? packed.dest : names.toAt;
  const dest = other === undefined ? undefined : named(other, names);
  return systemError({ code, errno, says, syscall, path, dest, lost });
}

/** @param {{code: string, errno: number, says: string, syscall: string, path?: string, dest?: string, lost?: FarError['lost']}} said */
function systemError({ code, errno, says, syscall, path: file, dest, lost }) {
  const where = `${file === undefined ? '' : ` '${file}'`}${dest === undefined ? '' : ` -> '${dest}'`}`;
  const cause = lost === undefined ? undefined : new IgnisError('IGNIS_REPLICA_LOST', lost.detail, { ran: lost.ran });
  const error = /** @type {any} */ (new Error(`${code}: ${says}, ${syscall}${where}`, ...(cause === undefined ? [] : [{ cause }])));
  error.errno = errno;
  error.code = code;
  error.syscall = syscall;
  if (file !== undefined) error.path = file;
  if (dest !== undefined) error.dest = dest;
  return error;
}

/** @param {FarError} packed an error that Node made itself (ERR_FS_EISDIR) @param {{root: string, path?: string, at?: string}} names */
function plainError({ code, message, name, errno, syscall, path: relative }, names) {
  const Class = /** @type {any} */ ({ TypeError, RangeError })[name ?? ''] ?? Error;
  const given = relative === undefined ? undefined : named(relative, names);
  const error = new Class(message.replaceAll(PATH, () => given ?? ''));
  error.code = code;
  if (name !== undefined && name !== error.name) error.name = name;
  if (errno !== undefined) Object.assign(error, { errno, syscall }, given === undefined ? {} : { path: given });
  return error;
}

/** @param {string} relative @param {{root: string, path?: string, at?: string, to?: string, toAt?: string}} names */
function named(relative, { root, path: given, at, to, toAt }) {
  if (given !== undefined && relative === at) return given;
  if (to !== undefined && relative === toAt) return to;
  return path.isAbsolute(relative) ? relative : relative === '' ? root : path.join(root, relative);
}

/**
 * @param {string} code ENOTSUP, EXDEV, EBUSY, EBADF, ESTALE
 * @param {string} says
 * @param {string} syscall
 * @param {string} [file] as the program gave it
 * @param {string} [dest]
 */
function refusal(code, says, syscall, file, dest) {
  return systemError({ code, errno: -(/** @type {any} */ (os.constants.errno)[code] ?? 1), says, syscall, path: file, dest });
}

exports.fault = fault;
exports.lostError = lostError;
exports.packError = packError;
exports.refusal = refusal;
exports.saysOf = saysOf;
exports.unpackError = unpackError;
