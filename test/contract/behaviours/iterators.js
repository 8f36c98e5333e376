'use strict';

const assert = require('node:assert/strict');

exports.title = 'iterators and generators';
exports.fixture = 'iterators.js';

exports.behaviours = {
  'a generator is spread, destructured and looped over'(m) {
    assert.deepEqual([...m.count(3)], [0, 1, 2]);
    const [first, second] = m.count(9);
    assert.deepEqual([first, second], [0, 1]);
    const seen = [];
    for (const item of m.count(2)) seen.push(item);
    assert.deepEqual(seen, [0, 1]);
    assert.deepEqual(m.log(), ['count closed', 'count closed', 'count closed']);
  },
  'next tells the value and the end'(m) {
    const counting = m.count(1);
    assert.deepEqual(counting.next(), { value: 0, done: false });
    assert.deepEqual(counting.next(), { value: 'end', done: true });
    assert.deepEqual(counting.next(), { value: undefined, done: true });
    m.log();
  },
  'an early break closes the generator'(m) {
    for (const item of m.count(100)) if (item === 2) break;
    assert.deepEqual(m.log(), ['count closed']);
    const counting = m.count(100);
    counting.next();
    assert.deepEqual(counting.return('early'), { value: 'early', done: true });
    assert.deepEqual(m.log(), ['count closed']);
  },
  'an error in the loop closes the generator'(m) {
    assert.throws(
      () => {
        for (const item of m.count(100)) if (item === 2) throw new Error('in the loop');
      },
      { message: 'in the loop' },
    );
    assert.deepEqual(m.log(), ['count closed']);
  },
  'values and errors are passed in'(m) {
    const echo = m.echo();
    assert.equal(echo.next('lost').value, 'ready');
    assert.equal(echo.next('one').value, 'got one');
    assert.equal(echo.throw(new Error('two')).value, 'got error two');
    assert.deepEqual(echo.return(5), { value: 5, done: true });
    const other = m.count(2);
    const error = new Error('mine');
    other.next();
    assert.throws(
      () => other.throw(error),
      (thrown) => thrown === error,
    );
    m.log();
  },
  'an error of the generator'(m) {
    const failing = m.failing();
    assert.equal(failing.next().value, 1);
    assert.throws(() => failing.next(), { name: 'RangeError', message: 'at the second' });
    assert.deepEqual(failing.next(), { value: undefined, done: true });
  },
  'an endless generator is pulled as far as needed'(m) {
    const seen = [];
    for (const { i } of m.forever()) {
      seen.push(i);
      if (i === 3) break;
    }
    assert.deepEqual(seen, [0, 1, 2, 3]);
  },
  'yield* across'(m) {
    const home = function* () {
      const got = yield 'of home';
      return `${got} back`;
    };
    const delegating = m.delegate(home());
    assert.deepEqual(delegating.next(), { value: 'of home', done: false });
    assert.deepEqual(delegating.next('sent'), { value: 'sent back', done: true });
    const outer = (function* () {
      return yield* m.count(1);
    })();
    assert.deepEqual([outer.next(), outer.next()], [{ value: 0, done: false }, { value: 'end', done: true }]); // prettier-ignore
    m.log();
  },
  'a generator has its classes'(m) {
    const counting = m.count(1);
    assert.equal(counting[Symbol.iterator](), counting);
    assert.equal(Object.prototype.toString.call(counting), '[object Generator]');
    assert.ok(counting instanceof m.count);
    assert.equal(m.isGenerator((function* () {})()), '[object Generator]');
    assert.equal(m.isGenerator([].values()), '[object Array Iterator]');
  },
  'an iterable object of the module'(m) {
    assert.deepEqual([...m.iterable, ...m.iterable], ['a', 'b', 'a', 'b']);
    const byHand = m.byHand();
    for (const item of byHand) if (item === 0) break;
    assert.deepEqual(m.log(), ['returned undefined']);
    assert.deepEqual([...m.byHand()], [0, 1]);
  },
  'iterators of a map of the module'(m) {
    const entries = m.map.entries();
    assert.deepEqual(entries.next().value, ['a', 1]);
    assert.deepEqual([...entries], [['b', 2]]);
    assert.deepEqual([...m.map.keys()], ['a', 'b']);
    assert.deepEqual(m.spread(m.map.values()), [1, 2]);
  },
  'the module takes from a generator of home, and closes it'(m) {
    let isClosed = false;
    const home = function* () {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        isClosed = true;
      }
    };
    assert.deepEqual(m.take(home(), 3), [0, 1, 2]);
    assert.equal(isClosed, true);
    isClosed = false;
    const error = new Error('stop');
    assert.throws(
      () => m.failAt(home(), 2, error),
      (thrown) => thrown === error,
    );
    assert.equal(isClosed, true);
  },
  'the module spreads, sums and destructures what home iterates'(m) {
    const home = function* () {
      yield* [1, 2, undefined, 4, 5];
    };
    assert.deepEqual(m.spread(home()), [1, 2, undefined, 4, 5]);
    assert.deepEqual(m.destructure(home()), { first: 1, third: 'default', rest: [4, 5] });
    assert.equal(m.sum(new Set([1, 2, 3])), 6);
    assert.deepEqual(m.spread('a😀'), ['a', '😀']);
    assert.deepEqual(m.fromEntries(new Map([['k', 'v']])), { k: 'v' });
    assert.throws(() => m.spread({}), TypeError);
  },
  'lazy generators of both sides in a chain'(m) {
    const pulled = [];
    const source = (function* () {
      for (let i = 1; ; i++) {
        pulled.push(i);
        yield i;
      }
    })();
    const chain = m.lazyMap(
      m.lazyMap(source, (n) => n * 2),
      (n) => n + 1,
    );
    assert.deepEqual([chain.next().value, chain.next().value], [3, 5]);
    assert.deepEqual(pulled, [1, 2]);
    chain.return();
    assert.deepEqual(source.next(), { value: undefined, done: true });
  },
  async 'for await over an async generator'(m) {
    const seen = [];
    for await (const item of m.asyncCount(4)) seen.push(item);
    assert.deepEqual(seen, [0, 1, 2, 3]);
    assert.deepEqual(m.log(), ['asyncCount closed']);
  },
  async 'an early break closes an async generator'(m) {
    for await (const item of m.asyncCount(100)) if (item === 2) break;
    assert.deepEqual(m.log(), ['asyncCount closed']);
  },
  async 'an error of an async generator'(m) {
    const seen = [];
    await assert.rejects(
      async () => {
        for await (const item of m.asyncCount(4, 2)) seen.push(item);
      },
      { name: 'RangeError', message: 'at 2' },
    );
    assert.deepEqual(seen, [0, 1]);
    assert.deepEqual(m.log(), ['asyncCount closed']);
  },
  async 'next, throw and return of an async generator'(m) {
    const echo = m.asyncEcho();
    assert.ok(echo.next() instanceof Promise);
    assert.deepEqual(await echo.next('one'), { value: 'got one', done: false });
    assert.deepEqual(await echo.throw(new Error('two')), { value: 'got error two', done: false });
    assert.deepEqual(await echo.return(5), { value: 5, done: true });
    assert.deepEqual(await echo.next(), { value: undefined, done: true });
  },
  async 'several requests to an async generator are answered in order'(m) {
    const counting = m.asyncCount(2);
    const answers = await Promise.all([counting.next(), counting.next(), counting.next(), counting.next()]);
    assert.deepEqual(
      answers.map(({ value, done }) => [value, done]),
      [[0, false], [1, false], ['end', true], [undefined, true]], // prettier-ignore
    );
    m.log();
  },
  async 'the module consumes an async generator of home, and closes it'(m) {
    let isClosed = false;
    const home = async function* () {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        isClosed = true;
      }
    };
    assert.deepEqual(await m.takeAsync(home(), 3), [0, 1, 2]);
    assert.equal(isClosed, true);
    assert.deepEqual(await m.takeAsync([Promise.resolve(1), 2], 5), [1, 2]);
  },
};
