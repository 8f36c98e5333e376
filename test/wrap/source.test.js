'use strict';

const assert = require('node:assert/strict');
const { readsThis, whyKept } = require('../../lib/wrap/source');

/** @param {(fn: any) => any} asked @param {Record<string, Function>} functions */
const those = (asked, functions) => Object.keys(functions).filter((name) => asked(functions[name]));

describe('the source of a function', () => {
  it('says whether the function looks at its `this`', () => {
    const looking = {
      named() {
        return this.x;
      },
      old: function () {
        return () => this.x;
      },
      async async() {
        return this.x;
      },
      // prettier-ignore
      spaced: { async (fn) { return fn(this); } }.async,
      namedAsync: {
        async(fn) {
          return fn(this);
        },
      }.async,
      parent() {
        return super.toString();
      },
      evaluates: (() => {
        return function (text) {
          return eval(text);
        };
      })(),
      native: Array.prototype.push,
      compiled: new Function(
        '__awaiter',
        'return function f() { return __awaiter(this, void 0, void 0, function* () { return this.x; }); }',
      )(),
      proxy: new Proxy(function () {}, {}),
    };
    const blind = {
      arrow: (a) => this === a,
      asyncArrow: async (a) => this === a,
      short: (a) => this === a,
      // prettier-ignore
      bare: a => this === a,
      plain(x) {
        return x;
      },
      compiled: new Function('__awaiter', 'return function f(x) { return __awaiter(this, void 0, void 0, function* () { return x; }); }')(),
      bound: looking.named.bind({}),
      settles: null,
    };
    new Promise((resolve) => (blind.settles = resolve));
    assert.deepEqual(those(readsThis, looking), Object.keys(looking));
    assert.deepEqual(those(readsThis, blind), []);
  });

  it('says whether a stub, which answers later, can stand for the function', () => {
    const late = {
      async: async (x) => x,
      asyncMethod: { async f() {} }.f,
      nothing: (x) => {
        void x;
      },
      old: function (x) {
        void x;
      },
      method: { m() {} }.m,
      void: (x) => void Math.max(x),
      // prettier-ignore
      bare: x => { void x; },
    };
    const atOnce = {
      value: (x) => x,
      returns: (x) => {
        return x;
      },
      object: (x) => ({ x }),
      behindVoid: (x) => [void Math.max(x)].concat(x),
      afterVoid: (x) => void x.a() + x.b(),
      given: (x = () => {}) => x,
      generator: function* () {},
      asyncGenerator: async function* () {},
      native: Math.max,
      bound: (() => {}).bind(),
    };
    const isKept = (fn) => whyKept('promise', [1, fn]) !== '';
    assert.deepEqual(those(isKept, late), []);
    assert.deepEqual(those(isKept, atOnce), Object.keys(atOnce));
    // The callback that a call is answered by may give back what it wants, the others not.
    assert.deepEqual(
      those((fn) => whyKept('callback', [1, fn]) !== '', atOnce),
      ['native'],
    );
    assert.match(whyKept('callback', [atOnce.value, () => {}]), /whose answer it may want at once/);
    // A stub has no members of it: `log.enabled` would be undefined in a replica.
    const log = Object.assign(() => {}, { enabled: true });
    for (const mode of /** @type {const} */ (['promise', 'callback'])) assert.match(whyKept(mode, [log, () => {}]), /with members/);
    assert.equal(whyKept('callback', [1, log]), '');
    assert.match(whyKept('callback', [1]), /no callback/);
    assert.match(whyKept('await', [late.nothing]), /a function/);
  });
});
