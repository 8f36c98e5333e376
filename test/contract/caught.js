'use strict';

// Waits for an event of the process that would end it, in place of mocha's own listeners.

/**
 * @param {string} event 'uncaughtException' or 'unhandledRejection'
 * @param {() => unknown} cause what makes it happen, now or later
 * @returns {Promise<any[]>} the event's arguments
 */
async function caught(event, cause) {
  const others = process.listeners(event);
  process.removeAllListeners(event);
  try {
    return await new Promise((resolve) => {
      process.once(event, (...args) => resolve(args));
      cause();
    });
  } finally {
    process.removeAllListeners(event);
    for (const listener of others) process.on(event, listener);
  }
}

exports.caught = caught;
