'use strict';
/*
 * Does something when the program ends, even if a signal ends it that nobody handles. In: a function that writes. Out: nothing. It never
 * changes how the program ends: it stops no signal, and changes none.
 */
const { nextTick } = require('../engine');

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * @param {() => void} write must not throw; called more than once if a signal does not end the program; the last time, everything is known
 */
function atEnd(write) {
  process.once('exit', write);
  for (const signal of SIGNALS) onFirst(signal, write, () => process.removeListener('exit', write));
}

/**
 * A signal without a listener ends a process without 'exit'; with our listener it would not end it at all, so we send it again. Other
 * listeners may do the same when they find that they are the last, as they are once ours is gone: nothing of ours runs after that. So we
 * write now, and again if there is an 'exit'. Our listener is the first: a once-listener is gone when the next one is called, and whatever
 * the program does at the signal would look like nothing.
 *
 * @param {NodeJS.Signals} signal
 * @param {() => void} write
 * @param {() => void} onAlone called if nobody else listens
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
    // The event comes before the listener is added; no signal comes before the next tick.
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
