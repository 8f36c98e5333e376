'use strict';

// turborepo-remote-cache: keeps what builds made. Its job: an artifact is put, is there, and comes back as it was; nobody gets it without
// the token.

const assert = require('node:assert/strict');
const path = require('node:path');
const { answerOf } = require('./answer.js');

const TOKEN = 'a-token-for-the-benchmark';
const HEADERS = { authorization: `Bearer ${TOKEN}` };
const ARTIFACT = '/v8/artifacts/0123456789abcdef?slug=team';

/** @param {string} url */
async function check(url) {
  const { status } = await answerOf(`${url}/v8/artifacts/status`, { headers: HEADERS });
  assert.equal(status, 'enabled');
  const artifact = Buffer.from('what a build made, '.repeat(500));
  await answerOf(url + ARTIFACT, { status: 404, headers: HEADERS });
  await answerOf(url + ARTIFACT, { method: 'PUT', body: artifact, headers: HEADERS });
  const got = await fetch(url + ARTIFACT, { headers: HEADERS });
  assert.equal(got.status, 200);
  assert.ok(Buffer.from(await got.arrayBuffer()).equals(artifact), 'the artifact comes back as it was put');
  assert.equal((await fetch(url + ARTIFACT, { method: 'HEAD', headers: HEADERS })).status, 200);
  assert.equal((await fetch(url + ARTIFACT, { headers: { authorization: 'Bearer another' } })).status, 401);
}

/** @type {import('./list.js').App} */
const APP = {
  name: 'turborepo-remote-cache',
  version: '2.12.0',
  what: 'a cache of builds, on Fastify',
  main: 'turborepo-remote-cache/dist/cli.js',
  ready: '/v8/artifacts/status',
  readyHeaders: HEADERS,
  layOut: ({ folder, port }) => ({
    args: [],
    env: {
      PORT: String(port),
      TURBO_TOKEN: TOKEN,
      STORAGE_PROVIDER: 'local',
      STORAGE_PATH: path.join(folder, 'artifacts'),
      LOG_LEVEL: 'fatal',
    },
  }),
  check,
  requests: [{ path: ARTIFACT, headers: HEADERS }],
};

exports.APP = APP;
