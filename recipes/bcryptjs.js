'use strict';

// bcryptjs 3: password hashes, in JavaScript.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'bcryptjs',
  versions: ['3'],
  files: ['./index.js'],
  evidence: [
    'Read in umd/index.js (index.js): compare and compareSync depend on their two arguments. hash and hashSync are pure only with a salt that is given as text; with a number of rounds they draw one,',
    'and a second run gives another hash, as good as the first: so they are called idempotent. Not listed: genSalt, which is random, and what costs microseconds.',
    'hash and compare return promises or call back, working in pieces of 100 ms on the loop: with consent they leave without `await` being added anywhere.',
    'A call costs home next to nothing when sent, and twice as much at home with each round more. Passwords then pass through a pipe to a process of the same user.',
  ].join(' '),
  threads: true,
  keeps: ['setRandomFallback, which counts only where there is no crypto; Node has it.'],
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
