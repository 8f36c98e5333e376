'use strict';

// jpeg-js 0.4: JPEG images in JavaScript, without an addon.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'jpeg-js',
  versions: ['0.4.4'],
  evidence: [
    'encode makes new tables for each call, which takes 25 ms whatever the size.',
    'decode counts the bytes that it has taken in two variables of the module. Each call sets both before it begins and is done before it returns, so no call sees the counts of another.',
    'decode returns four bytes a pixel, many times what it was given, and still pays.',
    'Neither function changes or keeps what it is given: decode copies the bytes first.',
    'Read in lib/decoder.js and lib/encoder.js: decode, encode, their set-up, and every variable outside of them.',
  ].join(' '),
  threads: true,
  pays: [
    { function: 'encode', input: '256 x 256', bytes: 262189, ms: 54.1, homeMs: 3.33, breakEven: 'always' },
    { function: 'decode', input: '256 x 256', bytes: 8274, ms: 5.75, homeMs: 0.588, breakEven: '96 x 96' },
  ],
  recipe: {
    state: 'none',
    functions: {
      encode: { pure: true },
      decode: { pure: true },
    },
  },
};
