'use strict';
/*
 * What belongs to one link between two sides: what its end is told, what waits on it, and its limits. In: nothing. Out: shapes, numbers, a
 * refusal, for peer.js.
 */

const { IgnisError } = require('../errors');

/**
 * @typedef
 *   {{id: number, sequence: number, finish: (value: any) => void, fail: (error: any, thrown?: number) => void, isSettled?: boolean, met?: import('./restore-pack').Met | null, isOfHeld?: boolean}}
 *   Settled what waits for an answer; isOfHeld: from a function of the other side that this one holds, which has the number of what that
 *   threw
 */

/**
 * @typedef {object} PeerHooks
 * @property {(peer: import('./peer').Peer, id: number, frame: any[], args: any[]) => void} [onCall] the other side calls one of our exports
 * @property {(peer: import('./peer').Peer, id: number, target: any) => void} [onLoad] the other side wants a module
 * @property {(number: number, abort: () => void) => void} [onAbort] a signal of the other side's is aborted: says when that is done here;
 *   at once without it
 * @property {(info: any) => void} [onHello]
 * @property {(usage: import('./usage').Usage) => void} [onUsage]
 * @property {(texts: any) => void} [onTold] its module warns, or home is elsewhere
 * @property {(frame: any[]) => void} [onInside] at home: what a replica reports of the boundaries in it; in that replica: it may look for
 *   free cores now
 * @property {(name: string) => Function | undefined} [errorClass] finds an error class in this side's copy of the module
 * @property {(error: Error | null, pending: import('./call').Call[]) => void} [onLost] the link has ended; these calls were not answered
 * @property {(peer: import('./peer').Peer) => void} [onIdle] calls were answered: there is room
 * @property {() => void} [onRoom] a full channel takes more again
 * @property {boolean} [keepsAlive] whether the link keeps its process alive even with no call pending (an agent lives by its link)
 */

/** Arguments of one call. */
const MOST_ARGS = 65536;

/** @param {any[]} args that are to be sent @throws {IgnisError} IGNIS_UNMARSHALABLE when they are more than the other side takes */
function checkCount(args) {
  if (args.length > MOST_ARGS)
    throw new IgnisError('IGNIS_UNMARSHALABLE', `args are ${args.length}, and ${MOST_ARGS} can be sent`, { path: 'args' });
}

/** @returns {never} @throws {IgnisError} IGNIS_BAD_FRAME */
function refuseUnserved() {
  throw new IgnisError('IGNIS_BAD_FRAME', 'the other side asks for what this side does not serve');
}

exports.MOST_ARGS = MOST_ARGS;
exports.checkCount = checkCount;
exports.refuseUnserved = refuseUnserved;
