'use strict';
/*
 * Serves the metrics on this machine, for Prometheus to fetch. In: a port, and a function that gives the text. Out:
 * http://127.0.0.1:PORT/metrics. It never keeps the program alive, answers only GET and HEAD, and only warns if the port is taken.
 */
const { warnOfPort, listenHere } = require('./local-server');

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * @param {object} given
 * @param {number} given.port 0: any free one
 * @param {() => string} given.text
 * @param {(line: string) => void} given.say told where it is served
 * @returns {() => void} ends it
 */
function serveMetrics({ port, text, say }) {
  return listenHere(
    { port, onListening: (address) => say(`ignis: metrics on ${address}/metrics\n`), onFailed: warnOfPort('metrics', port) },
    (request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      if (request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end('metrics are at /metrics\n');
      const body = text();
      response.writeHead(200, { 'Content-Type': TYPE, 'Content-Length': Buffer.byteLength(body) });
      response.end(request.method === 'HEAD' ? undefined : body);
    },
  ).close;
}

exports.serveMetrics = serveMetrics;
