'use strict';

// qrcode 1.5: QR codes as images and text.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'qrcode',
  versions: ['1.5'],
  evidence: [
    'What a call draws depends on its arguments, with one exception: once toSJISFunc is given, all later calls use it for Japanese text.',
    "So the recipe says nothing of the state. A program that never gives it may say { hot: true, state: 'none' }.",
    'A call puts an empty `color` into options that have none.',
    'With a callback, the functions call back at once (toString) or when the image is packed. Without one they return promises, but compute before they return.',
    'Not listed: toFile and toFileStream (they write), create (it returns an object with methods, so a call that is sent comes home), and toCanvas (for browsers).',
    'Read in lib/server.js, lib/core and lib/renderer.',
  ].join(' '),
  threads: true,
  ownFile: ["const { toDataURL } = require('qrcode');", '', 'exports.toDataURL = (text, options) => toDataURL(text, options);', ''].join(
    '\n',
  ),
  keeps: ['The function toSJISFunc of the last options that had one.'],
  pays: [{ function: 'toDataURL (own file)', input: '1320 characters', bytes: 1330, ms: 45.6, homeMs: 1.45, breakEven: 'always' }],
  recipe: {},
};
