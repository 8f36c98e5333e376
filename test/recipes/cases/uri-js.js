'use strict';

const PARTS = 'abcdefghij /%?#é';
/** @param {number} length */
const text = (length) => Array.from({ length }, (_, i) => PARTS[(i * 7) % PARTS.length]).join('');
/** @param {number} steps */
const steps = (steps) => `/a/./b/../c`.repeat(steps);

/** Its parser tries twice as much with each percent sign more. @param {number} count */
const wrong = (count) => `http://example.com/${'%F0'.repeat(count)}<`;

/** @param {(size: number) => string} make */
const sizes = (make) => [10, 300, 3000].map((size) => ({ input: `${make(size).length} characters`, args: () => [make(size)] }));

module.exports = {
  functions: {
    parse: [
      { input: 'an ordinary link', args: () => ['http://user@example.com:8080/a/../b?c=d#e'] },
      { input: 'a link with 12 wrong percent signs', args: () => [wrong(12)] },
      { input: 'a link with 16 wrong percent signs', args: () => [wrong(16)] },
    ],
    escapeComponent: sizes(text),
    unescapeComponent: sizes((size) => '%41%42a'.repeat(size)),
    pctEncChar: ['é', '%', '\u20ac'].map((char) => ({ input: 'a character', args: () => [char] })),
    pctDecChars: sizes((size) => '%41%c3%a9'.repeat(size)),
    removeDotSegments: [1, 10, 60].map((count) => ({ input: `${count * 4} segments`, args: () => [steps(count)] })),
  },
  mutates: {
    serialize: () => [{ scheme: 'http', host: 'a.example', port: 80, path: '' }],
    resolveComponents: () => [{ scheme: 'http', host: 'A.example', port: 80, path: '' }, {}],
  },
};
