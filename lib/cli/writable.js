'use strict';

// Checks whether a file can be written before something takes long whose result would be lost. In: a path. Out: nothing, or an error that
// says why not. What changes later shows when it is written.

const fs = require('node:fs');
const path = require('node:path');
const { IgnisError } = require('../errors.js');

/**
 * @param {string} file absolute
 * @throws {IgnisError} IGNIS_BAD_OPTION
 */
function checkWritable(file) {
  const { W_OK, X_OK } = fs.constants;
  try {
    const found = fs.statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new Error('it is a folder');
    if (found === undefined && !fs.statSync(path.dirname(file)).isDirectory()) throw new Error(`${path.dirname(file)} is not a folder`);
    if (found === undefined) fs.accessSync(path.dirname(file), W_OK | X_OK);
    else fs.accessSync(file, W_OK);
  } catch (error) {
    throw new IgnisError('IGNIS_BAD_OPTION', `the file ${file} cannot be written: ${/** @type {Error} */ (error).message}`, {
      cause: error,
      path: file,
    });
  }
}

exports.checkWritable = checkWritable;
