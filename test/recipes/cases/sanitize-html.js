'use strict';

const { html, sizes } = require('../texts');

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    '': [
      {
        input: '1 kB, with options',
        args: () => [
          html(1),
          {
            allowedTags: ['p', 'a', 'b'],
            allowedAttributes: { '*': ['style'] },
            allowedStyles: { '*': { color: [/^red$/] } },
            transformTags: { i: 'b' },
          },
        ],
      },
      ...sizes([1, 8, 32], html),
    ],
  },
  setup: {
    defaults: {
      write(sanitizeHtml) {
        sanitizeHtml.defaults.allowedTags = ['b'];
      },
      shows: { function: '', args: () => ['<p><b>a</b></p>'] },
    },
  },
};
