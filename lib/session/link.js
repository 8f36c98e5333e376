'use strict';
/*
 * The shapes and limits that belong to one link between two sides: what its end is told, and what waits on it. In: nothing. Out: shapes,
 * numbers, a refusal, for peer.js.
 */

const { IgnisError } = require('../errors');

/**
 * @typedef {{id: number, sequence: number, finish: (value: any) => void, fail: (error: any, thrown?: number) => void, isSettled?: boolean,
 *   met?: import('./restore-pack').Met | null, isOfHeld?: boolean}} Settled what waits for an answer; isOfHeld: a call of a function we
 *   hold; what that threw has a number
 */

/**
 * @typedef {object} PeerHooks
 * @property {(peer: import('./peer').Peer, id: number, frame: any[], args: any[]) => void} [onCall] the other side calls one of our exports
 * @property {(peer: import('./peer').Peer, id: number, target: any) => void} [onLoad] the other side wants a module
 * @property {(number: number, abort: () => void) => void} [onAbort] a signal of the other side is aborted: says when to abort it here;
 *   default: at once
 * @property {(info: any) => void} [onHello]
 * @property {(usage: import('./usage').Usage) => void} [onUsage]
 * @property {(texts: any) => void} [onTold] its module warns, or home has changed its directory or its rights
 * @property {(frame: any[]) => void} [onInside] at home: a replica reports its boundaries; in that replica: it may look for free cores now
 * @property {(name: string) => Function | undefined} [errorClass] finds an error class in this side's copy of the module
 * @property {(error: Error | null, pending: import('./call').Call[]) => void} [onLost] the link has ended, and these calls were not
 *   answered
 * @property {(peer: import('./peer').Peer) => void} [onIdle] calls were answered: there is room
 * @property {() => void} [onRoom] a channel that was full takes more
 * @property {boolean} [keepsAlive] whether the link keeps its process alive even with no call pending (an agent lives as long as its link)
 */

/** In one call. */
const MOST_ARGS = 65536;

/** @param {any[]} args to be sent @throws {IgnisError} IGNIS_UNMARSHALABLE when they are more than the other side takes */
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
