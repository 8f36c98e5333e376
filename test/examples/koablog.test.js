'use strict';

// The weblog under plain Node and with Ignis: the same program, the same pages. And what it is for: a node of its file system dies, and
// nobody who reads notices.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { changedLines } = require('../../bench/koablog.js');
const { Program, COPIES } = require('../../bench/koablog/program.js');
const { until } = require('../helpers/until');

/** @param {string} url @param {string} address as it is, without being tidied @returns {Promise<number>} */
function statusOf(url, address) {
  return new Promise((resolve, reject) => {
    http
      .get(url, { path: address, agent: false }, (response) => {
        response.resume();
        resolve(Number(response.statusCode));
      })
      .on('error', reject);
  });
}

/** @param {string} url @param {Record<string, string>} fields @param {Record<string, string>} [headers] */
async function post(url, fields, headers = {}) {
  const response = await fetch(`${url}/new`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

/** @param {string} url @param {number} bytes of an entry, which are never sent @returns {Promise<number>} */
function announce(url, bytes) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': bytes };
    const request = http.request(`${url}/new`, { method: 'POST', headers, agent: false }, (response) => {
      resolve(Number(response.statusCode));
      request.destroy();
    });
    request.on('error', reject).flushHeaders();
  });
}

/** Somebody reads, writes, and tries what is not allowed. @param {string} url @returns {Promise<any[]>} what came back */
async function walk(url) {
  const get = async (address) => {
    const response = await fetch(url + address);
    return [address, response.status, (await response.text()).replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, 'then')];
  };
  const seen = [await get('/'), await get('/new'), await get('/entry/1'), await get('/nowhere')];
  seen.push(await post(url, { title: 'Tea & <i>milk</i>', text: '<script>alert(1)</script>\r\n\r\nsecond "part"' }));
  seen.push(await post(url, { title: ' ', text: 'text' }), await post(url, { title: '"><b>', text: '' }));
  seen.push(await post(url, { title: 'Theirs', text: 'x' }, { origin: 'http://evil.example' }));
  seen.push(await announce(url, 5_000_000));
  seen.push((await fetch(`${url}/new`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status);
  const many = await Promise.all(Array.from({ length: 22 }, (_, i) => post(url, { title: `Entry ${i}`, text: 'text' })));
  seen.push(many.map(({ status }) => status), new Set(many.map(({ location }) => location)).size); // prettier-ignore
  seen.push(await get('/entry/1'), (await get('/'))[2].match(/<li>/g).length, (await get('/?page=2'))[2].match(/<li>/g).length);
  for (const address of ['/entry/../../server.js', '/entry/..%2f..%2fserver.js', '/entry/1.txt', '/entry/01', '/entry/1%00', '/data/1.txt'])
    seen.push([address, await statusOf(url, address)]);
  return seen;
}

describe('koablog', function () {
  this.timeout(120_000);
  /** @type {Record<string, {folder: string, program: Program, seen: any[]}>} */
  const runs = {};

  before(async () => {
    for (const kind of /** @type {const} */ (['plain', 'ignis', 'store'])) {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), `ignis-koablog-${kind}-`));
      const program = await Program.start(kind, folder);
      runs[kind] = { folder, program, seen: [] };
      runs[kind].seen = await walk(program.url);
    }
  });
  after(async () => {
    for (const { program, folder } of Object.values(runs)) {
      await program.end();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  it('gives the same pages plain, with Ignis, and on the store of the benchmark', () => {
    assert.deepEqual(runs.store.seen, runs.plain.seen);
    assert.deepEqual(runs.ignis.seen, runs.plain.seen);
    assert.doesNotMatch(runs.ignis.program.said, /ignis|Error/);
  });

  it('shows what somebody wrote as text, and finds nothing by other ways', () => {
    const [, status, page] = runs.plain.seen.find((one) => Array.isArray(one) && one[0] === '/entry/1' && one[1] === 200);
    assert.equal(status, 200);
    assert.match(
      page,
      /Tea &amp; &lt;i&gt;milk&lt;\/i&gt;[^]*<p>&lt;script&gt;alert\(1\)&lt;\/script&gt;<\/p>\s*<p>second &quot;part&quot;<\/p>/,
    );
    assert.doesNotMatch(page, /<script|<i>/);
    assert.deepEqual(runs.plain.seen.slice(-6).map(([, code]) => code), Array(6).fill(404)); // prettier-ignore
    assert.deepEqual(runs.plain.seen.slice(5, 8).map(({ status }) => status), [400, 400, 403]); // prettier-ignore
    assert.deepEqual(runs.plain.seen.slice(8, 10), [413, 415]);
    assert.equal(runs.plain.seen[11], 22, 'each has a number of its own');
    assert.deepEqual(runs.plain.seen.slice(13, 15), [20, 3]);
  });

  it('keeps three copies of each entry with Ignis, and ordinary files without', async () => {
    const listing = (folder) => fs.readdirSync(path.join(folder, 'data')).sort();
    const plain = listing(runs.plain.folder);
    assert.equal(plain.length, 46);
    await until(() => COPIES.every((copy) => listing(path.join(runs.ignis.folder, copy)).join() === plain.join()), 'all copies are equal');
    const texts = COPIES.map((copy) => fs.readFileSync(path.join(runs.ignis.folder, copy, 'data', '1.txt'), 'utf8'));
    assert.deepEqual(texts, Array(3).fill('<script>alert(1)</script>\n\nsecond "part"'));
  });

  it('answers every read while a node of its file system is killed', async () => {
    const { program } = runs.ignis;
    let isOver = false;
    const statuses = /** @type {number[]} */ ([]);
    const reader = async (/** @type {number} */ first) => {
      for (let i = first; !isOver; i++) {
        const response = await fetch(`${program.url}/entry/${(i % 23) + 1}`);
        await response.arrayBuffer();
        statuses.push(response.status);
      }
    };
    const readers = [0, 5, 10, 15].map(reader);
    const kill = async (/** @type {number} */ which) => {
      const enough = statuses.length + 60;
      await until(() => statuses.length > enough - 40, 'reads before');
      const pid = program.nodes()[which];
      process.kill(pid, 'SIGKILL');
      await until(() => statuses.length > enough + 40, 'reads after', 60_000);
      await until(() => ![pid, 0].includes(program.nodes()[which]), 'another node in its place', 60_000);
    };
    await kill(0).then(() => kill(2)).finally(() => (isOver = true)); // prettier-ignore
    await Promise.all(readers);
    assert.deepEqual([...new Set(statuses)], [200]);
  });

  it('differs from a program without Ignis in one line', () => {
    const lines = changedLines();
    assert.equal(lines['Ignis, 3 copies'], 1);
    assert.ok(lines['LevelDB by hand'] > 20);
  });
});
