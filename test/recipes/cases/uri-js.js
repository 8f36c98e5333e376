'use strict';

const PARTS = 'abcdefghij /%?#é';
/** @param {number} length */
const text = (length) => Array.from({ length }, (_, i) => PARTS[(i * 7) % PARTS.length]).join('');
/** @param {number} steps */
const steps = (steps) => `/a/./b/../c`.repeat(steps);

/** @param {number} count @param {(size: number) => string} make */
const sizes = (make) => [10, 300, 3000].map((size) => ({ input: `${make(size).length} characters`, args: () => [make(size)] }));

module.exports = {
  functions: {
    escapeComponent: sizes(text),
    unescapeComponent: sizes((size) => '%41%42a'.repeat(size)),
    pctEncChar: ['é', '%', '\u20ac'].map((char) => ({ input: 'a character', args: () => [char] })),
    pctDecChars: sizes((size) => '%41%c3%a9'.repeat(size)),
    removeDotSegments: [1, 10, 60].map((count) => ({ input: `${count * 4} segments`, args: () => [steps(count)] })),
  },
};
