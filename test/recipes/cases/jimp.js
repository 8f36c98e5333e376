'use strict';

const { installed } = require('../installed');
const { onceFor, pixels } = require('../images');

const jpeg = onceFor((/** @type {number} */ side) => {
  const { encode } = require(require.resolve('jpeg-js', { paths: [installed()] }));
  return encode(pixels(side), 80).data;
});

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  wrap: {
    functions: {
      thumbnail: [32, 128, 384].map((side) => ({ input: `${side} x ${side}`, args: (module) => [Buffer.from(jpeg(side, module)), 16] })),
    },
    wrong: [{ function: 'thumbnail', args: () => [Buffer.from('no image'), 16] }],
  },
};
