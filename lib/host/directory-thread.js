'use strict';
/*
 * The thread of a directory: there, beats go on while home computes, and no socket to an engine keeps home alive. In: requests of
 * directory-link.js. Out: their answers. If the engine cannot be reached, it tries again, and tells that to requests that come meanwhile.
 */
// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('../boot/own-require').ownRequire(module, require);
const { parentPort, workerData } = require('node:worker_threads');
const { IgnisError, detailOf } = require('../errors.js');
const { Directory } = require('./directory.js');
const { Promise, performance } = require('../engine');

const AGAIN_MS = 1000;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { cluster, home } = workerData;

/** @type {Promise<Directory> | null} */
let opening = null;
let failedAt = -Infinity;
/** @type {unknown} */
let why = null;

/** @returns {Promise<Directory>} */
function directory() {
  if (opening === null && performance.now() - failedAt < AGAIN_MS) return Promise.reject(why);
  opening ??= Directory.open(cluster, { home }).catch((error) => {
    opening = null;
    failedAt = performance.now();
    why = error;
    throw error;
  });
  return opening;
}

/** @param {string} what @param {any[]} args @returns {Promise<unknown>} */
async function answer(what, args) {
  if (what === 'close') {
    await (await opening?.catch(() => null))?.close();
    return null;
  }
  const open = await directory();
  if (what === 'survey') return open.survey(args[0]);
  if (what === 'place') return open.place(args[0], args[1]);
  return open.leave(args[0], args[1]);
}

port.on('message', async ({ id, what, args }) => {
  try {
    port.postMessage({ id, answer: await answer(what, args) });
  } catch (error) {
    const { code, ran } = /** @type {any} */ (error);
    port.postMessage({ id, error: { code: error instanceof IgnisError ? code : 'IGNIS_ENGINE_DOWN', detail: detailOf(error), ran } });
  }
  if (what === 'close') port.close();
});
