'use strict';

// Whether calls that wait in a replica can be answered by anything but home.

const assert = require('node:assert/strict');
const { askForRest } = require('../../lib/session/rest');

/** A link to a replica in which nothing goes on. @param {any[]} calls @param {object} [given] */
function linkWith(calls, { serving = 0, sent = 7 } = {}) {
  return /** @type {any} */ ({
    pending: calls.length,
    channel: { sent, unref() {}, ref() {} },
    lending: { serving },
    outstanding: () => calls.filter(({ isOpen }) => !isOpen),
    load: (_asked, { finish }) => finish(7),
    abandon() {},
  });
}

const call = (signals = []) => ({ plan: {}, signals, isOpen: false, stayOpen() { this.isOpen = true; } }); // prettier-ignore

/** @param {any} peer @returns {boolean} whether its replica need not be waited for */
function hasEnded(peer) {
  let ended = false;
  askForRest(peer, 0, 5000, () => (ended = true));
  return ended;
}

describe('calls that wait in a replica which is not wanted any more', () => {
  it('stay open where nothing goes on there, and home has nothing to say to it', () => {
    const calls = [call(), call()];
    assert.equal(hasEnded(linkWith(calls)), true);
    assert.deepEqual(calls.map(({ isOpen }) => isOpen), [true, true]); // prettier-ignore
  });

  it('are waited for where home may abort one, works on what the replica waits for, or has sent something since', () => {
    const waiting = { 'a signal': linkWith([call(), call([{}])]), 'a function': linkWith([call()], { serving: 1 }), 'a frame': linkWith([call()], { sent: 8 }) }; // prettier-ignore
    for (const [what, peer] of Object.entries(waiting)) {
      assert.equal(hasEnded(peer), false, what);
      assert.equal(peer.outstanding().length > 0, true, what);
    }
  });

  it('are left as they are while the replica is wanted', () => {
    const peer = linkWith([call()]);
    askForRest(peer, 0, 5000, null);
    assert.equal(peer.outstanding().length, 1);
  });
});
