'use strict';

const { onceFor, pixels } = require('../images');
const { installed } = require('../installed');

const jpeg = onceFor((/** @type {number} */ side) => {
  const { encode } = require(require.resolve('jpeg-js', { paths: [installed()] }));
  return encode(pixels(side), 80).data;
});

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  ownFile: {
    thumbnail: [32, 96, 256].map((side) => ({ input: `${side} x ${side}`, args: (module) => [Buffer.from(jpeg(side, module)), 16] })),
  },
};
