'use strict';

// The shortest walk through the wiki: read, sign up, save, read again. `npm test`, with Node's own runner.

const assert = require('node:assert/strict');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { createServer } = require('../server.js');

test('a page is read, written after signing up, and its links are judged', async (context) => {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'wiki-smoke-'));
  const server = (await createServer({ data })).listen(0, '127.0.0.1');
  context.after(() => {
    server.close();
    server.closeAllConnections();
    fs.rmSync(data, { recursive: true });
  });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  assert.match(await (await fetch(`${url}/wiki/Raft`)).text(), /raft\.github\.io/);
  const account = new URLSearchParams({ name: 'smoke', password: 'smoke-password' });
  const entered = await fetch(`${url}/sign-up`, { method: 'POST', body: account, redirect: 'manual' });
  const cookie = String(entered.headers.get('set-cookie')).split(';')[0];
  const form = await (await fetch(`${url}/wiki/Smoke/edit`, { headers: { cookie } })).text();
  const token = String(/name="token" value="([^"]+)"/.exec(form)?.[1]);
  const body = new URLSearchParams({ token, base: '0', text: '[good](http://a.example/) [bad](<http://b.example/a b>)' });
  assert.equal((await fetch(`${url}/wiki/Smoke`, { method: 'POST', body, headers: { cookie }, redirect: 'manual' })).status, 303);
  assert.match(await (await fetch(`${url}/wiki/Smoke`)).text(), /2 checked, 1 broken/);
});
