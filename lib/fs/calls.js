'use strict';
/*
 * The functions of `fs` that take a path, each written once for all its forms: callback, promise, and blocking. In: arguments as the
 * program gave them, with the places of its paths. Out: steps; each is a request to nodes, whose answer it gets back; at last, what the
 * program gets. forms.js runs them.
 */
const fs = require('node:fs');
const path = require('node:path');
const { NOWHERE, bytesOf, checkOptions, flagsOf, modeOf, permissionsOf, secondsOf } = require('./arguments');
const { copyTree } = require('./copy');
const { openFile } = require('./descriptors');
const { excludedBelow, excludedIn, hasExcluded, isFolder } = require('./excluded');
const { refusal, saysOf } = require('./far-error');
const { textOf } = require('./places');
const { contentIn, encodingOf, entriesOf, nameIn, statfsOf, statsOf } = require('./results');

/** @typedef {import('./places').Place} Place */
/** @typedef {Generator<any, any, any>} Steps */

/**
 * Whether `throwIfNoEntry: false` counts depends on the version of Node, on the form, and on why nothing is there: so Node is asked.
 *
 * @type {Record<string, string>}
 */
const NOTHING = Object.freeze({ ENOENT: path.join(__dirname, 'nowhere'), ENOTDIR: path.join(__filename, 'nowhere') });

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** @param {Place} place @param {any} request @param {object} [names] what errors say @returns {any} a step */
function ask(place, request, names = {}) {
  const { courier, root, at, given } = place;
  return { courier, request: { path: at, ...request }, names: { root, at, path: given, ...names } };
}

/** @param {Place} place @param {any} request @param {object} [names] */
function write(place, request, names) {
  return ask(place, { ...request, isWrite: true }, names);
}

/** @param {Place} from @param {Place} to @param {any} request */
function write2(from, to, request) {
  return write(from, { ...request, to: to.at }, { to: to.given, toAt: to.at });
}

/** @param {Place} place @param {string} syscall @param {string} [dest] the root is a place that nobody can remove */
function notRoot(place, syscall, dest) {
  if (place.at === '') throw refusal('EBUSY', 'resource busy or locked', syscall, place.given, dest);
}

/**
 * Node's own folders in it (packages, a history) exist only in the root: other nodes would find their folder empty.
 *
 * @param {Place} place
 * @param {string} syscall
 * @param {string} [from]
 * @returns {Steps}
 */
function* notFull(place, syscall, from) {
  if (!(yield* isFolder(place)) || !(yield* hasExcluded(place))) return;
  const [given, dest] = from === undefined ? [place.given] : [from, place.given];
  throw refusal('ENOTEMPTY', 'directory not empty', syscall, given, dest);
}

