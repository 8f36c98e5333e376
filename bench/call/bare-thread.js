'use strict';
// The bare MessagePort: echoes what is posted, one post for each, or a list of them in one post.
const { parentPort } = require('node:worker_threads');

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
port.on('message', (value) => port.postMessage(value));
