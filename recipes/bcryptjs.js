'use strict';

// bcryptjs 3: password hashes, in JavaScript.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'bcryptjs',
  versions: ['3'],
  files: ['./index.js'],
  evidence: [
    'compare and compareSync depend on their two arguments alone.',
    'hash and hashSync are pure only if the salt is given as text. Given a number of rounds, they draw a salt, and a second run gives another hash, as good as the first; so they are called idempotent.',
    'Not listed: genSalt, which is random, and functions that cost microseconds.',
    'hash and compare return promises or call back, and work on the event loop in pieces of 100 ms. With consent they leave without an added `await`.',
    'A call that is sent costs home next to nothing; at home, each further round doubles its cost.',
    'The passwords of sent calls pass through a pipe to a process of the same user.',
    'Read in umd/index.js (index.js).',
  ].join(' '),
  threads: true,
  keeps: ['The function of setRandomFallback, used only where there is no crypto; Node has it.'],
  pays: [
    { function: 'compareSync', input: '2^8 rounds', bytes: 86, ms: 23.3, homeMs: 1.46, breakEven: 'always' },
    { function: 'compare', input: '2^8 rounds', bytes: 86, ms: 22.2, homeMs: 2.78, breakEven: 'always' },
    { function: 'hashSync', input: '2^8 rounds', bytes: 55, ms: 22.3, homeMs: 1.8, breakEven: 'always' },
    { function: 'hash', input: '2^8 rounds', bytes: 55, ms: 21.8, homeMs: 1.31, breakEven: 'always' },
  ],
  recipe: {
    state: 'none',
    functions: { compareSync: { pure: true }, compare: { pure: true }, hashSync: { idempotent: true }, hash: { idempotent: true } },
  },
};
