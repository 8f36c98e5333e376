'use strict';

const SALT = Buffer.from('a salt of sixteen');

/** @param {string} name @param {number[]} costs @param {(cost: number) => any[]} toArgs @param {(cost: number) => string} toInput */
function both(name, costs, toArgs, toInput) {
  const sizes = costs.map((cost) => ({ input: toInput(cost), args: () => toArgs(cost) }));
  return { [`${name}Sync`]: sizes, [name]: sizes.map((size) => ({ ...size, callback: true })) };
}

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    ...both(
      'pbkdf2',
      [10, 500, 5000],
      (rounds) => ['a password', SALT, rounds, 32, 'sha256'],
      (rounds) => `${rounds} rounds`,
    ),
    ...both(
      'scrypt',
      [16, 256, 2048],
      (N) => ['a password', SALT, 32, { N }],
      (N) => `cost ${N}`,
    ),
    ...both(
      'hkdf',
      [32, 1000, 8000],
      (bytes) => ['sha256', 'a key', SALT, 'info', bytes],
      (bytes) => `${bytes} bytes`,
    ),
  },
  wrong: [
    { function: 'pbkdf2Sync', args: () => ['a', SALT, -1, 32, 'sha256'] },
    { function: 'pbkdf2Sync', args: () => ['a', SALT, 1, 32, 'no such digest'] },
    { function: 'scryptSync', args: () => ['a', SALT, 32, { N: 3 }] },
  ],
};
