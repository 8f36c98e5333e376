'use strict';

// Waits for the answer of a program. In: the promise of the answer. Out: the same; and a line on stderr if it takes long, since no screen
// shows it yet.

/** A program whose event loop is free answers at once. */
const TELL_MS = 2000;

/**
 * @template T
 * @param {import('./main.js').Io} io
 * @param {import('../view/run-folder').Entry} entry
 * @param {Promise<T>} answer
 * @returns {Promise<T>}
 */
async function awaited({ err }, { name, pid }, answer) {
  const tell = () => err(`ignis: ${name || 'the program'} (${pid}) does not answer yet: its event loop is busy, or it is stopped\n`);
  const timer = setTimeout(tell, TELL_MS);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

exports.awaited = awaited;
