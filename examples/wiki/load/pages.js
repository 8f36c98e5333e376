'use strict';

// What the load asks for.
// In: the address of a wiki. Out: the paths of ordinary pages and of one slow page, and an order to ask for them.
// The order depends on a seed alone, so that every program under test gets the same.

// uri-js 2.1.1 parses with one large regular expression, which tries ever more ways to read a row of %F0 before it sees that
// the `<` fits nowhere: each further %F0 takes 1.85 times as long. 23 took 230 ms on an idle core, about 300 under load.
const SLOW_LINK = `http://example.com/${'%F0'.repeat(23)}<`;
const SLOW_PAGE = 'Percent_Signs';
const SLOW_TEXT =
  `A link somebody pasted from a broken export: [menu](${SLOW_LINK}).\n\nThe rest of the page is as usual: ` +
  '[RFC 3986](https://www.rfc-editor.org/rfc/rfc3986), [WHATWG URL](https://url.spec.whatwg.org/), [[Home]].\n';
const BLOCK = 100;

/**
 * @typedef {object} Page
 * @property {string} path
 * @property {'ordinary' | 'slow'} kind
 *
 * @typedef {object} Pages
 * @property {Page[]} ordinary
 * @property {Page | null} slow
 */

/**
 * @param {string} url
 * @param {boolean} withSlow whether to save the slow page, unless it is there
 * @returns {Promise<Pages>}
 */
async function prepare(url, withSlow) {
  const index = await (await fetch(new URL('/pages', url))).text();
  const paths = [...index.matchAll(/href="(\/wiki\/[^"]+)"/g)].map((match) => match[1]);
  const slowPath = `/wiki/${SLOW_PAGE}`;
  const ordinary = paths.filter((path) => path !== slowPath && path !== '/wiki/Writing_Pages');
  if (ordinary.length === 0) throw new Error(`no pages at ${url}`);
  if (withSlow && !paths.includes(slowPath)) await saveSlowPage(url);
  return {
    ordinary: ordinary.map((path) => ({ path, kind: 'ordinary' })),
    slow: withSlow ? { path: slowPath, kind: 'slow' } : null,
  };
}

/** @param {string} url */
async function saveSlowPage(url) {
  const name = `load-${Date.now().toString(36)}`;
  const account = new URLSearchParams({ name, password: `${name}-password`, next: '/' });
  const entered = await fetch(new URL('/sign-up', url), { method: 'POST', body: account, redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`could not sign up: status ${entered.status}`);
  const form = await (await fetch(new URL(`/wiki/${SLOW_PAGE}/edit`, url), { headers: { cookie } })).text();
  const token = /name="token" value="([^"]+)"/.exec(form)?.[1] ?? '';
  const base = /name="base" value="(\d+)"/.exec(form)?.[1] ?? '';
  const edit = new URLSearchParams({ token, base, text: SLOW_TEXT, comment: 'load' });
  const saved = await fetch(new URL(`/wiki/${SLOW_PAGE}`, url), { method: 'POST', body: edit, redirect: 'manual', headers: { cookie } });
  if (saved.status !== 303) throw new Error(`could not save ${SLOW_PAGE}: status ${saved.status}`);
}

/**
 * Blocks of a hundred with the slow pages at random places: the share holds over every block.
 * @param {Pages} pages
 * @param {number} share of slow pages
 * @param {number} seed
 * @returns {() => Page} the next one to ask for
 */
function order(pages, share, seed) {
  const random = generator(seed);
  /** @type {Page[]} */
  let block = [];
  let owed = 0;
  return () => {
    if (block.length === 0) {
      owed += share * BLOCK;
      const slow = pages.slow === null ? 0 : Math.floor(owed + 1e-9);
      owed -= slow;
      block = Array.from({ length: BLOCK }, () => pages.ordinary[Math.floor(random() * pages.ordinary.length)]);
      for (let placed = 0; placed < slow;) {
        const at = Math.floor(random() * BLOCK);
        if (block[at].kind === 'slow') continue;
        block[at] = /** @type {Page} */ (pages.slow);
        placed++;
      }
    }
    return /** @type {Page} */ (block.pop());
  };
}

/**
 * Mulberry32, public domain, Tommy Ettinger.
 * @param {number} seed
 * @returns {() => number} 0 <= x < 1
 */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

exports.SLOW_LINK = SLOW_LINK;
exports.SLOW_PAGE = SLOW_PAGE;
exports.generator = generator;
exports.order = order;
exports.prepare = prepare;
