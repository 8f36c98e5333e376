'use strict';
/*
 * Listeners of one side on a closed stream of the other. Such a stream calls nobody any more, but `pipeline` and `finished` leave listeners
 * on it that lead back to it. Since each side keeps what the other has of it, neither would ever be freed. In: streams of this side that
 * the other listens to. Out: once one has closed, its listeners are *loose*: they stay, can be called and removed, but their own side keeps
 * the functions, for as long as it has the stream. It adds no listener, runs nothing of the program, and keeps no stream alive.
 *
 *      stream --listeners--> stub of f ~~keeps~~> f ---> stub of stream ~~keeps~~> stream        for ever
 *      stream --listeners--> loose of f           f <==> stub of stream ~~keeps~~> stream        as long as this side uses one of them
 */
const types = require('node:util/types');
const { IgnisError } = require('../errors');
const { MESSAGE, SHAPE } = require('./tags');
const engine = require('../engine');

const { Map, Object, Reflect, WeakMap, WeakRef, WeakSet, clearTimeout, isArray, isObject, setTimeout } = engine;

/** How often to check whether one has closed, ms. */
const LOOK_MS = 500;

class Loose {
  #mail;
  #makeStub;
  /** @type {Map<number, WeakRef<object>>} streams of ours, in the order they came */
  #watched = new Map();
  /** @type {WeakSet<object>} the same */
  #known = new WeakSet();
  #nextNumber = 1;
  /** @type {WeakSet<object>} replacements of listeners */
  #made = new WeakSet();
  /** @type {WeakMap<object, Function[]>} ours, by the stub of the stream that they listen to */
  #kept = new WeakMap();
  /** @type {NodeJS.Timeout | null} */
  #timer = null;

  /** @param {import('./mail').Mail} mail @param {(id: number, shape: number) => any} makeStub */
  constructor(mail, makeStub) {
    this.#mail = mail;
    this.#makeStub = makeStub;
  }

  /** Number of streams it waits for; for tests. */
  get size() {
    return this.#watched.size;
  }

  /** The other side listens to it, or is about to. @param {any} stream anything else is left alone */
  watch(stream) {
    if (closedOf(stream) === undefined || this.#known.has(stream) || this.#mail.tables.heldId(stream) !== undefined) return;
    this.#known.add(stream);
    this.#watched.set(this.#nextNumber++, new WeakRef(stream));
    this.#plan();
  }

  /** In a turn of the event loop, in which no stream is in the middle of telling something. */
  #look() {
    for (const [number, ref] of this.#watched) {
      const stream = ref.deref();
      if (stream !== undefined && closedOf(stream) !== true) continue;
      this.#watched.delete(number);
      if (stream === undefined) continue;
      this.#known.delete(stream);
      this.#loosen(stream);
    }
  }

  #plan() {
    if (this.#timer !== null || this.#watched.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#look();
      this.#plan();
    }, LOOK_MS).unref();
  }

  /** @param {any} stream */
  #loosen(stream) {
    const events = ownOf(stream, '_events');
    if (typeof events !== 'object' || events === null) return;
    /** @type {any[]} functions of the other side, which is told before they are given back */
    const theirs = [];
    for (const name of Reflect.ownKeys(events)) {
      const found = ownOf(events, name);
      if (typeof found === 'function') events[name] = this.#looseOf(found, stream, name, theirs);
      else if (isArray(found)) found.forEach((one, i) => (found[i] = this.#looseOf(one, stream, name, theirs)));
    }
    if (theirs.length > 0) this.#mail.post(MESSAGE.LOOSE, (packer) => [packer.slot(stream), packer.slots(theirs)]);
  }

  /**
   * @param {any} listener
   * @param {any} stream
   * @param {PropertyKey} name
   * @param {any[]} theirs gets the function that it stands for
   * @returns {any} its replacement, if it is the other side's
   */
  #looseOf(listener, stream, name, theirs) {
    const { tables } = this.#mail;
    if (this.#made.has(listener)) return listener;
    const isOnce = tables.heldId(listener) === undefined;
    const inner = isOnce ? ownOf(listener, 'listener') : listener;
    const id = typeof inner === 'function' ? tables.heldId(inner) : undefined;
    if (id === undefined) return listener;
    const stub = this.#makeStub(id, SHAPE.CALLABLE);
    const loose = /** @this {any} */ function (/** @type {any[]} */ ...args) {
      if (isOnce) stream.removeListener(name, loose);
      try {
        return Reflect.apply(stub, this, args);
      } catch (error) {
        // The other side no longer has it, or the stream.
        if (/** @type {any} */ (error)?.code !== 'IGNIS_STALE_REFERENCE') throw error;
      }
    };
    // `removeListener` looks for a function under this name in its replacement, and `listeners` reads it if Node has wrapped the listener:
    // then it is found though nobody else here has it any more.
    Object.defineProperty(loose, 'listener', { get: () => tables.held.get(id) ?? (isOnce ? stub : undefined) });
    tables.standFor(isOnce ? stub : loose, id);
    this.#made.add(loose);
    theirs.push(inner);
    return loose;
  }

  /**
   * The other side has let go of our functions, which listened to its stream that has closed.
   *
   * @param {any} stub of that stream
   * @param {any[]} functions of ours
   * @throws {IgnisError} IGNIS_BAD_FRAME
   */
  take(stub, functions) {
    const { tables } = this.#mail;
    const isTheirs = typeof stub === 'object' && stub !== null && tables.heldId(stub) !== undefined;
    if (!isTheirs || !functions.every((one) => typeof one === 'function'))
      throw new IgnisError('IGNIS_BAD_FRAME', 'a stream has listeners');
    for (const one of functions) tables.lent.loosen(one);
    this.#kept.set(stub, [...(this.#kept.get(stub) ?? []), ...functions]);
  }

  /** The line has ended. */
  end() {
    clearTimeout(this.#timer ?? undefined);
    this.#watched.clear();
  }
}

/**
 * @param {any} stream
 * @returns {boolean | undefined} whether it has told that it is closed, which comes last; undefined: it is no stream that would tell
 */
function closedOf(stream) {
  const state = ownOf(stream, '_readableState') ?? ownOf(stream, '_writableState');
  return typeof state?.closeEmitted === 'boolean' ? state.closeEmitted : undefined;
}

/** @param {any} object @param {PropertyKey} key @returns {any} its own plain value of this name; runs nothing of a program */
function ownOf(object, key) {
  return isObject(object) && !types.isProxy(object) ? Object.getOwnPropertyDescriptor(object, key)?.value : undefined;
}

exports.Loose = Loose;
exports.ownOf = ownOf;
