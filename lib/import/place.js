'use strict';
/*
 * Tells where in a file the import stands that is running now, for messages about a recipe. In: a file. Out: `file:line`. It reads a stack,
 * so call it only when a message is needed.
 */
const path = require('node:path');
const { stackOf } = require('../engine');

/**
 * @param {string | Iterable<string | null>} files absolute; of several, the one nearest in the stack, or else the first
 * @param {string} appRoot absolute
 * @returns {string} relative to the program's root, with the line if the stack shows it
 */
function lineOf(files, appRoot) {
  const all = typeof files === 'string' ? [files] : [...files].filter((file) => file !== null);
  const lines = stackOf(50, true).split('\n');
  const frames = lines.map((line) => ({ line, file: all.find((one) => line.includes(`${one}:`)) }));
  const { line: frame = '', file = all[0] ?? '' } = frames.find((one) => one.file !== undefined) ?? {};
  const line = frame.slice(frame.indexOf(file) + file.length).match(/^:\d+/)?.[0] ?? '';
  return path.relative(appRoot, file) + line;
}

exports.lineOf = lineOf;
