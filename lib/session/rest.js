'use strict';
/*
 * Whether calls that wait in a replica can be answered by anything but home: where nothing goes on there, a program ends with them as it
 * would if they had stayed at home. In: at home, links whose calls have waited for a while; in the replica, the moment when its event loop
 * runs dry. Out: home is told, and answers of that link keep its program alive no longer, until it sends something.
 */
const { Reflect, WeakMap, performance } = require('../engine');

/** Of what the question looks like on the link: where a module to load would be named. */
const REST = 'rest';
/** What has waited for so long is asked about, and again after as long, ms. */
const ASK_MS = 1000;

/** @type {WeakMap<Peer, number>} until when it is not asked, ms; Infinity: its answer is to come */
const restsUntil = new WeakMap();

/** @typedef {import('./peer').Peer} Peer */

/**
 * Asks the other side, unless one of the calls has a time limit of its own: somebody wants to be told of that.
 *
 * @param {Peer} peer @param {number} since when it has worked on what is pending, ms @param {number} now ms
 * @param {(() => void) | null} end called where nobody will answer the calls, which stay open then, as they would at home; null: there may
 *   be others
 */
function askForRest(peer, since, now, end) {
  if (now - since < ASK_MS || now < (restsUntil.get(peer) ?? 0)) return;
  restsUntil.set(peer, now + ASK_MS);
  const calls = peer.outstanding();
  if (calls.length === 0 || calls.some(({ plan }) => plan === undefined || plan.timeoutMs)) return;
  restsUntil.set(peer, Infinity);
  const asked = {
    id: -1,
    sequence: 0,
    finish(/** @type {any} */ arrived) {
      restsUntil.set(peer, performance.now() + ASK_MS);
      const { channel } = peer;
      // What is on its way there may set something going.
      if (arrived !== channel.sent) return;
      channel.unref();
      channel.onSend = () => peer.pending > 0 && channel.ref();
      if (end === null || mayGoOn(peer)) return;
      for (const call of peer.outstanding()) call.stayOpen();
      end();
    },
    fail() {},
  };
  peer.load({ kind: REST }, asked);
  peer.abandon(asked);
}

/** Whether home itself may set something going there: by an answer that the replica waits for, or an abort. @param {Peer} peer */
function mayGoOn(peer) {
  return peer.lending.serving > 0 || peer.outstanding().some(({ signals }) => signals.length > 0);
}

/** @type {(() => void) | null} in a replica: answers the question */
let tell = null;

/** In a replica, before any module: its event loop may run dry without one of them being told, as home goes on. */
function watchRest() {
  const { emit } = process;
  process.emit = /** @type {any} */ (
    function (/** @type {any[]} */ ...args) {
      if (tell === null || args[0] !== 'beforeExit') return Reflect.apply(emit, process, args);
      const answer = tell;
      tell = null;
      answer();
      return true;
    }
  );
}

/**
 * @param {Peer} peer @param {number} id @param {any} asked
 * @returns {boolean} false: that was no such question
 */
function serveRest(peer, id, asked) {
  if (asked.kind !== REST) return false;
  const { channel } = peer;
  tell = () => {
    channel.ref();
    process.channel?.ref();
    peer.answer(id, channel.arrived);
  };
  channel.unref();
  // That of a daemon.
  process.channel?.unref();
  return true;
}

exports.askForRest = askForRest;
exports.serveRest = serveRest;
exports.watchRest = watchRest;
