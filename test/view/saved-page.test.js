'use strict';

/* global document, window */

// A report as a page of one file, in a real browser; that is skipped where none is installed (test/helpers/browser.js).

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { buildReport } = require('../../lib/view/snapshot.js');
const { savedPage } = require('../../lib/view/saved-page.js');
const { openBrowser } = require('../helpers/browser.js');
const { boundary } = require('./fake-feed.js');

const NASTY = '</script><img src=x onerror="document.title=\'hacked\'">$& $1 <!--';
const MEASURED = { callsPerSecond: 68, meanMs: 9, pending: 0 };

const REPORT = {
  schema: 1,
  node: 'v20.20.2',
  cpus: 2,
  pid: 4,
  program: '/srv/server.js',
  startedAt: '2026-01-01T00:00:00.000Z',
  writtenAt: '2026-01-01T00:05:09.000Z',
  loop: { utilisation: 0.02, delayMs: 3 },
  boundaries: [
    boundary(`app.js -> ${NASTY}`, { functions: { [NASTY]: { kind: 'sync', calls: 3, exclusiveMs: 2 } } }),
    boundary('links.js -> uri-js', {
      calls: 400,
      exclusiveMs: 912,
      functions: { parse: { kind: 'sync', calls: 400, exclusiveMs: 912, p50Ms: 0.1, p99Ms: 240 } },
    }),
  ],
  busiest: {
    windowMs: 1000,
    poolThreads: 4,
    loop: { utilisation: 0.93, delayMs: 21 },
    boundaries: [{ id: 'links.js -> uri-js', child: 'uri-js', share: 0.88, ...MEASURED }],
  },
  prospects: [{ module: 'uri-js', sentence: 'with 2 replicas 68 calls a second', answers: [] }],
  paths: [
    {
      path: 'links.js -> uri-js parse',
      calls: 400,
      exclusiveMs: 912,
      steps: [{ parent: 'links.js', child: 'uri-js', function: 'parse', boundary: 'links.js -> uri-js' }],
    },
  ],
  decisions: Array.from({ length: 30 }, (_, i) => ({
    time: 1767225600000 + i,
    module: 'uri-js',
    action: 'stay',
    reason: 'x',
    sentence: `sentence ${i}`,
    from: 0,
    to: 0,
    figures: { secretly: 1 },
  })),
  replicas: Array.from({ length: 7 }, (_, i) => ({
    id: `uri-js#${i}`,
    module: 'uri-js',
    where: 'process',
    pid: 100 + i,
    state: 'ended',
    calls: 50,
    startedMs: 80,
    rssBytes: 5e7,
    endedWhy: 'the load has gone',
  })),
  timeline: Array.from({ length: 6 }, (_, i) => ({
    at: 1767225600000 + i * 5000,
    loop: 0.9,
    known: 0.8,
    replicas: i,
    heats: { 'uri-js': 0.8, __proto__: null, [NASTY]: 0.1 },
  })),
  warnings: [`a recipe names ${NASTY}`],
};

describe('a report as a page', function () {
  this.timeout(300_000);
  let folder;
  let browser;

  before(async function () {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-saved-'));
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('is one file, in which what a program names ends nothing, and that asks for nothing from anywhere', () => {
    const html = savedPage(REPORT);
    const [, data] = /<script type="application\/json" id="saved">([^<]*)<\/script>/.exec(html);
    assert.equal(JSON.parse(data).snapshot.boundaries[1].child, NASTY);
    assert.doesNotMatch(html, /<img src=x|secretly/);
    assert.doesNotMatch(html.replaceAll('http://www.w3.org/2000/svg', ''), /(?:src|href)="(?!data:|#)|https?:/);
    const { imports } = JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(html)[1]);
    for (const [name, address] of Object.entries(imports)) {
      const text = Buffer.from(address.split(',')[1], 'base64').toString();
      assert.doesNotMatch(text, /(?:from|import) '\.\//, name);
      for (const [, wanted] of text.matchAll(/^(?:import|\}) .*'(ignis\/[\w-]+\.js)';$/gm))
        assert.ok(Object.hasOwn(imports, wanted), `${name} imports ${wanted}`);
    }
  });

  /** Opens it as a file, and gives what it complains of and asks for. */
  async function opened(report, settings = {}) {
    const file = path.join(folder, 'report.html');
    fs.writeFileSync(file, savedPage(report));
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...settings });
    const page = await context.newPage();
    const complaints = [];
    const asked = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && complaints.push(line.text()));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(String(pathToFileURL(file)));
    await page.waitForSelector('#link[data-state="saved"]');
    return { page, complaints, asked, text: (id) => page.textContent(`#${id}`), close: () => context.close() };
  }

  it('says which module was the bottleneck, of the busiest window, and opens a module', async function () {
    if (browser === null) this.skip();
    const { page, complaints, asked, text, close } = await opened(REPORT);
    assert.equal(
      await text('headline-first'),
      'uri-js was the bottleneck: in the busiest 1,000 ms the event loop was 93 % busy, and it took 88 %. Ignis ran it in 7 replicas, one after the other or together.',
    );
    assert.match(await text('headline-second'), /^uri-js, called from links\.js: with 2 replicas 68 calls a second/);
    assert.match(await text('link'), /^a report, written \d+ \w+ 202[56], \d\d:\d\d$/);
    assert.match(await text('tiles'), /^93 %event loop busy.*7replicas started5 min 9 sin all$/);
    assert.match(await text('findings'), /a recipe names <\/script><img/);
    assert.equal(await page.locator('#replicas tbody tr').count(), 7);
    assert.equal(await page.locator('#decisions li').count(), 30);
    await page.click('[data-key="headline"]');
    await page.waitForSelector('#detail:not([hidden])');
    assert.match(
      await text('detail'),
      /uri-js home.*88 % of the event loop in the busiest window; 400 calls, 0 failed.*parsesync400912 ms0\.1 ms240 ms/s,
    );
    assert.doesNotMatch(await text('detail'), /Keep at home|No call was measured|No recipe/);
    for (const id of ['pause', 'what-if-card']) assert.equal(await page.isVisible(`#${id}`), false, id);
    assert.match(await page.getAttribute('#time-line svg', 'aria-label'), /event loop 90 %, uri-js 80 %/);
    assert.deepEqual(
      [complaints, asked.filter((url) => !/^(?:file|data):/.test(url)), await page.title()],
      [[], [], 'Report · server.js · Ignis'],
    );
    await close();
  });

  it('fits a telephone, and shows what a report by hand has, or one in which nothing happened', async function () {
    if (browser === null) this.skip();
    const bare = { boundaries: [{ id: 'a -> b', calls: null, functions: { f: {} } }, {}], decisions: [{}], replicas: [{}], paths: [{}] };
    const nothing = buildReport({
      program: {
        ignis: '0.1.0',
        node: 'v20.19.0',
        cpus: 1,
        pid: 1,
        program: 'a.js',
        startedAt: 0,
        writtenAt: 1,
        loop: { utilisation: 0, delayMs: null },
      },
      ...{ boundaries: [], decisions: [], replicas: [] },
    });
    for (const report of [REPORT, bare, nothing]) {
      const { page, complaints, text, close } = await opened(report, { viewport: { width: 390, height: 800 } });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0);
      if (report !== REPORT) assert.equal(await text('headline-first'), 'No call of a watched module was measured.');
      assert.equal(await page.isVisible('#time-card'), report === REPORT);
      assert.doesNotMatch(await page.textContent('main'), /NaN|undefined|null/);
      assert.deepEqual(complaints, []);
      await close();
    }
  });
});
