'use strict';

// Finds a program again whose link has ended though it may be alive: the link was too slow, or the program allows no watching for a moment.
// In: where it was. Out: a new link, or null if it has ended.

const { Watching } = require('../view/monitor-client.js');
const { entries, isAlive } = require('../view/run-folder.js');

const TRIES = 10;
const PAUSE_MS = 200;

/** @param {import('../view/run-folder').Entry} entry @returns {Promise<Watching | null>} */
async function reattach({ pid, thread }) {
  for (let tried = 0; tried < TRIES && isAlive(pid); tried++) {
    const found = entries().find((one) => one.pid === pid && one.thread === thread);
    const link = found === undefined ? null : await Watching.open(found.place).catch(() => null);
    if (link !== null) return link;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return null;
}

exports.reattach = reattach;
