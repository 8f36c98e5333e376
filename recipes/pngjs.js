'use strict';

// pngjs 6 and 7: PNG images, read and written.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'pngjs',
  versions: ['6', '7'],
  evidence: [
    'PNG.sync.read and PNG.sync.write take and return plain data, so calling them instead of the methods of a PNG object is enough.',
    'What a PNG object does stays at home: new PNG(), parse, pack and the streams are one object with its buffers. Half of its work is in zlib, which runs on the pool of threads; its filters block.',
    'A call of PNG.sync makes its own parser or packer, and the module keeps only tables (CRC, interlacing). Still, both are not called pure: they fill defaults into options that they are given.',
    'The defaults of write include a function (deflateFactory), which cannot be sent back.',
    'So a call of write with options comes home, and write stays there from then on,',
    "unless the program says { functions: { 'PNG.sync.write': { args: 'copy' } } } and does not look at its options again.",
    'PNG.bitblt and PNG.adjustGamma change the image that they are given, and cost less than sending it.',
    'Read in lib/png-sync, parser-sync, packer-sync, parser, packer, bitpacker, filter-pack and filter-parse. The folder lib is the same in 6 and 7.',
  ].join(' '),
  threads: true,
  mutates: [
    { function: 'PNG.sync.read', argument: 1, what: 'checkCRC is filled in' },
    { function: 'PNG.sync.write', argument: 1, what: 'defaults are filled in: deflateLevel, colorType, bitDepth and others' },
    { function: 'PNG.adjustGamma', argument: 0, what: 'its pixels change, and gamma becomes 0' },
    { function: 'PNG.bitblt', argument: 1, what: 'its pixels change' },
  ],
  pays: [
    { function: 'PNG.sync.read', input: '256 x 256', bytes: 62171, ms: 3.42, homeMs: 1.35, breakEven: '96 x 96' },
    { function: 'PNG.sync.write', input: '256 x 256', bytes: 262186, ms: 7.95, homeMs: 0.898, breakEven: '96 x 96' },
  ],
  recipe: {
    state: 'none',
    functions: {
      'PNG.sync.read': { idempotent: true },
      'PNG.sync.write': { idempotent: true },
    },
  },
};
