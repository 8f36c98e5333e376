'use strict';
/*
 * Home's half of a handshake. In: a node, what a link to it is for, and who home is. Out: a stream whose other side has proved to be the
 * right host, or the right replica; or IGNIS_NO_HOST, with what was wrong.
 */
const crypto = require('node:crypto');
const tls = require('node:tls');
const { clockFor, nameOf } = require('./identity');
const { dial } = require('./opening');
const { IgnisError } = require('../errors');
const { Promise, clearTimeout, setTimeout } = require('../engine');

const DIAL_MS = 5000;

/**
 * @typedef {object} Aim
 * @property {number} kind one of KIND
 * @property {Buffer} ticket
 * @property {string | null} [pinned] PEM of the only certificate that the other side may have; null: any of a host
 * @property {number} [limitMs] for each of the two steps
 */

/**
 * @param {{node: import('./host').Node, title: string}} host
 * @param {import('./identity').Identity} identity
 * @param {Aim} aim
 * @returns {Promise<tls.TLSSocket>} it does not keep the program alive
 * @throws {IgnisError} IGNIS_NO_HOST
 */
async function secureLink({ node, title }, { key, cert, ca }, { kind, ticket, pinned = null, limitMs = DIAL_MS }) {
  const raw = await dial(node, kind, ticket, limitMs);
  const stream = tls.connect({
    ...{ socket: raw, key, cert, ca: pinned ?? ca, minVersion: 'TLSv1.3' },
    // The name of a node is not that of a machine; the recipe says which one it must be.
    checkServerIdentity: () => undefined,
  });
  stream.unref();
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => stream.destroy(new Error('no handshake in time')), limitMs).unref();
    const fail = (/** @type {NodeJS.ErrnoException} */ error) => {
      clearTimeout(timer);
      raw.destroy();
      reject(
        new IgnisError('IGNIS_NO_HOST', `${title} did not prove who it is: ${error.message}${clockFor(error.code)}`, { cause: error }),
      );
    };
    stream.once('error', fail);
    stream.once('close', () => fail(new Error('the link ended')));
    stream.once('secureConnect', () => {
      clearTimeout(timer);
      stream.off('error', fail);
      // It may break before somebody has taken it over, or be given up: that is no error of the program.
      stream.on('error', () => {});
      resolve(null);
    });
  });
  const peer = stream.getPeerX509Certificate();
  if (isWanted(node, peer, pinned)) return stream;
  stream.destroy();
  throw new IgnisError('IGNIS_NO_HOST', `${title} is '${peer === undefined ? '' : nameOf(peer)}', which is not who it must be`);
}

/** @param {import('./host').Node} node @param {crypto.X509Certificate | undefined} peer @param {string | null} pinned @returns {boolean} */
function isWanted({ name, fingerprint }, peer, pinned) {
  if (pinned !== null) return peer?.fingerprint256 === new crypto.X509Certificate(pinned).fingerprint256;
  // As recorded for the member: another certificate with that name is not accepted.
  if (fingerprint !== undefined && peer?.fingerprint256 !== fingerprint) return false;
  return name === undefined || (peer !== undefined && nameOf(peer) === name);
}

exports.DIAL_MS = DIAL_MS;
exports.secureLink = secureLink;
