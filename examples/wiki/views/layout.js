'use strict';

// What stands around every page.
// In: a title, who reads, and the body. Out: a whole document.

const { html } = require('./html.js');

/**
 * @typedef {object} Reader
 * @property {string | null} user null: not signed in
 * @property {string} formToken '' when not signed in
 */

/**
 * @param {{ title: string, reader: Reader, question?: string, body: unknown }} view
 * @returns {import('./html.js').Markup}
 */
function layout({ title, reader, question = '', body }) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Wiki</title>
<link rel="stylesheet" href="/public/style.css">
</head>
<body>
<header>
<div class="bar">
<a class="brand" href="/">Wiki</a>
<form class="search" action="/search" role="search"><input type="search" name="q" value="${question}" placeholder="Search" aria-label="Search"></form>
<nav>
<a href="/pages">All pages</a>
${
  reader.user === null
    ? html`<a href="/sign-in">Sign in</a>`
    : html`<form class="inline" method="post" action="/sign-out"><input type="hidden" name="token" value="${reader.formToken}"><span class="user">${reader.user}</span> <button class="quiet">Sign out</button></form>`
}
</nav>
</div>
</header>
<main>
${body}
</main>
</body>
</html>
`;
}

exports.layout = layout;
