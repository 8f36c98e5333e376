'use strict';

// A server with one slow module, the subject of docs/guide.md: each request for /page renders a page of Markdown, and all others wait for it.

const http = require('node:http');
const { marked } = require('marked');

const paragraph = '# A page\n\nWith a [link](http://example.com/), `code`, and *a list*:\n\n- one\n- two\n\n';
const text = paragraph.repeat(300);

const server = http.createServer(async (request, response) => {
  if (request.url !== '/page') return response.end('hello\n');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(await marked(text));
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
process.once('SIGINT', () => {
  server.close();
  server.closeAllConnections();
});