/** The functions that take one path. @type {Record<string, (places: any[], ...args: any[]) => Steps>} */
const CALLS = {
  *access([place], _path, mode) {
    yield ask(place, { op: 'access', mode: mode ?? fs.constants.F_OK });
  },
  *readFile([place], _path, options) {
    const encoding = encodingOf(options);
    const flags = flagsOf(options?.flag, 'r');
    if ((flags & (fs.constants.O_CREAT | fs.constants.O_TRUNC)) !== 0)
      yield write(place, { op: 'create', flags, mode: modeOf(undefined, 0o666) });
    return contentIn(yield ask(place, { op: 'readFile', flag: 'r' }), encoding);
  },
  *writeFile([place], _path, data, options) {
    const bytes = /** @type {Uint8Array} */ (bytesOf(data, encodingOf(options)));
    yield write(
      place,
      { op: 'writeFile', data: bytes, flag: flagsOf(options?.flag, 'w'), mode: modeOf(options?.mode, 0o666) },
      { syscall: 'open' },
    );
  },
  *appendFile([place], _path, data, options) {
    const bytes = /** @type {Uint8Array} */ (bytesOf(data, encodingOf(options)));
    yield write(
      place,
      { op: 'writeFile', data: bytes, flag: flagsOf(options?.flag, 'a'), mode: modeOf(options?.mode, 0o666) },
      { syscall: 'open' },
    );
  },
  *open([place], _path, flags, mode) {
    const request = { op: 'open', flags: flagsOf(flags, 'r'), mode: modeOf(mode, 0o666) };
    return openFile(place, yield ask(place, request, { syscall: 'open' }));
  },
  *stat([place], _path, options) {
    return yield* statOf(place, options, false);
  },
  *lstat([place], _path, options) {
    return yield* statOf(place, options, true);
  },
  *statfs([place], _path, options) {
    return statfsOf(yield ask(place, { op: 'statfs' }), options?.bigint === true);
  },
  *readdir([place], _path, options) {
    const isRecursive = options?.recursive === true;
    const entries = yield ask(place, { op: 'readdir', isRecursive });
    const base = place.at.replace(/[/\\]$/, '');
    const isOwn = (/** @type {any[]} */ [, , parent]) => parent === base;
    const others = isRecursive ? yield* excludedBelow(place, entries) : excludedIn(place);
    return entriesOf(
      [...[...entries, ...others].filter(isOwn).sort(byName), ...[...entries, ...others].filter((entry) => !isOwn(entry))],
      { at: base, given: place.given },
      options,
    );
  },
  *readlink([place], _path, options) {
    return nameIn(yield ask(place, { op: 'readlink' }), encodingOf(options));
  },
  *realpath([place], _path, options) {
    return yield* realOf(place, options, false);
  },
  *'realpath.native'([place], _path, options) {
    return yield* realOf(place, options, true);
  },
  *mkdir([place], _path, options) {
    const { recursive = false, mode } = typeof options === 'object' && options !== null ? options : { mode: options };
    const first = yield write(place, { op: 'mkdir', isRecursive: recursive === true, mode: modeOf(mode, 0o777) });
    return first === undefined || first === null || !recursive ? undefined : path.join(place.root, first);
  },
  *mkdtemp([place], _prefix, options) {
    const encoding = encodingOf(options);
    for (;;) {
      const suffix = [...require('node:crypto').randomBytes(6)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
      const given = place.given + suffix;
      try {
        const names = { as: { syscall: 'mkdtemp', path: `${place.given}XXXXXX` } };
        yield write({ ...place, at: place.at + suffix }, { op: 'mkdir', isRecursive: false, mode: modeOf(0o700, 0o700) }, names);
        return nameIn(given, encoding);
      } catch (error) {
        if (/** @type {any} */ (error).code !== 'EEXIST') throw error;
      }
    }
  },
  *rmdir([place], _path, options) {
    notRoot(place, 'rmdir');
    if (options?.recursive) checkOptions(() => fs.rmdirSync(NOWHERE, options));
    else yield* notFull(place, 'rmdir');
    // As in Node's `rm`: a file stays, and something missing counts as missing.
    if (options?.recursive && (yield* ifFolder(place)) !== false) yield write(place, { op: 'rm', isRecursive: true, isForced: false });
    else yield write(place, { op: 'rmdir' });
  },
  *rm([place], _path, options) {
    notRoot(place, 'rm');
    yield write(place, { op: 'rm', isRecursive: options?.recursive === true, isForced: options?.force === true });
  },
  *unlink([place]) {
    yield write(place, { op: 'unlink' });
  },
  *truncate([place], _path, length) {
    yield write(place, { op: 'truncate', length: length ?? 0 });
  },
  *chmod([place], _path, mode) {
    yield write(place, { op: 'chmod', mode: permissionsOf(mode) });
  },
  *chown([place], _path, uid, gid) {
    yield write(place, { op: 'chown', uid, gid, isLink: false });
  },
  *lchown([place], _path, uid, gid) {
    yield write(place, { op: 'chown', uid, gid, isLink: true });
  },
  *utimes([place], _path, atime, mtime) {
    yield write(place, { op: 'utimes', atime: secondsOf(atime), mtime: secondsOf(mtime), isLink: false });
  },
  *lutimes([place], _path, atime, mtime) {
    yield write(place, { op: 'utimes', atime: secondsOf(atime), mtime: secondsOf(mtime), isLink: true });
  },
};

/** The functions that take two paths. @type {typeof CALLS} */
const PAIRS = {
  *rename([from, to], given, other) {
    if (from === null || to === null) throw refusal('EXDEV', 'cross-device link not permitted', 'rename', String(given), String(other));
    notRoot(from, 'rename', to.given);
    notRoot(to, 'rename', to.given);
    if (yield* isFolder(from)) yield* notFull(to, 'rename', from.given);
    yield write2(from, to, { op: 'rename' });
  },
  *copyFile([from, to], given, other, mode = 0) {
    if (from !== null && to !== null) return void (yield write2(from, to, { op: 'copyFile', mode }));
    try {
      yield* copyAcross(from, to, [given, other], (mode & fs.constants.COPYFILE_EXCL) !== 0);
    } catch (error) {
      throw copyError(error, nameOf(given), nameOf(other));
    }
    return undefined;
  },
  *cp([from, to], given, other, options) {
    yield* copyTree({ from, to, given: nameOf(given), other: nameOf(other), options });
  },
  // eslint-disable-next-line require-yield
  *link(_places, given, other) {
    throw refusal('ENOTSUP', 'operation not supported on socket', 'link', String(given), String(other));
  },
  *symlink([, place], target, _path, type) {
    const text = nameOf(target);
    yield write(place, { op: 'symlink', target: text, type: type ?? null }, { as: { path: text, dest: place.given } });
  },
};

/**
 * One of the two places may be null: it is outside.
 *
 * @param {Place | null} from
 * @param {Place | null} to
 * @param {any[]} args
 * @param {boolean} isExclusive
 * @returns {Steps}
 */
function* copyAcross(from, to, [given, other], isExclusive) {
  const flag = isExclusive ? 'wx' : 'w';
  const permissions = yield from === null ? { plain: 'stat', args: [given] } : ask(from, { op: 'stat', isLink: false });
  const data = yield from === null ? { plain: 'readFile', args: [given] } : ask(from, { op: 'readFile', flag: 'r' });
  const allowed = Number(Array.isArray(permissions) ? permissions[1] : permissions.mode) & 0o7777;
  if (to === null) {
    yield { plain: 'writeFile', args: [other, data, { flag, mode: allowed }] };
    yield { plain: 'chmod', args: [other, allowed] };
  } else {
    yield write(to, { op: 'writeFile', data, flag: flagsOf(flag, 'w'), mode: allowed }, { syscall: 'copyfile' });
    yield write(to, { op: 'chmod', mode: allowed }, { syscall: 'copyfile' });
  }
}

/** @param {any} error of one of its steps @param {string} from @param {string} to @returns {any} the same for the whole call */
function copyError(error, from, to) {
  if (error.outside !== undefined || error.syscall === undefined) return error;
  const said = refusal(error.code, saysOf(error), 'copyfile', from, to);
  return Object.assign(said, { errno: error.errno }, error.cause === undefined ? {} : { cause: error.cause });
}

/** @param {Place} place @param {any} options @param {boolean} isLink @returns {Steps} */
function* statOf(place, options, isLink) {
  try {
    return statsOf(yield ask(place, { op: 'stat', isLink }), options?.bigint === true);
  } catch (error) {
    const { [/** @type {any} */ (error).code]: nowhere } = NOTHING;
    if (options?.throwIfNoEntry !== false || nowhere === undefined) throw error;
    try {
      return yield { plain: isLink ? 'lstat' : 'stat', args: [nowhere, options] };
    } catch {
      throw error;
    }
  }
}

/** @param {Place} place @returns {Generator<any, boolean | null, any>} whether it is a folder, no link to one; null: nothing is there */
function* ifFolder(place) {
  try {
    return statsOf(yield ask(place, { op: 'stat', isLink: true }), false).isDirectory();
  } catch {
    return null;
  }
}

/** @param {Place} place @param {any} options @param {boolean} isNative */
function* realOf(place, options, isNative) {
  const { below, outside } = yield ask(place, { op: 'realpath', isNative });
  return nameIn(outside ?? (below === '' ? place.realRoot : path.join(place.realRoot, below)), encodingOf(options));
}

/** @param {any} file it may be a path, as facade.js has found out @returns {string} */
function nameOf(file) {
  return textOf(file) ?? String(file);
}

/** @param {any[]} one @param {any[]} other */
function byName([one], [other]) {
  return one < other ? -1 : 1;
}

exports.CALLS = CALLS;
exports.PAIRS = PAIRS;
exports.ask = ask;
exports.write = write;
