'use strict';

// qrcode 1.5: QR codes as images and text.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'qrcode',
  versions: ['1.5'],
  evidence: [
    'Read in lib/server.js, lib/core and lib/renderer: what a call draws depends on its arguments, but for one: toSJISFunc, given once, is kept and used by all later calls for Japanese text.',
    "So nothing is said of the state; a program that never gives it says { hot: true, state: 'none' }.",
    'Options without color get an empty one.',
    'Not listed: toFile and toFileStream write, create gives an object with methods (it comes home once it was sent), and toCanvas is for browsers.',
    'With a callback the functions call back at once (toString) or when the image is packed; without one they give promises, but compute before they return.',
  ].join(' '),
  threads: true,
  ownFile: ["const { toDataURL } = require('qrcode');", '', 'exports.toDataURL = (text, options) => toDataURL(text, options);', ''].join(
    '\n',
  ),
  keeps: ['The function toSJISFunc of the last options that had one.'],
  pays: [{ function: 'toDataURL (own file)', input: '1320 characters', bytes: 1330, ms: 45.6, homeMs: 1.45, breakEven: 'always' }],
  recipe: {},
};
