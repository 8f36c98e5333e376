'use strict';
/*
 * A stub stands here for an object of the other side. In: an id, a SHAPE, and a conversation, which sends an operation and waits for its
 * result. Out: a Proxy, each of whose traps is one crossing. Its target is an empty *shadow* of the right kind; what the engine's
 * invariants need (properties that cannot be changed, closed objects) is copied onto it when first seen. It never keeps a value of its own.
 */
const { inspect } = require('node:util');
const types = require('node:util/types');
const { IgnisError } = require('../errors');
const { isBackThen } = require('./contexts');
const { asDisposer } = require('./disposers');
const { hasOwnText } = require('./own-text');
const { symbolNameOf } = require('./samples');
const { OPERATION, SHAPE } = require('./tags');
const { clearerReading, doneValueOf } = require('./timers');
const engine = require('../engine');

const { Object, Proxy, Reflect, WeakMap } = engine;
const INSPECT = inspect.custom;

/**
 * @typedef {object} Asking
 * @property {(operation: number, id: number, operands: any[]) => any} ask blocks until the answer is here
 * @property {(id: number, key: PropertyKey) => any} known what reading would give now; undefined: it must be asked for
 * @property {(value: any) => void} keep an object of ours stays as long as the other side has its copy
 */

/** Only Node asks for this, to build a Blob out of others; the wrong kind of bytes would end the process. */
const BYTES_OF_A_BLOB = 'Blob kHandle';
const NOT_OURS = 'a Blob of the other side cannot be part of one of this side: give its bytes (`await blob.arrayBuffer()`)';

/** @param {number} shape @returns {any} */
function makeShadow(shape) {
  switch (shape) {
    case SHAPE.CALLABLE:
      return strip(() => {});
    case SHAPE.CONSTRUCTIBLE:
      return strip(function () {});
    case SHAPE.BOUND:
      return strip(function () {}.bind(null));
    case SHAPE.ARRAY:
      return [];
    default:
      return {};
  }
}

/** @param {any} shadow */
function strip(shadow) {
  delete shadow.name;
  delete shadow.length;
  return shadow;
}

/**
 * What `util.inspect` must call for shadows that are closed, and so have only what their objects have.
 *
 * @type {WeakMap<object, (depth: number, options: any) => any>}
 */
const inspectors = new WeakMap();

/** Whether everything of its kind has this name here. @param {any} shadow @param {PropertyKey} key */
const isCommon = (shadow, key) => key in (typeof shadow === 'function' ? Function.prototype : Object.prototype);

/** @implements {ProxyHandler<any>} */
class StubHandler {
  #id;
  #conversation;
  /** the Proxy with these traps @type {any} */
  stub = null;

  /** @param {number} id @param {Asking} conversation */
  constructor(id, conversation) {
    this.#id = id;
    this.#conversation = conversation;
  }

  /** @param {any} _shadow @param {any} self @param {any[]} args */
  apply(_shadow, self, args) {
    return this.#conversation.ask(isBackThen() ? OPERATION.APPLY_LENT : OPERATION.APPLY, this.#id, [self, args]);
  }

  /** @param {any} _shadow @param {any[]} args @param {Function} newTarget */
  construct(_shadow, args, newTarget) {
    return this.#conversation.ask(OPERATION.CONSTRUCT, this.#id, [newTarget, args]);
  }

  /** @param {any} shadow @param {PropertyKey} key @param {any} receiver */
  get(shadow, key, receiver) {
    if (typeof key === 'symbol' && symbolNameOf(key) === BYTES_OF_A_BLOB) return this.#refuseBytes(key);
    const known = this.#conversation.known(this.#id, key);
    if (known !== undefined) return asDisposer(key, known, shadow);
    const clearer = clearerReading(key, this.get);
    if (clearer !== -1) {
      this.#conversation.ask(OPERATION.CLEAR, this.#id, [clearer]);
      return doneValueOf(key);
    }
    // Inspecting reads this from the shadow, past the Proxy, and from what a closed one inherits from; from the Proxy, it is the object's
    // own.
    const inspector = key === INSPECT ? inspectors.get(receiver) : undefined;
    if (inspector !== undefined) return inspector;
    const value = this.#conversation.ask(OPERATION.GET, this.#id, [key, receiver]);
    if (value !== undefined || !isCommon(shadow, key)) return asDisposer(key, value, shadow);
    const ours = this.#behind(key);
    return ours === null ? undefined : Reflect.get(ours, key, receiver);
  }

  /** @param {any} shadow @param {PropertyKey} key @param {any} value @param {any} receiver */
  set(shadow, key, value, receiver) {
    const isDone = this.#conversation.ask(OPERATION.SET, this.#id, [key, value, receiver]);
    this.#keepBytes(value);
    return isDone;
  }

  /** @param {any} shadow @param {PropertyKey} key */
  has(shadow, key) {
    const isThere = this.#conversation.ask(OPERATION.HAS, this.#id, [key]) || (isCommon(shadow, key) && this.#behind(key) !== null);
    if (!isThere) forget(shadow, key);
    return isThere;
  }

  /** @param {any} shadow @param {PropertyKey} key */
  deleteProperty(shadow, key) {
    const isDone = this.#conversation.ask(OPERATION.DELETE, this.#id, [key]);
    if (isDone) forget(shadow, key);
    return isDone;
  }

  /** @param {any} shadow */
  ownKeys(shadow) {
    const keys = this.#conversation.ask(OPERATION.OWN_KEYS, this.#id, []);
    if (!Reflect.isExtensible(shadow)) for (const key of Reflect.ownKeys(shadow)) if (!keys.includes(key)) forget(shadow, key);
    return keys;
  }

