'use strict';
/*
 * Opens what pack.js packed. In: slots and baggage from the wire, which cannot be trusted. Out: values; twins brought up to date. Objects
 * are made first and filled afterwards, through a list, so circles and depth do not matter. Names become own properties, never assignments;
 * ids and numbers are looked up; what does not fit is IGNIS_BAD_FRAME.
 */
const { Buffer } = require('node:buffer');
const { close } = require('../session/level');
const {
  areKeys,
  attempt,
  bigint,
  checkBytes,
  checkNode,
  checkPrototype,
  checkWhence,
  fail,
  id,
  isBytes,
  isLength,
  knownSymbol,
  text,
} = require('./checked');
const { FORMS, SAID, standardPrototypeOf } = require('./contents');
const { HOLE } = require('./elements');
const { dropExtras } = require('./extras');
const { IgnisError, badFrame } = require('../errors');
const { ownOf } = require('./known-classes');
const { intrinsicOf } = require('./intrinsics');
const { keepOurs, merge } = require('./merge');
const { Property, defineMembers } = require('./members');
const { flatten, unflatten } = require('./flat');
const { canBecome, formOf } = require('./form');
const { symbolOf } = require('./samples');
const { FORM, SHAPE, TAG } = require('./tags');
const { contentsOf, isUnknown, makeUnknown, noteContents, whyUnknown } = require('./unknown');
const engine = require('../engine');

const { Array, Map, Object, Set, Symbol, isArray, isInteger, isObject } = engine;

/** @typedef {import('./twins').State} State */

/**
 * @typedef {object} Hooks
 * @property {(id: number, shape: number) => any} makeStub
 * @property {(id: number) => Promise<any>} makePromise makes one that is settled when the other side says so
 * @property {(id: number) => any[] | null} fetch the node of a twin that this side has lost and the other still names; null: it has come
 *   meanwhile
 */

/** All others are made when their contents are known: these hold no other objects, except the memory of a view. @type {Set<number>} */
const IS_FILLED_LATER = new Set([
  FORM.PLAIN,
  FORM.BARE,
  FORM.ARRAY,
  FORM.SPARSE,
  FORM.MAP,
  FORM.SET,
  FORM.ARGUMENTS,
  FORM.ERROR,
  FORM.ARRAY_BUFFER,
]);

/** In these, a Property may take the place of a value. @type {Set<number>} */
const HAVE_PROPERTIES = new Set([FORM.PLAIN, FORM.BARE, FORM.ARRAY, FORM.SPARSE, FORM.ARGUMENTS, FORM.ERROR, FORM.DOM_EXCEPTION]);

class Unpacker {
  #tables;
  #hooks;
  /** @type {Map<number, any[]> | null} nodes of the message in hand that are not made yet */
  #raw = null;
  /** @type {any[]} kept while a message is opened: object, node, object, node ... */
  #made = [];
  /** @type {any[]} numbers valid for one message only */
  #passing = [];
  /** @type {any[]} updates that came with fetched contents: object, node, object, node ... */
  #late = [];

  /**
   * @param {import('./tables').Tables} tables
   * @param {Hooks} hooks
   */
  constructor(tables, hooks) {
    this.#tables = tables;
    this.#hooks = hooks;
  }

