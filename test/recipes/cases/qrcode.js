'use strict';

const TEXTS = ['https://example.com/', 'A longer text to encode. '.repeat(8), 'A text that almost fills a code. '.repeat(40)];
/** @param {string} text */
const inputOf = (text) => `${text.length} characters`;
/** @param {any} [options] */
const sizes = (...options) => TEXTS.map((text) => ({ input: inputOf(text), args: () => [text, ...structuredClone(options)] }));
const colours = { color: { dark: '#003300', light: '#ffffff' } };
/** Its colours are filled in. */
const bare = () => ['text', {}];

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    toString: [
      ...sizes(),
      { input: 'an image of paths', args: () => [TEXTS[1], { type: 'svg', errorCorrectionLevel: 'H', ...structuredClone(colours) }] },
    ],
    toDataURL: [{ input: 'coloured', args: () => [TEXTS[0], { width: 200, ...structuredClone(colours) }] }, ...sizes()],
    toBuffer: sizes(),
  },
  wrong: [
    { function: 'toString', args: () => [''] },
    { function: 'toDataURL', args: () => ['a'.repeat(5000)] },
    { function: 'toBuffer', args: () => ['text', { version: 1, maskPattern: 9, color: { dark: 'no colour' } }] },
  ],
  says: { state: 'none' },
  mutates: { toString: bare, toDataURL: bare, toBuffer: bare },
};
