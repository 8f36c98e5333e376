'use strict';

// The whole wiki once for every core, with node:cluster: what one does without taking the program apart.
// In and out: as server.js; the first process only hands out the port, and starts another when one dies.

const cluster = /** @type {import('node:cluster').Cluster} */ (/** @type {unknown} */ (require('node:cluster')));
const os = require('node:os');
const { createServer, serve } = require('../../examples/wiki/server.js');

const data = /** @type {string} */ (process.env.WIKI_DATA);

if (cluster.isPrimary) {
  let isEnding = false;
  process.once('SIGTERM', () => {
    isEnding = true;
    for (const each of Object.values(cluster.workers ?? {})) each?.process.kill('SIGTERM');
  });
  cluster.on('exit', () => {
    if (!isEnding) cluster.fork();
  });
  // The sample pages are copied once, before anybody looks for them.
  createServer({ data }).then(() => {
    for (let core = 0; core < os.availableParallelism(); core++) cluster.fork();
  });
} else {
  createServer({ data }).then(serve);
}
