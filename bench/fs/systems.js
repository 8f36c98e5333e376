'use strict';

// The file systems that bench/fs.js compares, as a program gets them. In: FS_BENCH, a folder with a folder for each in it. Out: for each
// its `fs`, and the folder it is used in. It is loaded when Ignis watches: only then does `require` take a recipe.

const path = require('node:path');

const folder = String(process.env.FS_BENCH);
const at = (/** @type {string} */ name) => path.join(folder, name);

/** @type {Record<string, {fs: typeof import('node:fs'), folder: string}>} */
const SYSTEMS = {
  plain: { fs: process.getBuiltinModule('fs'), folder: at('plain') },
  local: { fs: require('fs', { fs: 'local' }), folder: at('plain') },
  strong: { fs: require('fs', { fs: 'strong', root: at('strong') }), folder: at('strong') },
  eventual: { fs: require('fs', { fs: 'eventual', copies: 3, root: at('eventual') }), folder: at('eventual') },
  spread: {
    fs: require('fs', { copies: 2, root: at('spread'), disks: ['spread', 'spread-b', 'spread-c', 'spread-d'].map(at) }),
    folder: at('spread'),
  },
};

exports.SYSTEMS = SYSTEMS;
