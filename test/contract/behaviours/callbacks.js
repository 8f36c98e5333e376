'use strict';

const assert = require('node:assert/strict');

exports.title = 'callbacks during a call';
exports.fixture = 'callbacks.js';

exports.behaviours = {
  'iteratees get the element, the index and the list'(m) {
    const list = ['a', 'b'];
    const seen = [];
    assert.deepEqual(
      m.map(list, (...args) => {
        seen.push(args);
        return args[0] + args[1];
      }),
      ['a0', 'b1'],
    );
    assert.equal(seen[0][2], list);
    assert.equal(seen[1].length, 3);
  },
  'predicates and reducers'(m) {
    assert.deepEqual(
      m.filter([1, 2, 3, 4], (n) => n % 2 === 0),
      [2, 4],
    );
    assert.equal(
      m.reduce([1, 2, 3], (sum, n) => sum + n, 0),
      6,
    );
    const start = new Map();
    assert.equal(
      m.reduce(['x', 'y', 'x'], (map, key) => map.set(key, (map.get(key) ?? 0) + 1), start),
      start,
    );
    assert.deepEqual([...start], [['x', 2], ['y', 1]]); // prettier-ignore
    const objects = [{ n: 1 }, { n: 2 }];
    assert.equal(
      m.find(objects, ({ n }) => n === 2),
      objects[1],
    );
  },
  comparators(m) {
    assert.deepEqual(
      m.sort([10, 9, 1], (a, b) => a - b),
      [1, 9, 10],
    );
    assert.deepEqual(m.sort([10, 9, 1]), [1, 10, 9]);
    assert.deepEqual(m.sort([3, 1, 2], m.compare), [1, 2, 3]);
    assert.deepEqual([3, 1, 2].sort(m.compare), [1, 2, 3]);
  },
  'replacers and revivers'(m) {
    assert.equal(
      m.replace('a1b22', /\d+/g, (digits, at, whole) => `<${digits}@${at}/${whole.length}>`),
      'a<1@1/5>b<22@3/5>',
    );
    const revived = m.revive('{"a":[1,{"b":2}]}', function (key, value) {
      return key === 'b' ? [this.b, value * 10] : value;
    });
    assert.deepEqual(revived, { a: [1, { b: [2, 20] }] });
  },
  'forEach of a map and a set'(m) {
    const seen = [];
    const map = new Map([['k', 'v']]);
    m.forEach(map, (value, key, whole) => seen.push(value, key, whole === map));
    m.forEach(new Set(['s']), (value) => seen.push(value));
    assert.deepEqual(seen, ['v', 'k', true, 's']);
  },
  'an answer stops the search'(m) {
    const seen = [];
    assert.equal(
      m.some([1, 2, 3], (n) => {
        seen.push(n);
        return n === 2;
      }),
      true,
    );
    assert.deepEqual(seen, [1, 2]);
  },
  'this of a callback'(m) {
    const self = { factor: 3 };
    assert.deepEqual(
      m.map(
        [1, 2],
        function (n) {
          return this.factor * n;
        },
        self,
      ),
      [3, 6],
    );
    assert.equal(
      m.callOn(function () {
        return this;
      }, self),
      self,
    );
    assert.equal(
      m.callOn(function () {
        return this;
      }, undefined),
      undefined,
    );
    assert.equal(m.method({ name: 'own', say() { return this.name; } }, 'say'), 'own'); // prettier-ignore
  },
  'what a callback returns comes back as it is'(m) {
    for (const value of [undefined, null, -0, NaN, 1n, 'text', Symbol.iterator, {}, [], () => {}]) {
      assert.ok(
        Object.is(
          m.callOn(() => value),
          value,
        ),
      );
    }
  },
  'a callback is called with as many arguments as are given'(m) {
    const counts = [];
    const count = (...args) => counts.push(args.length);
    m.callOn(count, null);
    m.callOn(count, null, undefined);
    m.callOn(count, null, 1, undefined, undefined);
    assert.deepEqual(counts, [0, 1, 3]);
  },
  'it is called a thousand times in one call'(m) {
    let sum = 0;
    assert.equal(
      m.times(1000, (i) => (sum += i)),
      499500,
    );
    assert.equal(sum, 499500);
  },
  'it ends a loop of the module'(m) {
    assert.equal(
      m.whileTrue((round) => round < 7),
      7,
    );
  },
  'callbacks and calls in each other, a thousand deep'(m) {
    const down = (depth) => m.nest(depth, down);
    assert.equal(m.nest(1000, down), 'bottom');
  },
  'both sides recurse into each other, with the function of the other'(m) {
    const step = (n, recurse) => (n === 0 ? 0 : 1 + recurse(n - 1, step));
    assert.equal(m.recurse(101, step), 101);
  },
  'an error from a thousand deep comes up as itself'(m) {
    const error = new RangeError('from the bottom');
    const down = (depth) => {
      if (depth === 0) throw error;
      return m.nest(depth, down);
    };
    assert.throws(
      () => m.nest(1000, down),
      (caught) => caught === error,
    );
  },
  'endless recursion ends in a RangeError'(m) {
    const down = () => m.nest(1, down);
    assert.throws(down, RangeError);
    assert.equal(m.nest(0), 'bottom');
  },
  'a callback calls other functions of the module'(m) {
    assert.deepEqual(
      m.map([[3, 1], [2, 0]], (list) => m.sort(list, m.compare)), // prettier-ignore
      [[1, 3], [0, 2]], // prettier-ignore
    );
  },
  'what a callback throws is caught by the module, and is itself'(m) {
    const ran = m.finallyRan;
    const error = Object.assign(new TypeError('mine'), { code: 'E_MINE' });
    const [outcome, caught] = m.tryCatch(() => {
      throw error;
    });
    assert.equal(outcome, 'threw');
    assert.equal(caught, error);
    assert.equal(m.finallyRan, ran + 1);
    assert.deepEqual(
      m.tryCatch(() => 1),
      ['returned', 1],
    );
  },
  'what a callback throws passes through as itself, with what the module added'(m) {
    class MyError extends Error {
      #secret = 5;
      reveal() {
        return this.#secret;
      }
    }
    const error = new MyError('mine');
    assert.throws(
      () =>
        m.rethrow(() => {
          throw error;
        }),
      (caught) => caught === error && caught.seen === true && caught.reveal() === 5,
    );
  },
  'what a callback throws can be a cause'(m) {
    const error = new Error('inner');
    assert.throws(
      () =>
        m.wrapError(() => {
          throw error;
        }),
      (caught) => caught.message === 'wrapped' && caught.cause === error,
    );
  },
  'the module tells errors apart by class'(m) {
    const kind = (value) =>
      m.catchKind(() => {
        throw value;
      });
    assert.equal(kind(new TypeError('t')), 'TypeError: t');
    assert.equal(kind(new RangeError('r')), 'RangeError');
    assert.equal(
      m.catchKind(() => null.x),
      "TypeError: Cannot read properties of null (reading 'x')",
    );
    assert.equal(
      m.catchKind(() => {}),
      'none',
    );
  },
  'things that are no errors are thrown and caught'(m) {
    for (const value of [undefined, null, 0, -0, '', 'text', false, 1n, Symbol.iterator, {}, [1], () => {}]) {
      const [outcome, caught] = m.tryCatch(() => {
        throw value;
      });
      assert.ok(outcome === 'threw' && Object.is(caught, value), String(value));
      const [again, back] = (() => {
        try {
          return ['returned', m.thrower(value)];
        } catch (error) {
          return ['threw', error];
        }
      })();
      assert.ok(again === 'threw' && Object.is(back, value), String(value));
    }
  },
  'a function of the module throws through a callback of home'(m) {
    const error = new Error('there and back');
    assert.throws(
      () => m.rethrow(() => m.thrower(error)),
      (caught) => caught === error && error.seen === true,
    );
  },
  'a visitor with two methods, which may refuse'(m) {
    const tree = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }, { name: 'd' }] };
    const log = [];
    m.visit(tree, {
      enter(node) {
        log.push(`+${node.name}`);
        node.seen = true;
        return node.name !== 'b';
      },
      leave: (node) => log.push(`-${node.name}`),
    });
    assert.deepEqual(log, ['+a', '+b', '+d', '-d', '-a']);
    assert.equal(tree.children[0].seen, true);
    assert.equal(tree.children[0].children[0].seen, undefined);
  },
  'a callback that is a getter'(m) {
    let reads = 0;
    const object = m.define({}, 'now', () => ++reads);
    assert.deepEqual([object.now, object.now], [1, 2]);
    assert.deepEqual(m.readTwice(object, 'now'), [3, 4]);
  },
  'a class, a bound function and a built-in as callbacks'(m) {
    class Holder {
      constructor(value) {
        this.value = value;
      }
      read(more) {
        return this.value + more;
      }
    }
    const holder = new Holder(5);
    assert.deepEqual(m.map([1, 2], holder.read.bind(holder)), [6, 7]);
    assert.deepEqual(m.map(['1', '2'], Number), [1, 2]);
    assert.throws(() => m.map([1], Holder), { name: 'TypeError', message: /without 'new'/ });
    assert.deepEqual(m.map([[1, 2]], Math.max.apply.bind(Math.max, null)), [2]);
  },
};
