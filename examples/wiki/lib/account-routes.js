'use strict';

// Signing in, up and out, and finding out who sends a request.
// In: the accounts. Out: an Express router that must stand before all others: it sets request.reader.

const express = require('express');
const { signInView } = require('../views/pages.js');
const { AccountError, SESSION_MS } = require('./account.js');
const { send } = require('./page-routes.js');

const COOKIE = 'wiki-session';
const FLAGS = 'Path=/; HttpOnly; SameSite=Lax';

/** @typedef {any} Request */
/** @typedef {any} Response */

/**
 * @param {import('./account.js').Accounts} accounts
 * @returns {any} an Express router
 */
function accountRoutes(accounts) {
  const router = express.Router();
  router.use((/** @type {Request} */ request, /** @type {Response} */ response, /** @type {() => void} */ next) => {
    const session = sessionOf(request.headers.cookie ?? '');
    const user = accounts.whoIs(session);
    request.reader = { user, formToken: user === null ? '' : accounts.formToken(session) };
    request.isOwnForm = () => user !== null && accounts.isFormToken(session, String(request.body?.token ?? ''));
    next();
  });
  for (const isNew of [false, true]) {
    const address = isNew ? '/sign-up' : '/sign-in';
    router.get(address, (/** @type {Request} */ request, /** @type {Response} */ response) =>
      send(request, response, 'Sign in', signInView({ isNew, next: ownPath(request.query.next) })),
    );
    router.post(address, (/** @type {Request} */ request, /** @type {Response} */ response) => enter(accounts, isNew, request, response));
  }
  router.post('/sign-out', (/** @type {Request} */ request, /** @type {Response} */ response) => {
    if (request.isOwnForm()) response.set('Set-Cookie', `${COOKIE}=; ${FLAGS}; Max-Age=0`);
    response.redirect(303, '/');
  });
  return router;
}

/**
 * @param {import('./account.js').Accounts} accounts
 * @param {boolean} isNew
 * @param {Request} request
 * @param {Response} response
 */
async function enter(accounts, isNew, request, response) {
  const name = String(request.body.name ?? '')
    .trim()
    .toLowerCase();
  const password = String(request.body.password ?? '');
  const next = ownPath(request.body.next);
  let problem = 'This name and password do not belong together.';
  try {
    if (isNew) await accounts.create(name, password);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    problem = error.message;
    response.status(400);
    return send(request, response, 'New account', signInView({ isNew, next, name, problem }));
  }
  const session = await accounts.signIn(name, password);
  if (session === null) {
    response.status(401);
    return send(request, response, 'Sign in', signInView({ isNew: false, next, name, problem }));
  }
  response.set('Set-Cookie', `${COOKIE}=${session}; ${FLAGS}; Max-Age=${SESSION_MS / 1000}`);
  response.redirect(303, next);
}

/**
 * @param {string} header Cookie
 * @returns {string} '' when there is none
 */
function sessionOf(header) {
  for (const part of header.split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === COOKIE) return value ?? '';
  }
  return '';
}

/**
 * @param {unknown} next where to go after signing in
 * @returns {string} the same when it leads into this wiki, else its start
 */
function ownPath(next) {
  return typeof next === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : '/';
}

exports.accountRoutes = accountRoutes;
