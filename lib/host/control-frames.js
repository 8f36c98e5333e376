'use strict';
/*
 * The frames between a home and a daemon, as tables: what may be asked and told, by whom, and in which shape. In: a frame as it arrived,
 * after the handshake. Out: the same frame, known to have its shape, or IGNIS_BAD_FRAME. Nothing here may trust a name, a number or a
 * length.
 *    [ASK, id, name, body, at]   [ANSWER, id, body, at]   [FAIL, id, code, detail, at]   [TELL, name, body, at]       at: first attachment, -1 for none
 */
const { areConditions } = require('./conditions');
const { badFrame } = require('../errors');
const { isHash } = require('./manifest');
const { TICKET_BYTES } = require('./opening');
const { Object, isArray, isInteger, isSafeInteger } = require('../engine');

/** Version of these frames; both ends must have the same. */
const VERSION = 2;
/** Most of what a replica wrote last, characters. */
const MAX_WRITTEN = 16384;
/** How many sessions one answer lists. */
const MAX_SESSIONS = 64;
const KIND = Object.freeze({ ASK: 1, ANSWER: 2, FAIL: 3, TELL: 4 });

/** @typedef {(value: any) => boolean} Check */

/** @type {Check} */
const isId = (value) => isInteger(value) && value >= 0 && value <= 0x7fffffff;
/** @type {Check} */
const isBytes = (value) => isSafeInteger(value) && value >= 0;
/** @param {number} most @returns {Check} */
const text = (most) => (value) => typeof value === 'string' && value.length <= most;
/** @type {Check} */
const isBinary = (value) => value instanceof Uint8Array && value.byteLength <= 1024;
/** @type {Check} */
const isRecord = (value) => typeof value === 'object' && value !== null && !isArray(value);
/** @type {Check} */
const isEnd = (value) =>
  isRecord(value) &&
  (value.code === null || isInteger(value.code)) &&
  (value.signal === null || text(32)(value.signal)) &&
  text(MAX_WRITTEN)(value.written);
/** @type {Check} */
const isAt = (value) => isArray(value) && value.length === 1 && isInteger(value[0]);

/** Names of sessions, in hexadecimal. @type {Check} */
const areSessions = (value) =>
  isArray(value) && value.length <= MAX_SESSIONS && value.every((one) => typeof one === 'string' && /^[0-9a-f]{32}$/.test(one));
/** @type {Check} */
const isOther = (value) => isRecord(value) && areSessions([value.session]) && isId(value.pid) && text(32)(value.since);
/** @type {Check} */
const isMark = (value) => isRecord(value) && text(128)(value.machine) && isId(value.pid) && text(32)(value.since);

/** @type {Readonly<Record<string, Readonly<Record<string, Check>>>>} what home may ask of a daemon */
const ASKS = Object.freeze(
  Object.assign(Object.create(null), {
    // An older home has no mark.
    hello: {
      version: isId,
      session: (/** @type {any} */ value) => isBinary(value) && value.byteLength === 16,
      node: text(64),
      mark: (/** @type {any} */ value) => (value ?? null) === null || isMark(value),
    },
    dead: { sessions: areSessions },
    echo: {},
    offer: { text: text(16 * 1024 * 1024), signature: isBinary },
    chunk: { digest: isHash, hash: isHash, offset: isBytes },
    // An older home names no conditions.
    start: {
      env: (/** @type {any} */ value) => value === null || text(64)(value),
      conditions: (/** @type {any} */ value) => (value ?? null) === null || areConditions(value),
    },
    grant: { replica: isId, digest: isHash },
  }),
);

/** @type {Readonly<Record<string, Readonly<Record<string, Check>>>>} what either may tell the other */
const TELLS = Object.freeze(
  Object.assign(Object.create(null), {
    ping: {},
    kill: { replica: isId },
    bye: {},
    exited: { replica: isId, why: text(4096), end: (/** @type {any} */ value) => (value ?? null) === null || isEnd(value) },
    output: { replica: isId, fd: (/** @type {any} */ value) => value === 1 || value === 2, text: text(1024 * 1024) },
    facts: { facts: isRecord },
    draining: {},
  }),
);

/** @param {(value: any) => boolean} check @returns {Check} */
const listOf = (check) => (value) => isArray(value) && value.every(check);

/** @type {Readonly<Record<string, Readonly<Record<string, Check>>>>} what a daemon may answer */
const ANSWERS = Object.freeze(
  Object.assign(Object.create(null), {
    // An older daemon does not know of others.
    hello: {
      version: isId,
      replicas: listOf(isId),
      facts: isRecord,
      others: (/** @type {any} */ value) => (value ?? null) === null || listOf(isOther)(value),
    },
    dead: { facts: isRecord },
    echo: {},
    offer: { missing: listOf((one) => isRecord(one) && isHash(one.hash) && isBytes(one.have)) },
    chunk: { have: isBytes },
    start: {
      replica: isId,
      pid: isId,
      cert: text(16384),
      ticket: (/** @type {any} */ value) => isBinary(value) && value.byteLength === TICKET_BYTES,
    },
    grant: { root: text(4096), proof: text(128) },
  }),
);

/** @type {Readonly<Record<number, readonly Check[]>>} a check for each field after the kind */
const SHAPES = Object.freeze({
  [KIND.ASK]: [isId, text(32), isRecord, isAt],
  [KIND.ANSWER]: [isId, isRecord, isAt],
  [KIND.FAIL]: [isId, text(64), text(8192), isAt],
  [KIND.TELL]: [text(32), isRecord, isAt],
});

/**
 * @param {Readonly<Record<string, Readonly<Record<string, Check>>>>} table
 * @param {string} name
 * @param {any} body
 * @param {string} [what] what kind of thing has that name
 */
function checkBody(table, name, body, what = '') {
  const shape = table[name];
  if (shape === undefined) throw badFrame(`nothing is called '${name.slice(0, 32)}' between hosts`);
  for (const field of Object.keys(shape))
    if (!shape[field](body[field])) throw badFrame(`'${field}' of ${what}'${name}' has a wrong shape`);
}

/**
 * @param {any} frame
 * @returns {any[]} the same
 * @throws {IgnisError} IGNIS_BAD_FRAME
 */
function checkControl(frame) {
  const shape = isArray(frame) && typeof frame[0] === 'number' ? SHAPES[frame[0]] : undefined;
  if (shape === undefined || frame.length !== shape.length + 1) throw badFrame('a frame between hosts is of no kind');
  for (let i = 0; i < shape.length; i++) if (!shape[i](frame[i + 1])) throw badFrame(`kind ${frame[0]}, field ${i + 1} has a wrong shape`);
  if (frame[0] === KIND.ASK) checkBody(ASKS, frame[2], frame[3]);
  if (frame[0] === KIND.TELL) checkBody(TELLS, frame[1], frame[2]);
  return frame;
}

/**
 * @param {string} name of what was asked
 * @param {any} body of its answer
 * @returns {any} the same
 * @throws {IgnisError} IGNIS_BAD_FRAME
 */
function checkAnswer(name, body) {
  // Nothing more is known of what another version says.
  const isOfOther = name === 'hello' && isId(body.version) && body.version !== VERSION;
  if (!isOfOther) checkBody(ANSWERS, name, body, 'the answer to ');
  return body;
}

exports.KIND = KIND;
exports.MAX_SESSIONS = MAX_SESSIONS;
exports.VERSION = VERSION;
exports.checkAnswer = checkAnswer;
exports.checkControl = checkControl;
