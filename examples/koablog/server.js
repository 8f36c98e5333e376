'use strict';

// The weblog: `node server.js`, with PORT (8081), HOST (127.0.0.1) and BLOG_DATA (a folder, `data` here). In: HTTP. Out: pages. Says on
// stdout when it is ready; the first SIGINT or SIGTERM lets the requests under way finish. `node -r ignis/register server.js` is the same
// with its entries in three copies.

const http = require('node:http');
const path = require('node:path');
const Koa = require('koa');
const { Entries } = require('./lib/entries.js');
const views = require('./lib/views.js');

const ON_A_PAGE = 20;
const MAX_BODY = 4 * 1024 * 1024;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** @param {import('koa').Context} context @param {Entries} entries */
async function showList(context, entries) {
  const page = Math.max(1, Math.trunc(Number(context.query.page)) || 1);
  const ids = await entries.ids();
  const shown = ids.slice((page - 1) * ON_A_PAGE, page * ON_A_PAGE);
  const listed = await Promise.all(shown.map(async (id) => ({ id, .../** @type {any} */ (await entries.about(id)) })));
  context.body = views.list(listed, ids.length > page * ON_A_PAGE ? page + 1 : null);
}

/** @param {import('koa').Context} context @param {Entries} entries @param {number} id */
async function showEntry(context, entries, id) {
  const [about, text] = await Promise.all([entries.about(id), entries.text(id)]);
  if (about === null || text === null) context.throw(404, 'There is no such entry.');
  else context.body = views.entry(about, text);
}

/** @param {import('koa').Context} context @param {Entries} entries */
async function publish(context, entries) {
  const origin = context.get('origin');
  // Another site may not write here by way of a reader's browser.
  if (origin !== '' && origin.replace(/^https?:\/\//, '') !== context.host) context.throw(403, 'This form is not ours.');
  const fields = new URLSearchParams(await readBody(context));
  const title = (fields.get('title') ?? '').trim();
  const text = (fields.get('text') ?? '').replaceAll('\r\n', '\n');
  if (title !== '' && title.length <= 200 && text.trim() !== '') return context.redirect(`/entry/${await entries.add(title, text)}`);
  context.status = 400;
  context.body = views.form('An entry has a title of at most 200 letters, and a text.', title, text);
}

/** @param {import('koa').Context} context @returns {Promise<string>} */
async function readBody(context) {
  if (!context.is('urlencoded')) context.throw(415, 'This was not understood.');
  const chunks = [];
  let bytes = 0;
  const check = (/** @type {number} */ length) => {
    if (length <= MAX_BODY) return;
    // The rest of it is not waited for.
    context.set('Connection', 'close');
    context.throw(413, 'This is too long for an entry.');
  };
  check(context.request.length ?? 0);
  for await (const chunk of context.req) {
    check((bytes += chunk.length));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** @param {import('koa').Context} context @param {Entries} entries */
async function route(context, entries) {
  const { method, path: address } = context;
  const isRead = method === 'GET' || method === 'HEAD';
  const id = /^\/entry\/([1-9]\d{0,14})$/.exec(address)?.[1];
  if (isRead && address === '/') return showList(context, entries);
  if (isRead && id !== undefined) return showEntry(context, entries, Number(id));
  if (isRead && address === '/new') return void (context.body = views.form());
  if (method === 'POST' && address === '/new') return publish(context, entries);
  context.throw(404, 'There is nothing at this address.');
}

/**
 * @param {{data: string, entries?: any}} options data: the folder; entries: another way to keep them (the benchmark's, written by hand)
 * @returns {Promise<http.Server>} not listening yet
 */
async function createServer({ data, entries = new Entries(data) }) {
  await entries.open();
  const app = new Koa();
  app.use(async (context, next) => {
    context.set({ 'Content-Security-Policy': POLICY, 'X-Content-Type-Options': 'nosniff' });
    try {
      await next();
    } catch (error) {
      const { status = 500, message } = /** @type {any} */ (error);
      if (status >= 500) console.error(error);
      context.status = status;
      context.body = views.problem(status >= 500 ? 'Something went wrong here.' : message);
    }
  });
  app.use((context) => route(context, entries));
  return http.createServer(app.callback());
}

async function main() {
  const { PORT = '8081', HOST = '127.0.0.1', BLOG_DATA = path.join(__dirname, 'data') } = process.env;
  const server = await createServer({ data: path.resolve(BLOG_DATA) });
  server.listen(Number(PORT), HOST, () => {
    const { address, port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    console.log(`the weblog is at http://${address}:${port}`);
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      server.close();
      server.closeIdleConnections();
    });
  }
}

if (require.main === module) main();

exports.createServer = createServer;
