'use strict';
/*
 * The daemon's word that a replica may load a bundle, in a form that home can carry: while a replica's main thread waits for home, it does
 * not hear its daemon. In: a secret known only to the daemon and this one replica, the bundle, and where it is. Out: a proof
 * (HMAC-SHA-256), or whether one is right. Nobody can make one without the secret.
 */
const crypto = require('node:crypto');

/** @typedef {{root: string, proof: string}} Grant where a bundle is on its host, and proof that it is there */

/** @param {string} secret @param {string} digest @param {string} root @returns {string} */
function proofOf(secret, digest, root) {
  return crypto.createHmac('sha256', secret).update(`${digest}\0${root}`).digest('hex');
}

/** @param {string} secret @param {string} digest @param {any} grant as it came over the wire @returns {grant is Grant} */
function isProved(secret, digest, grant) {
  if (typeof grant?.root !== 'string' || typeof grant.proof !== 'string') return false;
  const [right, given] = [Buffer.from(proofOf(secret, digest, grant.root)), Buffer.from(grant.proof)];
  return right.length === given.length && crypto.timingSafeEqual(right, given);
}

exports.isProved = isProved;
exports.proofOf = proofOf;
