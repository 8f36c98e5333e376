'use strict';
/*
 * The thread in a replica on a host that reads from home: it ends TLS on a descriptor that the main thread does not touch any more, and relays to the main thread, which may compute or wait for long. In (workerData): the parts of the line, the
 * descriptor, a certificate, whom to let in. When home ends, or another one asks to be let in, the process ends at once by itself if its main thread can, else by force.
 */
const { Socket } = require('node:net');
const { setTimeout } = require('node:timers');
const { workerData } = require('node:worker_threads');
const { HomeDoor } = require('../host/home-door');
const { relay } = require('../wire/relay');

/** So long may the main thread take to end by itself. */
const GRACE_MS = 200;

const { parts, fd, proof, maxBlockBytes } = workerData.ignisAgent;
const end = () => process.kill(process.pid, 'SIGKILL');
const socket = new Socket({ fd });
// Nobody who did not prove to be home leaves a replica behind that serves nobody.
socket.once('close', () => setTimeout(end, GRACE_MS));
new HomeDoor(proof, (home) => {
  home.setNoDelay(true);
  const joined = relay(parts, home, { maxBlockBytes });
  joined.onEnd = (error) => {
    if (error === null) joined.line.close();
    else joined.line.destroy(error);
    setTimeout(end, GRACE_MS);
  };
}).open(socket);
