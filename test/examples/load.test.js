'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const http = require('node:http');
const { run } = require('../../examples/wiki/load.js');
const { SLOW_LINK, generator, order } = require('../../examples/wiki/load/pages.js');
const { Tally } = require('../../examples/wiki/load/tally.js');
const { WikiClient } = require('./wiki-client.js');

/** @type {import('../../examples/wiki/load/pages.js').Pages} */
const PAGES = {
  ordinary: ['/a', '/b', '/c'].map((path) => ({ path, kind: 'ordinary' })),
  slow: { path: '/slow', kind: 'slow' },
};

/**
 * @param {() => import('../../examples/wiki/load/pages.js').Page} next
 * @param {number} count
 */
const take = (next, count) => Array.from({ length: count }, () => next().path);

describe('wiki: the order of the load', () => {
  it('depends on the seed alone', () => {
    assert.deepEqual(take(order(PAGES, 0.01, 7), 500), take(order(PAGES, 0.01, 7), 500));
    assert.notDeepEqual(take(order(PAGES, 0.01, 7), 500), take(order(PAGES, 0.01, 8), 500));
  });

  it('has one slow page in each hundred, not always at the same place', () => {
    const paths = take(order(PAGES, 0.01, 3), 1000);
    const places = Array.from({ length: 10 }, (_, block) => paths.slice(block * 100, block * 100 + 100));
    assert.deepEqual(
      places.map((block) => block.filter((path) => path === '/slow').length),
      Array(10).fill(1),
    );
    assert.ok(new Set(places.map((block) => block.indexOf('/slow'))).size > 3);
  });

  it('keeps a share that is no whole number of a hundred', () => {
    const paths = take(order(PAGES, 0.025, 3), 1000);
    assert.equal(paths.filter((path) => path === '/slow').length, 25);
    assert.ok(!take(order(PAGES, 0, 3), 1000).includes('/slow'));
  });

  it('random numbers lie between 0 and 1 and are the same for ever', () => {
    const random = generator(42);
    const values = Array.from({ length: 1000 }, random);
    assert.ok(values.every((value) => value >= 0 && value < 1));
    assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) / 1000 - 0.5) < 0.05);
    assert.deepEqual(
      values.slice(0, 3).map((value) => value.toFixed(6)),
      ['0.601104', '0.448291', '0.852466'],
    );
  });
});

describe('wiki: the tally of the load', () => {
  it('keeps both kinds of pages apart, by nearest rank', () => {
    const tally = new Tally();
    for (let ms = 1; ms <= 100; ms++) tally.answered('ordinary', ms);
    tally.answered('slow', 300);
    tally.failed('ECONNRESET');
    tally.failed('ECONNRESET');
    const report = tally.report();
    assert.deepEqual(report.ordinary, { count: 100, p50: 50, p90: 90, p99: 99, max: 100 });
    assert.deepEqual(report.slow, { count: 1, p50: 300, p90: 300, p99: 300, max: 300 });
    assert.deepEqual([report.errors, report.errorKinds], [2, { ECONNRESET: 2 }]);
  });

  it('a second tells only what came since the one before', () => {
    const tally = new Tally();
    tally.answered('ordinary', 5);
    tally.failed('x');
    assert.deepEqual([tally.second().ordinary.count, tally.second().ordinary.count], [1, 0]);
    assert.equal(tally.second().errors, 0);
    assert.equal(tally.report().errors, 1);
  });
});

describe('wiki: the load itself', function () {
  this.timeout(60_000);

  /** @type {WikiClient} */
  let wiki;
  before(async () => {
    wiki = await WikiClient.start();
  });
  after(() => wiki.end());

  it('a fixed rate sends that many and answers all of them', async () => {
    const report = await run({ url: wiki.url, rate: 100, connections: 0, seconds: 0.5, slow: 0 });
    assert.deepEqual([report.ordinary.count, report.slow.count, report.errors], [50, 0, 0]);
  });

  it('the slow page is saved at the start, and the share of it is asked for', async () => {
    const report = await run({ url: wiki.url, rate: 100, connections: 0, seconds: 1, slow: 0.01 });
    assert.deepEqual([report.ordinary.count, report.slow.count, report.errors], [99, 1, 0]);
    assert.ok(report.slow.p50 > 50, `the slow page took only ${report.slow.p50} ms`);
    assert.match(
      (await wiki.get('/wiki/Percent_Signs')).text,
      new RegExp(`class="broken"><span class="address">${SLOW_LINK.replace('<', '&lt;')}<`),
    );
  });

  it('saturation counts answers of each kind', async () => {
    const report = await run({ url: wiki.url, rate: 0, connections: 4, seconds: 1, slow: 0 });
    assert.equal(report.errors, 0);
    assert.ok(report.ordinary.count >= 4, 'one for each connection, however slow');
    assert.equal(report.slow.count, 0);
  });

  it('nothing to ask for is an error', async () => {
    await assert.rejects(run({ url: 'http://127.0.0.1:1', rate: 20, connections: 0, seconds: 0.25, slow: 0 }));
  });
});

describe('wiki: the load on a server that breaks off', function () {
  this.timeout(60_000);

  /** @type {http.Server} */
  let server;
  before(async () => {
    server = http
      .createServer((request, response) => {
        if (request.url === '/pages') response.end('<a href="/wiki/A">A</a>');
        else request.socket.destroy();
      })
      .listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it('requests without an answer are counted with their reason', async () => {
    const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
    const report = await run({ url, rate: 40, connections: 0, seconds: 0.25, slow: 0 });
    assert.deepEqual([report.ordinary.count, report.errors], [0, 10]);
    assert.deepEqual(report.errorKinds, { ECONNRESET: 10 });
  });
});
