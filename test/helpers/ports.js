'use strict';
/*
 * Ports of the loopback for servers that tests start, kill and start again. In: how many. Out: ports on which nobody listens, which no
 * other test process is given before this one ends, and which no system gives to whoever names none, as one that was free a moment ago it
 * may: between that moment and the server, and while a server is down.
 */
const { randomInt } = require('node:crypto');
const dgram = require('node:dgram');
const net = require('node:net');

/** Below all ranges of ports for those who name none: 32768 and up on Linux, 49152 on macOS. */
const [FIRST, BEHIND] = [20_000, 30_000];

/**
 * @param {number} port
 * @returns {Promise<boolean>} whether it is ours from now on: the port of the same number for datagrams is held as a sign of that
 */
async function claim(port) {
  const sign = dgram.createSocket('udp4');
  const isOurs = await new Promise((resolve) => {
    sign.once('error', () => resolve(false));
    sign.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
  if (isOurs && (await isFree(port))) {
    sign.unref();
    return true;
  }
  sign.close();
  return false;
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** @param {number} count @returns {Promise<number[]>} */
async function freePorts(count) {
  /** @type {number[]} */
  const ports = [];
  while (ports.length < count) {
    const port = randomInt(FIRST, BEHIND);
    if (await claim(port)) ports.push(port);
  }
  return ports;
}

exports.freePorts = freePorts;
