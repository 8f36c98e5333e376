'use strict';

const { onceFor, pixels } = require('../images');

const SIDES = [32, 96, 256];
const encoded = onceFor((/** @type {number} */ side, module) => module.encode(pixels(side), 80).data);

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    encode: SIDES.map((side) => ({ input: `${side} x ${side}`, args: () => [pixels(side), 80] })),
    decode: [
      {
        input: '32 x 32, with options',
        args: (module) => [Buffer.from(encoded(32, module)), { useTArray: true, formatAsRGBA: false, maxMemoryUsageInMB: 8 }],
      },
      ...SIDES.map((side) => ({ input: `${side} x ${side}`, args: (/** @type {any} */ module) => [Buffer.from(encoded(side, module))] })),
    ],
  },
  wrong: [
    { function: 'decode', args: () => [Buffer.from('no image')] },
    { function: 'decode', args: (module) => [Buffer.from(encoded(96, module)), { maxMemoryUsageInMB: 0.001 }] },
  ],
};
