'use strict';
/*
 * Single frames from somebody who means harm, as a codec would give them, read by the check of frames and by a true peer. In: a seed, the
 * number of a case. Out: how it ended: 'read', or the code of the error. Throws when it was another error, or when a call that waited for
 * an answer was lost.
 */
const assert = require('node:assert/strict');
const { checkFrame } = require('../../lib/wire/frame');
const { Random, seedOf } = require('../helpers/random');
const { hostileFrame } = require('./hostile');
const { EXPECTED, WAITING, makePeer } = require('./streams');

/** One frame in so many also goes through a peer, which takes longer. */
const PEER_IN = 8;

/** @param {number} seed @param {number} number @returns {string} */
function checkOneFrame(seed, number) {
  const random = new Random(seedOf(seed, number));
  const frame = hostileFrame(random);
  try {
    return number % PEER_IN === 0 ? throughPeer(frame) : alone(frame);
  } catch (error) {
    throw new Error(`frame ${number} of seed ${seed}: ${/** @type {any} */ (error).message}`, { cause: error });
  }
}

/** @param {any} frame */
function alone(frame) {
  try {
    checkFrame(frame);
    return 'read';
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    assert.ok(EXPECTED.has(code), `${error}`);
    return code;
  }
}

/** @param {any} frame */
function throughPeer(frame) {
  /** @type {string[]} */
  const lost = [];
  const { channel, counts } = makePeer(() => {}, lost);
  channel._arrived([frame], []);
  channel.destroy(null);
  const [outcome] = lost;
  assert.ok(outcome === 'null' || EXPECTED.has(outcome), `ended with ${outcome}`);
  assert.equal(counts.settled + counts.given, WAITING, 'calls were lost');
  return outcome === 'null' ? 'read' : outcome;
}

exports.checkOneFrame = checkOneFrame;
