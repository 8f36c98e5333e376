'use strict';
/*
 * An HTTP server for this machine alone. In: a port, and a function that answers. Out: a server on 127.0.0.1. It answers only requests that
 * name this machine or its address: a page of another site that points its own name here (DNS rebinding) sends that name. It never keeps
 * the program alive, and never ends it: if an answer fails (a file of ours is gone, or no descriptor is left to read it), whoever asked is
 * told.
 */
const http = require('node:http');
const { publish } = require('../diagnostics');
const { Set } = require('../engine');

const HOSTS = new Set(['127.0.0.1', 'localhost']);
const HEADERS_MS = 5000;
/** More would take descriptors from the program: every user of this machine may connect. A page needs a few. */
const MOST_CONNECTIONS = 128;

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

/**
 * @param {object} given
 * @param {number} given.port 0: any free one
 * @param {(address: string) => void} given.onListening 'http://127.0.0.1:4000'
 * @param {(error: Error) => void} given.onFailed the port is taken, or may not be opened
 * @param {(request: Request, socket: import('node:stream').Duplex, head: Buffer) => void} [given.onUpgrade] for a request with an accepted
 *   name
 * @param {(request: Request, response: Response) => void} answer
 * @returns {{close: () => void, server: import('node:http').Server}}
 */
function listenHere({ port, onListening, onFailed, onUpgrade }, answer) {
  const server = http.createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: HEADERS_MS,
      keepAliveTimeout: HEADERS_MS,
      // By default, Node looks for late requests only every half minute.
      connectionsCheckingInterval: HEADERS_MS,
    },
    (request, response) => {
      if (!isForHere(request))
        return void response.writeHead(403).end('this address was requested under a name that is not of this machine\n');
      try {
        answer(request, response);
      } catch (error) {
        fail(response, /** @type {Error} */ (error));
      }
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.on('connection', (socket) => socket.unref());
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    if (onUpgrade === undefined || !isForHere(request)) return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    try {
      onUpgrade(request, socket, head);
    } catch {
      // It may speak another protocol by now; whoever needs one tries again.
      socket.destroy();
    }
  });
  server.on('error', onFailed);
  // Otherwise, in a worker of node:cluster, the primary would open it and share it with other workers.
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
    const at = server.address();
    if (at !== null && typeof at === 'object') onListening(`http://127.0.0.1:${at.port}`);
  });
  server.unref();
  return {
    server,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @param {Response} response @param {Error} error */
function fail(response, { message }) {
  if (response.headersSent) response.destroy();
  else response.writeHead(500).end(`this cannot be answered: ${message}\n`);
}

/** @param {Request} request @returns {boolean} */
function isForHere({ headers }) {
  const { host = '', origin } = headers;
  if (!HOSTS.has(host.replace(/:\d{1,5}$/, ''))) return false;
  return origin === undefined || origin === `http://${host}`;
}

/** @param {string} what is served @param {number} port @returns {(error: Error) => void} */
function warnOfPort(what, port) {
  return (error) => {
    const why = /** @type {any} */ (error).code === 'EADDRINUSE' ? 'the port is in use; 0 takes any free port' : error.message;
    const message = `${what} cannot be served on port ${port}: ${why}`;
    publish('ignis:warning', { message });
    process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_NO_PORT' });
  };
}

exports.MOST_CONNECTIONS = MOST_CONNECTIONS;
exports.listenHere = listenHere;
exports.warnOfPort = warnOfPort;
