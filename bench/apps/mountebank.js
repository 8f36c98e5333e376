'use strict';

// mountebank: stands in for servers that a test does not have. Its job: an imposter is made over its API, answers as its stubs say, and
// tells what it was asked.

const assert = require('node:assert/strict');
const path = require('node:path');
const { freePort } = require('./running.js');
const { answerOf } = require('./answer.js');

/** @param {string} url */
async function check(url) {
  const port = await freePort();
  const stubs = [
    {
      predicates: [{ and: [{ equals: { method: 'GET' } }, { startsWith: { path: '/users' } }] }],
      responses: [{ is: { statusCode: 201, body: 'first' } }, { is: { statusCode: 202, body: 'second' } }],
    },
    { responses: [{ is: { statusCode: 418 } }] },
  ];
  await answerOf(`${url}/imposters`, { method: 'POST', body: { port, protocol: 'http', recordRequests: true, stubs }, status: 201 });
  const imposter = `http://127.0.0.1:${port}`;
  assert.equal(await answerOf(`${imposter}/users/1`, { status: 201 }), 'first');
  assert.equal(await answerOf(`${imposter}/users/1`, { status: 202 }), 'second');
  await answerOf(`${imposter}/users/1`, { method: 'POST', body: {}, status: 418 });
  const { requests, numberOfRequests } = await answerOf(`${url}/imposters/${port}`);
  assert.deepEqual([requests.length, numberOfRequests], [3, 3]);
  await answerOf(`${url}/imposters/${port}`, { method: 'DELETE' });
  await assert.rejects(fetch(`${imposter}/users/1`), 'nobody listens there any more');
  assert.match(await answerOf(`${url}/`, { headers: { accept: 'text/html' } }), /<html/);
}

/** @type {import('./list.js').App} */
const APP = {
  name: 'mountebank',
  version: '2.9.1',
  what: 'imposters of servers, with pages and an API, on Express',
  main: 'mountebank/bin/mb',
  ready: '/imposters',
  layOut: ({ folder, port }) => ({
    args: [
      'start',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--nologfile',
      '--pidfile',
      path.join(folder, 'mb.pid'),
      '--loglevel',
      'error',
    ],
  }),
  check,
  requests: [{ path: '/', headers: { accept: 'text/html' } }, { path: '/imposters' }],
};

exports.APP = APP;
