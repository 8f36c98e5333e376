'use strict';
/*
 * What is to be done when the program ends, also by a signal that nobody handles. In: what writes. Out: nothing. It never changes how the
 * program ends: no signal is kept from its course, and none takes another one.
 */
const { nextTick } = require('../engine');

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * @param {() => void} write must not throw; called more than once where a signal does not end the program, the last time with all there is
 */
function atEnd(write) {
  process.once('exit', write);
  for (const signal of SIGNALS) onFirst(signal, write, () => process.removeListener('exit', write));
}

/**
 * A signal without a listener ends a process without 'exit'; with ours it would not end it at all, so it is sent again. Where others
 * listen, they may do the same once they find that they are the last, which they are as soon as ours is gone: nothing of us runs after
 * that, so it is written now, and anew if there is an 'exit'. Ours is the first: one that listens once is gone when the next is called, and
 * what the program does at a signal would look like nothing.
 *
 * @param {NodeJS.Signals} signal
 * @param {() => void} write
 * @param {() => void} onAlone nobody else listens
 */
function onFirst(signal, write, onAlone) {
  const ours = () => {
    process.removeListener('newListener', stayFirst);
    write();
    if (process.listenerCount(signal) > 0) return;
    onAlone();
    process.kill(process.pid, signal);
  };
  const stayFirst = (/** @type {string | symbol} */ event, /** @type {Function} */ added) => {
    if (event !== signal || added === ours) return;
    // It is told of before it is there; no signal comes before the next tick.
    nextTick(() => {
      const all = process.listeners(signal);
      if (all[0] === ours || !all.includes(ours)) return;
      process.removeListener(signal, ours);
      process.prependOnceListener(signal, ours);
    });
  };
  process.prependOnceListener(signal, ours);
  process.on('newListener', stayFirst);
}

exports.atEnd = atEnd;
