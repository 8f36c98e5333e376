'use strict';
/*
 * The frames of a session: plain arrays whose first element is the kind (docs/protocol.md). In: whatever came from a channel. Out: the same
 * frame, known to have the shape of its kind, or IGNIS_BAD_FRAME. Nothing here may trust a name, a number or a length that came over the
 * wire.
 */
const { IgnisError } = require('../errors');
const { Object, isArray, isFinite, isInteger, isSafeInteger } = require('../engine');

/** Version of the protocol; both ends must have the same. */
const VERSION = 1;

/** Kinds of frames; the number is what travels. */
const KIND = Object.freeze({
  HELLO: 1,
  LOAD: 2,
  TARGET: 3,
  CALL: 4,
  CAST: 5,
  RESULT: 6,
  ERROR: 7,
  RELEASE: 8,
  USAGE: 9,
  TURNS: 10,
  SETUP: 11,
  WRITE: 12,
  RESTORES: 13,
  RESTORED: 14,
  RECAST: 15,
  PING: 16,
  SIGNAL: 17,
  TOLD: 18,
  TRACE: 19,
  INSIDE: 20,
  CORES: 21,
  ONEWAY: 22,
  THROWN: 23,
  HEARD: 24,
});

/** Limits that a link imposes unless told otherwise. */
const LIMITS = Object.freeze({
  maxBlockBytes: 256 * 1024 * 1024,
  maxAttachments: 65536,
  maxFrames: 1 << 20,
});

const isId = (/** @type {any} */ value) => isInteger(value) && value >= 0 && value <= 0x7fffffff;
/**
 * The number of a lent function, or how often one was lent. No number is used for a second function, and each call with a callback takes
 * one, so a long link may need more than the range of ids.
 */
const isReference = (/** @type {any} */ value) => isSafeInteger(value) && value >= 0;
const isTarget = (/** @type {any} */ value) => isId(value) || (isSafeInteger(value) && value < 0);
const isSpecial = (/** @type {any} */ value) => value === null || (isArray(value) && isId(value[0]));
const isPath = (/** @type {any} */ value) => isArray(value) && value.length <= 64 && value.every((name) => typeof name === 'string');

/** Time since the last report, ms. A negative or larger one was not measured, and would spoil all sums. */
const isSpan = (/** @type {any} */ value) => isFinite(value) && value >= 0 && value <= 1e12;

/** An answer, and changes. */
const isPair = (/** @type {any} */ value) => isArray(value) && value.length === 2;
const isAnswer = (/** @type {any} */ value) => value === 0 || value === 1;

/** For a warning: message, type, code, detail. For home: its current directory, and calls it has made, as JSON. */
const isTold = (/** @type {any} */ value) =>
  isArray(value) &&
  value.every((text) => typeof text === 'string') &&
  (value.length === 1 || value.length === 4 || (value.length === 2 && /^\[\[.*\]\]$/s.test(value[1])));

/** The value written; empty for a deleted name. */
const isWritten = (/** @type {any} */ value) => isArray(value) && value.length <= 1;

/** Loaded with the first one, which few links ever see. */
const isInside = (/** @type {any} */ value) => require('./inside-frame').isInside(value);

const isShortText = (/** @type {any} */ value) => typeof value === 'string' && value.length <= 512;

/** @type {Record<number, ((value: any) => boolean)[]>} a check for each field after the kind */
const SHAPES = Object.freeze(
  Object.assign(
    Object.create(null),
    /** @type {Record<number, ((value: any) => boolean)[]>} */ ({
      [KIND.HELLO]: [isId, (info) => typeof info === 'object' && info !== null],
      [KIND.LOAD]: [isId, (target) => typeof target === 'object' && target !== null],
      [KIND.TARGET]: [isId, isPath],
      [KIND.CALL]: [isId, isTarget, isArray, isSpecial],
      [KIND.CAST]: [isReference, isArray, isSpecial],
      [KIND.RESULT]: [isId, () => true, isSpecial],
      [KIND.ERROR]: [isId, () => true, isSpecial],
      [KIND.RELEASE]: [(counts) => isArray(counts) && counts.length % 2 === 0 && counts.every(isReference)],
      [KIND.USAGE]: [isId, isSpan, isSpan, isSpan, isSpan, isSpan],
      [KIND.TURNS]: [isId],
      [KIND.SETUP]: [isId, isTarget, isArray, isSpecial],
      [KIND.WRITE]: [isId, isPath, isWritten, isSpecial],
      [KIND.RESTORES]: [isId],
      [KIND.RESTORED]: [isId, isAnswer, isId, isPair, isSpecial],
      [KIND.RECAST]: [isReference, isId, isPair, isSpecial],
      [KIND.PING]: [isId],
      [KIND.SIGNAL]: [isId, isAnswer, () => true, isSpecial],
      [KIND.TOLD]: [isTold],
      [KIND.TRACE]: [isId, isShortText, isShortText],
      [KIND.INSIDE]: [isAnswer, isInside],
      [KIND.CORES]: [(ms) => isId(ms) && ms <= 60_000],
      [KIND.ONEWAY]: [isId],
      [KIND.THROWN]: [isId, isReference, () => true, isSpecial],
      [KIND.HEARD]: [isReference, isReference, () => true, isSpecial],
    }),
  ),
);

/**
 * @param {unknown} frame as it came from the codec or the port
 * @returns {any[]} the same frame
 * @throws {IgnisError} IGNIS_BAD_FRAME when its kind is unknown or a field has the wrong shape for it
 */
function checkFrame(frame) {
  if (!isArray(frame)) throw new IgnisError('IGNIS_BAD_FRAME', 'a frame is an array');
  const shape = typeof frame[0] === 'number' ? SHAPES[frame[0]] : undefined;
  if (shape === undefined)
    throw new IgnisError('IGNIS_BAD_FRAME', `unknown kind ${typeof frame[0] === 'number' ? frame[0] : typeof frame[0]}`);
  if (frame.length !== shape.length + 1) {
    throw new IgnisError('IGNIS_BAD_FRAME', `kind ${frame[0]} has ${shape.length + 1} fields, ${frame.length} came`);
  }
  for (let i = 0; i < shape.length; i++) {
    if (!shape[i](frame[i + 1])) throw new IgnisError('IGNIS_BAD_FRAME', `kind ${frame[0]}, field ${i + 1} has a wrong shape`);
  }
  return frame;
}

exports.VERSION = VERSION;
exports.KIND = KIND;
exports.LIMITS = LIMITS;
exports.checkFrame = checkFrame;
