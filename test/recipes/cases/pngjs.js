'use strict';

const { onceFor, pixels } = require('../images');

const SIDES = [32, 96, 256];
const encoded = onceFor((/** @type {number} */ side, module) => module.PNG.sync.write(pixels(side)));

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    'PNG.sync.read': SIDES.map((side) => ({ input: `${side} x ${side}`, args: (module) => [Buffer.from(encoded(side, module))] })),
    'PNG.sync.write': SIDES.map((side) => ({ input: `${side} x ${side}`, args: () => [pixels(side)] })),
  },
  wrong: [
    { function: 'PNG.sync.read', args: () => [Buffer.from('no image')] },
    { function: 'PNG.sync.write', args: () => [pixels(8), { bitDepth: 7 }] },
  ],
  mutates: {
    'PNG.sync.read': (module) => [Buffer.from(encoded(8, module)), {}],
    'PNG.sync.write': () => [pixels(8), { colorType: 2 }],
    'PNG.adjustGamma': () => [{ ...pixels(8), gamma: 0.5 }],
    'PNG.bitblt': () => [pixels(8), { width: 8, height: 8, data: Buffer.alloc(256) }, 0, 0, 4, 4, 1, 1],
  },
};
