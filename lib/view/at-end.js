'use strict';
/*
 * What is to be done when the program ends, also by a signal that nobody handles. In: what writes. Out: nothing. It never changes how the program ends: no signal is kept
 * from its course.
 */

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @param {() => void} write must not throw; called more than once where a signal does not end the program, the last time with all there is */
function atEnd(write) {
  process.once('exit', write);
  for (const signal of SIGNALS) onFirst(signal, write, () => process.removeListener('exit', write));
}

/**
 * A signal without a listener ends a process without 'exit'; with ours it would not end it at all, so it is sent again. Where others listen, they may do the same
 * once they find that they are the last, which they are as soon as ours is gone: nothing of us runs after that, so it is written now, and anew if there is an 'exit'.
 *
 * @param {NodeJS.Signals} signal
 * @param {() => void} write
 * @param {() => void} onAlone nobody else listens
 */
function onFirst(signal, write, onAlone) {
  process.once(signal, () => {
    write();
    if (process.listenerCount(signal) > 0) return;
    onAlone();
    process.kill(process.pid, signal);
  });
}

exports.atEnd = atEnd;
