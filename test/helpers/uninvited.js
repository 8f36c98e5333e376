'use strict';
/*
 * Somebody who asks for a link to a replica on a host that another has. In: the address of the daemon, what opens the link, who asks. Out:
 * what the replica says after the handshake to one that says it has so many blocks, until the link ends.
 */
const fs = require('node:fs');
const path = require('node:path');
const tls = require('node:tls');
const { dial } = require('../../lib/host/opening');
const { makeIdentity } = require('../../lib/host/keys');
const { SIGN, encodeSign } = require('../../lib/wire/block');

/**
 * @param {{port: number, kind: number, ticket: Buffer, cert: string}} link
 * @param {{key: string, cert: string}} who
 * @param {number} count
 * @returns {Promise<Buffer>}
 */
async function answerTo({ port, kind, ticket, cert }, who, count) {
  const raw = await dial({ ip: '127.0.0.1', port }, kind, ticket, 5000);
  const stream = tls.connect({
    ...{ socket: raw, key: who.key, cert: who.cert, ca: cert, minVersion: 'TLSv1.3' },
    checkServerIdentity: () => undefined,
  });
  /** @type {Buffer[]} */
  const got = [];
  stream.on('data', (bytes) => got.push(bytes)).on('error', () => {});
  stream.once('secureConnect', () => stream.write(encodeSign(SIGN.HAVE, count)));
  await new Promise((resolve) => stream.once('close', resolve));
  return Buffer.concat(got);
}

/**
 * @param {import('./hosts').TestHosts} hosts
 * @returns {Promise<{key: string, cert: string}>} one of the same authority and the name of home, that is not home
 */
function anotherHome(hosts) {
  const read = (/** @type {string} */ name) => fs.readFileSync(path.join(hosts.keys('authority'), name), 'utf8');
  return makeIdentity('home', { key: read('key.pem'), cert: read('cert.pem') }, { isHome: true });
}

exports.anotherHome = anotherHome;
exports.answerTo = answerTo;
