'use strict';

// The bodies of all views.
// In: what a route found. Out: Markup to put into the layout. Nothing is looked up here.

const { titleOf } = require('../lib/pages.js');
const { html, trusted } = require('./html.js');

/** @typedef {import('../lib/links.js').Finding} Finding */
/** @typedef {import('../lib/pages.js').Version} Version */

/** @param {string} name */
const at = (name) => `/wiki/${encodeURIComponent(name)}`;

/** @param {string} iso */
const day = (iso) => iso.slice(0, 16).replace('T', ' ');

/**
 * @param {string} name
 * @param {'read' | 'edit' | 'history'} current
 */
function tabs(name, current) {
  const all = /** @type {const} */ ([
    ['read', at(name), 'Read'],
    ['edit', `${at(name)}/edit`, 'Edit'],
    ['history', `${at(name)}/history`, 'History'],
  ]);
  return html`<div class="head"><h1>${titleOf(name)}</h1><div class="tabs">${all.map(
    ([key, href, text]) => html`<a href="${href}"${key === current ? trusted(' class="on" aria-current="page"') : ''}>${text}</a>`,
  )}</div></div>`;
}

/** @param {Finding[]} findings */
function linkList(findings) {
  if (findings.length === 0) return null;
  const broken = findings.filter((finding) => finding.problem !== null).length;
  return html`<section class="links"><h2>Links <span class="count">${findings.length} checked${broken > 0 ? `, ${broken} broken` : ''}</span></h2>
<ul>${findings.map(
    ({ link, problem, better }) => html`
<li class="${problem === null ? (better === null ? 'good' : 'fair') : 'broken'}"><span class="address">${link}</span>${
      problem !== null
        ? html`<span class="why">${problem}</span>`
        : better !== null && html`<span class="why">better written as ${better}</span>`
    }</li>`,
  )}
</ul></section>`;
}

/** @param {{ name: string, html: string, findings: Finding[], pages: string[], known: Set<string>, note?: unknown }} view */
function pageView({ name, html: content, findings, pages, known, note }) {
  return html`${tabs(name, 'read')}${note}
<article>${trusted(content)}</article>
${linkList(findings)}
${
  pages.length > 0 &&
  html`<section class="related"><h2>Linked pages</h2><p>${pages.map(
    (page) => html`<a class="chip${known.has(page) ? '' : ' missing'}" href="${at(page)}">${titleOf(page)}</a> `,
  )}</p></section>`
}`;
}

/** @param {{ name: string }} view */
function missingView({ name }) {
  return html`<h1>${titleOf(name)}</h1><p class="note">There is no page of this name yet. <a href="${at(name)}/edit">Write it</a>.</p>`;
}

/**
 * @param {{ name: string, text: string, base: number, comment: string, formToken: string, preview?: unknown,
 *   conflict?: string | null }} view conflict: what somebody else saved meanwhile
 */
function editView({ name, text, base, comment, formToken, preview, conflict }) {
  return html`${tabs(name, 'edit')}
${typeof conflict === 'string' && html`<div class="note bad"><p>Somebody saved this page after you began. Their text stands below; put the two together and save again.</p><pre>${conflict}</pre></div>`}
<form method="post" action="${at(name)}">
<input type="hidden" name="token" value="${formToken}"><input type="hidden" name="base" value="${base}">
<label>Text (Markdown; <code>[[Page]]</code> links a page)<textarea name="text" rows="22" spellcheck="true">
${text}</textarea></label>
<label>What changed<input name="comment" value="${comment}" maxlength="200"></label>
<p class="buttons"><button class="main">Save</button> <button formaction="${at(name)}/preview">Preview</button> <a href="${at(name)}">Cancel</a></p>
</form>
${preview !== undefined && html`<section class="preview"><h2>Preview</h2>${preview}</section>`}`;
}

/** @param {{ html: string, findings: Finding[] }} view */
function previewView({ html: content, findings }) {
  return html`<article>${trusted(content)}</article>${linkList(findings)}`;
}

/** @param {{ name: string, versions: Version[] }} view */
function historyView({ name, versions }) {
  return html`${tabs(name, 'history')}
<ol class="history">${versions.map(
    ({ version, author, savedAt, comment }) => html`
<li><a href="${at(name)}/history/${version}">Version ${version}</a> <span class="by">${author}, ${day(savedAt)}</span> <span class="why">${comment}</span></li>`,
  )}
</ol>`;
}

/** @param {Version} version */
function versionNote({ version, author, savedAt }) {
  return html`<p class="note">Version ${version}, saved by ${author} on ${day(savedAt)}. It may be out of date.</p>`;
}

/** @param {{ names: string[] }} view */
function indexView({ names }) {
  return html`<h1>All pages</h1><ul class="index">${names.map((name) => html`<li><a href="${at(name)}">${titleOf(name)}</a></li>`)}</ul>`;
}

/** @param {{ question: string, hits: import('../lib/search.js').Hit[] }} view */
function searchView({ question, hits }) {
  return html`<h1>Search</h1><p>${hits.length === 0 ? 'Nothing' : hits.length === 1 ? 'One page' : `${hits.length} pages`} for <strong>${question}</strong></p>
<ul class="hits">${hits.map(({ name, excerpt }) => html`<li><a href="${at(name)}">${titleOf(name)}</a><p>${excerpt} …</p></li>`)}</ul>`;
}

/** @param {{ next: string, name?: string, problem?: string | null, isNew?: boolean }} view */
function signInView({ next, name = '', problem = null, isNew = false }) {
  const other = `${isNew ? '/sign-in' : '/sign-up'}?next=${encodeURIComponent(next)}`;
  return html`<div class="card"><h1>${isNew ? 'New account' : 'Sign in'}</h1>
${problem !== null && html`<p class="note bad" role="alert">${problem}</p>`}
<form method="post" action="${isNew ? '/sign-up' : '/sign-in'}"><input type="hidden" name="next" value="${next}">
<label>Name<input name="name" value="${name}" autocomplete="username" autocapitalize="none" required></label>
<label>Password<input name="password" type="password" autocomplete="${isNew ? 'new-password' : 'current-password'}" required></label>
<p class="buttons"><button class="main">${isNew ? 'Create account' : 'Sign in'}</button> <a href="${other}">${isNew ? 'I have an account' : 'I am new here'}</a></p>
</form></div>`;
}

/** @param {{ title: string, text: string }} view */
function problemView({ title, text }) {
  return html`<h1>${title}</h1><p class="note bad">${text}</p><p><a href="/">Back to the start</a></p>`;
}

exports.editView = editView;
exports.historyView = historyView;
exports.indexView = indexView;
exports.missingView = missingView;
exports.pageView = pageView;
exports.previewView = previewView;
exports.problemView = problemView;
exports.searchView = searchView;
exports.signInView = signInView;
exports.versionNote = versionNote;
