'use strict';

const assert = require('node:assert/strict');

exports.title = 'identity';
exports.fixture = 'identity.js';

/** One of each kind of thing that has an identity. */
const things = () => ({
  object: { a: 1 },
  list: [1],
  map: new Map([[1, 1]]),
  set: new Set([1]),
  date: new Date(1),
  expression: /x/g,
  bytes: new Uint8Array(2),
  buffer: Buffer.from('b'),
  raw: new ArrayBuffer(2),
  error: new Error('e'),
  function: () => {},
  class: class Own {},
  instance: new (class Own {})(),
  promise: Promise.resolve(1),
  boxed: Object('text'),
  symbol: Symbol('own'),
  proxy: new Proxy({}, {}),
  weak: new WeakMap(),
  bare: Object.create(null),
  noAddress: Object.create(URL.prototype),
  revoked: revoked(),
});

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

exports.behaviours = {
  'whatever a function returns unchanged is the object that was passed'(m) {
    for (const [kind, thing] of Object.entries(things())) assert.equal(m.echo(thing), thing, kind);
  },
  'an object that was more than data when it was passed first stays the same when it is data'(m) {
    const getter = { configurable: true, enumerable: true, get: () => 1 };
    const things = { object: Object.defineProperty({ b: 2 }, 'a', getter), instance: new (class Own {})() };
    for (const [kind, thing] of Object.entries(things)) m.keep(kind, thing);
    delete things.object.a;
    Object.setPrototypeOf(things.instance, Object.prototype);
    for (const [kind, thing] of Object.entries(things)) {
      assert.ok(m.isKept(kind, thing), kind);
      assert.equal(m.kept(kind), thing, kind);
    }
    m.forget();
  },
  'an object passed twice in one call is one object in the module'(m) {
    for (const [kind, thing] of Object.entries(things())) assert.ok(m.areSame(thing, thing), kind);
    assert.equal(m.areSame({}, {}), false);
  },
  'an object passed in two calls is one object in the module'(m) {
    for (const [kind, thing] of Object.entries(things())) {
      m.keep(kind, thing);
      assert.ok(m.isKept(kind, thing), kind);
      assert.equal(m.kept(kind), thing, kind);
    }
    m.forget();
  },
  'an object is found again by a weak set of the module'(m) {
    const seen = { list: [] };
    assert.equal(m.seenAgain(seen), false);
    assert.equal(m.seenAgain(seen), true);
    assert.equal(m.seenAgain(seen.list), false);
    assert.equal(m.seenAgain(seen.list), true);
    assert.equal(m.seenAgain({ list: [] }), false);
  },
  'a result that holds an argument holds the very object'(m) {
    for (const [kind, thing] of Object.entries(things())) {
      const wrapped = m.wrap(thing);
      assert.equal(wrapped.value, thing, kind);
      assert.equal(wrapped.list[0], thing, kind);
      assert.equal(wrapped.map.get('value'), thing, kind);
      assert.ok(wrapped.set.has(thing), kind);
    }
  },
  'one object twice in a result is one object at the caller'(m) {
    const [a, b] = m.pair({ x: 1 });
    assert.equal(a, b);
    const wrapped = m.wrap([]);
    assert.equal(wrapped.value, wrapped.list[0]);
  },
  'a member of an argument is the same when it comes alone'(m) {
    const outer = { inner: { deep: [] } };
    m.keep('outer', outer);
    assert.equal(m.kept('outer').inner, outer.inner);
    assert.ok(m.areSame(outer.inner, m.kept('outer').inner));
    assert.equal(m.echo(outer.inner.deep), outer.inner.deep);
    m.forget();
  },
  'an object of the module is the same in two calls'(m) {
    assert.equal(m.getOptions(), m.getOptions());
    assert.equal(m.getOptions(), m.options);
    assert.equal(m.getOptions().nested, m.options.nested);
    assert.equal(m.getRegistry().get('options'), m.options);
  },
  'an object of the module is its own again when it goes back'(m) {
    assert.ok(m.isOptions(m.getOptions()));
    assert.ok(m.isOptions(m.echo(m.options)));
    assert.ok(m.isOptions(m.getRegistry().get('options')));
    assert.equal(m.isOptions({ ...m.options }), false);
  },
  'an object inside a map, a set or a list is found by what the caller has'(m) {
    const thing = { a: 1 };
    assert.ok(m.isInside(new Map([['key', thing]]), thing));
    assert.ok(m.isInside(new Set([thing]), thing));
    assert.ok(m.isInside([0, thing], thing));
    assert.ok(m.isKeyOf(new Map([[thing, 1]]), thing));
  },
  'an object of the module can be a key of a map at home'(m) {
    const map = new Map([[m.options, 'options']]);
    assert.equal(map.get(m.getOptions()), 'options');
    assert.ok(new WeakSet([m.chain]).has(m.echo(m.chain)));
  },
  'a module that exports itself is one object'(m) {
    assert.equal(m.self, m);
    assert.equal(m.self.self.self, m);
    assert.ok(m.isModule(m));
    assert.ok(m.isModule(m.self));
  },
  'loading it twice gives the same exports'(m, t) {
    assert.equal(t.load('identity.js'), m);
  },
  'a function of the module is the same at every reading'(m) {
    assert.equal(m.triple, m.triple);
    assert.equal(m.self.triple, m.triple);
    assert.ok(m.isTriple(m.triple));
    assert.equal(m.echo(m.triple), m.triple);
    assert.equal(m.triple(2), 6);
  },
  'functions that are made anew are not the same'(m) {
    assert.notEqual(m.makeFunction(), m.makeFunction());
    assert.equal(m.makeFunction()(), 'made');
  },
  'a function of home that comes back is the function itself'(m) {
    const fn = () => 'mine';
    fn.note = 'kept';
    assert.equal(m.echo(fn), fn);
    assert.equal(m.pair(fn)[1], fn);
    m.keep('fn', fn);
    assert.equal(m.kept('fn').note, 'kept');
    m.forget();
  },
  'a method that returns this returns the object it was called on'(m) {
    const chain = new m.Chain();
    assert.equal(chain.add(1), chain);
    assert.equal(chain.add(2).add(3), chain);
    assert.deepEqual(chain.steps, [1, 2, 3]);
    assert.ok(chain.same(chain));
    assert.equal(chain.same(new m.Chain()), false);
  },
  'this is the caller’s object when a function of the module is its method'(m) {
    const mine = { getThis: m.getThis };
    assert.equal(mine.getThis(), mine);
    assert.equal(m.getThis.call(mine), mine);
    assert.equal(m.getThis.call(undefined), undefined);
    assert.equal(m.getThis.call(5), 5);
    assert.equal(m.getThis(), m);
  },
  'an instance knows its class, and the class its prototype'(m) {
    const chain = new m.Chain();
    assert.equal(chain.constructor, m.Chain);
    assert.equal(Object.getPrototypeOf(chain), m.Chain.prototype);
    assert.equal(m.Chain.prototype.constructor, m.Chain);
    assert.equal(m.Chain.prototype, m.Chain.prototype);
    assert.ok(chain instanceof m.Chain);
    assert.ok(m.chain instanceof m.Chain);
    assert.equal(Object.getPrototypeOf(m.Chain.prototype), Object.prototype);
    assert.equal(Object.getPrototypeOf(m.Chain), Function.prototype);
  },
  'a method is the same on each instance and on the prototype'(m) {
    assert.equal(new m.Chain().add, new m.Chain().add);
    assert.equal(new m.Chain().add, m.Chain.prototype.add);
  },
  'a symbol of the module is itself in both directions'(m) {
    assert.equal(typeof m.ownSymbol, 'symbol');
    assert.equal(m.ownSymbol, m.ownSymbol);
    assert.equal(m.ownSymbol.description, 'own');
    assert.ok(m.isOwnSymbol(m.ownSymbol));
    assert.equal(m.isOwnSymbol(Symbol('own')), false);
    assert.equal(m.keyed[m.ownSymbol], 'by my symbol');
    assert.deepEqual(Object.getOwnPropertySymbols(m.keyed), [m.ownSymbol]);
  },
  'a symbol of home is a key that the module can read by'(m) {
    const mine = Symbol('mine');
    assert.equal(m.readBy({ [mine]: 'read' }, mine), 'read');
    assert.equal(m.readBy({ [Symbol('mine')]: 'read' }, mine), undefined);
    assert.equal(m.readBy({ [m.ownSymbol]: 'theirs' }, m.ownSymbol), 'theirs');
    assert.equal(m.echo(mine), mine);
  },
  'a thrown object is caught as the very object'(m) {
    for (const [kind, thing] of Object.entries(things())) {
      let caught;
      try {
        m.throwThis(thing);
      } catch (error) {
        caught = error;
      }
      assert.equal(caught, thing, kind);
    }
  },
  'many arguments keep their number and order'(m) {
    const last = {};
    assert.equal(m.last(...new Array(1000).fill(0), last), last);
    assert.equal(m.last(1, undefined), undefined);
    assert.equal(m.argumentsAreSame(last, last), true);
    assert.equal(m.argumentsAreSame(last, last, undefined), false);
  },
  'an object keeps its identity after the collector ran'(m) {
    const thing = { a: {} };
    m.keep('thing', thing);
    for (let i = 0; i < 3; i++) global.gc();
    assert.equal(m.kept('thing'), thing);
    assert.ok(m.isKept('thing', thing));
    const options = m.getOptions();
    for (let i = 0; i < 3; i++) global.gc();
    assert.equal(m.getOptions(), options);
    m.forget();
  },
};
