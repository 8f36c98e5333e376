'use strict';

// jimp 1: images, read, changed and written.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'jimp',
  versions: ['1'],
  files: ['./dist/esm/index.js'],
  evidence: [
    'What can move is a function in a file of your own that takes bytes and returns bytes.',
    'A Jimp is an object with its pixels, and every method works on it. Jimp.read, fromBuffer and fromBitmap return such objects, which stay where they were made.',
    'So nothing of jimp moves by itself, and a call that is sent all the same comes home.',
    'The module keeps no state. createJimp, for formats and plugins of your own, makes a separate class.',
    'Read in the entry of jimp and the variables of @jimp/core, and observed.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const { Jimp } = require('jimp');",
    '',
    'exports.thumbnail = async (bytes, width) => {',
    '  const image = await Jimp.fromBuffer(bytes);',
    "  return image.resize({ w: width }).getBuffer('image/jpeg');",
    '};',
    '',
  ].join('\n'),
  pays: [{ function: 'thumbnail (own file)', input: '256 x 256', bytes: 8276, ms: 41.6, homeMs: 2.97, breakEven: 'always' }],
  recipe: { state: 'none', idempotent: true },
};
