'use strict';

// The wiki with uri-js moved into threads by hand, with piscina, as one would without Ignis.
// WIKI_CUT=call: each call of the module is a task, the cut that Ignis makes, in the same place.
// WIKI_CUT=page: all links of a page are one task; the check itself had to be written again for it.
// In and out: as server.js.

const path = require('node:path');
const { Piscina } = require('piscina');
const { normalForm } = require('../../examples/wiki/lib/links.js');
const { createServer, serve } = require('../../examples/wiki/server.js');

const MAX_THREADS = 4;

const pool = new Piscina({
  filename: path.join(__dirname, 'piscina-task.js'),
  name: 'call',
  minThreads: 1,
  maxThreads: MAX_THREADS,
  idleTimeout: 5000,
});

/** @param {string} name */
const remote =
  (name) =>
  (/** @type {unknown[]} */ ...args) =>
    pool.run({ name, args });
const uri = { parse: remote('parse') };

/**
 * The same lines as in examples/wiki/lib/links.js, over the pool.
 * @param {string} link
 */
async function checkLink(link) {
  const parts = await uri.parse(link);
  const host = parts.host ?? '';
  if (parts.error) return { link, problem: parts.error, better: null, host };
  const normal = normalForm(link);
  return { link, problem: null, better: normal === link ? null : normal, host };
}

const checkLinks =
  process.env.WIKI_CUT === 'page'
    ? (/** @type {string[]} */ links) => pool.run(links, { name: 'checkLinks' })
    : (/** @type {string[]} */ links) => Promise.all(links.map(checkLink));

createServer({ data: /** @type {string} */ (process.env.WIKI_DATA), checkLinks }).then((server) => {
  server.on('close', () => pool.close());
  serve(server);
});
