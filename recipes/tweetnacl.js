'use strict';

// tweetnacl 1: encryption and signatures, in JavaScript.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'tweetnacl',
  versions: ['1.0'],
  evidence: [
    'Read in nacl-fast.js: the functions below copy what they are given into new arrays, and read constants besides; their results are new arrays.',
    'Not listed: randomBytes, box.keyPair and sign.keyPair, which are random, and `lowlevel`, which writes into its arguments.',
    'Keys then pass through a pipe to a process of the same user.',
  ].join(' '),
  threads: true,
  setup: 'a source of random bytes is a function, which cannot be sent: setPRNG keeps the module at home from then on.',
  pays: [],
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
