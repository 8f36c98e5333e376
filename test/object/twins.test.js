'use strict';

// Twins and references between two ends in one thread: what is sent, when, and what is left.

const assert = require('node:assert/strict');
const { setImmediate: turn } = require('node:timers/promises');
const { hasNames } = require('../../lib/object/extras');
const { formOf } = require('../../lib/object/form');
const { makeCollector } = require('../../lib/object/kept');
const { Packer } = require('../../lib/object/pack');
const { FORM, SHAPE } = require('../../lib/object/tags');
const { until } = require('../helpers/until');
const { unflatten } = require('../../lib/object/flat');
const { makePair } = require('./pair');

const collect = makeCollector();
const nodesOf = ([baggage]) => baggage?.[0] ?? [];
const updatesOf = ([baggage]) => baggage?.[1] ?? [];

/** @returns {IArguments} of a strict function */
function argumentsOf() {
  return arguments;
}

describe('twins', () => {
  it('are sent once, and named from then on', () => {
    const { home, away } = makePair();
    const object = { a: [1] };
    const [there] = away.open(home.pack([object]));
    const again = home.pack([object, object.a]);
    assert.equal(again[0], null);
    assert.deepEqual(away.open(again), [there, there.a]);
  });

  it('follow changes of either side, with no more than what changed', () => {
    const { home, away } = makePair();
    const object = { a: 1, inner: { b: [1] } };
    const [there] = away.open(home.pack([object]));
    object.inner.b.push(2);
    const message = home.pack([]);
    assert.equal(nodesOf(message).length, 0);
    away.open(message);
    assert.deepEqual(there, { a: 1, inner: { b: [1, 2] } });
    there.inner = { c: there };
    delete there.a;
    home.open(away.pack([]));
    assert.deepEqual(Object.keys(object), ['inner']);
    assert.equal(object.inner.c, object);
    assert.equal(home.pack([])[0], null);
    assert.equal(away.pack([])[0], null);
  });

  it('that are arrays may be made long, and are told of by what is in them', () => {
    const { home, away } = makePair();
    const array = Object.assign([1, 2, 3], { named: 'n' });
    delete array[1];
    const [there] = away.open(home.pack([array]));
    there.length = 5e6;
    there[4e6] = 'far';
    const message = away.pack([there]);
    assert.ok(updatesOf(message).length < 100, `${updatesOf(message).length} parts`);
    home.open(message);
    assert.equal(array.length, 5e6);
    assert.deepEqual(Object.entries(array), [
      ['0', 1],
      ['2', 3],
      ['4000000', 'far'],
      ['named', 'n'],
    ]);
    // From then on by either side.
    array.length = 3;
    delete array.named;
    array.push('end');
    away.open(home.pack([]));
    assert.equal(there.length, 4);
    assert.deepEqual(Object.entries(there), [
      ['0', 1],
      ['2', 3],
      ['3', 'end'],
    ]);
    for (const end of [home, away]) assert.equal(end.pack([])[0], null);
  });

  it('that are arrays may be made long by one side, and changed by the other at the same time', () => {
    const { home, away } = makePair();
    const array = [1, 2, 3];
    const [there] = away.open(home.pack([array]));
    there.length = 5e6;
    array.push(4);
    const [one, other] = [away.pack([]), home.pack([])];
    home.open(one);
    away.open(other);
    for (const list of [array, there]) assert.deepEqual(Object.values(list).slice(0, 3), [1, 2, 3]);
    array[0] = 'again';
    away.open(home.pack([array]));
    assert.deepEqual([there.length, there[0]], [array.length, 'again']);
  });

  it('keep the changes of both sides, where these are of different members', () => {
    const { home, away } = makePair();
    const object = { a: 1, b: 1, c: 1 };
    const [there] = away.open(home.pack([object]));
    object.a = 'home';
    there.b = 'away';
    delete there.c;
    home.open(away.pack([]));
    away.open(home.pack([]));
    assert.deepEqual(object, { a: 'home', b: 'away' });
    assert.deepEqual(there, { a: 'home', b: 'away' });
  });

  it('take over accessors and hidden members of an object that is sent again', () => {
    const { home, away } = makePair();
    const object = { a: 1 };
    const [there] = away.open(home.pack([object]));
    let reads = 0;
    Object.defineProperty(object, 'a', { get: () => ++reads, enumerable: true, configurable: true });
    Object.defineProperty(object, 'hidden', { value: 2 });
    Object.defineProperty(object, Symbol.for('key'), { value: 3, enumerable: true, writable: true, configurable: true });
    away.open(home.pack([object]));
    assert.equal(reads, 0);
    const { get } = Object.getOwnPropertyDescriptor(there, 'a');
    assert.equal(home.tables.lent.get(get.id), Object.getOwnPropertyDescriptor(object, 'a').get);
    assert.deepEqual(Object.getOwnPropertyDescriptor(there, 'hidden'), Object.getOwnPropertyDescriptor(object, 'hidden'));
    assert.equal(there[Symbol.for('key')], 3);
    assert.equal(home.pack([object])[0], null);
    assert.equal(away.pack([there])[0], null);
    assert.equal(reads, 0);
  });

  for (const [what, make, name] of [
    ['a member', () => ({ a: 1, b: 2 }), 'a'],
    ['an element', () => [1, 2], '0'],
  ]) {
    it(`have a getter that came in the place of ${what} use the other side not while they are looked at, and it is found`, () => {
      const { home, away } = makePair();
      const object = make();
      const [there] = away.open(home.pack([object]));
      const failures = [];
      const get = () => {
        try {
          return home.pack([{}]);
        } catch (error) {
          failures.push(error.message);
          throw error;
        }
      };
      Object.defineProperty(object, name, { get, enumerable: true, configurable: true });
      away.open(home.pack([]));
      assert.deepEqual(
        failures.filter((message) => !/looked at for changes, and cannot use the other side/.test(message)),
        [],
      );
      assert.equal(failures.length, 1);
      assert.equal(home.tables.lent.get(Object.getOwnPropertyDescriptor(there, name).get.id), get);
      // What looked is over: the other side can be used again.
      assert.equal(away.open(home.pack([object]))[0], there);
    });
  }

  it('stay what they are, and equal, when they get the prototype of another kind', () => {
    const made = {
      url: new URL('http://host/'),
      date: new Date(1),
      map: new Map([[1, 2]]),
      expression: /a/g,
      view: new Uint8Array([1, 2]),
      large: Buffer.alloc(5000, 1),
      piece: Buffer.from('piece'),
    };
    for (const [name, object] of Object.entries(made)) {
      for (const prototype of [null, Object.prototype, ArrayBuffer.prototype, Uint8Array.prototype, Buffer.prototype, Map.prototype]) {
        const { there, back } = makePair();
        const [copy] = there(object);
        const { constructor } = copy;
        Object.setPrototypeOf(object, prototype);
        if (name === 'piece' || name === 'view') object[0] = 7;
        assert.equal(there(object)[0], copy);
        assert.equal(Object.getPrototypeOf(copy), prototype);
        if (name === 'piece' || name === 'view') assert.equal(copy[0], 7);
        assert.equal(back(copy)[0], object);
        Object.setPrototypeOf(copy, constructor.prototype);
        assert.equal(back(copy)[0], object);
        assert.equal(Object.getPrototypeOf(object), constructor.prototype);
      }
    }
  });

  it('are told by their brands where their prototypes were taken away, and what has another brand stays where it is', () => {
    const bare = (object) => Object.setPrototypeOf(object, null);
    const copied = {
      MAP: new Map(),
      SET: new Set(),
      DATE: new Date(),
      REGEXP: /a/,
      ERROR: new Error('e'),
      ARRAY_BUFFER: new ArrayBuffer(1),
    };
    for (const [form, object] of Object.entries(copied)) assert.equal(formOf(bare(object)), FORM[form], form);
    assert.deepEqual([argumentsOf(1), new Uint8Array(1), Object(1)].map(bare).map(formOf), [FORM.ARGUMENTS, FORM.VIEW, FORM.BOXED]);
    const iterators = [new Map().keys(), new Set().keys(), (function* () {})()];
    for (const object of [Promise.resolve(), new WeakMap(), new WeakSet(), ...iterators]) assert.equal(formOf(bare(object)), null);
    assert.equal(formOf(Object.assign(Object.create(null), { a: 1 })), FORM.BARE);
  });

  it('are made of raw JSON, which is told as it stands', function () {
    if (!('rawJSON' in JSON)) this.skip();
    const { there, back } = makePair();
    const raw = JSON.rawJSON('12345678901234567890');
    const [copy] = there(raw);
    assert.ok(JSON.isRawJSON(copy) && copy !== raw);
    assert.equal(JSON.stringify([copy]), '[12345678901234567890]');
    assert.equal(back(copy)[0], raw);
    assert.equal(formOf(Object.freeze(Object.assign(Object.create(null), { rawJSON: '1' }))), FORM.BARE);
  });

  it('are made of values of the engine, which functions of the engine look into', function () {
    const { there, back } = makePair();
    const locale = new Intl.Locale('de');
    const [copy] = there(locale);
    assert.ok(copy !== locale && copy instanceof Intl.Locale);
    assert.equal(new Intl.NumberFormat(copy).format(1.5), '1,5');
    assert.equal(back(copy)[0], locale);
    /** @type {any} */ (copy).note = 'there';
    assert.deepEqual([back(copy)[0] === locale, /** @type {any} */ (locale).note], [true, 'there']);
    if (!('Temporal' in globalThis)) return;
    const { PlainDate } = /** @type {any} */ (globalThis).Temporal;
    const date = PlainDate.from({ year: 5784, month: 5, day: 1, calendar: 'hebrew' });
    assert.deepEqual([PlainDate.from(there(date)[0]).calendarId, back(there(date)[0])[0] === date], ['hebrew', true]);
  });

  it('are made of an error of the web that is among its own members', () => {
    const { there, back } = makePair();
    const error = /** @type {any} */ (new DOMException('m', 'AbortError'));
    error.self = error;
    const [copy] = there(error);
    assert.deepEqual([copy.name, copy.message, copy.self === copy, back(copy)[0] === error], ['AbortError', 'm', true, true]);
  });

  it('are made of an error that says which quota was exceeded, but for a side whose Node has no class for that', function () {
    const { QuotaExceededError } = /** @type {any} */ (globalThis);
    if (QuotaExceededError === undefined) this.skip();
    const { there, back, home } = makePair();
    const error = Object.assign(new QuotaExceededError('m', { quota: 1, requested: 4 }), { kept: [] });
    const [copy] = there(Object.freeze(error));
    assert.ok(copy instanceof QuotaExceededError && Error.isError(copy) && copy !== error && Object.isFrozen(copy));
    const said = ({ name, message, code, quota, requested, stack, kept }) => [name, message, code, quota, requested, stack, kept];
    assert.deepEqual([said(copy), structuredClone(copy).quota, back(copy)[0] === error], [said(error), 1, true]);
    const [other] = there(Object.setPrototypeOf(new QuotaExceededError('other'), DOMException.prototype));
    assert.equal(Object.getPrototypeOf(other), DOMException.prototype);
    home.tables.learnNames(['DOMException', 'Error']);
    assert.deepEqual(nodesOf(home.pack([new QuotaExceededError('n')])), []);
    assert.equal(nodesOf(home.pack([new DOMException('n')])).length > 0, true);
  });

  it('keep names that are numbers where these are no elements', () => {
    const { there } = makePair();
    const makers = [() => new DataView(new ArrayBuffer(2)), () => new Map(), () => new Date(0), () => Object(1)];
    const names = { 0: 'a', 5: 'b' };
    for (const make of makers) assert.deepEqual({ ...there(Object.assign(make(), names))[0] }, names);
  });

  it('that are arrays without elements, and closed, are no more frozen than they were', () => {
    const { there } = makePair();
    const lists = [Object.preventExtensions([]), Object.seal([]), Object.freeze([])];
    const isWritable = (list) => Object.getOwnPropertyDescriptor(list, 'length').writable;
    assert.deepEqual(there(...lists).map(isWritable), [true, true, false]);
    lists[0].length = 2;
    assert.equal(there(lists[0])[0].length, 2);
  });

  it('keep the names beside their contents, hidden ones, those of symbols and accessors', () => {
    const { home, away } = makePair();
    const [hidden, late] = [Symbol.for('hidden'), Symbol.for('late')];
    const makers = {
      Date: () => new Date(0),
      RegExp: () => /a/g,
      Map: () => new Map([[1, 2]]),
      Set: () => new Set([1]),
      Array: () => [1, 2],
      bytes: () => Buffer.from('abc'),
      memory: () => new ArrayBuffer(2),
      URL: () => new URL('http://a/'),
      boxed: () => Object('ab'),
      arguments: () => argumentsOf(1, 2),
    };
    for (const [name, make] of Object.entries(makers)) {
      const object = make();
      const before = Reflect.ownKeys(object);
      let reads = 0;
      object.shown = 1;
      object[hidden] = 2;
      // An array with hidden names goes by reference.
      if (name !== 'Array') {
        Object.defineProperty(object, 'flags', { value: undefined });
        Object.defineProperty(object, 'read', { get: () => ++reads, enumerable: true, configurable: true });
      }
      const [there] = away.open(home.pack([object]));
      assert.deepEqual(Reflect.ownKeys(there), Reflect.ownKeys(object), name);
      assert.deepEqual([there.shown, there[hidden], there.flags, reads], [1, 2, name === 'Array' ? undefined : object.flags, 0], name);
      assert.equal(Object.getOwnPropertyDescriptor(there, 'shown').enumerable, true, name);
      if (name !== 'Array') assert.equal(Object.getOwnPropertyDescriptor(there, 'flags').writable, false, name);
      assert.equal(home.pack([object])[0], null, `${name} is said once`);
      delete there.shown;
      there[late] = 3;
      home.open(away.pack([there]));
      assert.deepEqual([Object.hasOwn(object, 'shown'), object[late], object[hidden]], [false, 3, 2], name);
      assert.ok(
        before.every((key) => Object.hasOwn(object, key)),
        name,
      );
    }
  });

  it('of `arguments` have what a program has made of them, and the function they were given to where it is not strict', () => {
    const { home, away } = makePair();
    const [sloppy, called] = new Function('function called(a) { return [arguments, called, () => a]; } return called(1, 2);')();
    const shrunk = argumentsOf(1, 2, 3);
    shrunk.length = 1;
    const named = argumentsOf(1);
    named.length = 'none';
    delete named[0];
    delete named[Symbol.iterator];
    const [there, shrunkThere, namedThere, frozen] = away.open(home.pack([sloppy, shrunk, named, Object.freeze(argumentsOf(1))]));
    assert.deepEqual(Object.getOwnPropertyDescriptor(there, 'callee'), {
      ...Object.getOwnPropertyDescriptor(sloppy, 'callee'),
      value: there.callee,
    });
    assert.equal(there.callee.id, home.tables.lend(called)[0]);
    assert.throws(() => shrunkThere.callee, TypeError);
    assert.deepEqual([shrunkThere.length, shrunkThere[2], Object.keys(shrunkThere)], [1, 3, ['0', '1', '2']]);
    assert.deepEqual(Reflect.ownKeys(namedThere), ['length', 'callee']);
    assert.equal(namedThere.length, 'none');
    assert.deepEqual([Object.isFrozen(frozen), frozen[0], frozen.length], [true, 1, 1]);
    there[0] = 'other';
    there.length = 0;
    delete there.callee;
    home.open(away.pack([]));
    assert.deepEqual([sloppy[0], sloppy.length, 'callee' in sloppy], ['other', 0, false]);
    assert.equal(home.pack([])[0], null);
  });

  it('of `arguments` leave the elements tied to the variables of their function', () => {
    const { home, away } = makePair();
    const [sloppy, read] = new Function('return (function (a) { return [arguments, () => a]; })(1, 2);')();
    const [there] = away.open(home.pack([sloppy]));
    there[0] = 'other';
    delete there[1];
    home.open(away.pack([]));
    assert.deepEqual([read(), 1 in sloppy], ['other', false]);
  });

  it('are not made of the strings of a template, however many: they have their `raw`', () => {
    const take = (strings) => strings;
    for (const parts of [1, 100]) {
      const strings = new Function('take', `return take\`${'\\n${0}'.repeat(parts)}\`;`)(take);
      assert.equal(strings.raw[0], '\\n');
      assert.equal(formOf(strings), null, `${parts} parts`);
    }
    assert.equal(formOf(Object.freeze(new Array(100).fill(''))), FORM.ARRAY);
  });

  it('keep the names beside the elements of an array', () => {
    const { home, away } = makePair();
    const key = Symbol.for('key');
    for (const length of [1, 64, 65, 4096]) {
      const table = new Array(length).fill('a');
      assert.equal(hasNames(table), false);
      table.columns = ['a', 'b'];
      table[key] = 1;
      const [there] = away.open(home.pack([table]));
      assert.deepEqual([there.length, there.columns, there[key]], [length, table.columns, 1]);
      there.columns = null;
      there.more = 1;
      home.open(away.pack([there]));
      assert.deepEqual(Object.keys(table).slice(length), ['columns', 'more']);
      assert.equal(home.pack([table])[0], null);
    }
    assert.equal(formOf(Object.defineProperty(new Array(100).fill(0), 'read', { get: assert.fail, enumerable: true })), null);
  });

  it('that are arrays and get a name beside their elements have it on both sides when either names them', () => {
    const { home, away } = makePair();
    for (const length of [0, 3, 100]) {
      const list = new Array(length).fill(0);
      const [there] = away.open(home.pack([list]));
      there.total = 1;
      home.open(away.pack([]));
      assert.equal(list.total, 1, 'set by the side that was given it');
      const other = new Array(length).fill(0);
      const [otherThere] = away.open(home.pack([other]));
      home.open(away.pack([]));
      other.total = 2;
      away.open(home.pack([other]));
      assert.equal(otherThere.total, 2, 'set by the side that names it again');
      const third = new Array(length).fill(0);
      away.open(home.pack([third]));
      home.open(away.pack([]));
      const [thirdThere] = away.open(home.pack([third]));
      thirdThere[Symbol.for('total')] = 3;
      home.open(away.pack([]));
      assert.equal(third[Symbol.for('total')], 3, 'set by the side that was given it again');
      assert.equal(home.pack([])[0], null);
      assert.equal(away.pack([])[0], null);
    }
  });

  it('that are arrays are told of once, however often one message names them', () => {
    const { home, there } = makePair();
    const list = [1];
    there(list);
    list.total = 2;
    assert.equal(unflatten(home.pack([list, list, list])[0][1]).length, 1);
  });

  it('of arrays are packed without a look at the class of what stands beside the elements', () => {
    const { home, away } = makePair();
    const owner = new Proxy({}, { getPrototypeOf: () => assert.fail('asked for its class') });
    const list = Object.assign(new Array(100).fill(0), { owner });
    const [there] = away.open(home.pack([list]));
    assert.equal(home.open(away.pack([there.owner]))[0], owner);
  });

  it('are ordinary objects again when the other side has lost its copy', () => {
    const { home, away } = makePair();
    const object = { a: 1 };
    const [there] = away.open(home.pack([object]));
    home.tables.twins.dissolve(home.tables.twins.idOf(object));
    away.tables.twins.dissolve(away.tables.twins.idOf(there));
    object.a = 2;
    assert.equal(home.pack([])[0], null);
    assert.equal(there.a, 1);
    assert.equal(nodesOf(home.pack([object])).length > 0, true);
  });

  it('are known again after a message that did not go out', () => {
    const { home, away } = makePair();
    const known = { a: 1 };
    const [there] = away.open(home.pack([known]));
    known.a = 2;
    const packer = new Packer(home.tables, home.sent, () => {});
    packer.slots([{ fresh: [1] }, known]);
    packer.baggage();
    packer.undo();
    assert.equal(home.tables.twins.size, 1);
    const message = home.pack([known]);
    assert.equal(nodesOf(message).length, 0);
    assert.ok(updatesOf(message).length > 0);
    away.open(message);
    assert.equal(there.a, 2);
  });

  it('nor is anything lent by a message that did not go out', () => {
    const { home } = makePair();
    const known = () => {};
    home.pack([known]);
    const packer = new Packer(home.tables, home.sent, () => {});
    packer.slots([known, () => {}, { within: () => {} }, known]);
    packer.reference(new Date(0));
    packer.baggage();
    assert.equal(home.tables.lent.size, 4);
    packer.undo();
    assert.deepEqual(home.tables.lent.oldest(4), [known]);
    home.tables.lent.release(home.tables.lent.lend(known), 2);
    assert.equal(home.tables.lent.size, 0);
  });

  it('are noted when they were collected, also in the middle of a turn', () => {
    const { home } = makePair();
    (() => {
      for (let i = 0; i < 100; i++) home.pack([{ i }]);
    })();
    const kept = {};
    home.pack([kept]);
    home.tables.twins.endTurn();
    collect();
    home.tables.twins.sweep();
    assert.equal(home.tables.twins.takeGone().length, 100);
    assert.equal(home.tables.twins.size, 1);
    assert.equal(home.tables.twins.idOf(kept) % 2, 0);
  });

  it('that were collected on one side come again as what they were: a view, not the memory that was collected with it', () => {
    const { home, away } = makePair();
    const made = () => [Buffer.alloc(3, 1), new Uint16Array([7]), new DataView(new ArrayBuffer(2)), { a: [new Uint8Array(1)] }];
    const copies = (() => away.open(home.pack(made())))();
    home.tables.twins.endTurn();
    collect();
    home.tables.twins.sweep();
    assert.equal(home.tables.twins.size, 0);
    home.fetch = (id) => new Packer(away.tables, away.sent++, () => {}).content(away.tables.twins.get(id));
    const again = home.open(away.pack(copies));
    assert.deepEqual(again, made());
    assert.ok(again.every((one, i) => home.tables.twins.idOf(one) === away.tables.twins.idOf(copies[i])));
  });

  it('that were collected on one side, and were closed on the other, come again behind others that name them', () => {
    const { home, away } = makePair();
    const holder = {};
    const list = (() => {
      const copies = away.open(home.pack([holder, [1]]));
      copies[0].list = Object.freeze(copies[1]);
      return copies;
    })();
    home.tables.twins.endTurn();
    collect();
    home.tables.twins.sweep();
    assert.equal(home.tables.twins.size, 1);
    home.fetch = (id) => new Packer(away.tables, away.sent++, () => {}).content(away.tables.twins.get(id));
    home.open(away.pack([]));
    assert.deepEqual(holder, { list: [1] });
    assert.ok(Object.isFrozen(holder.list));
    assert.equal(home.tables.twins.idOf(holder.list), away.tables.twins.idOf(list[1]));
  });

  it('take what came while others of the same message were asked for once, and not with later messages too', () => {
    const { home, away } = makePair();
    const kept = { at: 1 };
    const [there] = away.open(home.pack([kept]));
    // Memory that home has no more, and needs before it can make a view of it.
    const [memory] = away.open(home.pack([new Uint8Array([7]).buffer]));
    home.tables.twins.dissolve(away.tables.twins.idOf(memory));
    home.fetch = (wanted) => {
      const node = new Packer(away.tables, away.sent++, () => {}).content(away.tables.twins.get(wanted));
      there.at = 2;
      home.open(away.pack([]));
      return node;
    };
    assert.deepEqual(home.open(away.pack([new Uint8Array(memory)])), [new Uint8Array([7])]);
    assert.equal(kept.at, 2);
    there.at = 3;
    home.open(away.pack([]));
    assert.equal(kept.at, 3);
  });

  it('of each kind stay what they are when they are closed', () => {
    const { there } = makePair();
    const frozen = Object.freeze({ a: Object.seal([1]), b: Object.preventExtensions({}) });
    const [copy] = there(frozen);
    assert.ok(Object.isFrozen(copy) && Object.isSealed(copy.a) && !Object.isFrozen(copy.a) && !Object.isExtensible(copy.b));
  });

  it('of views of shared memory that can grow are as long as they are, or as that is', () => {
    const { there } = makePair();
    const memory = /** @type {any} */ (new SharedArrayBuffer(8, { maxByteLength: 32 }));
    const views = () => [
      new Int32Array(memory),
      new Uint8Array(memory, 2),
      new DataView(memory, 1),
      new Int32Array(memory, 0, 2),
      new DataView(memory, 1, 7),
    ];
    const copies = there(...views());
    memory.grow(16);
    assert.deepEqual([copies[0].length, ...copies.slice(1).map(({ byteLength }) => byteLength)], [4, 14, 15, 8, 7]);
  });

  it('are not made of views beyond the end of memory that was made smaller: they are there again when it grows', () => {
    const { there } = makePair();
    const memory = new ArrayBuffer(8, { maxByteLength: 16 });
    const views = [new Uint8Array(memory, 4, 4), new DataView(memory, 6), new Uint8Array(memory, 2)];
    memory.resize(5);
    const [first, second, third] = there(...views);
    assert.deepEqual([first.shape, second.shape, third.length], [SHAPE.OBJECT, SHAPE.OBJECT, 3]);
    memory.resize(8);
    assert.deepEqual([there(memory)[0].byteLength, third.length, there(views[0])[0]], [8, 6, first]);
  });

  it('of bytes are closed when they were', () => {
    const { there } = makePair();
    const open = { view: new Uint8Array([1]), piece: Buffer.from('b'), data: new DataView(new ArrayBuffer(1)) };
    const [copies] = there(open);
    for (const [name, bytes] of Object.entries({ ...open, born: Object.preventExtensions(new Float64Array(2)) })) {
      const [copy] = there(Object.preventExtensions(bytes));
      assert.equal(copy, copies[name] ?? copy);
      assert.ok(!Object.isExtensible(copy), name);
      assert.equal(Object.isSealed(copy), Object.isSealed(bytes));
    }
  });
});

