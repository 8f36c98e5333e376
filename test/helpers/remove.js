'use strict';
/*
 * Takes a folder away in which somebody may still write for a moment. In: the folder. Out: when it is gone. `rmSync` with `maxRetries`
 * tries only the last step again, and fails where a file has come meanwhile.
 */
const fs = require('node:fs');
const { until } = require('./until');

/** @param {string} folder @returns {Promise<void>} */
async function remove(folder) {
  await until(
    () => {
      try {
        fs.rmSync(folder, { recursive: true, force: true });
        return true;
      } catch (error) {
        if (/** @type {any} */ (error).code !== 'ENOTEMPTY') throw error;
        return false;
      }
    },
    `${folder} is gone`,
    20_000,
  );
}

exports.remove = remove;
