'use strict';

const assert = require('node:assert/strict');
const { parse } = require('acorn');
const { bindingsOf, declaredBy } = require('../../lib/import/es-bindings');

/** @param {string} source */
const changing = (source) => [...bindingsOf(parse(source, { ecmaVersion: 'latest', sourceType: 'module' })).changing].sort().join(' ');

/** Behind `let a, b; function f() {}`; to the names that may change once the module has run. */
const SOURCES = {
  'a = 1; a++; [a] = [2]; for (a of [3]); { a = 4 } if (a) a = 5': '',
  'function set() { a = 1 }': 'a',
  'const set = () => a++': 'a',
  'const set = () => { [a, { p: b = 1 }] = x }': 'a b',
  'const set = () => { ({ a, ...b } = x) }': 'a b',
  'const set = () => { for (a of x); for (b in x); }': 'a b',
  'const set = () => { a ??= 1; b **= 2 }': 'a b',
  'const set = (x = (a = 1)) => x': 'a',
  'const set = () => { a.p = 1; b[0] = 2; [a.q] = x }': '',
  'function set(a) { a = 1 }': '',
  'function set({ p: [a], ...b }) { a = b = 1 }': '',
  'function set() { let a; a = 1 } function other() { a = 2; var a }': '',
  'function set() { { let a; a = 1 } b = 2 }': 'b',
  'function set() { for (let a of x) a = 1; a = 2 }': 'a',
  'function set() { for (const i in x) { if (i) { var a } } a = 2 }': '',
  'function set() { try { x() } catch (a) { a = 1 } }': '',
  'function set() { switch (x) { case 1: let a; default: a = 1 } }': '',
  'function set() { class a {} a = 1 }': '',
  'function set() { function a() {} a = 1 }': '',
  'function set() { { function a() {} } a = 1 }': 'a',
  'const set = function a() { a = 1 }': '',
  'const C = class a { m() { a = 1 } }': '',
  'class C { m() { a = 1 } get g() { return b++ } }': 'a b',
  'class C { field = ++a; static other = () => b++ }': 'a b',
  'class C { static { a = 1; let b; b = 2 } }': 'a',
  'class C { [a = 1]() {} }': '',
  'f = () => { f = null }': 'f',
  'function set() { f = null }': 'f',
  'function set() { eval("a = 1") }': 'a b f set',
  'async function set() { for await (a of x) b = a }': 'a b',
  'function* set() { a = yield; { b = yield } }': 'a b',
  'const set = () => () => () => { a = 1 }': 'a',
  'label: for (;;) { a = 1; break label }': '',
};

describe('which names of an ES module may change', () => {
  for (const [source, expected] of Object.entries(SOURCES)) {
    it(`${expected || 'none'}: ${source}`, () => assert.equal(changing(`let a, b; function f() {}\n${source}`), expected));
  }

  it('finds what a declaration binds', () => {
    const declared = (/** @type {string} */ source) => declaredBy(/** @type {any} */ (parse(source, { ecmaVersion: 'latest' })).body[0]);
    assert.deepEqual(declared('var a, { b: [c, ...d], e = 1, ...g } = x'), ['a', 'c', 'd', 'e', 'g']);
    assert.deepEqual([declared('function f() {}'), declared('class C {}')], [['f'], ['C']]);
  });
});
