'use strict';

// Tells what the hosts of a module have for it, in terms of decisions and predictions. In: what its replica set knows about them: who
// answered lately, and with what. Out: cores in reach, machines of a simulation, words. Pure; how that becomes known is up to the room of
// hosts.

const { count } = require('../view/figures');
const { Math } = require('../engine');

/**
 * @typedef {object} HostOffer what a host said lately
 * @property {string} name
 * @property {number} cpus
 * @property {number} free cores that nobody uses
 * @property {number} room replicas that it takes in addition to those it has
 * @property {number} own replicas of this program there
 * @property {number} speed 2: twice as fast as home
 * @property {number} roundTripMs
 * @property {number} weight among the others when a replica is placed
 *
 * @typedef {object} HostsState
 * @property {number} named hosts that its recipe names, or its cluster has
 * @property {number} awaited those of them that were asked, or have said nothing lately: their answer is on its way
 * @property {HostOffer[]} offers of those that answered; what the others have is unknown
 * @property {string} [failure] why nothing is started there for a while
 *
 * @typedef {object} HostReach
 * @property {boolean} isKnown at least one answered
 * @property {boolean} isAwaited none did, but some answers are on their way
 * @property {number} named
 * @property {number} answered
 * @property {number} cpus of those that answered
 * @property {number} cores that the module can have, including those of its replicas
 * @property {number} idle idle cores, on hosts that have one and take a replica
 * @property {number} idleOn on how many hosts these are
 * @property {number} room replicas that they take; Infinity: unknown
 * @property {number} more replicas that would have a core of their own there
 * @property {string} said what each has idle, or why nothing is started there
 * @property {import('./places').Near} [near] given if replicas are first on this machine
 * @property {number | null} [freeHere] then: cores of this machine that nobody uses; null: unknown
 *
 * @typedef {object} MeasuredHost a machine of a simulation
 * @property {string} name
 * @property {number} cores
 * @property {number} speed
 * @property {number} roundTripMs
 * @property {number} weight
 */

/** With less than this idle, another replica would only take turns with what already runs. */
const LEAST_FREE_CORES = 0.2;

/** What a replica gets if no core is idle, as one of two that take turns. */
const TURNS = 0.5;

/** How many hosts a sentence names. */
const MOST_NAMED = 3;

/** @param {HostOffer} offer */
const isUsable = ({ free, room }) => room > 0 && free >= LEAST_FREE_CORES;

/**
 * @param {HostsState} hosts
 * @param {number} ready replicas of the module
 * @returns {HostReach}
 */
function reachOf({ named, awaited, offers, failure = '' }, ready) {
  const isKnown = offers.length > 0;
  const isAwaited = !isKnown && awaited > 0;
  const usable = offers.filter(isUsable);
  const sum = (/** @type {HostOffer[]} */ list, /** @type {(offer: HostOffer) => number} */ of) =>
    list.reduce((all, offer) => all + of(offer), 0);
  const cpus = isKnown ? sum(offers, (offer) => offer.cpus) : Math.max(1, named);
  const more = isKnown ? sum(usable, ({ free, room }) => Math.min(Math.ceil(free), room)) : isAwaited ? 0 : named;
  return {
    ...{ isKnown, isAwaited, named, cpus, more, answered: offers.length, idleOn: usable.length },
    cores: Math.max(1, Math.min(Math.max(cpus, ready), ready + more)),
    idle: sum(usable, ({ free, room }) => Math.min(free, room)),
    // Starting a replica is how to find a host that did not answer before; if none takes it, the start says why.
    room: isKnown ? sum(offers, ({ room }) => room) : isAwaited ? 0 : Infinity,
    said: isKnown ? saidOf(offers) : failure,
  };
}

/** @param {HostOffer[]} offers */
function saidOf(offers) {
  const some = offers.slice(0, MOST_NAMED).map(({ name, cpus, free, room }) => {
    const full = room > 0 ? '' : ', and it takes no more replicas';
    return `${name} has ${free.toFixed(1)} of ${count(cpus, 'core')} idle${full}`;
  });
  const others = offers.length - some.length;
  return [...some, ...(others > 0 ? [`and ${count(others, 'host')} more`] : [])].join('; ');
}

/**
 * @param {{hosts?: HostsState, ready: number, busyMsPerSecond: number}} set
 * @param {import('./places').Near} [near] given if its replicas are first on home's machine
 * @returns {MeasuredHost[] | null} null: its replicas run on home's machine; empty: nothing is known about its hosts
 */
function machinesOf({ hosts, ready, busyMsPerSecond }, near) {
  if (hosts === undefined || (near !== undefined && near.far + near.room === 0)) return null;
  // No host has said anything to count on yet, and none is used.
  if (near?.far === 0 && hosts.offers.length === 0) return null;
  // How busy replicas keep the hosts is known only as a sum.
  const busy = ready === 0 ? 0 : Math.min(1, busyMsPerSecond / 1000 / ready);
  const possible = hosts.offers.filter((offer) => offer.own > 0 || isUsable(offer));
  return (possible.length > 0 ? possible : hosts.offers).map(({ name, cpus, free, own, speed, roundTripMs, weight }) => {
    const cores = Math.min(cpus, Math.max(TURNS, free + own * busy));
    return { name, cores, speed, roundTripMs, weight };
  });
}

/**
 * @param {Pick<import('./measured').MeasuredModule, 'hosts' | 'near'>} module
 * @param {number} cores of home
 * @returns {number} whole cores that its replicas can have
 */
function coresOf({ hosts, near }, cores) {
  if (hosts === null) return cores;
  const there = hosts.reduce((sum, host) => sum + Math.ceil(host.cores), 0);
  return near === null ? Math.max(1, there) : cores + there;
}

exports.LEAST_FREE_CORES = LEAST_FREE_CORES;
exports.coresOf = coresOf;
exports.machinesOf = machinesOf;
exports.reachOf = reachOf;
