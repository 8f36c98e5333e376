'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { WebSocket } = require('ws');
const { FILES, serveDash } = require('../../lib/view/dash');

const PAGE = path.join(__dirname, '..', '..', 'lib', 'view', 'page');

/** A program that has no descriptor left when somebody looks at it, over a connection that was there before. */
const FULL = `
const fs = require('node:fs');
const http = require('node:http');
const { serveDash } = require(${JSON.stringify(path.join(__dirname, '..', '..', 'lib', 'view', 'dash.js'))});
const { feedSources } = require(${JSON.stringify(path.join(__dirname, '..', '..', 'lib', 'view', 'sources.js'))});
const { program } = feedSources({ program: { name: 'app.js', startedAt: 0 }, loop: { read: () => ({}) } });
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const ask = (address, headers = {}) =>
  new Promise((resolve) => {
    const request = http.get(address, { agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve(response.statusCode + ' ' + body.split('\\n')[0]));
    });
    request.on('error', () => resolve('ended'));
  });
const say = async (line) => {
  const address = /http\\S+/.exec(line)[0];
  program();
  const answers = [await ask(address + 'page.css')];
  const held = [];
  try {
    for (;;) held.push(fs.openSync('/dev/null'));
  } catch {}
  answers.push(await ask(address));
  const { rssBytes } = program().memory;
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  answers.push(await ask(address + 'live', { ...upgrade, Origin: new URL(address).origin }));
  for (const one of held) fs.closeSync(one);
  answers.push(await ask(address));
  agent.destroy();
  close();
  process.stdout.write(JSON.stringify({ answers, rssBytes }));
};
const close = serveDash({ port: 0, source: {}, say });
`;

/** A page of a source that counts, on a free port. */
async function served(source = {}) {
  const state = { watchers: 0, closes: () => {}, listener: null };
  const whole = {
    watch(_everyMs, listener) {
      state.watchers++;
      state.listener = listener;
      listener({ decisions: [{ number: 1, sentence: 'one' }], boundaries: [{ id: 'a -> b', functions: {}, kinds: {} }] });
      return () => state.watchers--;
    },
    detail: (id) => ({ id }),
    act: (wish) => ({ did: wish.what }),
    whatIf: async (asked) => ({ asked }),
    ...source,
  };
  const address = await new Promise((resolve) => {
    state.close = serveDash({ port: 0, source: whole, say: (line) => resolve(/http\S+/.exec(line)[0]) });
  });
  return { ...state, state, address, origin: new URL(address).origin };
}

