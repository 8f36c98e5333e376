'use strict';
/*
 * The door of a replica on a host: takes the socket that its daemon has accepted, ends TLS here, and lets in that home only for which it was started. In: a certificate of its own and
 * the fingerprint of home's, through the channel to the daemon. Out: streams that have proved themselves. It hides that channel from the module, and ends with the daemon.
 */
const path = require('node:path');
const tls = require('node:tls');
const { Worker } = require('node:worker_threads');
const { GO } = require('./opening');

const WATCHDOG = path.join(__dirname, 'watchdog.js');

/**
 * @typedef {object} Beginning
 * @property {'begin'} kind
 * @property {string} key PEM
 * @property {string} cert PEM
 * @property {string} ca PEM
 * @property {string} homeFingerprint
 * @property {number} leaseMs
 * @property {number} maxBlockBytes
 * @property {number} daemon its pid
 */

class ReplicaDoor {
  /** @type {Map<string, string>} digest -> root: bundles that were found right by the daemon */
  #granted = new Map();
  /** @type {tls.Server | null} */
  #server = null;

  /** @type {(socket: tls.TLSSocket, beginning: Beginning) => void} home is there */
  onHome = () => {};

  open() {
    const send = /** @type {Function} */ (process.send).bind(process);
    // A module that sees a channel would talk to whoever it takes for its parent.
    process.send = undefined;
    process.disconnect = /** @type {any} */ (undefined);
    process.on('message', (/** @type {any} */ told, socket) => this.#told(told, /** @type {any} */ (socket), send));
    process.on('disconnect', () => process.exit(1));
  }

  /** @param {string} digest @returns {string | undefined} */
  rootOf(digest) {
    return this.#granted.get(digest);
  }

  /** @param {any} told @param {import('node:net').Socket | undefined} socket @param {Function} send */
  #told(told, socket, send) {
    switch (told.kind) {
      case 'begin':
        this.#begin(told);
        send({ kind: 'ready' });
        break;
      case 'grant':
        this.#granted.set(told.digest, told.root);
        send({ kind: 'granted', digest: told.digest });
        break;
      case 'link':
        if (socket === undefined || this.#server === null) return void socket?.destroy();
        socket.on('error', () => {});
        socket.write(GO);
        this.#server.emit('connection', socket);
    }
  }

  /** @param {Beginning} beginning */
  #begin(beginning) {
    const { key, cert, ca, homeFingerprint, daemon } = beginning;
    // A module that computes for ever would not see the channel end.
    new Worker(WATCHDOG, { workerData: { daemon } }).unref();
    this.#server = tls.createServer({ key, cert, ca, minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: true }, (socket) => {
      if (socket.getPeerX509Certificate()?.fingerprint256 !== homeFingerprint) return void socket.destroy();
      this.onHome(socket, beginning);
    });
    this.#server.on('tlsClientError', () => {});
  }
}

exports.ReplicaDoor = ReplicaDoor;
