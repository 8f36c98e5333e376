'use strict';
/*
 * The thread in a replica process that owns descriptor 3: it relays between home and the main thread, which may compute for a long time or
 * for ever. In (workerData): the parts of the line. When the socket ends, home has ended or no longer needs this process: it ends at once,
 * by itself if its main thread can, otherwise by force.
 */
const { Socket } = require('node:net');
const { setTimeout } = require('../engine');
const { workerData } = require('node:worker_threads');
const { relay } = require('../wire/relay');

/** How long the main thread may take to end by itself, ms. */
const GRACE_MS = 200;

const { parts, maxBlockBytes } = workerData.ignisAgent;
const joined = relay(parts, new Socket({ fd: 3 }), { maxBlockBytes });
joined.onEnd = (error) => {
  if (error === null) joined.line.close();
  else joined.line.destroy(error);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS);
};
