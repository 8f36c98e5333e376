'use strict';

const { html, prose, sizes } = require('../texts');

/** @param {(kB: number) => string} text @param {(text: string) => any[]} [toArgs] */
const texts = (text, toArgs) => sizes([1, 16, 128], text, toArgs);
/** @param {string} part */
const repeated = (part) => texts((kB) => part.repeat((kB * 1024) / part.length));

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    escape: texts(html),
    unescape: texts((kB) => '&lt;b&gt; &amp; &quot;c&quot; '.repeat(kB * 35)),
    trim: texts((kB) => ` ${prose(kB)} `),
    stripLow: texts(html),
    whitelist: texts(prose, (text) => [text, 'a-z ']),
    blacklist: texts(prose, (text) => [text, 'aeiou']),
    isAscii: texts(prose),
    isMultibyte: texts(prose),
    isHexadecimal: repeated('0123456789abcdef'),
    isLowercase: repeated('lower case text '),
    isUppercase: repeated('UPPER CASE TEXT '),
    isJWT: texts((kB) => `${'a'.repeat(kB * 340)}.${'b'.repeat(kB * 340)}.${'c'.repeat(kB * 340)}`),
    isDataURI: texts((kB) => `data:image/png;base64,${'abcd'.repeat(kB * 256)}`),
    equals: texts(prose, (text) => [text, text]),
  },
  wrong: [{ function: 'escape', args: () => [42] }],
  mutates: {
    contains: () => ['a', 'b', {}],
    isBase64: () => ['abcd', {}],
    isCurrency: () => ['1.00', {}],
    isDecimal: () => ['1.0', {}],
    isEmail: () => ['a@example.com', {}],
    isFQDN: () => ['example.com', {}],
    isStrongPassword: () => ['secret', {}],
    isURL: () => ['http://example.com', {}],
    normalizeEmail: () => ['A@Example.com', {}],
  },
};
