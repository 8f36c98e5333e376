'use strict';
/*
 * Where in a file the import stands that runs now: for the messages about a recipe. In: a file. Out: `file:line`. Reads a stack, so only when a
 * message is needed.
 */
const path = require('node:path');

/**
 * @param {string} file absolute
 * @param {string} appRoot absolute
 * @returns {string} relative to the program's root, with the line if the stack shows it
 */
function lineOf(file, appRoot) {
  const holder = { stack: '' };
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  Error.captureStackTrace(holder);
  Error.stackTraceLimit = limit;
  const frame = holder.stack.split('\n').find((line) => line.includes(`${file}:`)) ?? '';
  const line = frame.slice(frame.indexOf(file) + file.length).match(/^:\d+/)?.[0] ?? '';
  return path.relative(appRoot, file) + line;
}

exports.lineOf = lineOf;
