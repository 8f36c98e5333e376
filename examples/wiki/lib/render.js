'use strict';

// From the Markdown of a page to HTML, and the links in it.
// In: text, and the names of the pages there are. Out: HTML that is safe to serve, the outgoing links, the pages linked.
// HTML inside a text is shown as text; an address that a browser could run (javascript:, data:) is not made a link.

const { Marked } = require('marked');
const { escape } = require('../views/html.js');
const { nameOf } = require('./pages.js');

const OUTGOING = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const SAFE = /^(?:https?:|mailto:|ftp:|\/\/|[^:]*$|[/?#.])/i;

/**
 * @typedef {object} Rendered
 * @property {string} html
 * @property {string[]} links outgoing addresses as written, each once, in order
 * @property {string[]} pages names of the pages linked, each once, in order
 */

const wikiLink = {
  name: 'wikiLink',
  level: /** @type {const} */ ('inline'),
  /** @param {string} source */
  start: (source) => source.indexOf('[['),
  /** @param {string} source */
  tokenizer(source) {
    const match = /^\[\[([^[\]|\n]{1,100})(?:\|([^[\]\n]{1,200}))?\]\]/.exec(source);
    if (match === null) return undefined;
    return { type: 'wikiLink', raw: match[0], page: nameOf(match[1]), text: match[2] ?? match[1], isMissing: false };
  },
  /** @param {any} token */
  renderer: ({ page, text, isMissing }) =>
    `<a href="/wiki/${encodeURIComponent(page)}"${isMissing ? ' class="missing"' : ''}>${escape(text)}</a>`,
};

const markdown = new Marked({
  extensions: [wikiLink],
  renderer: {
    html: ({ text }) => escape(text),
    link(token) {
      const text = this.parser.parseInline(token.tokens);
      if (!SAFE.test(token.href)) return `<span class="unsafe">${text}</span>`;
      const isOutgoing = OUTGOING.test(token.href);
      return `<a href="${escape(encodable(token.href))}"${isOutgoing ? ' rel="nofollow noopener" class="outgoing"' : ''}>${text}</a>`;
    },
    image: ({ href, text }) => (SAFE.test(href) ? `<img src="${escape(encodable(href))}" alt="${escape(text)}">` : escape(text)),
  },
});

/**
 * @param {string} text Markdown
 * @param {Set<string>} known names of the pages there are
 * @returns {Rendered}
 */
function render(text, known) {
  const tokens = markdown.lexer(text);
  /** @type {Set<string>} */
  const links = new Set();
  /** @type {Set<string>} */
  const pages = new Set();
  markdown.walkTokens(tokens, (/** @type {any} */ token) => {
    if (token.type === 'link' && OUTGOING.test(token.href)) links.add(token.href);
    if (token.type !== 'wikiLink') return;
    pages.add(token.page);
    token.isMissing = !known.has(token.page);
  });
  return { html: /** @type {string} */ (markdown.parser(tokens)), links: [...links], pages: [...pages] };
}

/**
 * @param {string} href
 * @returns {string} the same with everything escaped that may not stand in an address
 */
function encodable(href) {
  try {
    return encodeURI(href).replaceAll('%25', '%');
  } catch {
    return '#';
  }
}

exports.render = render;
