'use strict';

// Asks a program and wants a certain answer. In: an address. Out: what came back, as JSON or as text; an error where the status is another
// one.

const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');

/** Longer than any of the programs takes, ms. */
const LIMIT_MS = 20000;
const LOOK_MS = 20;

/**
 * @param {string} url
 * @param {{method?: string, body?: unknown, headers?: Record<string, string>, status?: number}} [asked] body: sent as JSON unless it is a
 *   Buffer; status: 200
 * @returns {Promise<any>}
 */
async function answerOf(url, { method = 'GET', body, headers = {}, status = 200 } = {}) {
  const isRaw = Buffer.isBuffer(body);
  const type = isRaw ? 'application/octet-stream' : 'application/json';
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const text = await response.text();
  assert.equal(response.status, status, `${method} ${url} was answered ${response.status}: ${text.slice(0, 300)}`);
  return /json/.test(response.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : text;
}

/**
 * For what begins a moment later than the answer that promises it.
 * @param {() => Promise<any>} ask
 * @returns {Promise<any>} its first answer that is no error
 * @throws its last error, when there is none for too long
 */
async function eventually(ask) {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(LOOK_MS);
    }
  }
}

exports.answerOf = answerOf;
exports.eventually = eventually;
