'use strict';
/*
 * Writes bytes to a disk. In: a file and what to write where. Out: nothing; all of it is written, or an error says why not.
 */
const fs = require('node:fs');

/**
 * @param {string} file exists
 * @param {Uint8Array} data
 * @param {{offset: number, isHandles: boolean, isSync: boolean}} how isHandles: it was open for writing, whatever its mode says now
 */
function writeAt(file, data, { offset, isHandles, isSync }) {
  const fd = openToWrite(file, isHandles);
  try {
    for (let done = 0; done < data.length;) done += fs.writeSync(fd, data, done, data.length - done, offset + done);
    if (isSync) fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** @param {string} file @param {boolean} isHandles */
function openToWrite(file, isHandles) {
  try {
    return fs.openSync(file, 'r+');
  } catch (error) {
    if (!isHandles || /** @type {any} */ (error).code !== 'EACCES') throw error;
    const { mode } = fs.statSync(file);
    fs.chmodSync(file, mode | 0o600);
    try {
      return fs.openSync(file, 'r+');
    } finally {
      fs.chmodSync(file, mode);
    }
  }
}

/** @param {string} file or folder; it is on disk when this returns */
function syncPath(file) {
  const fd = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

exports.syncPath = syncPath;
exports.writeAt = writeAt;
