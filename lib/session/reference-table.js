'use strict';
/*
 * Who lends what to the other side. `LentTable` keeps our functions alive while the other side holds them. `HeldTable` keeps one stub for
 * each function we hold, and tells in batches which stubs were collected. Each release carries a count of receipts, so a release that
 * crosses a new sending of the same function on the wire cannot free it (counted references, as in RMI and Cap'n Web).
 */
const { Finalizers } = require('./finalizers');
const engine = require('../engine');

const { Map, Object, Reflect, WeakMap, WeakRef, setImmediate } = engine;

const ASYNC = Object.getPrototypeOf(async () => {});
const { isPrototypeOf } = Object.prototype;

/** @typedef {import('./giver').Giver} Giver */

/**
 * @param {Function} fn
 * @returns {any[]} what its stub must look like: [length, name], and true for an async function: some modules (async) tell by that that it
 *   takes no callback
 */
function likenessOf(fn) {
  const likeness = [fn.length, String(fn.name)];
  return Reflect.apply(isPrototypeOf, ASYNC, [fn]) ? [...likeness, true] : likeness;
}

/** @template {Function} F @param {F} stub @returns {F} */
function asAsync(stub) {
  return Object.setPrototypeOf(stub, ASYNC);
}

/** Ours, lent to the other side. */
class LentTable {
  /**
   * @type {Map<number, {value: Function, sent: number, context: Giver | null, isShared: boolean}>} isShared: by several calls at a time
   */
  #byId = new Map();
  /** @type {Map<Function, number>} */
  #ids = new Map();
  /** @type {ReturnType<typeof makeLoose> | null} */
  #loose = null;
  #nextId = 1;

  get size() {
    return this.#byId.size;
  }

  /**
   * @param {Function} value
   * @param {Giver | null} [context] in which it is called; if a function is lent again, the latest
   * @returns {number} its id; a function keeps its id while it is lent
   */
  lend(value, context = null) {
    const known = this.#ids.get(value);
    if (known !== undefined) {
      const entry = /** @type {{sent: number, context: Giver | null, isShared: boolean}} */ (this.#byId.get(known));
      entry.sent += 1;
      entry.isShared ||= entry.context !== context && entry.context?.isOpen === true;
      entry.context = context;
      return known;
    }
    const id = this.#loose?.idOf(value) ?? this.#nextId++;
    this.#byId.set(id, { value, sent: 1, context, isShared: false });
    this.#ids.set(value, id);
    return id;
  }

  /** @param {number} most @returns {Function[]} those lent for the longest time, the oldest first */
  oldest(most) {
    const found = [];
    for (const { value } of this.#byId.values()) {
      if (found.length === most) break;
      found.push(value);
    }
    return found;
  }

  /**
   * @param {number} id as it came over the wire
   * @returns {Function | undefined}
   */
  get(id) {
    return this.#byId.get(id)?.value ?? this.#loose?.get(id);
  }

  /** Once given back, the other side may still name it while something here keeps it. @param {Function} value that is lent */
  loosen(value) {
    const id = this.#ids.get(value);
    if (id === undefined) return;
    this.#loose ??= makeLoose();
    this.#loose.add(value, id);
  }

  /** @param {number} id of a lent function @returns {Giver | null} the context in which it is called */
  contextOf(id) {
    return this.#byId.get(id)?.context ?? null;
  }

  /** @param {number} id @returns {Giver | null} null: nobody can tell which call gave it */
  giverOf(id) {
    const entry = this.#byId.get(id);
    return entry === undefined || entry.isShared ? null : entry.context;
  }

  /**
   * @param {number} id
   * @param {number} count how many receipts are given back
   */
  release(id, count) {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    entry.sent -= count;
    if (entry.sent > 0) return;
    this.#byId.delete(id);
    this.#ids.delete(entry.value);
  }

  clear() {
    this.#byId.clear();
    this.#ids.clear();
    this.#loose = null;
  }
}

/** Objects by number, and numbers by object; keeps nothing alive. */
function makeLoose() {
  /** @type {Map<number, WeakRef<Function>>} */
  const byId = new Map();
  /** @type {WeakMap<Function, number>} */
  const ids = new WeakMap();
  const finalizers = new Finalizers((id) => byId.delete(id));
  return {
    /** @param {Function} value @param {number} id */
    add(value, id) {
      if (ids.has(value)) return;
      ids.set(value, id);
      byId.set(id, new WeakRef(value));
      finalizers.register(value, id);
    },
    /** @param {number} id */
    get: (id) => byId.get(id)?.deref(),
    /** @param {Function} value */
    idOf: (value) => ids.get(value),
  };
}

/** Theirs, held by us. */
class HeldTable {
  /** called for each new stub */
  onHeld = () => {};
  /** @type {Map<number, {ref: WeakRef<Function>, received: number}>} */
  #byId = new Map();
  #finalizers = new Finalizers((id) => this.#collected(id));
  /** @type {number[]} id, count, id, count ... */
  #released = [];
  #onReleased;

  /** @param {(counts: number[]) => void} onReleased called once for each batch, soon after collections */
  constructor(onReleased) {
    this.#onReleased = onReleased;
  }

  get size() {
    return this.#byId.size;
  }

  /**
   * @param {number} id
   * @param {() => Function} makeStub
   * @returns {Function} one stub for an id, as long as anybody here can reach it
   */
  hold(id, makeStub) {
    const entry = this.#byId.get(id);
    const alive = entry?.ref.deref();
    if (entry !== undefined && alive !== undefined) {
      entry.received += 1;
      return alive;
    }
    const stub = makeStub();
    // The old stub is dead, but its finalizer has not run yet: its receipts pass to the new one.
    this.#byId.set(id, { ref: new WeakRef(stub), received: (entry?.received ?? 0) + 1 });
    this.#finalizers.register(stub, id);
    this.onHeld();
    return stub;
  }

  /** @param {number} id @returns {Function | undefined} its stub, as long as anybody here can reach it */
  get(id) {
    return this.#byId.get(id)?.ref.deref();
  }

  /** We use an object of our own for what was lent: the receipt is given back. @param {number} id */
  decline(id) {
    this.#giveBack(id, 1);
  }

  /** @returns {Function[]} the stubs that were not collected */
  alive() {
    const alive = [];
    for (const { ref } of this.#byId.values()) {
      const stub = ref.deref();
      if (stub !== undefined) alive.push(stub);
    }
    return alive;
  }

  /** @param {number} id */
  #collected(id) {
    const entry = this.#byId.get(id);
    if (entry === undefined || entry.ref.deref() !== undefined) return;
    this.#byId.delete(id);
    this.#giveBack(id, entry.received);
  }

  /** @param {number} id @param {number} count */
  #giveBack(id, count) {
    if (this.#released.length === 0) setImmediate(() => this.#tell()).unref();
    this.#released.push(id, count);
  }

  /** Tells at once what was collected; also in the middle of a long turn, in which no finalizer runs. */
  sweep() {
    for (const id of this.#byId.keys()) this.#collected(id);
    this.#tell();
  }

  #tell() {
    if (this.#released.length === 0) return;
    const counts = this.#released;
    this.#released = [];
    this.#onReleased(counts);
  }

  clear() {
    this.#byId.clear();
    this.#released = [];
  }
}

exports.LentTable = LentTable;
exports.HeldTable = HeldTable;
exports.asAsync = asAsync;
exports.likenessOf = likenessOf;
