'use strict';
/*
 * The thread in a replica on a host that reads from home: it ends TLS on a descriptor that the main thread no longer touches, and relays to
 * the main thread, which may compute or wait for a long time. If the link breaks, it goes on with another socket, which the daemon leads
 * here by a local one, since the main thread may not hear of it. In (workerData): the parts of the line, the descriptor, where it listens,
 * a certificate, whom to let in. When home ends, the process ends at once: by itself if its main thread can, otherwise by force.
 */
const { writeSync } = require('node:fs');
const net = require('node:net');
const { setTimeout } = require('../engine');
const { workerData } = require('node:worker_threads');
const { HomeDoor } = require('../host/home-door');
const { BlockChannel, relayLasting } = require('../wire/lasting-relay');

/** How long the main thread may take to end by itself, ms. */
const GRACE_MS = 200;

const { parts, fd, sideDoor, proof, maxBlockBytes, leaseMs } = workerData.ignisAgent;
/** @type {BlockChannel | null} */
let channel = null;
const end = () => process.kill(process.pid, 'SIGKILL');
const door = new HomeDoor(proof, (home) => {
  home.setNoDelay(true);
  if (channel !== null) return channel.resume(home);
  channel = new BlockChannel(home, { maxBlockBytes }, { waitMs: leaseMs });
  const joined = relayLasting(parts, channel);
  joined.onEnd = (error) => {
    if (error === null) joined.line.close();
    else joined.line.destroy(error);
    setTimeout(end, GRACE_MS);
  };
});
const first = new net.Socket({ fd });
// Somebody who did not prove to be home must not leave a replica behind that serves nobody.
first.once('close', () => {
  if (channel === null) setTimeout(end, GRACE_MS);
});
door.open(first);
net
  .createServer((socket) => door.open(socket))
  .on('error', ({ message }) => writeSync(2, `ignis: the link to home could not be resumed if it broke: ${message}\n`))
  .listen(sideDoor)
  .unref();