  /** @param {any} baggage @returns {any[]} the objects that are new here; keep them until the slots are read */
  open(baggage) {
    if (baggage === null) return [];
    if (!isArray(baggage) || baggage.length < 2 || baggage.length > 3 || !baggage.every(isArray))
      throw badFrame('baggage is nodes, updates, and what is only copied');
    const [nodes, updates] = [unflatten(baggage[0]), unflatten(baggage[1])];
    const passing = baggage[2] ?? [];
    for (const id of passing) this.#passing.push(id);
    const isWithin = this.#raw !== null;
    const raw = (this.#raw ??= new Map());
    for (const node of nodes) raw.set(checkNode(node)[0], node);
    const changes = this.#here(updates);
    for (const node of nodes) if (raw.has(node[0])) this.#make(node);
    if (isWithin) {
      // These contents were fetched while those of a message are made: both are filled together.
      for (const one of changes) this.#late.push(one);
      return [];
    }
    const made = this.#made;
    for (const one of this.#late) changes.push(one);
    this.#made = [];
    this.#late = [];
    this.#raw = null;
    for (let i = 0; i < made.length; i += 2) this.#fill(made[i], made[i + 1]);
    for (let i = 0; i < changes.length; i += 2) this.#update(changes[i], changes[i + 1]);
    const all = made.concat(changes);
    attempt(() => {
      for (let i = 0; i < all.length; i += 2) if (!isUnknown(all[i])) close(all[i], all[i + 1][2]);
    });
    return all;
  }

  /** Nobody here has the others any more. If one is named again, it is fetched: what is made then is newer, and may be closed. @param {any[][]} updates @returns {any[]} object, node ... */
  #here(updates) {
    return updates.flatMap((node) => {
      const object = this.#present(checkNode(node)[0]);
      return object === undefined ? [] : [object, node];
    });
  }

  /** All slots of the message are read: the numbers of what was only copied are no longer valid. */
  letGo() {
    const passing = this.#passing;
    if (passing.length === 0) return;
    this.#passing = [];
    for (const id of passing) this.#tables.twins.dissolve(id);
  }

  /** @param {any} slot @returns {any} the value */
  value(slot) {
    if (slot === null || typeof slot === 'string' || typeof slot === 'number' || typeof slot === 'boolean') return slot;
    if (!isArray(slot)) throw badFrame('a slot is a plain value or a list');
    switch (slot[0]) {
      case TAG.UNDEFINED:
        return undefined;
      case TAG.MINUS_ZERO:
        return -0;
      case TAG.BIGINT:
        return bigint(slot[1]);
      case TAG.UTF16:
        return Buffer.from(text(slot[1]), 'latin1').toString('utf16le');
      case TAG.REGISTERED_SYMBOL:
        return Symbol.for(text(this.value(slot[1])));
      case TAG.KNOWN_SYMBOL:
        return knownSymbol(slot[1]);
      case TAG.OWN_SYMBOL:
        return this.#tables.symbols.get(id(slot[1]), slot[2] === null ? undefined : text(this.value(slot[2])));
      case TAG.INTRINSIC_SYMBOL:
        return symbolOf(text(slot[1])) ?? fail(`this side has no symbol ${slot[1]}`);
      case TAG.INTRINSIC:
        return intrinsicOf(text(slot[1])) ?? fail(`this side has no ${slot[1]}`);
      case TAG.TWIN:
        return this.#twin(id(slot[1]));
      case TAG.HOLE:
        return HOLE;
      case TAG.LENT:
        return this.#stub(id(slot[1]), slot[2], slot[3]);
      case TAG.YOURS:
        return this.own(id(slot[1]), slot[2] === true);
      default:
        throw badFrame(`unknown tag ${typeof slot[0] === 'number' ? slot[0] : typeof slot[0]}`);
    }
  }

  /** @param {any} slots @returns {any[]} */
  values(slots) {
    if (!isArray(slots)) throw badFrame('slots are a list');
    const list = new Array(slots.length);
    for (let i = 0; i < slots.length; i++) list[i] = this.value(slots[i]);
    return list;
  }

  /** @param {number} id @returns {any} undefined: it is neither here nor in the message in hand */
  #present(id) {
    const known = this.#tables.twins.get(id);
    const raw = known === undefined ? this.#raw?.get(id) : undefined;
    return raw === undefined ? known : this.#make(raw);
  }