describe('references', () => {
  it('count what was sent, so that a release cannot overtake a sending', () => {
    const { home, away } = makePair();
    const fn = () => {};
    const [[stub], [same]] = [away.open(home.pack([fn])), away.open(home.pack([fn]))];
    assert.equal(stub, same);
    const { lent } = home.tables;
    home.pack([fn]);
    lent.release(stub.id, 2);
    assert.equal(lent.get(stub.id), fn);
    lent.release(stub.id, 1);
    assert.equal(lent.size, 0);
    assert.notEqual(home.pack([fn])[1][0][1], stub.id);
  });

  it('are released when nobody holds the stub, with all that was received', async () => {
    const { home, away } = makePair();
    const fn = () => {};
    for (let i = 0; i < 3; i++) away.open(home.pack([fn]));
    await turn();
    await until(() => {
      collect();
      away.tables.held.sweep();
      return away.released.length > 0;
    }, 'the release');
    assert.equal(away.released[1], 3);
    home.tables.lent.release(away.released[0], away.released[1]);
    assert.equal(home.tables.lent.size, 0);
  });

  it('that are gone are stale, and end nothing', () => {
    const { home } = makePair();
    assert.throws(() => home.unpacker.own(5), { code: 'IGNIS_STALE_REFERENCE' });
  });
});
