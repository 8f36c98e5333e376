'use strict';

const assert = require('node:assert/strict');
const { ofCaller } = require('../../lib/check/callers');
const { changesIn } = require('../../lib/check/changes');
const { readSource } = require('../../lib/check/syntax');

/** @param {string} text @returns {string[]} */
function changesOf(text) {
  const source = readSource(text);
  assert.ok(source !== null, text);
  return [...changesIn(source, ofCaller(source)).changes].sort();
}

/** Sources, and what they change that is not theirs. */
const SOURCES = {
  'variables around it': [
    ['() => { count += 1; }', "'count'"],
    ['function f() { return --count; }', "'count'"],
    ['() => { [a, { b: c.d = 1 }, ...e] = list; }', "'a' 'c' 'e'"],
    ['() => { for (last of list); for (o.k in other); }', "'last' 'o'"],
    ['() => { delete table?.a; }', "'table'"],
    ['function f() { f.times = 1; }', "'f'"],
    ['function f(f) { f.times = 1; }', "its argument 'f'"],
    ['() => { state.list.push(1); }', "'state'"],
    ['() => { const { list: [first] } = state; first.seen = true; }', "'state'"],
    ['() => { let at = root; for (let i = 0; i < 9; i++) { at = at.next ?? at; at.n++; } }', "'root'"],
    ['() => { Object.assign(settings, {}); Reflect.deleteProperty(table, 1); }', "'settings' 'table'"],
    ['() => { [].push.apply(list, [1]); }', "'list'"],
    ['() => { cache.get(1).hits++; }', "'cache'"],
    ['() => { Object.values(state)[0].n = 1; }', "'state'"],
    ['() => { const own = {}; own.table = table; own.table.n = 1; }', "'table'"],
    ['() => { state.seen.getOrInsert(1, 2); counts.all.getOrInsertComputed(1, () => 2); }', "'counts' 'state'"],
    ['() => { const made = new Map(); made.getOrInsert(1, table); made.get(1).n = 1; }', "'table'"],
    [
      '() => { a.bytes.setFromHex("ff"); b.bytes.setFromBase64("AQID"); c.memory.resize(8); d.memory.grow(8); e.memory.transfer(); }',
      "'a' 'b' 'c' 'd' 'e'",
    ],
    ['() => { for (const one of [...table.entries()]) one[1].n = 1; }', "'table'"],
  ],
  'its arguments': [
    ['(options) => { options.n = 1; }', "its argument 'options'"],
    ['(options) => { options = { n: 1 }; return options; }', ''],
    ['({ list }) => { list.sort(); }', "its argument 'list'"],
    ['(a, b) => { (a.x || b).y = 1; }', "its argument 'a' its argument 'b'"],
    ['(list) => { list.forEach(function (one) { one.n = 1; }); }', "its argument 'list'"],
    ['(list) => list.reduce((sum, one) => { sum[one] = 1; return sum; }, {})', ''],
    ['(list) => list.reduce((sum, one) => { one.n = 1; return sum; }, {})', "its argument 'list'"],
    ['(list) => { for (const one of list) one.n = 1; }', "its argument 'list'"],
    ['(list) => { const mark = (one) => { one.n = 1; }; mark(list); }', "its argument 'list'"],
    ['(list) => { list.slice().sort(); [...list].pop(); }', ''],
    ['(list) => { const by = new Map(); for (const one of list) by.getOrInsert(one.k, []).push(one); return by; }', ''],
    ['(options) => { const own = { options, n: 0 }; own.n = 1; own.options.n = 1; }', "its argument 'options'"],
    ['(options) => { const own = { ...options, list: [] }; own.list.push(1); own.n = 1; }', ''],
    ['(options) => { const own = { list: [], ...options }; own.list.push(1); }', "its argument 'options'"],
    ['(options) => { const { list } = Object.assign({}, options); list.push(1); }', "its argument 'options'"],
    ['(list) => { list.filter(Boolean)[0].n = 1; }', "its argument 'list'"],
    ['(text, pattern) => pattern.test(text)', "its argument 'pattern'"],
    ['(text, pattern) => text.replace(pattern, "")', "its argument 'pattern'"],
    ['(text, pattern) => text.replace(new RegExp(pattern, "g"), "")', ''],
    ['(...all) => { all.push(1); }', ''],
    ['(...all) => { all[0].n = 1; }', "its argument 'all'"],
    ['function (options) { arguments[0].n = 1; }', "its argument 'arguments' its argument 'options'"],
    ['(options) => { const walk = function* () { yield options; }; for (const one of walk()) one.n = 1; }', "its argument 'options'"],
    ['(options) => { const same = (one) => one; same(options).n = 1; }', "its argument 'options'"],
    ['(text) => { const parts = text.split(","); parts.push(text); parts.sort(); }', ''],
    ['(options, into = options) => { into.n = 1; }', "its argument 'into' its argument 'options'"],
    ['(buffer) => { buffer.writeUInt8(1, 0); }', "its argument 'buffer'"],
  ],
  'its `this`': [
    ['function () { this.n = 1; }', "'this'"],
    ['function () { const self = this; return () => { self.n = this.n; }; }', "'this'"],
    ['function () { function Own() { this.n = 1; } return new Own(); }', ''],
    ['class Own { constructor(n) { this.n = n; } static #times = 0; take() { Own.#times++; } }', "'Own'"],
    ['get n() { this.reads++; return 1; }', "'this'"],
    ['async *#walk(list) { list.pop(); }', "its argument 'list'"],
  ],
  nothing: [
    ['(n) => { let sum = 0; sum += n; const o = { n }; o.n = 2; delete o.n; return { sum, o }; }', ''],
    ['(n) => { const bump = (count) => ++count; return bump(n); }', ''],
    ['(n) => { try { n(); } catch (error) { error.n = 1; } }', ''],
    ['(n) => { const own = n > 1 ? { n } : undefined; own.n = 1; }', ''],
    ['(text) => "count = 1" + /count = 1/.source + `count = 1`', ''],
  ],
};

describe('what a source changes', () => {
  for (const [what, cases] of Object.entries(SOURCES)) {
    for (const [text, expected] of cases) {
      it(`of ${what}: ${text}`, () => assert.equal(changesOf(text).join(' '), expected));
    }
  }

  it('leaves it to who can look whether a named object has a method of its own called `set`', () => {
    const source = readSource('(n) => { cache.set(n, 1); }');
    const { changes, calls } = changesIn(source, ofCaller(source));
    assert.equal(changes.size, 0);
    assert.deepEqual(
      calls.map(({ path, handed }) => [path, [...handed.self]]),
      [[['cache', 'set'], ["'cache'"]]],
    );
  });

  it('tells what is handed on to other functions', () => {
    const source = readSource('(options) => { put(options.list, 1); table.put.call(state, options); new Own(options); }');
    const { calls } = changesIn(source, ofCaller(source));
    assert.deepEqual(
      calls.map(({ path, isNew, handed }) => [path, isNew, [...handed.self], handed.params.map((labels) => [...labels])]),
      [
        [['put'], false, [], [["its argument 'options'"], []]],
        [['table', 'put'], false, ["'state'"], [["its argument 'options'"]]],
        [['Own'], true, [], [["its argument 'options'"]]],
      ],
    );
  });

  it('has no text of comments, quoted texts and regular expressions', () => {
    assert.equal(readSource('(a) => a.replace(/"/g, "Date.now()") /* Date.now() */')?.text.includes('Date'), false);
  });
});
