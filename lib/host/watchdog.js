'use strict';
/*
 * A thread of a replica on a host that looks whether the daemon still lives, and ends the replica when it does not, also while its module computes. In: the daemon's pid, and the local socket that it would have removed.
 */
const fs = require('node:fs');
const { setInterval } = require('node:timers');
const { workerData } = require('node:worker_threads');

const LOOK_MS = 500;

const { daemon, sideDoor } = workerData;

setInterval(() => {
  if (process.ppid === daemon) return;
  try {
    fs.rmSync(sideDoor, { force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}, LOOK_MS);
