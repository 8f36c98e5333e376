'use strict';

// Hashes passwords as one should: not on the event loop. libuv's pool of threads does the work, and is the limit.
// In: a password, a salt and a number of iterations. Out: a promise of the hash in hex.

const { pbkdf2 } = require('node:crypto');

/**
 * @param {string} password
 * @param {string} salt
 * @param {number} iterations
 * @returns {Promise<string>}
 */
function hash(password, salt, iterations) {
  return new Promise((resolve, reject) => {
    pbkdf2(password, salt, iterations, 32, 'sha256', (error, key) => (error ? reject(error) : resolve(key.toString('hex'))));
  });
}

exports.hash = hash;
