'use strict';

// The weblog on a store: examples/koablog with the entries of store-entries.js. In: PORT, BLOG_DATA. Out: as server.js.

const path = require('node:path');
const { createServer } = require('../../examples/koablog/server.js');
const { Entries } = require('./store-entries.js');

async function main() {
  const entries = new Entries(path.resolve(process.env.BLOG_DATA ?? 'data'));
  const server = await createServer({ data: '', entries });
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
    console.log(`the weblog is at http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`);
  });
  process.once('SIGTERM', () => {
    server.close(() => void entries.close());
    server.closeIdleConnections();
  });
}

main();
