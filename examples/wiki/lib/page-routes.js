'use strict';

// The addresses under which pages are read, searched, edited and saved.
// In: the wiki's parts. Out: an Express router. Reading is for everybody; editing needs a session and a form of ours.

const express = require('express');
const { layout } = require('../views/layout.js');
const views = require('../views/pages.js');
const { ConflictError, titleOf } = require('./pages.js');
const { render } = require('./render.js');
const { search } = require('./search.js');

const FRONT = 'Home';

/**
 * @typedef {object} Wiki
 * @property {import('./pages.js').Pages} pages
 * @property {import('./account.js').Accounts} accounts
 * @property {(links: string[]) => Promise<import('./links.js').Finding[]>} checkLinks
 */

/** @typedef {any} Request Express ships no types; `reader` and `session` are put there by the account router */
/** @typedef {any} Response */

/**
 * @param {Wiki} wiki
 * @returns {any} an Express router
 */
function pageRoutes(wiki) {
  const router = express.Router();
  const { pages } = wiki;
  router.get('/', (/** @type {Request} */ request, /** @type {Response} */ response) => response.redirect(`/wiki/${FRONT}`));
  router.get('/pages', async (/** @type {Request} */ request, /** @type {Response} */ response) =>
    send(request, response, 'All pages', views.indexView({ names: await pages.list() })),
  );
  router.get('/search', async (/** @type {Request} */ request, /** @type {Response} */ response) => {
    const question = String(request.query.q ?? '').slice(0, 200);
    send(request, response, 'Search', views.searchView({ question, hits: await search(pages, question) }), { question });
  });
  router.get('/wiki/:name', (/** @type {Request} */ request, /** @type {Response} */ response) => show(wiki, request, response));
  router.get('/wiki/:name/history', async (/** @type {Request} */ request, /** @type {Response} */ response) => {
    const { name } = request.params;
    const versions = await pages.versions(name);
    if (versions.length === 0) return missing(request, response, name);
    send(request, response, `History of ${titleOf(name)}`, views.historyView({ name, versions }));
  });
  router.get('/wiki/:name/history/:version', async (/** @type {Request} */ request, /** @type {Response} */ response) => {
    const { name } = request.params;
    const version = await pages.version(name, Number(request.params.version));
    if (version === null) return missing(request, response, name);
    const view = await pageBody(wiki, name, version.text, views.versionNote(version));
    send(request, response, `${titleOf(name)}, version ${version.version}`, view);
  });
  router.get('/wiki/:name/edit', editorsOnly, async (/** @type {Request} */ request, /** @type {Response} */ response) => {
    const { name } = request.params;
    const base = await pages.lastVersion(name);
    const text = (await pages.version(name, base))?.text ?? '';
    send(
      request,
      response,
      `Edit ${titleOf(name)}`,
      views.editView({ name, text, base, comment: '', formToken: request.reader.formToken }),
    );
  });
  router.post('/wiki/:name/preview', editorsOnly, ownFormOnly, async (/** @type {Request} */ request, /** @type {Response} */ response) => {
    const { html, links } = render(textOf(request), new Set(await pages.list()));
    const preview = views.previewView({ html, findings: await wiki.checkLinks(links) });
    send(request, response, `Edit ${titleOf(request.params.name)}`, views.editView({ ...formOf(request), preview }));
  });
  router.post('/wiki/:name', editorsOnly, ownFormOnly, (/** @type {Request} */ request, /** @type {Response} */ response) =>
    save(wiki, request, response),
  );
  return router;
}

/**
 * @param {Wiki} wiki
 * @param {Request} request
 * @param {Response} response
 */
async function show(wiki, request, response) {
  const { name } = request.params;
  const text = await wiki.pages.read(name);
  if (text === null) return missing(request, response, name);
  send(request, response, titleOf(name), await pageBody(wiki, name, text));
}

/**
 * @param {Wiki} wiki
 * @param {string} name
 * @param {string} text
 * @param {unknown} [note] stands above the text
 */
async function pageBody(wiki, name, text, note) {
  const known = new Set(await wiki.pages.list());
  const { html, links, pages } = render(text, known);
  return views.pageView({ name, html, findings: await wiki.checkLinks(links), pages, known, note });
}

/**
 * @param {Wiki} wiki
 * @param {Request} request
 * @param {Response} response
 */
async function save(wiki, request, response) {
  const { name } = request.params;
  const form = formOf(request);
  try {
    await wiki.pages.save(name, { text: form.text, author: request.reader.user, comment: form.comment, base: form.base });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const base = await wiki.pages.lastVersion(name);
    const conflict = (await wiki.pages.version(name, base))?.text ?? '';
    response.status(409);
    return send(request, response, `Edit ${titleOf(name)}`, views.editView({ ...form, base, conflict }));
  }
  response.redirect(303, `/wiki/${encodeURIComponent(name)}`);
}

/** @param {Request} request */
function formOf(request) {
  return {
    name: request.params.name,
    text: textOf(request),
    base: Number(request.body.base),
    comment: String(request.body.comment ?? '').slice(0, 200),
    formToken: request.reader.formToken,
  };
}

/** @param {Request} request */
function textOf(request) {
  return String(request.body.text ?? '').replace(/\r\n?/g, '\n');
}

/**
 * @param {Request} request
 * @param {Response} response
 * @param {() => void} next
 */
function editorsOnly(request, response, next) {
  if (request.reader.user !== null) return next();
  const back = request.method === 'GET' ? request.originalUrl : `/wiki/${encodeURIComponent(request.params.name)}`;
  response.redirect(303, `/sign-in?next=${encodeURIComponent(back)}`);
}

/**
 * A page of somebody else's may post here with the reader's cookie, but cannot know the token.
 * @param {Request} request
 * @param {Response} response
 * @param {() => void} next
 */
function ownFormOnly(request, response, next) {
  if (request.isOwnForm()) return next();
  response.status(403);
  send(request, response, 'Refused', views.problemView({ title: 'Refused', text: 'This form is out of date. Go back and try again.' }));
}

/**
 * @param {Request} request
 * @param {Response} response
 * @param {string} name
 */
function missing(request, response, name) {
  response.status(404);
  send(request, response, titleOf(name), views.missingView({ name }));
}

/**
 * @param {Request} request
 * @param {Response} response
 * @param {string} title
 * @param {unknown} body
 * @param {{ question?: string }} [more]
 */
function send(request, response, title, body, more) {
  response.type('html').send(layout({ title, reader: request.reader, body, ...more }).text);
}

exports.pageRoutes = pageRoutes;
exports.send = send;
