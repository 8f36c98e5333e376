'use strict';

// Makes docs/img/*.png: the page and the terminal, as they show the wiki under load. `npm run pictures`; needs Chromium.
// In: the wiki of examples/, a load of its own. Out: pictures of what really ran, whatever that was.

const { spawn, execFile } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const { openBrowser } = require('../test/helpers/browser');

const ROOT = path.join(__dirname, '..');
const IMAGES = path.join(__dirname, 'img');
const IGNIS = path.join(ROOT, 'bin', 'ignis.js');
const LOAD_SECONDS = 40;
const TERMINAL_LINES = 38;
const run = promisify(execFile);

/** @param {() => RegExpExecArray | null} look */
async function until(look) {
  for (;;) {
    const found = look();
    if (found !== null) return found[1];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** @param {import('playwright-core').Browser} browser @param {string} text @param {string} title */
async function terminal(browser, text, title) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 200 }, deviceScaleFactor: 1.5 });
  await page.setContent(
    '<body style="margin:0;background:#1a1d21"><p style="margin:0;padding:8px 16px;background:#2a2f36;color:#c8ced6;font:13px sans-serif"></p><pre style="margin:0;padding:12px 16px 16px;color:#e8ebef;font:13px/1.4 monospace;display:inline-block"></pre></body>',
  );
  await page.locator('p').evaluate((place, said) => (place.textContent = said), title);
  await page.locator('pre').evaluate((place, said) => (place.textContent = said), text.trimEnd());
  await page.screenshot({ path: path.join(IMAGES, 'top.png'), fullPage: true });
  await page.close();
}

async function main() {
  const browser = await openBrowser();
  if (browser === null) return void (process.exitCode = 1);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-pictures-'));
  const env = { ...process.env, PORT: '0', WIKI_DATA: path.join(folder, 'data'), XDG_RUNTIME_DIR: folder };
  const wiki = spawn(process.execPath, [IGNIS, 'run', '--dash', 'examples/wiki/server.js'], { cwd: ROOT, env });
  const exit = once(wiki, 'exit');
  let said = '';
  for (const stream of [wiki.stdout, wiki.stderr]) stream.on('data', (text) => (said += text));
  try {
    fs.mkdirSync(IMAGES, { recursive: true });
    const address = await until(() => /the page is at (\S+)/.exec(said));
    const url = await until(() => /wiki ready on (\S+)/.exec(said));
    const load = spawn(
      process.execPath,
      ['examples/wiki/load.js', '--url', url, '--rate', '25', '--slow', '0.06', '--seconds', String(LOAD_SECONDS)],
      { cwd: ROOT, stdio: 'ignore' },
    );
    const desk = await browser.newPage({ viewport: { width: 1280, height: 1640 }, colorScheme: 'light' });
    const telephone = await browser.newPage({ viewport: { width: 360, height: 740 }, colorScheme: 'dark', deviceScaleFactor: 2 });
    await Promise.all([desk.goto(address), telephone.goto(address)]);
    await desk.locator('#headline-first', { hasText: 'uri-js is the bottleneck' }).waitFor({ timeout: 120_000 });
    await desk.waitForTimeout((LOAD_SECONDS / 2) * 1000);
    await desk.screenshot({ path: path.join(IMAGES, 'page.png') });
    await telephone.screenshot({ path: path.join(IMAGES, 'page-telephone.png') });
    const { stdout } = await run(process.execPath, [IGNIS, 'top', '--once', String(wiki.pid)], { env: { ...env, COLUMNS: '118' } });
    await terminal(browser, stdout.split('\n').slice(0, TERMINAL_LINES).join('\n'), 'ignis top');
    load.kill();
  } finally {
    await browser.close();
    wiki.kill();
    await exit;
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main();
