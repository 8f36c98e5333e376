'use strict';
/*
 * A thread that strikes while the main thread is blocked. In: messages, each a process (or the next child of this one to come), a fault,
 * and after how long. Out: a message for each that struck. What it stopped goes on by itself.
 */
const { parentPort } = require('node:worker_threads');
const { processTree } = require('../../bench/wiki/processes');
const { signal, strikeProcess } = require('./strikes');

const LOOK_MS = 5;
const SEEK_MS = 5000;

/** @returns {number[]} this process's own */
const children = () =>
  processTree(process.pid)
    .filter(({ parent }) => parent === process.pid)
    .map(({ pid }) => pid);

parentPort?.on('message', ({ pid, kind, afterMs, forMs }) => {
  const strike = (/** @type {number} */ at) => {
    if (strikeProcess(at, kind, forMs)) parentPort?.postMessage({ pid: at });
  };
  if (pid !== 0) return void setTimeout(strike, afterMs, pid);
  const before = children();
  const end = performance.now() + SEEK_MS;
  const look = () => {
    const born = children().find((child) => !before.includes(child) && signal(child, /** @type {any} */ (0)));
    if (born !== undefined) setTimeout(strike, afterMs, born);
    else if (performance.now() < end) setTimeout(look, LOOK_MS);
  };
  look();
  parentPort?.postMessage('looks');
});
