'use strict';
/*
 * A thread of a replica on a host that checks whether the daemon still lives, and ends the replica if not, even while its module computes.
 * In: the daemon's pid.
 */
const { setInterval } = require('../engine');
const { workerData } = require('node:worker_threads');

const LOOK_MS = 500;

setInterval(() => {
  if (process.ppid !== workerData.daemon) process.kill(process.pid, 'SIGKILL');
}, LOOK_MS);
