'use strict';

// The wiki: `node server.js`, with PORT (8080), HOST (127.0.0.1) and WIKI_DATA (a folder; sample pages on first start).
// In: HTTP. Out: pages. Says on stdout when it is ready; the first SIGINT or SIGTERM lets the requests under way finish.

const http = require('node:http');
const path = require('node:path');
const express = require('express');
const { accountRoutes } = require('./lib/account-routes.js');
const { Accounts } = require('./lib/account.js');
const { checkLinks } = require('./lib/links.js');
const { pageRoutes, send } = require('./lib/page-routes.js');
const { BadNameError, Pages } = require('./lib/pages.js');
const { problemView } = require('./views/pages.js');

const MAX_BODY = '256kb';
const POLICY = "default-src 'self'; img-src 'self' https:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * @param {{ data: string, checkLinks?: typeof checkLinks }} options data: the folder; checkLinks: another way to
 *   check them (the benchmark's versions written by hand)
 * @returns {Promise<http.Server>} not listening yet
 */
async function createServer(options) {
  const pages = new Pages(options.data);
  const accounts = new Accounts(options.data);
  await pages.open();
  await accounts.open();
  const app = express();
  app.disable('x-powered-by');
  app.use((/** @type {any} */ request, /** @type {any} */ response, /** @type {() => void} */ next) => {
    request.reader = { user: null, formToken: '' };
    response.set({ 'Content-Security-Policy': POLICY, 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  app.use('/public', express.static(path.join(__dirname, 'public'), { redirect: false, index: false }));
  app.use(express.urlencoded({ extended: false, limit: MAX_BODY }));
  app.use((/** @type {any} */ request, /** @type {any} */ response, /** @type {() => void} */ next) => {
    request.body ??= {};
    next();
  });
  app.use(accountRoutes(accounts));
  app.use(pageRoutes({ pages, accounts, checkLinks: options.checkLinks ?? checkLinks }));
  app.use((/** @type {any} */ request, /** @type {any} */ response) => {
    refuse(request, response, 404, 'There is nothing at this address.');
  });
  // Express knows by the four parameters that this one takes errors.
  app.use((/** @type {any} */ error, /** @type {any} */ request, /** @type {any} */ response, /** @type {any} */ _next) => {
    // Whoever asked has gone, or has part of the answer: there is nobody to tell.
    if (response.headersSent || response.destroyed) return response.destroy();
    if (error instanceof BadNameError) return refuse(request, response, 404, 'A page cannot have this name.');
    const status = error.status >= 400 && error.status < 500 ? error.status : 500;
    if (status === 500) console.error(error);
    refuse(
      request,
      response,
      status,
      status === 413 ? 'This is too large for a page.' : status < 500 ? 'This was not understood.' : 'Something went wrong here.',
    );
  });
  return http.createServer(app);
}

/**
 * @param {any} request
 * @param {any} response
 * @param {number} status
 * @param {string} text
 */
function refuse(request, response, status, text) {
  response.status(status);
  send(request, response, http.STATUS_CODES[status] ?? 'Error', problemView({ title: http.STATUS_CODES[status] ?? 'Error', text }));
}

/**
 * Listens, says so in one line, and ends in good order on a signal.
 * @param {http.Server} server
 * @returns {void}
 */
function serve(server) {
  server.on('error', (error) => {
    console.error(`wiki: ${error.message}`);
    process.exitCode = 1;
  });
  server.listen(Number(process.env.PORT ?? 8080), process.env.HOST ?? '127.0.0.1', () => {
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    console.log(`wiki ready on http://${address.address}:${address.port}`);
  });
  // close() ends what is idle now; what becomes idle later would otherwise stay for the whole keep-alive time.
  const stop = () => {
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => clearInterval(sweep));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

if (require.main === module) {
  createServer({ data: process.env.WIKI_DATA ?? path.join(__dirname, 'data') }).then(serve);
}

exports.createServer = createServer;
exports.serve = serve;
