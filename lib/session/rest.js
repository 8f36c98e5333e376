'use strict';
/*
 * Whether only home can still bring about the answers to calls that wait in a replica. If nothing goes on there, the program ends with
 * these calls unanswered, as it would had they stayed at home. In: at home, links whose calls have waited for a while; in the replica, the
 * moment when its event loop runs dry. Out: home is told, and its link no longer keeps the program alive, until home sends something.
 */
const { Reflect, WeakMap, performance } = require('../engine');

/** What names the question on the link, in place of a module to load. */
const REST = 'rest';
/** Calls that have waited this long are asked about; and again after as long, ms. */
const ASK_MS = 1000;

/** @type {WeakMap<Peer, number>} not to be asked again before, ms; Infinity: an answer is to come */
const restsUntil = new WeakMap();

/** @typedef {import('./peer').Peer} Peer */

/**
 * Asks the other side, unless one of the calls has a time limit: somebody wants to be told of that.
 *
 * @param {Peer} peer @param {number} since when it has worked on what is pending, ms @param {number} now ms
 * @param {(() => void) | null} end called if nobody will answer the calls, which stay open then, as at home; null: more calls may come
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
      // What is on its way there may start something.
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

/** Whether home itself may start something there: by an answer that the replica waits for, or by an abort. @param {Peer} peer */
function mayGoOn(peer) {
  return peer.lending.serving > 0 || peer.outstanding().some(({ signals }) => signals.length > 0);
}

/** @type {(() => void) | null} in a replica: answers the question */
let tell = null;

/** In a replica, before any module is loaded: the event loop may run dry without telling the module's listeners, since home goes on. */
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
 * @returns {boolean} false: it was no such question
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
  // The channel to a daemon.
  process.channel?.unref();
  return true;
}

exports.askForRest = askForRest;
exports.serveRest = serveRest;
exports.watchRest = watchRest;
