'use strict';

const SALTS = ['$2b$04$', '$2b$06$', '$2b$08$'].map((head) => `${head}abcdefghijklmnopqrstuu`);
const input = (/** @type {string} */ salt) => `2^${Number(salt.slice(4, 6))} rounds`;
const PASSWORD = 'a long Pässword';

/** @type {import('../cases').Size[]} */
const hashes = SALTS.map((salt) => ({ input: input(salt), args: () => [PASSWORD, salt] }));
/** @type {import('../cases').Size[]} */
const pairs = SALTS.map((salt) => ({ input: input(salt), args: (bcrypt) => [PASSWORD, known(bcrypt, salt)] }));

/** @type {Map<string, string>} */
const made = new Map();
/** @param {any} bcrypt @param {string} salt */
function known(bcrypt, salt) {
  if (!made.has(salt)) made.set(salt, bcrypt.hashSync(PASSWORD, salt));
  return made.get(salt);
}

/** @type {import('../cases').Cases} */
module.exports = {
  functions: { compareSync: pairs, compare: pairs, hashSync: hashes, hash: hashes },
  wrong: [
    { function: 'hashSync', args: () => [PASSWORD, 'no salt'] },
    { function: 'compare', args: () => [PASSWORD, 42] },
  ],
};
