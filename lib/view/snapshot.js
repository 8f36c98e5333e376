'use strict';

// The report: everything known about a program's boundaries, decisions and replicas, as one plain record. In: records of the other rooms.
// Out: a Report (lib/types.d.ts), and a file of it. Building is pure. Writing is synchronous, since it happens when the program ends, and a
// reader never sees half a file.

const {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { dirname, resolve } = require('node:path');
const { makeFolder } = require('../host/folder');
const { inDigits } = require('./figures');
const { sentenceFor } = require('./sentence');
const { JSON, Math, Object } = require('../engine');

/**
 * @typedef {import('../types').Report} Report
 * @typedef {import('../types').BoundaryReport} BoundaryReport
 * @typedef {import('../types').FunctionReport} FunctionReport
 * @typedef {import('../types').Decision} Decision
 * @typedef {import('../types').ReplicaReport} ReplicaReport
 * @typedef {import('../profile/totals').Totals} Totals
 * @typedef {object} BoundaryRecord what the rooms know of one boundary
 * @property {string} id
 * @property {{name: string}} parent
 * @property {{name: string, kind?: string}} child
 * @property {string} [setName] of its replica set; usually the name of the module
 * @property {Totals | null} totals null: nothing was ever counted
 * @property {{callsPerSecond: number, share: number, inclusiveMs?: number, windowMs: number} | null} reading null: not used in the last
 *   window
 * @property {number} pressure
 * @property {number} [weight] of its recipe; 1
 * @property {string | null} [calledAt] file and line of its first long call
 * @property {boolean} [isPartlySeen] only calls of functions that its recipe names are seen
 * @property {{allowed: boolean, why?: string, hasDiffered?: boolean, isSaid?: boolean, isAsked?: boolean}} permission isSaid: a recipe says
 *   yes or no, so it does not stay for lack of one; isAsked: it asks for a replica, whatever the load
 * @property {{ready: number, wanted: number} | null} set of its module
 * @typedef {object} ProgramRecord
 * @property {string} ignis version
 * @property {string} node version
 * @property {number} cpus
 * @property {number} pid
 * @property {string} program path
 * @property {number} startedAt ms since the epoch
 * @property {number} writtenAt ms since the epoch
 * @property {{utilisation: number, delayMs: number | null}} loop
 */

/** Version of the report's schema; rises when a field changes its meaning or is removed. */
const SCHEMA = 1;

/** @type {import('../types').LiftReport} */
const NO_LIFT = Object.freeze({ lifted: 0, refused: [], files: [] });

/** @type {Totals} */
const NO_TOTALS = Object.freeze({
  calls: 0,
  failures: 0,
  exclusiveMs: 0,
  inclusiveMs: 0,
  pending: 0,
  completions: 0,
  latencyMs: 0,
  maxMs: 0,
  p50Ms: 0,
  p99Ms: 0,
  functions: {},
});

/**
 * @param {object} given
 * @param {ProgramRecord} given.program
 * @param {BoundaryRecord[]} given.boundaries
 * @param {import('../types').Busiest | null} [given.busiest] null: no call was seen
 * @param {import('../types').Prospect[]} [given.prospects]
 * @param {import('../types').PathReport[]} [given.paths] the most expensive first
 * @param {Decision[]} given.decisions oldest first
 * @param {ReplicaReport[]} given.replicas
 * @param {import('../types').Moment[]} [given.timeline] oldest first
 * @param {import('../types').LiftReport} [given.lift]
 * @param {string[]} [given.warnings] what has no effect in recipes
 * @returns {Report} boundaries by pressure, then by the time they took
 */
function buildReport({
  program,
  boundaries,
  busiest = null,
  prospects = [],
  paths = [],
  decisions,
  replicas,
  timeline = [],
  lift = NO_LIFT,
  warnings = [],
}) {
  return {
    schema: SCHEMA,
    ignis: program.ignis,
    node: program.node,
    cpus: program.cpus,
    pid: program.pid,
    program: program.program,
    startedAt: new Date(program.startedAt).toISOString(),
    writtenAt: new Date(program.writtenAt).toISOString(),
    loop: { utilisation: program.loop.utilisation, delayMs: program.loop.delayMs },
    boundaries: boundaryReports(boundaries),
    busiest,
    prospects,
    paths,
    decisions,
    replicas,
    timeline,
    lift,
    warnings,
  };
}

/**
 * @param {BoundaryRecord[]} records
 * @returns {BoundaryReport[]} most pressed first; then by the time they took, then by name
 */
function boundaryReports(records) {
  return records.map(boundaryReport).sort((a, b) => b.pressure - a.pressure || b.exclusiveMs - a.exclusiveMs || (a.id < b.id ? -1 : 1));
}

/** @param {BoundaryRecord} record @returns {BoundaryReport} */
function boundaryReport(record) {
  const { id, parent, child, setName = child.name, reading, pressure, weight = 1, permission, set, calledAt = null, isPartlySeen } = record;
  const totals = record.totals ?? NO_TOTALS;
  const { calls, completions } = totals;
  // All calls may have gone to replicas.
  const isTimed = wasTimed(totals);
  const described = {
    totals,
    share: reading?.share ?? 0,
    shareWithin: reading ? Math.min(1, (reading.inclusiveMs ?? 0) / reading.windowMs) : 0,
    isAllowed: permission.allowed,
    why: permission.why,
    hasDiffered: permission.hasDiffered,
    isPartlySeen,
    isSaid: permission.isSaid,
    isAsked: permission.isAsked,
    replicas: set?.ready ?? 0,
    wanted: set?.wanted ?? 0,
    isBuiltin: child.kind === 'builtin',
    calledAt,
  };
  return {
    id,
    parent: parent.name,
    child: child.name,
    set: setName,
    kinds: Object.fromEntries(Object.entries(totals.functions).map(([path, { kind }]) => [path, asKind(kind)])),
    calls,
    callsPerSecond: reading?.callsPerSecond ?? 0,
    failures: totals.failures,
    exclusiveMs: totals.exclusiveMs,
    inclusiveMs: totals.inclusiveMs,
    share: described.share,
    pending: totals.pending,
    meanMs: isTimed ? totals.exclusiveMs / calls : null,
    p50Ms: isTimed ? totals.p50Ms : null,
    p99Ms: isTimed ? totals.p99Ms : null,
    maxMs: isTimed ? totals.maxMs : null,
    latencyMs: completions > 0 ? totals.latencyMs : null,
    pressure,
    weight,
    calledAt,
    state: stateOf(permission.allowed, described.replicas, described.wanted),
    replicas: described.replicas,
    whyDeclined: permission.allowed ? null : (permission.why ?? null),
    sentence: sentenceFor(described),
    functions: Object.fromEntries(Object.entries(totals.functions).map(([path, one]) => [path, functionReport(one)])),
  };
}

/** @param {import('../profile/totals').FunctionTotals} one of a function that was called @returns {FunctionReport} */
function functionReport(one) {
  const { calls, failures, exclusiveMs, inclusiveMs, pending, p50Ms, p99Ms, maxMs } = one;
  const isTimed = wasTimed(one);
  return {
    kind: asKind(one.kind),
    calls,
    failures,
    exclusiveMs,
    inclusiveMs,
    pending,
    p50Ms: isTimed ? p50Ms : null,
    p99Ms: isTimed ? p99Ms : null,
    maxMs: isTimed ? maxMs : null,
    latencyMs: one.completions > 0 ? one.latencyMs : null,
    argBytes: one.argBytes > 0 ? one.argBytes : null,
    resultBytes: one.resultBytes > 0 ? one.resultBytes : null,
    oneway: one.lost === null ? null : { lost: one.lost },
    stayed: one.stayed,
    kept: one.kept,
    whyBound: one.whyBound || null,
  };
}

/**
 * @param {{maxMs: number, exclusiveMs: number}} totals
 * @returns {boolean} whether a call ran at home: otherwise what is known of its time is 0
 */
function wasTimed({ maxMs, exclusiveMs }) {
  return maxMs > 0 || exclusiveMs > 0;
}

/** @param {string} kind @returns {import('../types').CallKind} */
function asKind(kind) {
  return /** @type {import('../types').CallKind} */ (kind);
}

/** @param {boolean} isAllowed @param {number} ready @param {number} wanted @returns {BoundaryReport['state']} */
function stateOf(isAllowed, ready, wanted) {
  if (ready > 0) return 'distributed';
  if (wanted > 0) return 'starting';
  return isAllowed ? 'home' : 'declined';
}

/** Names of files that are already open: others also write to the file behind them. */
const OPEN_ALREADY = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Writes a report beside its place and moves it there, so that a reader sees either the old file or the new one. Makes the folder. A link
 * stays a link: its target is replaced. What is no file (a pipe, a terminal, a device) is written to. Works in an 'exit' listener.
 *
 * @param {string} file
 * @param {Report} report
 * @throws {Error} an error of node:fs when it cannot be written; nothing is left behind then
 */
function writeReport(file, report) {
  const text = `${JSON.stringify(report, inDigits(6), 2)}\n`;
  const named = resolve(file);
  // With bigints for the reason given in view/run-folder.js: this may be a pipe.
  const found = statSync(named, { throwIfNoEntry: false, bigint: true });
  if (OPEN_ALREADY.test(named) || (found !== undefined && !found.isFile() && !found.isDirectory())) return writeInto(named, text);
  const place = targetOf(named);
  const beside = `${place}.${process.pid}.tmp`;
  makeFolder(dirname(place));
  try {
    writeFileSync(beside, text);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * A pipe that nobody reads would keep the program from ending, so it is refused (ENXIO).
 *
 * @param {string} place @param {string} text
 */
function writeInto(place, text) {
  const probe = openSync(place, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
  try {
    writeFileSync(place, text, { flag: 'a' });
  } finally {
    closeSync(probe);
  }
}

/** @param {string} place absolute @returns {string} the target behind all links, even if it does not exist yet */
function targetOf(place) {
  try {
    return realpathSync(place);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  // There is either nothing, or a link to nothing.
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined) return place;
  return targetOf(resolve(realpathSync(dirname(place)), readlinkSync(place)));
}

exports.SCHEMA = SCHEMA;
exports.boundaryReports = boundaryReports;
exports.buildReport = buildReport;
exports.writeReport = writeReport;
