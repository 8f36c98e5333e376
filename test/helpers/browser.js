'use strict';
/*
 * A real browser, without a window, for the tests of the page. In: nothing. Out: Chromium, or null where none is installed. It talks to
 * nobody but the page: what a browser does by itself at its start is switched off. IGNIS_TEST_BROWSER=required makes a missing one an
 * error; IGNIS_TEST_CHROMIUM names another.
 */
const fs = require('node:fs');
const { chromium } = require('playwright-core');

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
];

/** @returns {Promise<import('playwright-core').Browser | null>} */
async function openBrowser() {
  const executablePath = [process.env.IGNIS_TEST_CHROMIUM ?? '', ...PLACES].find((place) => place !== '' && fs.existsSync(place));
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: FLAGS, timeout: 120_000 });
  if (process.env.IGNIS_TEST_BROWSER === 'required')
    throw new Error(`no Chromium at ${PLACES.join(', ')}, and IGNIS_TEST_BROWSER says required`);
  console.warn('      the page is not tested: no Chromium is installed (apt-get install chromium)');
  return null;
}

exports.openBrowser = openBrowser;