  /** @param {number} id */
  #twin(id) {
    const known = this.#present(id);
    if (known !== undefined) {
      if (isArray(known)) this.#tables.twins.meet(known);
      return known;
    }
    // Our copy was collected while the other side named it again.
    const node = this.#hooks.fetch(id);
    if (node === null) return this.#tables.twins.get(id);
    if (checkNode(node)[0] !== id) throw badFrame('contents of another twin');
    const kept = this.open([flatten([node]), []]);
    // The memory of a view may also have been collected; then it is made before the view.
    for (let i = 0; i + 1 < kept.length; i += 2) if (kept[i + 1]?.[0] === id) return kept[i];
    return this.#tables.twins.get(id);
  }

  /** @param {number} id @param {any} shape @param {any} whence if this side may have its own; undefined: it has none */
  #stub(id, shape, whence) {
    if (!isInteger(shape) || shape < 0 || shape > SHAPE.ARRAY) throw badFrame('a reference without its shape');
    const { held } = this.#tables;
    const own = whence === undefined || held.get(id) !== undefined ? undefined : ownOf(checkWhence(whence));
    if (own !== undefined) {
      held.decline(id);
      return own;
    }
    return this.#tables.hold(id, () => this.#hooks.makeStub(id, shape), whence);
  }

  /** @param {any} id as it came over the wire @param {boolean} [isLoose] a listener that nobody calls any more, and that may be gone @returns {any} what this side lent under this id */
  own(id, isLoose = false) {
    const own = this.#tables.lent.get(id) ?? (isLoose ? () => {} : undefined);
    if (own === undefined) throw new IgnisError('IGNIS_STALE_REFERENCE', `object ${id} is no longer lent`);
    return own;
  }

  /** @param {any[]} node checked @returns {any} the new object, still empty if it is filled later */
  #make(node) {
    const [id, form, , , , contents] = node;
    if (this.#tables.twins.get(id) !== undefined) throw badFrame(`twin ${id} is here already`);
    this.#raw?.delete(id);
    const object = form === FORM.PROMISE ? this.#hooks.makePromise(id) : this.#build(form, contents);
    this.#tables.twins.add(object, id);
    this.#made.push(object, node);
    return object;
  }

  /** @param {number} form @param {any[]} contents slots */
  #build(form, contents) {
    // What such an error has besides what its class says may refer to the error itself.
    const slots = form === FORM.DOM_EXCEPTION ? contents.slice(0, SAID) : contents;
    if (isBytes(form)) checkBytes(slots);
    const list = IS_FILLED_LATER.has(form) || isBytes(form) || form === FORM.SHARED ? slots : this.values(slots);
    if (form === FORM.SPARSE && !isLength(list[0])) throw badFrame('an array without its length');
    if (form === FORM.SHARED && !(isObject(list[0]) && formOf(list[0]) === FORM.SHARED)) throw badFrame('what is shared is missing');
    if (form === FORM.BOXED && (list.length !== 1 || list[0] === undefined || list[0] === null || isObject(list[0])))
      throw badFrame('a box without its primitive');
    try {
      return attempt(() => FORMS[form].make(list));
    } catch (error) {
      const why = whyUnknown(form, list);
      if (why === null) throw error;
      return makeUnknown(form, why);
    }
  }

  /** @param {any} object @param {any[]} node */
  #fill(object, node) {
    const state = this.#stateOf(object, node);
    if (isUnknown(object)) return noteContents(object, state);
    const { form, prototype, extras, contents } = state;
    attempt(() => {
      if (IS_FILLED_LATER.has(form) || form === FORM.REGEXP || form === FORM.DOM_EXCEPTION) FORMS[form].fill(object, contents);
      if (extras !== null) defineMembers(object, extras);
      if (Object.getPrototypeOf(object) !== prototype) Object.setPrototypeOf(object, prototype);
    });
    this.#tables.twins.agree(object, state);
    if (form === FORM.ARRAY) this.#tables.twins.meet(object);
  }

  /** @param {number} form @param {any[]} contents slots */
  #contents(form, contents) {
    if (!HAVE_PROPERTIES.has(form)) return this.values(contents);
    return this.#members(contents);
  }

  /** @param {any[]} slots names, values, and Properties */
  #members(slots) {
    const list = new Array(slots.length);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      list[i] = isArray(slot) && slot[0] === TAG.PROPERTY ? this.#property(slot) : this.value(slot);
    }
    return list;
  }

  /** @param {any[]} slot */
  #property([, isValue, flags, first, second]) {
    if (!isInteger(flags)) throw badFrame('a property without its flags');
    const common = { enumerable: (flags & 2) !== 0, configurable: (flags & 4) !== 0 };
    const [one, two] = [this.value(first), this.value(second)];
    return new Property(isValue ? { value: one, writable: (flags & 1) !== 0, ...common } : { get: one, set: two, ...common });
  }

  /** @param {any} object @param {any[]} node @returns {State} what the other side has */
  #stateOf(object, [, form, level, prototype, extras, contents]) {
    const list = form === FORM.SHARED ? contents : isBytes(form) ? copyBytes(checkBytes(contents)) : this.#contents(form, contents);
    if ((form === FORM.PLAIN || form === FORM.BARE) && !areKeys(list, 2)) throw badFrame('members without their names');
    if (form === FORM.ARGUMENTS && !areKeys(list.slice(1), 2)) throw badFrame('members without their names');
    if (form === FORM.ERROR && !areKeys(list, 3)) throw badFrame('members without their names');
    if (form === FORM.DOM_EXCEPTION && !areKeys(list.slice(SAID), 3)) throw badFrame('members without their names');
    const more = extras === null ? null : this.#members(extras);
    if (more !== null && !areKeys(more, 2)) throw badFrame('extras without their names');
    return {
      form,
      level,
      prototype: prototype === 0 ? usualPrototypeOf(form, object) : checkPrototype(this.value(prototype)),
      extras: more,
      contents: list,
    };
  }

  /**
   * Makes the other side's changes. If this side changed the same object meanwhile (with promises, both may work at once), both changes are
   * kept, as far as they concern different members.
   *
   * @param {any} object
   * @param {any[]} node
   */
  #update(object, node) {
    const { twins } = this.#tables;
    const base = contentsOf(object) ?? twins.stateOf(object);
    if (base === undefined || !canBecome(base.form, node[1])) throw badFrame('an update of another form');
    const state = this.#stateOf(object, node);
    if (isUnknown(object)) return void noteContents(object, state);
    if (base.theirs !== undefined) keepOurs(state, base.contents, base.theirs);
    const isOurs = !twins.isUnchanged(object);
    attempt(() => {
      if (!isOurs) FORMS[state.form].fill(object, state.contents);
      else if (state.form === FORM.PLAIN || state.form === FORM.BARE) merge(object, base.contents, state.contents);
      else FORMS[state.form].fill(object, state.contents);
      // In the other form of an array, these belong to the contents.
      if (base.extras !== null && base.form === state.form) dropExtras(object, base.extras, state.extras);
      if (state.extras !== null) defineMembers(object, state.extras);
      if (Object.getPrototypeOf(object) !== state.prototype) Object.setPrototypeOf(object, state.prototype);
    });
    twins.agree(object, state);
    // A Buffer that is alone here can become neither longer nor shorter.
    if (isBytes(state.form) && !twins.isUnchanged(object)) twins.agreeAsIs(object);
  }
}

/** @param {number} form @param {any} object @returns {any} */
const usualPrototypeOf = (form, object) => (isUnknown(object) ? undefined : standardPrototypeOf(form, object));

/** @param {any[]} contents checked @returns {any[]} the same, with bytes of their own */
const copyBytes = ([bytes, ...most]) => (bytes === undefined ? [] : [new Uint8Array(bytes), ...most]);

exports.Unpacker = Unpacker;
