'use strict';
/*
 * Ends TLS for a replica on a host, in the thread that reads from home: its main thread, or for resident modules a thread beside it. In:
 * its own certificate, the fingerprint of home's, a raw socket. Out: the stream of home, once home has proved itself; all others are shut
 * out.
 */
const tls = require('node:tls');
const { GO } = require('./opening');

/** @typedef {{key: string, cert: string, ca: string, homeFingerprint: string}} Proof what TLS needs of a Beginning */

class HomeDoor {
  #server;

  /** @param {Proof} proof @param {(home: tls.TLSSocket) => void} onHome */
  constructor({ key, cert, ca, homeFingerprint }, onHome) {
    this.#server = tls.createServer({ key, cert, ca, minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: true }, (socket) => {
      if (socket.getPeerX509Certificate()?.fingerprint256 !== homeFingerprint) return void socket.destroy();
      onHome(socket);
    });
    this.#server.on('tlsClientError', () => {});
  }

  /** @param {import('node:net').Socket} socket accepted by its daemon, which has read the opening bytes */
  open(socket) {
    socket.on('error', () => {});
    socket.write(GO);
    this.#server.emit('connection', socket);
  }
}

exports.HomeDoor = HomeDoor;
