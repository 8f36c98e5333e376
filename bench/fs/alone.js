'use strict';

// A program that uses `fs` with a recipe, or without Ignis, which is the same. In: a folder in FS_BENCH, then messages that say what is to
// be called, and how often. Out: what a call took. It ends with the channel.

const fs = require('fs', { fs: 'local' });
const path = require('node:path');
const { time } = require('./calls.js');

const system = { fs, folder: path.join(String(process.env.FS_BENCH), 'plain') };

process.on('message', (/** @type {{what: string, calls: number}} */ { what, calls }) => {
  time(system, what, calls).then(
    (took) => process.send?.(took),
    (error) => {
      throw error;
    },
  );
});
