'use strict';
/*
 * How many cores this process may use: those that the system lets it run on, limited by the quota of its control group, as containers and
 * services have (`docker run --cpus`, limits of Kubernetes, CPUQuota of systemd). In: the system's files. Out: a number of cores, how much
 * of its quota the group has used, and whether priorities count beyond the group. Node 20 does not report quotas; outside Linux there are
 * none.
 *   /proc/self/cgroup says which group:   0::/a/b        its files in /sys/fs/cgroup/a/b (cpu.max, cpu.stat), and those of a and of the root above
 *                                         4:cpu,x:/a/b   in /sys/fs/cgroup/cpu,x/a/b (cpu.cfs_quota_us), and above; what was used, in the tree of cpuacct
 * In a container, the root of the tree is often its own group, whatever its name outside: missing folders are skipped.
 */
const { readFileSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const path = require('node:path');

const ROOT = '/sys/fs/cgroup';

/**
 * @typedef {{cores: number, usedMs: () => number}} Quota cores: with fractions; usedMs: processor time of all in the group, NaN if the
 *   system does not tell
 */

/** Whether the system first shares the cores among sessions, and uses priorities only within one: 1. */
const BY_SESSION = '/proc/sys/kernel/sched_autogroup_enabled';

/** @typedef {(file: string) => string} Read throws if there is no such file */
/** @typedef {{controllers: string, place: string}} Group */

/** @type {Quota | null | undefined} undefined: not looked for yet */
let known;
/** @type {boolean | undefined} */
let isHeard;

/** @returns {Quota | null} null: there is none */
function quota() {
  if (known === undefined) known = process.platform === 'linux' ? quotaIn((file) => readFileSync(file, 'latin1')) : null;
  return known;
}

/** @returns {number} cores, a whole number of at least 1; a fraction of one counts as one */
function usableCores() {
  const given = quota();
  const cores = availableParallelism();
  return given === null ? cores : Math.max(1, Math.min(cores, Math.ceil(given.cores)));
}

/** @param {Read} read @returns {Quota | null} the tightest, of its group and those above */
function quotaIn(read) {
  const groups = groupsIn(read);
  /** @type {Quota | null} */
  let tightest = null;
  for (const { base, folder, isUnified } of foldersOf(groups, 'cpu')) {
    const whole = path.posix.join(base, folder);
    const cores = isUnified ? coresOfNew(textOf(read, path.posix.join(whole, 'cpu.max'))) : coresOfOld(read, whole);
    if (!(cores > 0) || cores >= (tightest?.cores ?? Infinity)) continue;
    tightest = { cores, usedMs: isUnified ? usedOfNew(read, whole) : usedOfOld(read, groups, folder) };
  }
  return tightest;
}

/**
 * Linux shares the cores among control groups with weights or, if there are none, among sessions (of a terminal, of a service), and uses
 * priorities only within these: a process elsewhere with a lower priority gets as large a share as this program (sched_autogroup in man 7
 * sched; cpu.weight in the kernel's cgroup-v2).
 *
 * @returns {boolean} whether every process with a lower priority on this machine makes room for this program
 */
function isPriorityHeard() {
  isHeard ??= process.platform !== 'linux' || isPriorityHeardIn((file) => readFileSync(file, 'latin1'));
  return isHeard;
}

/** @param {Read} read @returns {boolean} */
function isPriorityHeardIn(read) {
  if (textOf(read, BY_SESSION).trim() === '1') return false;
  return foldersOf(groupsIn(read), 'cpu').every(({ base, folder, isUnified }) =>
    isUnified ? textOf(read, path.posix.join(base, folder, 'cpu.weight')) === '' : folder === '/',
  );
}

/** @param {Read} read @returns {Group[]} groups of this process */
function groupsIn(read) {
  return textOf(read, '/proc/self/cgroup')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((parts) => parts.length >= 3)
    .map(([, controllers, ...rest]) => ({ controllers, place: rest.join(':') }));
}

/**
 * @param {Group[]} groups
 * @param {string} controller
 * @returns {{base: string, folder: string, isUnified: boolean}[]} where its files may be, from the own group up: `folder` below `base`
 */
function foldersOf(groups, controller) {
  return groups.flatMap(({ controllers, place }) => {
    const isUnified = controllers === '';
    if (!isUnified && !controllers.split(',').includes(controller)) return [];
    const base = isUnified ? ROOT : path.posix.join(ROOT, controllers);
    return upFrom(place).map((folder) => ({ base, folder, isUnified }));
  });
}

/** @param {string} place `/a/b` @returns {string[]} `/a/b`, `/a`, `/` */
function upFrom(place) {
  const folders = [];
  for (let folder = path.posix.normalize(`/${place}`); ; folder = path.posix.dirname(folder)) {
    // What the root of a container's tree hides begins with `..`.
    if (!folder.startsWith('/..')) folders.push(folder);
    if (folder === '/') return folders;
  }
}

/** @param {string} text of cpu.max: `200000 100000`, or `max 100000` @returns {number} NaN: none */
function coresOfNew(text) {
  const [most, period] = text.trim().split(/\s+/).map(Number);
  return most / period;
}

/** @param {Read} read @param {string} folder @returns {number} NaN or negative: none */
function coresOfOld(read, folder) {
  const [most, period] = ['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((name) => textOf(read, path.posix.join(folder, name)).trim());
  return most === '' || period === '' ? NaN : Number(most) / Number(period);
}

/** @param {Read} read @param {string} folder */
function usedOfNew(read, folder) {
  return () => Number(/^usage_usec (\d+)$/m.exec(textOf(read, path.posix.join(folder, 'cpu.stat')))?.[1] ?? NaN) / 1000;
}

/** @param {Read} read @param {Group[]} groups @param {string} folder of the quota; the tree of cpuacct is usually like that of cpu */
function usedOfOld(read, groups, folder) {
  const { controllers } = groups.find((one) => one.controllers.split(',').includes('cpuacct')) ?? { controllers: 'cpuacct' };
  const file = path.posix.join(ROOT, controllers, folder, 'cpuacct.usage');
  return () => {
    const text = textOf(read, file).trim();
    return text === '' ? NaN : Number(text) / 1e6;
  };
}

/** @param {Read} read @param {string} file @returns {string} '' if it is missing, or may not be read */
function textOf(read, file) {
  try {
    return read(file);
  } catch {
    return '';
  }
}

exports.foldersOf = foldersOf;
exports.groupsIn = groupsIn;
exports.isPriorityHeard = isPriorityHeard;
exports.isPriorityHeardIn = isPriorityHeardIn;
exports.quota = quota;
exports.quotaIn = quotaIn;
exports.textOf = textOf;
exports.usableCores = usableCores;
