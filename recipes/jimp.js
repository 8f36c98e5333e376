'use strict';

// jimp 1: images, read, changed and written.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'jimp',
  versions: ['1'],
  files: ['./dist/esm/index.js'],
  evidence: [
    'Read in the entry of jimp and the variables of @jimp/core, and observed: a Jimp is an object with its pixels, and every method works on it; Jimp.read, fromBuffer and fromBitmap give such objects.',
    'They stay where they were made, so nothing of jimp moves by itself, and a call that is sent all the same comes home.',
    'The module keeps no state; createJimp, for formats and plugins of your own, makes a class of its own.',
    'What moves is a function of your own that takes bytes and gives bytes, in a file of its own.',
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
