'use strict';

// tweetnacl 1: encryption and signatures, in JavaScript.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'tweetnacl',
  versions: ['1.0'],
  evidence: [
    'The listed functions copy what they are given into new arrays, and otherwise read only constants. Their results are new arrays.',
    'Not listed: randomBytes, box.keyPair and sign.keyPair, which are random, and `lowlevel`, which writes into its arguments.',
    'The keys of sent calls pass through a pipe to a process of the same user.',
    'Read in nacl-fast.js.',
  ].join(' '),
  threads: true,
  setup: 'it keeps the module at home from then on, because a source of random bytes is a function, which cannot be sent.',
  pays: [
    { function: 'secretbox', input: '30 kB', bytes: 30074, ms: 0.351, homeMs: 0.215, breakEven: '30 kB' },
    { function: 'secretbox.open', input: '30 kB', bytes: 30090, ms: 0.361, homeMs: 0.217, breakEven: '10 kB' },
    { function: 'scalarMult', input: 'keys', bytes: 77, ms: 0.796, homeMs: 0.18, breakEven: 'always' },
    { function: 'box', input: '30 kB', bytes: 30109, ms: 1.1, homeMs: 0.228, breakEven: 'always' },
    { function: 'sign', input: '30 kB', bytes: 30079, ms: 4.11, homeMs: 1.14, breakEven: 'always' },
    { function: 'sign.detached.verify', input: '30 kB', bytes: 30114, ms: 5.92, homeMs: 0.533, breakEven: 'always' },
    { function: 'hash', input: '30 kB', bytes: 30012, ms: 0.573, homeMs: 0.147, breakEven: '10 kB' },
  ],
  recipe: {
    state: 'none',
    setup: ['setPRNG'],
    functions: Object.fromEntries(
      [
        'secretbox',
        'secretbox.open',
        'scalarMult',
        'scalarMult.base',
        'box',
        'box.before',
        'box.after',
        'box.open',
        'box.open.after',
        'box.keyPair.fromSecretKey',
        'sign',
        'sign.open',
        'sign.detached',
        'sign.detached.verify',
        'sign.keyPair.fromSecretKey',
        'sign.keyPair.fromSeed',
        'hash',
        'verify',
      ].map((name) => [name, { pure: true }]),
    ),
  },
};
