'use strict';

// Where a command writes. In: text. Out: stdout and stderr. When nobody reads any more (`ignis recipes | head -1`), the command is over,
// which is no failure. The streams are left alone until a command writes to them: those of `ignis run` are the program's.

const { writeSync } = require('node:fs');

/**
 * @param {() => NodeJS.WriteStream} streamOf
 * @param {(error: NodeJS.ErrnoException) => void} onFailed
 * @returns {(text: string) => void}
 */
function writer(streamOf, onFailed) {
  let isFirst = true;
  return (text) => {
    const stream = streamOf();
    if (isFirst) stream.on('error', onFailed);
    isFirst = false;
    stream.write(text);
  };
}

/** @param {NodeJS.ErrnoException} error */
function end({ code, message }) {
  if (code !== 'EPIPE') {
    process.exitCode = 1;
    writeSync(2, `ignis: ${message}\n`);
  }
  process.exit();
}

exports.out = writer(() => process.stdout, end);
exports.err = writer(
  () => process.stderr,
  () => {},
);
