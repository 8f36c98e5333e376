'use strict';

/* global document, window, getComputedStyle, getSelection */

// The page in a real browser. It is skipped where none is installed (test/helpers/browser.js).

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { serveDash } = require('../../lib/view/dash');
const { openBrowser } = require('../helpers/browser');

const ROOT = path.join(__dirname, '..', '..');
const IGNIS = path.join(ROOT, 'bin', 'ignis.js');
const SETTLED_MS = 2500;
const NETWORK_CHANGED = 'net::ERR_NETWORK_CHANGED';

describe('the page in a browser', function () {
  this.timeout(300_000);
  /** @type {import('playwright-core').Browser} */
  let browser;
  let folder;
  /** @type {import('node:child_process').ChildProcess[]} that must not outlive a test that fails */
  const children = [];

  before(async function () {
    const opened = await openBrowser();
    if (opened === null) return this.skip();
    browser = opened;
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-dash-'));
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await browser?.close();
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A page in a context of its own, that notes each request and each complaint. */
  async function opened(address, settings = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light', ...settings });
    const page = await context.newPage();
    page.setDefaultTimeout(150_000);
    const asked = [];
    const complaints = [];
    const sockets = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('websocket', (socket) => {
      asked.push(socket.url());
      sockets.push(socket);
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && complaints.push(line.text()));
    // Where a network of the machine comes or goes, as in tests of hosts, Chromium gives up what it is loading.
    let isCut = true;
    page.on('requestfailed', (request) => (isCut ||= request.failure()?.errorText === NETWORK_CHANGED));
    while (isCut) {
      isCut = false;
      for (const list of [asked, complaints, sockets]) list.length = 0;
      await page.goto(address).catch((error) => {
        if (!String(error).includes(NETWORK_CHANGED)) throw error;
        isCut = true;
      });
    }
    return { page, asked, complaints, sockets, close: () => context.close() };
  }

  const live = (page) => page.waitForSelector('#link[data-state="live"]');
  const width = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

  it('names the bottleneck of the wiki under load, counts as the report does, and outlives the program', async () => {
    const report = path.join(folder, 'report.json');
    const wiki = spawn(process.execPath, [IGNIS, 'run', '--dash', '--report', report, 'examples/wiki/server.js'], {
      cwd: ROOT,
      env: { ...process.env, PORT: '0', WIKI_DATA: path.join(folder, 'data') },
    });
    children.push(wiki);
    const exit = once(wiki, 'exit');
    let said = '';
    for (const stream of [wiki.stdout, wiki.stderr]) stream.on('data', (text) => (said += text));
    const address = await found(wiki, () => /the page is at (\S+)/.exec(said)?.[1]);
    const url = await found(wiki, () => /wiki ready on (\S+)/.exec(said)?.[1]);
    const { page, asked, complaints, close } = await opened(address);
    await live(page);
    const load = spawn(
      process.execPath,
      ['examples/wiki/load.js', '--url', url, '--connections', '4', '--seconds', '170', '--slow', '0.1'],
      {
        cwd: ROOT,
        stdio: 'ignore',
      },
    );
    children.push(load);
    await page.waitForFunction(() =>
      /^uri-js is the bottleneck: .*Ignis|since uri-js runs elsewhere. Ignis runs it/.test(
        document.getElementById('headline-first').textContent,
      ),
    );
    await page.waitForFunction(() =>
      /^lib\/links\.js -> uri-js$/.test(document.querySelector('#boundary-list tr[data-boundary]').dataset.boundary),
    );
    await page.waitForFunction(() =>
      [...document.querySelectorAll('#paths [data-path]')].some((row) => /lib\/links\.js .*-> uri-js parse$/.test(row.dataset.path)),
    );
    const loadEnd = once(load, 'exit');
    load.kill();
    await loadEnd;
    // Nothing is called any more once all pending calls have been answered; two snapshots that are the same show it.
    await page.click('[data-key="whole"]');
    const counts = await settled(page);
    wiki.kill('SIGTERM');
    await page.waitForSelector('#link[data-state="lost"]');
    assert.match(await page.textContent('#link'), /has ended/);
    assert.ok(await page.isVisible('#boundary-list tr[data-boundary]'), 'what was last known is still there');
    await exit;
    const { boundaries } = JSON.parse(fs.readFileSync(report, 'utf8'));
    assert.ok(boundaries.find(({ id }) => id === 'lib/links.js -> uri-js').calls > 0);
    assert.deepEqual(counts, Object.fromEntries(boundaries.map(({ id, calls }) => [id, calls]).sort()));
    const { host } = new URL(address);
    assert.deepEqual(
      asked.filter((one) => new URL(one).host !== host),
      [],
    );
    assert.deepEqual(
      complaints.filter((one) => !/WebSocket|ERR_CONNECTION_REFUSED/.test(one)),
      [],
    );
    await close();
  });

  describe('of one snapshot', () => {
    let stop;
    let address;
    const wishes = [];
    const token = 'a-secret-for-the-test';
    const serve = (port = 0) =>
      new Promise((resolve) => {
        stop = serveDash({ port, token, source: sourceOf(wishes), say: (line) => resolve((address = /http\S+/.exec(line)[0])) });
      });
    before(() => serve());
    after(() => stop?.());

    for (const [name, viewport] of [
      ['a desk', { width: 1280, height: 900 }],
      ['a tablet', { width: 640, height: 900 }],
      ['a telephone', { width: 360, height: 740 }],
    ]) {
      it(`fits ${name}, whatever is open, without scrolling sideways`, async () => {
        const { page, complaints, close } = await opened(address, { viewport });
        await live(page);
        assert.ok((await width(page)) <= 0);
        const named = page.locator('#boundary-list td:first-child').first();
        assert.ok((await named.evaluate((cell) => cell.clientWidth / cell.closest('table').clientWidth)) > 0.2, 'names have room');
        await page.click('#boundary-list button.name');
        await page.waitForSelector('#histogram');
        for (const grain of ['program', 'function', 'module']) {
          await page.selectOption('#grain', grain);
          assert.ok((await page.locator('.matrix td button').count()) > 0, grain);
          assert.ok((await width(page)) <= 0, grain);
        }
        await page.click('#what-if button');
        await page.waitForSelector('#what-answer table');
        assert.ok((await width(page)) <= 0);
        assert.deepEqual(complaints, []);
        await close();
      });
    }

    it('shows the end of a name in the matrix that is too long, which tells modules of one folder apart', async () => {
      const { page, close } = await opened(address);
      await live(page);
      page.setDefaultTimeout(10_000);
      await page.selectOption('#grain', 'module');
      const head = (name) => page.locator(`.matrix th[title="${name}"]`).first();
      const [column, row] = ['@scope/a-package-with-a-very-long-name/with/a/file', 'lib/a-file-with-a-very-long-name-that-goes-on.js'];
      assert.match(await head(column).textContent(), /^….*\/with\/a\/file$/);
      assert.match(await head(row).textContent(), /^….*-goes-on\.js$/);
      for (const name of [column, row])
        assert.ok(await head(name).evaluate((one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight), name);
      await close();
    });

    it('says of how many boundaries it shows the hottest, and finds none of those that it was not sent', async () => {
      /** @type {() => void} */
      let end = () => {};
      const of400 = await new Promise((resolve) => {
        end = serveDash({ port: 0, source: sourceOf([], 370), say: (line) => resolve(/http\S+/.exec(line)[0]) });
      });
      const [all, few] = [await opened(of400), await opened(address)];
      await live(all.page);
      const list = all.page.locator('#boundary-list');
      assert.match(await list.textContent(), /Show all 300Here are the hottest 300 of 403 boundaries; a report \(--report\) has all\.$/);
      await all.page.fill('#filter', 'module-369');
      await all.page.waitForFunction(() => /^No module here has this/.test(document.getElementById('boundary-list').textContent));
      assert.match(await list.textContent(), /hottest 300 of 403/);
      await live(few.page);
      assert.doesNotMatch(await few.page.locator('#boundary-list').textContent(), /Here are/);
      await all.close();
      await few.close();
      end();
    });

    it('blames code that is not watched for a busy loop only where the modules do not explain it, however many they are', async () => {
      for (const [share, sentence] of /** @type {[number, RegExp][]} */ ([
        [0.001, /^The event loop is 90 % busy, but hardly because of watched modules: .* Of the watched modules, most goes to uri-js/],
        [0.0022, /^No single bottleneck: the event loop is 90 % busy\. The watched modules take 89 % together, .* uri-js takes most/],
      ])) {
        /** @type {() => void} */
        let end = () => {};
        const source = sourceOf([], 370);
        const watch = (everyMs, listener) =>
          source.watch(everyMs, ({ program, boundaries, ...snapshot }) =>
            listener({
              ...snapshot,
              program: { ...program, loop: { utilisation: 0.9, delayMs: 20 } },
              boundaries: boundaries.map((one) => ({ ...one, share, heat: share })),
            }),
          );
        const busy = await new Promise((resolve) => {
          end = serveDash({ port: 0, source: { ...source, watch }, say: (line) => resolve(/http\S+/.exec(line)[0]) });
        });
        const { page, close } = await opened(busy);
        await live(page);
        assert.match(await page.locator('#headline-first').textContent(), sentence);
        await close();
        end();
      }
    });

    it('shows what was before it was opened', async () => {
      /** @type {() => void} */
      let end = () => {};
      let asked = 0;
      const history = () => {
        asked++;
        return Array.from({ length: 60 }, (_, i) => ({
          at: Date.now() - 60_000 + i * 1000,
          loop: 0.9,
          known: 0.9,
          replicas: 3,
          heats: { 'gone-by': 0.9 },
        }));
      };
      const told = await new Promise((resolve) => {
        end = serveDash({ port: 0, source: { ...sourceOf([]), history }, say: (line) => resolve(/http\S+/.exec(line)[0]) });
      });
      const { page, complaints, close } = await opened(told);
      await page.waitForFunction(() => /gone-by/.test(document.getElementById('time-line').textContent));
      assert.match(await page.textContent('#time-line'), /replicas, up to 3/);
      const snapshotAt = await page.evaluate(() => document.body.dataset.at);
      await page.waitForFunction((at) => document.body.dataset.at > at, snapshotAt);
      assert.deepEqual([asked, complaints], [1, []]);
      await close();
      end();
    });

    it('goes by what came last, also where the clock of the program is set back', async () => {
      const HOUR_MS = 3_600_000;
      /** @type {() => void} */
      let end = () => {};
      const source = sourceOf([]);
      let tell;
      const watch = (everyMs, listener) => {
        tell = (byMs, share) =>
          source.watch(everyMs, (snapshot) => {
            const boundaries = snapshot.boundaries.map((one, i) => ({ ...one, share: i === 0 ? share : 0, heat: i === 0 ? share : 0 }));
            const loop = { utilisation: share, delayMs: 20 };
            listener({ ...snapshot, at: snapshot.at + byMs, boundaries, program: { ...snapshot.program, loop } });
          })();
        tell(0, 0.9);
        return () => {};
      };
      const back = await new Promise((resolve) => {
        end = serveDash({ port: 0, source: { ...source, watch }, say: (line) => resolve(/http\S+/.exec(line)[0]) });
      });
      const { page, close } = await opened(back);
      await live(page);
      assert.match(await page.textContent('#headline-first'), /^uri-js is the bottleneck/);
      const before = await page.evaluate(() => document.body.dataset.at);
      tell(-HOUR_MS, 0.04);
      await page.waitForFunction((at) => document.body.dataset.at < at, before);
      assert.match(await page.textContent('#headline-first'), /^No bottleneck: the event loop is 4 % busy/);
      await close();
      end();
    });

    it('is dark where the reader has it dark, and has a switch', async () => {
      const { page, close } = await opened(address, { colorScheme: 'dark' });
      await live(page);
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await ground();
      await page.click('#scheme');
      const light = await ground();
      const bright = (colour) =>
        colour
          .match(/\d+/g)
          .slice(0, 3)
          .reduce((sum, part) => sum + Number(part), 0);
      assert.ok(bright(dark) < 150 && bright(light) > 600, `${dark} ${light}`);
      await close();
    });

    it('is walked by keyboard, and everything on it has a name', async () => {
      const { page, close } = await opened(address);
      await live(page);
      await page.focus('#boundary-list button.name');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#detail:not([hidden])');
      await page.keyboard.press('Escape');
      await page.waitForSelector('#detail', { state: 'hidden' });
      assert.equal(await page.evaluate(() => document.activeElement.textContent), 'uri-js');
      await page.focus('.matrix td button[tabindex="0"]');
      const before = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      assert.notEqual(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), before);
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll('button, input, select, table, svg')]
          .filter((one) => !one.closest('label') && !(one.getAttribute('aria-label') || one.textContent.trim()))
          .map((one) => one.outerHTML.slice(0, 80)),
      );
      assert.deepEqual(nameless, []);
      await close();
    });

    it('acts on a module', async () => {
      const { page, close } = await opened(address);
      await live(page);
      await page.click('#headline button');
      await page.fill('#copies', '3');
      await page.click('[data-key="set"]');
      await page.waitForFunction(() => /3 replicas/.test(document.getElementById('said').textContent));
      await page.click('[data-key="home"]');
      await page.waitForFunction(() => /stays at home/.test(document.getElementById('said').textContent));
      assert.deepEqual(wishes, [
        { boundary: 'lib/links.js -> uri-js', what: 'copies', copies: 3 },
        { boundary: 'lib/links.js -> uri-js', what: 'home' },
      ]);
      assert.equal(await page.locator('#proposed').count(), 0);
      await page.click('[data-key="recipe"]');
      assert.equal(await page.textContent('#proposed'), "module.exports = {\n  modules: { 'uri-js': {} }\n};\n");
      assert.equal(await page.locator('#said').innerText(), 'By using it you confirm:\n– callers wait\n– it is pure');
      await close();
    });

    it('keeps what was typed, and what is pressed until it is let go, whatever comes meanwhile', async () => {
      const { page, sockets, close } = await opened(address);
      await live(page);
      const next = () => sockets[0].waitForEvent('framereceived', { predicate: ({ payload }) => String(payload).includes('"boundaries"') });
      await page.click('#headline button');
      const redrawn = async (id) => {
        await page.evaluate((one) => (document.getElementById(one).isOld = true), id);
        await page.waitForFunction((one) => !document.getElementById(one).isOld, id);
      };
      await page.waitForSelector('#copies');
      await page.evaluate(() => document.getElementById('copies').select());
      await redrawn('detail-title');
      await page.keyboard.type('5');
      await redrawn('detail-title');
      assert.equal(await page.inputValue('#copies'), '5');
      await page.focus('[data-key="set"]');
      await redrawn('copies');
      assert.equal(await page.inputValue('#copies'), '5');
      const pointer = { press: () => page.mouse.down(), release: () => page.mouse.up() };
      const key = { press: () => page.keyboard.down('Space'), release: () => page.keyboard.up('Space') };
      for (const { press, release, what, told } of [
        { ...pointer, what: 'set', told: '5 replicas' },
        { ...key, what: 'home', told: 'stays at home' },
      ]) {
        const button = `[data-key="${what}"]`;
        if (press === pointer.press) await page.hover(button);
        else await page.focus(button);
        await press();
        await next();
        await next();
        await release();
        await page.waitForFunction((text) => document.getElementById('said').textContent.includes(text), told);
      }
      await close();
    });

    it('stays where the reader has scrolled to, and keeps the text that is selected until something else is asked for', async () => {
      const { page, close } = await opened(address, { viewport: { width: 1280, height: 500 } });
      await live(page);
      const redrawn = async (selector) => {
        await page.evaluate((one) => (document.querySelector(one).isOld = true), selector);
        await page.waitForFunction((one) => !document.querySelector(one).isOld, selector);
      };
      await page.click('#headline button');
      await page.waitForSelector('#detail-title');
      await page.evaluate(() => document.getElementById('decisions-card').scrollIntoView());
      await redrawn('#headline button');
      await redrawn('#headline button');
      const top = await page.evaluate(() => document.getElementById('decisions-card').getBoundingClientRect().top);
      assert.ok(top > -500 && top < 500, `${top}`);

      await page.evaluate(() => getSelection().selectAllChildren(document.querySelector('#detail p')));
      const selected = () => page.evaluate(() => String(getSelection()));
      const text = await selected();
      assert.match(text, /no recipe says/);
      await redrawn('#tiles strong');
      await redrawn('#tiles strong');
      assert.equal(await selected(), text);
      await page.click('[data-key="home"]');
      await page.waitForFunction(() => /stays at home/.test(document.getElementById('said').textContent));
      await page.evaluate(() => getSelection().selectAllChildren(document.querySelector('#detail p')));
      await page.click('#boundary-list tr[data-boundary="server.js -> lib/links.js"] button');
      await page.waitForFunction(() => /lib\/links\.js/.test(document.querySelector('#detail-title').textContent.split('→')[1]));
      await close();
    });

    it('does not take a field in which nothing stands for no replicas', async () => {
      const { page, close } = await opened(address);
      await live(page);
      await page.click('#headline button');
      await page.fill('#copies', '');
      const before = wishes.length;
      await page.click('[data-key="set"]');
      await page.waitForFunction(() => /How many/.test(document.getElementById('said').textContent));
      assert.equal(wishes.length, before);
      await close();
    });

    it('says that the link is lost, and mends it', async () => {
      const { page, close } = await opened(address);
      await live(page);
      const { port } = new URL(address);
      stop();
      await page.waitForSelector('#link[data-state="lost"]');
      assert.match(
        await page.textContent('#link'),
        /has ended, or does not answer; trying again\. A restarted program prints a new address$/,
      );
      assert.match(await page.title(), /^no answer · .+ · Ignis$/);
      await serve(Number(port));
      await live(page);
      await page.waitForFunction(() => / % · /.test(document.title));
      await close();
    });
  });

  /** Calls by boundary, once none is open and they no longer change. */
  async function settled(page) {
    const read = () =>
      page.evaluate(() => {
        const rows = [...document.querySelectorAll('#boundary-list tr[data-boundary]')];
        const open = rows.reduce((sum, row) => sum + Number(row.querySelector('[data-pending]').dataset.pending), 0);
        const calls = rows.map((row) => [row.dataset.boundary, Number(row.querySelector('[data-calls]').dataset.calls)]);
        return { open, calls: Object.fromEntries(calls.sort()) };
      });
    for (;;) {
      const { open, calls } = await read();
      const at = await page.evaluate(() => document.body.dataset.at);
      await page.waitForFunction(([since, ms]) => Number(document.body.dataset.at) > Number(since) + ms, [at, SETTLED_MS]);
      if (open === 0 && isDeepStrictEqual((await read()).calls, calls)) return calls;
    }
  }
});

/** @param {import('node:child_process').ChildProcess} child @param {() => string | undefined} read */
async function found(child, read) {
  for (;;) {
    const text = read();
    if (text !== undefined) return text;
    await Promise.race([
      once(child.stdout, 'data'),
      once(child.stderr, 'data'),
      once(child, 'exit').then(() => assert.fail('it has ended')),
    ]);
  }
}

/** What the page shows of a program that does not exist. @param {any[]} wishes @param {number} [more] boundaries */
function sourceOf(wishes, more = 0) {
  const boundary = (parent, child, heat, other = {}) => ({
    id: `${parent.slice(2)} -> ${child.replace('./', '')}`,
    parent,
    child,
    set: child,
    kinds: {},
    calls: Math.round(heat * 1e5) + 3,
    callsPerSecond: heat * 1000,
    failures: 0,
    exclusiveMs: heat * 9000,
    inclusiveMs: heat * 9000,
    share: heat,
    away: 0,
    heat,
    pending: 0,
    p50Ms: 0.1,
    p99Ms: 12,
    maxMs: 300,
    pressure: heat,
    calledAt: null,
    state: 'declined',
    replicas: 0,
    sentence: 'synchronous; no recipe says that it may be distributed',
    functions: {
      parse: { kind: 'sync', calls: 7, exclusiveMs: heat * 8000 },
      'a.very.long.name.of.a.function': { kind: 'sync', calls: 1, exclusiveMs: heat * 900 },
    },
    ...other,
  });
  const boundaries = [
    boundary('./lib/links.js', 'uri-js', 0.62),
    boundary('./server.js', './lib/links.js', 0.04),
    boundary('./lib/a-file-with-a-very-long-name-that-goes-on.js', '@scope/a-package-with-a-very-long-name/with/a/file', 0.05),
    ...Array.from({ length: 30 + more }, (_, i) => boundary(`./lib/part-${i % 7}.js`, `module-${i}`, 0.001 * Math.max(0, 30 - i))),
  ];
  const step = ({ id, parent, child }) => ({ boundary: id, parent, child, function: 'parse', isLater: true });
  const snapshot = {
    program: {
      name: 'server.js',
      path: '/server.js',
      pid: 1,
      ignis: '0',
      node: 'v20',
      cpus: 2,
      uptimeMs: 9000,
      memory: { rssBytes: 9e7 },
      loop: { utilisation: 0.8, delayMs: 20 },
    },
    boundaries,
    replicas: [
      {
        id: '1',
        module: 'uri-js',
        where: 'process',
        pid: 2,
        state: 'ready',
        calls: 5,
        rssBytes: 4e7,
        startedMs: 60,
        endedWhy: null,
        pending: 1,
        utilisation: 0.4,
      },
    ],
    decisions: [{ number: 1, time: Date.now(), module: 'uri-js', sentence: 'uri-js: stays at home, since no recipe allows replicas' }],
    recipes: [],
    paths: [
      { path: 'server.js ~> uri-js parse', steps: [step(boundaries[1]), step(boundaries[0])], calls: 7, exclusiveMs: 900, latencyMs: 0 },
    ],
  };
  const answers = [0, 1, 2].map((replicas) => ({
    replicas,
    isSmallest: replicas === 1,
    callsPerSecond: 90,
    p50Ms: 3,
    p99Ms: 40,
    loopShare: 0.5,
    replicaShare: 0.4,
    isSaturated: replicas === 0,
  }));
  return {
    watch(everyMs, listener) {
      const tell = () => listener({ ...snapshot, at: Date.now() });
      tell();
      const timer = setInterval(tell, everyMs);
      return () => clearInterval(timer);
    },
    detail: (id) => ({
      boundary: boundaries.find((one) => one.id === id),
      functions: [{ path: 'parse', kind: 'sync', calls: 7, exclusiveMs: 8000, p50Ms: 0.1, p99Ms: 12 }],
      latencies: [
        { ms: 0.1, calls: 900 },
        { ms: 300, calls: 2 },
      ],
      replicas: [],
      decisions: snapshot.decisions,
      latest: 'stays at home',
      prospect: null,
      recipe: null,
    }),
    act(wish) {
      wishes.push(wish);
      if (wish.what === 'recipe')
        return {
          recipe: {},
          text: "module.exports = {\n  modules: { 'uri-js': {} }\n};\n",
          why: '',
          notes: ['callers wait', 'it is pure'],
        };
      return { changed: true, allowed: wish.what === 'copies', why: 'a recipe pins it', copies: wish.copies ?? null };
    },
    whatIf: () => ({
      module: 'uri-js',
      at: new Date().toISOString(),
      load: 1,
      cores: 2,
      ready: 0,
      modules: ['uri-js'],
      answers,
      from: ['measured'],
    }),
  };
}
