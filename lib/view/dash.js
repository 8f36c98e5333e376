'use strict';
/*
 * The web page of a running program (`--dash`, `ignis dash`). In: a feed, a port. Out: a page on 127.0.0.1, kept up to date over a
 * WebSocket. Whoever has the page may act on the program, so its address contains a secret, names and origins of other sites are refused,
 * and the page may load nothing from anywhere else. It never keeps the program alive, and does nothing while no page is open.
 */
const { createHash, randomBytes, timingSafeEqual } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { listenHere, warnOfPort } = require('./local-server');
const { talk } = require('./dash-talk');
const { Object } = require('../engine');

const PAGE = path.join(__dirname, 'page');
const TYPES = Object.freeze({ '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' });

/** The files of the page: no others are ever read. */
const FILES = Object.freeze([
  'index.html',
  'page.css',
  'icon.svg',
  'main.js',
  'act.js',
  'boundaries.js',
  'detail.js',
  'dom.js',
  'figures.js',
  'graph.js',
  'headline.js',
  'link.js',
  'matrix.js',
  'modules.js',
  'saved.js',
  'tables.js',
  'time-line.js',
  'what-if.js',
]);

const MOST_FRAME_BYTES = 64 * 1024;

/**
 * @typedef {object} DashSource what is shown; like the feed (feed.js), but it may answer later
 * @property {(everyMs: number, listener: (snapshot: any) => void) => () => void} watch
 * @property {(boundary: string) => any} detail
 * @property {() => any} history moments before the page was opened, oldest first
 * @property {(wish: any) => any} act
 * @property {(asked: any) => any} whatIf
 */

/**
 * @param {object} given
 * @param {number} given.port 0: any free one
 * @param {DashSource} given.source
 * @param {(line: string) => void} given.say told where the page is
 * @param {(error: Error) => void} [given.onFailed] the port is taken, or may not be opened; by default, a warning
 * @param {string} [given.token] the secret in its address; by default a random one
 * @returns {() => void} closes it, and all open pages
 */
function serveDash({ port, source, say, onFailed = warnOfPort('the page', port), token = randomBytes(18).toString('base64url') }) {
  const isRight = sameAs(token);
  /** @type {any} loaded when the first page is opened */
  let sockets = null;
  const onUpgrade = (/** @type {any} */ request, /** @type {any} */ socket, /** @type {Buffer} */ head) => {
    const { secret, rest } = parts(request.url);
    if (!isRight(secret) || rest !== 'live' || request.headers.origin === undefined)
      return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    const { WebSocketServer } = require('ws');
    sockets ??= new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false });
    sockets.handleUpgrade(request, socket, head, (/** @type {any} */ opened) => talk(opened, source));
  };
  const { close } = listenHere(
    {
      port,
      onListening: (address) => say(`ignis: the page is at ${address}/${token}/\n`),
      onFailed,
      onUpgrade,
    },
    (request, response) => {
      const { secret, rest } = parts(request.url);
      if (!isRight(secret)) return void response.writeHead(403).end('the address of the page is on stderr of the program\n');
      if (request.method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end();
      const name = rest === '' ? 'index.html' : rest;
      if (!FILES.includes(name)) return void response.writeHead(404).end('there is no such page\n');
      const body = readFileSync(path.join(PAGE, name));
      response.writeHead(200, headersOf(name, String(request.headers.host))).end(body);
    },
  );
  return () => {
    for (const socket of sockets?.clients ?? []) socket.terminate();
    close();
  };
}

/** @param {string} name @param {string} host */
function headersOf(name, host) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Type': `${TYPES[/** @type {keyof typeof TYPES} */ (path.extname(name))]}; charset=utf-8`,
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

/** @param {string | undefined} url '/SECRET/page.css' */
function parts(url = '') {
  const [, secret = '', rest] = /^\/([^/?#]*)\/([^?#]*)/.exec(url) ?? [];
  return { secret, rest };
}

/** @param {string} secret @returns {(given: string) => boolean} takes the same time wherever they differ */
function sameAs(secret) {
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest();
  const right = digest(secret);
  return (given) => timingSafeEqual(digest(given), right);
}

exports.FILES = FILES;
exports.PAGE = PAGE;
exports.serveDash = serveDash;