  /** @param {any} shadow @param {PropertyKey} key */
  getOwnPropertyDescriptor(shadow, key) {
    const property = this.#conversation.ask(OPERATION.DESCRIBE, this.#id, [key]);
    if (property === undefined) forget(shadow, key);
    else if (property.configurable === false) Reflect.defineProperty(shadow, key, property);
    return property;
  }

  /** @param {any} shadow @param {PropertyKey} key @param {PropertyDescriptor} property */
  defineProperty(shadow, key, property) {
    const isDone = this.#conversation.ask(OPERATION.DEFINE, this.#id, [key, property]);
    this.#keepBytes(property.value);
    if (isDone && property.configurable === false) this.getOwnPropertyDescriptor(shadow, key);
    return isDone;
  }

  /** @param {any} _shadow */
  getPrototypeOf(_shadow) {
    return this.#conversation.ask(OPERATION.GET_PROTOTYPE, this.#id, []);
  }

  /**
   * The engine looks for circles only as far as a Proxy, and would follow this one for ever.
   *
   * @param {any} _shadow
   * @param {any} prototype
   */
  setPrototypeOf(_shadow, prototype) {
    for (let at = prototype; at !== null; at = Reflect.getPrototypeOf(at)) if (at === this.stub) return false;
    return this.#conversation.ask(OPERATION.SET_PROTOTYPE, this.#id, [prototype]);
  }

  /** @param {any} shadow */
  isExtensible(shadow) {
    if (!Reflect.isExtensible(shadow)) return false;
    const isExtensible = this.#conversation.ask(OPERATION.IS_EXTENSIBLE, this.#id, []);
    if (!isExtensible) this.#close(shadow);
    return isExtensible;
  }

  /** @param {any} shadow */
  preventExtensions(shadow) {
    const isDone = this.#conversation.ask(OPERATION.PREVENT_EXTENSIONS, this.#id, []);
    if (isDone) this.#close(shadow);
    return isDone;
  }

  /**
   * Code that writes to memory, an addon or WebAssembly, relies on the owner being a member of an object in use (`this.state = bytes`);
   * here only the other side knows whether it is.
   *
   * @param {any} value that became a member
   */
  #keepBytes(value) {
    if (types.isArrayBufferView(value) || types.isArrayBuffer(value)) this.#conversation.keep(value);
  }

  /** Node asks every object whether it is a Blob. @param {symbol} key */
  #refuseBytes(key) {
    if (this.#conversation.ask(OPERATION.HAS, this.#id, [key])) throw new IgnisError('IGNIS_UNMARSHALABLE', NOT_OURS);
    return undefined;
  }

  /**
   * At the end of the chain of prototypes are objects that each side has for itself, and somebody may have added here what is missing there
   * (`Object.prototype.should`).
   *
   * @param {PropertyKey} key not found there
   * @returns {any} our object that has it; null: none
   */
  #behind(key) {
    if (this.#conversation.ask(OPERATION.HAS, this.#id, [key])) return null;
    const prototype = this.#conversation.ask(OPERATION.GET_PROTOTYPE, this.#id, []);
    return prototype !== null && Reflect.has(prototype, key) ? prototype : null;
  }

  /** Names and prototype of a closed object never change, and the engine compares them with the shadow's. @param {any} shadow */
  #close(shadow) {
    Reflect.setPrototypeOf(shadow, this.getPrototypeOf(shadow));
    inspectors.set(shadow, (depth, options) => this.inspect(depth, options));
    const keys = this.ownKeys(shadow);
    for (const key of Reflect.ownKeys(shadow)) if (!keys.includes(key)) Reflect.deleteProperty(shadow, key);
    for (const key of keys) {
      const property = this.#conversation.ask(OPERATION.DESCRIBE, this.#id, [key]);
      if (property !== undefined) Reflect.defineProperty(shadow, key, property);
    }
    Reflect.preventExtensions(shadow);
  }

  /** Node reads it from the shadow for `%s`, and takes a function for a text of its own. */
  get text() {
    return hasOwnText(this.stub) ? () => String(this.stub) : undefined;
  }

  /** What `util.inspect` shows. @param {number} depth @param {any} options @returns {any} */
  inspect(depth, options) {
    const plain = Object.entries({ ...options, depth }).filter(
      ([, value]) => value === null || (typeof value !== 'object' && typeof value !== 'function'),
    );
    return this.#conversation.ask(OPERATION.INSPECT, this.#id, [plain.flat(1)]);
  }
}

/**
 * The engine holds a closed shadow to what it has, but a closed object may still lose names, on either side.
 *
 * @param {any} shadow
 * @param {PropertyKey} key that its object does not have, or has lost
 */
function forget(shadow, key) {
  if (!Reflect.isExtensible(shadow)) Reflect.deleteProperty(shadow, key);
}

/**
 * @param {number} id
 * @param {number} shape a SHAPE
 * @param {Asking} conversation
 * @returns {any}
 */
function makeStub(id, shape, conversation) {
  const shadow = makeShadow(shape);
  const handler = new StubHandler(id, conversation);
  Object.defineProperty(shadow, INSPECT, {
    value: (/** @type {number} */ depth, /** @type {any} */ options) => handler.inspect(depth, options),
    enumerable: false,
    configurable: true,
  });
  if (typeof shadow === 'object') Object.defineProperty(shadow, 'toString', { get: () => handler.text, configurable: true });
  handler.stub = new Proxy(shadow, handler);
  return handler.stub;
}

exports.makeStub = makeStub;
