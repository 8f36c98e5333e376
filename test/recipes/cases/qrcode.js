'use strict';

const TEXTS = ['https://example.com/', 'A longer text to encode. '.repeat(8), 'A text that almost fills a code. '.repeat(40)];

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  ownFile: {
    toDataURL: [
      {
        input: 'coloured',
        args: () => [TEXTS[0], { width: 100, errorCorrectionLevel: 'H', color: { dark: '#003300', light: '#ffffff' } }],
      },
      ...TEXTS.map((text) => ({ input: `${text.length} characters`, args: () => [text] })),
    ],
  },
};