/** @param {string} address @param {Record<string, string>} [headers] @param {string} [method] */
function ask(address, headers = {}, method = 'GET') {
  return new Promise((resolve, reject) => {
    const request = http.request(address, { method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    request.on('error', reject).end();
  });
}

/** Status of a WebSocket that was refused, or 101. */
async function open(address, headers) {
  const socket = new WebSocket(address.replace('http', 'ws'), { headers });
  const outcome = await new Promise((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    socket.on('error', () => {});
  });
  socket.terminate();
  return outcome;
}

describe('view/dash', function () {
  this.timeout(60_000);
  let dash;
  afterEach(() => dash?.close());

  it('serves the files of the page and no others, to who has the whole address', async () => {
    dash = await served();
    for (const name of FILES) assert.equal((await ask(dash.address + name)).status, 200, name);
    assert.deepEqual(fs.readdirSync(PAGE).sort(), [...FILES].sort());
    assert.match((await ask(dash.address)).body, /<title>Ignis<\/title>/);
    for (const wrong of ['x%2f..%2f..%2fdash.js', 'nothing.js', 'page.css/'])
      assert.equal((await ask(dash.address + wrong)).status, 404, wrong);
    assert.equal((await ask(dash.address, {}, 'POST')).status, 405);
  });

  it('refuses a wrong secret, one that is cut, and none at all', async () => {
    dash = await served();
    const { pathname } = new URL(dash.address);
    const wrong = `${pathname.slice(0, -2)}${pathname.at(-2) === 'A' ? 'B' : 'A'}/`;
    for (const place of ['/', '/index.html', wrong, `${pathname.slice(0, -2)}/`, '//', pathname.slice(0, -1)])
      assert.equal((await ask(dash.origin + place)).status, 403, place);
    assert.equal(await open(`${dash.origin}${wrong}live`, { Origin: dash.origin }), 403);
    assert.ok(pathname.length > 20, pathname);
  });

  it('refuses other names of this machine and other origins, so that no page of another site gets in', async () => {
    dash = await served();
    const { port } = new URL(dash.address);
    assert.equal((await ask(dash.address, { Host: `evil.example:${port}` })).status, 403);
    assert.equal((await ask(dash.address, { Origin: 'http://evil.example' })).status, 403);
    assert.equal((await ask(dash.address, { Host: `localhost:${port}` })).status, 200);
    assert.equal(await open(`${dash.address}live`, { Origin: 'http://evil.example' }), 403);
    assert.equal(await open(`${dash.address}live`, { Origin: 'null' }), 403);
    assert.equal(await open(`${dash.address}live`, { Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` }), 403);
    assert.equal(await open(`${dash.address}live`, {}), 403);
    assert.equal(await open(`${dash.address}live`, { Origin: dash.origin }), 101);
  });

  it('lets the page load nothing from anywhere else', async () => {
    dash = await served();
    const { headers } = await ask(dash.address);
    const policy = headers['content-security-policy'];
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.equal(headers['referrer-policy'], 'no-referrer');
    for (const name of FILES)
      assert.doesNotMatch(fs.readFileSync(path.join(PAGE, name), 'utf8').replaceAll('http://www.w3.org/', ''), /https?:\/\//, name);
  });

  it('says to who asks that no descriptor is left to answer with, and the program goes on', () => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `ulimit -n 64; exec "${process.execPath}" -e "$1"`, 'sh', FULL], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.equal(stderr, '');
    assert.equal(status, 0);
    const { answers, rssBytes } = JSON.parse(stdout);
    assert.deepEqual(
      answers.map((/** @type {string} */ one) => one.replace(/, open .*/s, '')),
      ['200 :root {', '500 this cannot be answered: EMFILE: too many open files', 'ended', '200 <!doctype html>'],
    );
    assert.ok(rssBytes > 0);
  });

  it('tells a page what is new, answers what it asks, and watches no longer than it is open', async () => {
    dash = await served({
      act: () => {
        throw new Error('not so');
      },
    });
    const socket = new WebSocket(`${dash.address.replace('http', 'ws')}live`, { headers: { Origin: dash.origin } });
    const heard = [];
    const next = async () => {
      while (heard.length === 0) await once(socket, 'message');
      return heard.shift();
    };
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    const first = await next();
    assert.equal(first.snapshot.decisions.length, 1);
    assert.equal(dash.state.watchers, 1);
    dash.state.listener({
      decisions: [
        { number: 1, sentence: 'one' },
        { number: 2, sentence: 'two' },
      ],
      boundaries: [],
    });
    assert.deepEqual(
      (await next()).snapshot.decisions.map(({ number }) => number),
      [2],
    );
    socket.send(JSON.stringify({ id: 7, what: 'detail', about: 'a -> b' }));
    assert.deepEqual(await next(), { kind: 'answer', id: 7, value: { id: 'a -> b' } });
    socket.send(JSON.stringify({ id: 8, what: 'act', about: { what: 'home' } }));
    assert.deepEqual(await next(), { kind: 'answer', id: 8, error: 'not so' });
    socket.send(JSON.stringify({ id: 9, what: 'constructor' }));
    assert.match((await next()).error, /nothing is asked/);
    socket.send('no question');
    const [code] = await once(socket, 'close');
    assert.equal(code, 1008);
    while (dash.state.watchers > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('warns when its port is taken, and the program goes on', async () => {
    dash = await served();
    const warned = once(process, 'warning');
    const end = serveDash({ port: Number(new URL(dash.address).port), source: {}, say: () => assert.fail('it is taken') });
    const [warning] = await warned;
    assert.match(warning.message, /^the page cannot be served on port \d+: the port is in use; 0 takes any free port$/);
    end();
  });
});
