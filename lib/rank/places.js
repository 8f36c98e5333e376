'use strict';

// Tells where the replicas of a module may be, in terms of a decision: on this machine, on its hosts, or first on the one and then on the
// others. In: what its set says, and what this machine has for it. Out: cores, room and hosts of a situation; and for a number of replicas,
// how many are here. Pure.

const { reachOf } = require('./hosts');
const { Math } = require('../engine');

/**
 * @typedef {object} Near for a module whose replicas are first here and then on hosts
 * @property {number} has replicas here, including those on their way
 * @property {number} far replicas on hosts, including those on their way
 * @property {number} most for how many this machine has a core
 * @property {number} room how many more fit on hosts that have an idle core
 *
 * @typedef {object} Here what this machine has for a module
 * @property {import('./decision').Limits} limits
 * @property {number} cores
 * @property {number | null} free
 * @property {number} room
 */

/** Hosts that were asked count as taking any number until they say otherwise. */
const ANY = 1000;

/**
 * What is idle at home says nothing about a module whose replicas run only on other hosts.
 * @template {Here} T @param {import('./decision').SetState | undefined} set @param {T} here
 * @returns {T & {hosts?: import('./hosts').HostReach}}
 */
function placeFor(set, here) {
  if (set?.hosts === undefined) return here;
  const { near } = set;
  const hosts = reachOf(set.hosts, set.ready - (near?.ready ?? 0));
  const { cpus, idle, isKnown, isAwaited, more } = hosts;
  const room = (set.busyMsPerSecond - (near?.busyMsPerSecond ?? 0)) / 1000 + idle;
  if (near === undefined)
    return { ...here, hosts, limits: { ...here.limits, cpus }, cores: hosts.cores, free: isKnown || isAwaited ? idle : null, room };
  const has = near.ready + near.starting;
  const far = Math.max(0, set.wanted - has);
  const most = Math.max(has, Math.round(here.room));
  return {
    ...here,
    // Whatever its hosts say, or do not say yet, this machine is available.
    hosts: {
      ...hosts,
      isAwaited: false,
      room: Infinity,
      freeHere: here.free,
      near: { has, far, most, room: isKnown ? more : isAwaited ? ANY : 0 },
    },
    limits: { ...here.limits, cpus: here.limits.cpus + (isKnown ? cpus : 0) },
    cores: here.cores + (isKnown ? Math.min(cpus, set.ready - near.ready + more) : 0),
    free: here.free === null ? null : here.free + idle,
    room: here.room + room,
  };
}

/**
 * Here while there is a core for it, then on hosts while these have one, then here again, to take turns. Hosts give theirs back first.
 * @param {Near} near @param {number} count replicas @returns {number} how many of them are here
 */
function hereOf({ has, far, most, room }, count) {
  if (count <= has + far) return Math.min(count, has);
  return Math.min(count - far, Math.max(most, count - far - room));
}

exports.hereOf = hereOf;
exports.placeFor = placeFor;
