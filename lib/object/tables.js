'use strict';
/*
 * What one end of a conversation knows of the other: its own objects that it lent, stubs of the other's that it holds, twins, symbols. In:
 * ids and objects. Out: the other of the two. The tables keep alive only what the other side holds.
 */
const { LentTable, HeldTable } = require('../session/reference-table');
const { shapeOf } = require('./form');
const { toldOf } = require('./known-classes');
const { Symbols } = require('./symbols');
const { isLate, rootOf } = require('./intrinsics');
const { Twins } = require('./twins');
const { watchKeys } = require('./weak-keys');
const engine = require('../engine');

const { Set, WeakMap, WeakSet } = engine;

class Tables {
  /** @type {WeakMap<object, number>} stub -> the other side's id of its object */
  #stubs = new WeakMap();
  /** @type {WeakSet<object> | null} stubs that keep nothing alive there */
  #loose = null;
  /** @type {WeakMap<object, [shape: number, whence?: import('./known-classes').Whence]>} what is told of an object besides its id */
  #told = new WeakMap();
  /** @type {WeakMap<object, import('./known-classes').Whence>} stub of an error class -> what was told of that class */
  #classes = new WeakMap();
  /** @type {Set<string> | null} what the other side knows by name; null: all that we do */
  #names = null;
  /** @type {WeakSet<object>} once lent, always lent: it is not copied later */
  #everLent = new WeakSet();

  /**
   * @param {boolean} isHome
   * @param {{onReleased: (counts: number[]) => void, onGone: () => void, onLend: (value: any) => void}} hooks
   * @param {boolean} canShare the other side is a thread of this process
   */
  constructor(isHome, { onReleased, onGone, onLend }, canShare) {
    this.canShare = canShare;
    /** what becomes of our data on the other side: twins, or as a recipe says @type {'restore' | 'copy' | 'ref'} */
    this.args = 'restore';
    this.onLend = onLend;
    this.lent = new LentTable();
    this.held = new HeldTable(onReleased);
    this.twins = new Twins(isHome, onGone);
    this.symbols = new Symbols(isHome);
    if (!isHome) watchKeys((key) => (typeof key === 'symbol' ? this.symbols.pin(key) : this.twins.pin(key)));
  }

  /** @param {object} value @returns {number | undefined} the other side's id, if it is a stub */
  heldId(value) {
    return this.#stubs.get(value);
  }

  /** @param {any} names that the other side knows, as they came over the wire */
  learnNames(names) {
    this.#names = new Set(names);
  }

  /** Whether the other side knows something by this name. @param {string} name of ours */
  isCommon(name) {
    return this.#names === null || this.#names.has(name) || (isLate(name) && this.#names.has(rootOf(name)));
  }

  /** @param {object} value @returns {boolean} */
  isLent(value) {
    return this.#everLent.has(value);
  }

  /**
   * @param {any} value of ours
   * @returns {[id: number, shape: number, whence?: import('./known-classes').Whence]} also says where the other side may have its own
   */
  lend(value) {
    this.#everLent.add(value);
    this.onLend(value);
    let told = this.#told.get(value);
    if (told === undefined) {
      const whence = toldOf(value);
      this.#told.set(value, (told = whence === null ? [shapeOf(value)] : [shapeOf(value), whence]));
    }
    return [this.lent.lend(value), ...told];
  }

  /**
   * @param {number} id the other side's @param {() => any} makeStub
   * @param {import('./known-classes').Whence} [whence] for an error class, or its prototype, that this side has not loaded
   * @returns {any}
   */
  hold(id, makeStub, whence) {
    return this.held.hold(id, () => {
      const stub = makeStub();
      this.#stubs.set(stub, id);
      if (whence !== undefined) this.#classes.set(stub, whence);
      return stub;
    });
  }

  /** @param {object} stub @returns {import('./known-classes').Whence | undefined} */
  classOf(stub) {
    return this.#classes.get(stub);
  }

  /** @param {object} other @param {number} id of the other side's object that `other` stands for, too, without keeping it */
  standFor(other, id) {
    this.#stubs.set(other, id);
    (this.#loose ??= new WeakSet()).add(other);
  }

  /** @param {object} stub @returns {boolean} whether the other side may have let go of its object */
  isLoose(stub) {
    return this.#loose !== null && this.#loose.has(stub);
  }

  /** Sizes, for tests and figures. */
  get counts() {
    return { lent: this.lent.size, held: this.held.size, twins: this.twins.size };
  }

  clear() {
    this.lent.clear();
    this.held.clear();
    this.twins.clear();
  }
}

exports.Tables = Tables;
