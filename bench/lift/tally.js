'use strict';

// Adds up what was lifted. In: what processes left behind, what the dry runs said. Out: figures of an application, and where the two
// differ. Pure.

const path = require('node:path');

/**
 * @typedef {{file: string, line: number, column: number, call: string, reason: string}} Refusal
 *
 * @typedef {object} Record of one process
 * @property {{file: string, lifted: number, refused: number}[]} files absolute
 * @property {Refusal[]} refused
 * @property {{module: string, calls: number}[]} replicas
 *
 * @typedef {object} FileTally
 * @property {number} lifted call sites
 * @property {Map<string, Refusal>} refused by their place
 *
 * @typedef {{files: string[], lifted: {file: string}[], refused: Refusal[]}} DryRun files relative to the application
 */

/** What reasons of one kind have in common. */
const KINDS = /** @type {const} */ ([
  [/is not async$/, 'not async'],
  [/default value of a parameter/, 'default value'],
  [/top level/, 'top level'],
  [/class field|static block/, 'class body'],
  [/optional chain/, 'optional chain'],
  [/read before the wait/, 'update'],
]);

/** @param {string} reason @returns {string} its kind, in a word or two */
function kindOf(reason) {
  return KINDS.find(([pattern]) => pattern.test(reason))?.[1] ?? reason;
}

/** @param {Refusal} refusal */
const placeOf = ({ line, column, reason }) => `${line}:${column} ${reason}`;

/**
 * @param {Record[]} records
 * @param {string} folder of the application, absolute
 * @returns {Map<string, FileTally[]>} by file, relative to the folder; several where processes differ
 */
function talliesOf(records, folder) {
  /** @type {Map<string, FileTally[]>} */
  const found = new Map();
  for (const { files, refused } of records) {
    for (const { file, lifted } of files) {
      const relative = path.relative(folder, file).split(path.sep).join('/');
      if (relative.startsWith('../')) continue;
      const tally = { lifted, refused: new Map(refused.filter((one) => one.file === file).map((one) => [placeOf(one), one])) };
      const known = found.get(relative) ?? [];
      if (!known.some((other) => isSame(other, tally))) found.set(relative, [...known, tally]);
    }
  }
  return found;
}

/** @param {FileTally} one @param {FileTally} other */
function isSame(one, other) {
  return (
    one.lifted === other.lifted && one.refused.size === other.refused.size && [...one.refused.keys()].every((key) => other.refused.has(key))
  );
}

/**
 * @param {DryRun[]} dryRuns
 * @returns {Map<string, FileTally>} by file: those too that have no call of what is lifted
 */
function expectedOf(dryRuns) {
  /** @type {Map<string, FileTally>} */
  const found = new Map();
  for (const { files, lifted, refused } of dryRuns) {
    for (const file of files) {
      const own = refused.filter((one) => one.file === file);
      found.set(file, {
        lifted: lifted.filter((one) => one.file === file).length,
        refused: new Map(own.map((one) => [placeOf(one), one])),
      });
    }
  }
  return found;
}

/**
 * @param {Map<string, FileTally[]>} seen
 * @param {Map<string, FileTally>} expected
 * @returns {string[]} files of which a process says something else than the dry run does, or another process
 */
function differing(seen, expected) {
  return [...seen].filter(([file, tallies]) => tallies.some((one) => !isSame(one, expected.get(file) ?? tallies[0]))).map(([file]) => file);
}

/**
 * @param {Iterable<FileTally>} tallies
 * @returns {{files: number, sites: number, lifted: number, share: number | null, reasons: {[kind: string]: number}}}
 */
function sumOf(tallies) {
  /** @type {{[kind: string]: number}} */
  const reasons = {};
  let [files, lifted, refused] = [0, 0, 0];
  for (const tally of tallies) {
    files++;
    lifted += tally.lifted;
    refused += tally.refused.size;
    for (const { reason } of tally.refused.values()) reasons[kindOf(reason)] = (reasons[kindOf(reason)] ?? 0) + 1;
  }
  const sites = lifted + refused;
  return { files, sites, lifted, share: sites === 0 ? null : lifted / sites, reasons };
}

/** @param {Record[]} records @returns {{[module: string]: number}} calls that replicas answered */
function awayOf(records) {
  /** @type {{[module: string]: number}} */
  const calls = {};
  for (const { module, calls: count } of records.flatMap(({ replicas }) => replicas)) calls[module] = (calls[module] ?? 0) + count;
  return calls;
}

exports.talliesOf = talliesOf;
exports.expectedOf = expectedOf;
exports.differing = differing;
exports.sumOf = sumOf;
exports.awayOf = awayOf;
