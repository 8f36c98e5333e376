'use strict';
/*
 * The numbers of the object protocol (docs/objects.md#messages). A *slot* is one value on the wire: null, booleans, numbers and texts stand
 * for themselves; all else is a list whose first element is a TAG. A *node* is the contents of one copied object: [id, FORM, level,
 * prototype, extras, ...contents].
 */

const { Object } = require('../engine');

/** What a list in a slot means. */
const TAG = Object.freeze({
  UNDEFINED: 0,
  MINUS_ZERO: 1,
  BIGINT: 2,
  UTF16: 3,
  REGISTERED_SYMBOL: 4,
  KNOWN_SYMBOL: 5,
  OWN_SYMBOL: 6,
  INTRINSIC: 7,
  TWIN: 8,
  HOLE: 9,
  LENT: 10,
  YOURS: 11,
  INTRINSIC_SYMBOL: 12,
  PROPERTY: 13,
});

/** What kind of object a copied one is. */
const FORM = Object.freeze({
  PLAIN: 0,
  BARE: 1,
  ARRAY: 2,
  SPARSE: 3,
  MAP: 4,
  SET: 5,
  DATE: 6,
  REGEXP: 7,
  BOXED: 8,
  ARGUMENTS: 9,
  ERROR: 10,
  DOM_EXCEPTION: 11,
  ARRAY_BUFFER: 12,
  VIEW: 13,
  BUFFER: 14,
  URL: 15,
  PROMISE: 16,
  SHARED: 17,
  KEY: 18,
  RAW_JSON: 19,
  ENGINE_VALUE: 20,
});

/** What a stub must look like. */
const SHAPE = Object.freeze({ OBJECT: 0, CALLABLE: 1, CONSTRUCTIBLE: 2, BOUND: 3, ARRAY: 4 });

/** Kinds of messages. */
const MESSAGE = Object.freeze({
  CALL: 0,
  RETURN: 1,
  THROW: 2,
  SETTLE: 3,
  DROP: 4,
  CONTENT: 5,
  IDLE: 6,
  UNCAUGHT: 7,
  EXIT: 8,
  TURN: 9,
  UNHANDLED: 10,
  FETCH: 11,
  ENVIRONMENT: 12,
  REPLACE: 13,
  WARNING: 14,
  STEADY: 15,
  FORGET: 16,
  EXIT_CODE: 17,
  TICKS: 18,
  LISTENERS: 19,
  PENDING: 20,
  NAMES: 21,
  UNAWAITED: 22,
  LOOSE: 23,
  FIRST: 24,
});

/** What a call asks for. */
const OPERATION = Object.freeze({
  APPLY: 0,
  CONSTRUCT: 1,
  GET: 2,
  SET: 3,
  HAS: 4,
  DELETE: 5,
  OWN_KEYS: 6,
  DESCRIBE: 7,
  DEFINE: 8,
  GET_PROTOTYPE: 9,
  SET_PROTOTYPE: 10,
  IS_EXTENSIBLE: 11,
  PREVENT_EXTENSIONS: 12,
  INSPECT: 13,
  LOAD: 14,
  CLEAR: 15,
  APPLY_LENT: 16,
});

/**
 * Whether a message of this kind answers a call. It is [kind, call, slot, baggage], so that the one who waits finds it fast.
 *
 * @param {number} kind
 */
const isAnswer = (kind) => kind === MESSAGE.RETURN || kind === MESSAGE.THROW;

exports.isAnswer = isAnswer;
exports.TAG = TAG;
exports.FORM = FORM;
exports.SHAPE = SHAPE;
exports.MESSAGE = MESSAGE;
exports.OPERATION = OPERATION;
