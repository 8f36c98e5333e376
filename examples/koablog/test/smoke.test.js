'use strict';

// The shortest walk through the weblog: write, read, list. `npm test`, with Node's own runner.

const assert = require('node:assert/strict');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { createServer } = require('../server.js');

test('an entry is written, read, and listed', async (context) => {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'koablog-smoke-'));
  const server = (await createServer({ data })).listen(0, '127.0.0.1');
  context.after(() => {
    server.close();
    server.closeAllConnections();
    fs.rmSync(data, { recursive: true });
  });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  assert.match(await (await fetch(url)).text(), /Nothing was written yet/);
  const body = new URLSearchParams({ title: 'Tea & <b>milk</b>', text: 'First.\n\nSecond.' });
  const written = await fetch(`${url}/new`, { method: 'POST', body });
  assert.equal(new URL(written.url).pathname, '/entry/1');
  assert.match(await written.text(), /<h1>Tea &amp; &lt;b&gt;milk&lt;\/b&gt;<\/h1>[^]*<p>First\.<\/p>\s*<p>Second\.<\/p>/);
  assert.match(await (await fetch(url)).text(), /<a href="\/entry\/1">Tea &amp;/);
  assert.equal(fs.readFileSync(path.join(data, '1.txt'), 'utf8'), 'First.\n\nSecond.');
});
