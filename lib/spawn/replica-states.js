'use strict';
/*
 * The states of a replica, and what its owner hears of it.
 *
 *      starting --hello--> warm --load()--> loading --> ready --drain()--> draining --> ended
 *          \-----------------\----------------\-----------\--- failure, kill ----------/
 */

const { Object } = require('../engine');

/** @typedef {'starting' | 'warm' | 'loading' | 'ready' | 'draining' | 'ended'} ReplicaState */

/**
 * @typedef {object} ReplicaHooks
 * @property {(replica: import('./replica').Replica) => void} onBroken its link has ended: it must get no more calls; `onEnded` follows
 * @property {(replica: import('./replica').Replica, pending: import('../session/call').Call[], exit: import('./exit').Exit) => void}
 *   onEnded
 * @property {(replica: import('./replica').Replica) => void} onIdle calls were answered
 * @property {() => number} wantedMs for how long calls have always waited for room in a replica, until now
 * @property {(name: string) => Function | undefined} errorClass
 */

/** @type {Readonly<Record<ReplicaState, readonly ReplicaState[]>>} */
const NEXT = Object.freeze({
  starting: ['warm', 'ended'],
  warm: ['loading', 'ended'],
  loading: ['ready', 'ended'],
  ready: ['draining', 'ended'],
  draining: ['ended'],
  ended: [],
});

exports.NEXT = NEXT;
