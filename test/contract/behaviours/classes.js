'use strict';

const assert = require('node:assert/strict');

exports.title = 'classes of the module';
exports.fixture = 'classes.js';

exports.behaviours = {
  'are constructed with new only'(m) {
    assert.ok(new m.Counter() instanceof m.Counter);
    assert.throws(() => m.Counter(), { name: 'TypeError', message: "Class constructor Counter cannot be invoked without 'new'" });
  },
  'keep private fields'(m) {
    const counter = new m.Counter(3);
    assert.equal(counter.up(2).up().count, 6);
    assert.ok(m.Counter.isCounter(counter));
    assert.equal(m.Counter.isCounter({ count: 1 }), false);
    assert.equal(m.Counter.isCounter(Object.create(counter)), false);
    assert.ok(counter.equals(new m.Counter(6)));
    assert.throws(() => counter.equals({}), TypeError);
    assert.throws(() => m.Counter.prototype.up.call({}), TypeError);
  },
  'have getters and setters with effects'(m) {
    const counter = new m.Counter();
    counter.count = 9;
    assert.equal(counter.count, 9);
    assert.throws(() => (counter.count = -1), { name: 'RangeError', message: 'below zero' });
    assert.equal(counter.count, 9);
    assert.equal(Object.hasOwn(counter, 'count'), false);
    const { get, set } = Object.getOwnPropertyDescriptor(m.Counter.prototype, 'count');
    set.call(counter, 4);
    assert.equal(get.call(counter), 4);
    assert.throws(() => m.Counter.prototype.count, TypeError);
  },
  'have static members'(m) {
    m.resetMade();
    new m.Counter();
    assert.equal(m.Counter.made, 1);
    m.Counter.made = 10;
    new m.Counter();
    assert.equal(m.Counter.made, 11);
    assert.equal(m.Counter.secret(), 'static');
    assert.ok(m.Counter.from(2) instanceof m.Counter);
    const { from } = m.Counter;
    assert.throws(() => from(1), TypeError);
  },
  'inherit members, static ones too'(m) {
    const named = m.NamedCounter.from(1);
    assert.ok(named instanceof m.NamedCounter && named instanceof m.Counter);
    assert.equal(named.describe(), 'NamedCounter at 1');
    assert.equal(m.NamedCounter.kind, 'named');
    assert.equal(Object.hasOwn(m.NamedCounter, 'made'), false);
    assert.equal(Object.getPrototypeOf(m.NamedCounter), m.Counter);
    assert.equal(Object.getPrototypeOf(m.NamedCounter.prototype), m.Counter.prototype);
    named.count = 7;
    assert.equal(named.count, 7);
  },
  'are inherited by an object of home without a constructor'(m) {
    const object = Object.create(m.Counter.prototype);
    assert.ok(object instanceof m.Counter);
    assert.equal(object.name(), 'Counter');
    assert.throws(() => object.count, TypeError);
    object.name = () => 'mine';
    assert.equal(object.name(), 'mine');
  },
  'decide themselves what an instance is'(m) {
    assert.ok(4 instanceof m.Even);
    assert.equal(3 instanceof m.Even, false);
    assert.ok(m.isInstance(4, m.Even));
  },
  'ask a class of home what an instance is'(m) {
    class Long {
      static [Symbol.hasInstance](value) {
        return value.length > 3;
      }
    }
    assert.ok(m.isInstance('abcd', Long));
    assert.equal(m.isInstance('abc', Long), false);
  },
  'know instances when they come back'(m) {
    assert.ok(m.isCounter(new m.Counter()));
    assert.ok(m.isCounter(m.counter));
    assert.equal(m.isCounter({}), false);
    assert.equal(m.describe(new m.NamedCounter(2)), 'NamedCounter at 2');
  },
  'can be iterated, spread and destructured'(m) {
    const range = new m.Range(1, 4);
    assert.deepEqual([...range], [1, 2, 3]);
    const [first, ...others] = range;
    assert.deepEqual([first, others], [1, [2, 3]]);
    assert.deepEqual(
      Array.from(range, (x) => x * 2),
      [2, 4, 6],
    );
    assert.deepEqual(new Set(range), new Set([1, 2, 3]));
    assert.deepEqual(m.spread(range), [1, 2, 3]);
    assert.equal(Math.max(...range), 3);
  },
  'become primitives'(m) {
    const range = new m.Range(1, 4);
    assert.equal(+range, 3);
    assert.equal(`${range}`, '1..4 (string)');
    assert.equal(range + '!', '1..4 (default)!');
    assert.equal(new Date(new m.Range(0, 5)).getTime(), new Date('0..5 (default)').getTime() || NaN);
    assert.equal({ '1..4 (string)': 'as key' }[range], 'as key');
  },
  'have a tag'(m) {
    assert.equal(Object.prototype.toString.call(new m.Range(1, 2)), '[object Range]');
    assert.equal(Object.prototype.toString.call(new m.Counter()), '[object Object]');
  },
  'are spread by concat'(m) {
    assert.deepEqual(['x'].concat(new m.Spread()), ['x', 'a', 'b']);
    assert.deepEqual(m.concat(['x'], Object.assign([1], { [Symbol.isConcatSpreadable]: false })).length, 2);
  },
  'stand in for regular expressions'(m) {
    const matcher = new m.Matcher();
    assert.deepEqual('text'.match(matcher), ['matched text']);
    assert.equal('text'.replace(matcher, 'by'), 'text>by');
    assert.equal(
      'ab'.replace(matcher, (text) => text.toUpperCase()),
      'ab>AB',
    );
    assert.deepEqual('abc'.split(matcher), ['c', 'b', 'a']);
  },
  'that extend Array'(m) {
    const stack = m.Stack.of(1, 2, 3);
    assert.ok(Array.isArray(stack) && stack instanceof m.Stack && stack instanceof Array);
    assert.equal(stack.peek(), 3);
    assert.equal(stack.push(4), 4);
    assert.equal(stack.length, 4);
    assert.equal(stack.map((x) => x * 2).peek(), 8);
    assert.ok(stack.filter(Boolean) instanceof m.Stack);
    assert.equal(JSON.stringify(stack), '[1,2,3,4]');
    assert.deepEqual([...stack], [1, 2, 3, 4]);
  },
  'that extend Map'(m) {
    const tally = new m.Tally([['a', 1]]);
    assert.ok(tally instanceof Map && tally instanceof m.Tally);
    assert.equal(tally.add('a').add('b'), tally);
    assert.deepEqual(
      [...tally],
      [
        ['a', 2],
        ['b', 1],
      ],
    );
    assert.equal(tally.size, 2);
    const seen = [];
    tally.forEach((value, key, map) => seen.push(key, value, map === tally));
    assert.deepEqual(seen, ['a', 2, true, 'b', 1, true]);
    assert.equal(Map.prototype.get.call(tally, 'a'), 2);
  },
  'that extend Error'(m) {
    let caught;
    try {
      m.fail(404, 'not found');
    } catch (error) {
      caught = error;
    }
    assert.ok(caught instanceof m.HttpError && caught instanceof Error);
    assert.deepEqual([caught.name, caught.message, caught.status, caught.cause], ['HttpError', 'not found', 404, 'the server']);
    assert.equal(caught.isClient, true);
    assert.equal(String(caught), 'HttpError: not found');
    assert.match(caught.stack, /^Error: not found|^HttpError: not found/);
    assert.ok(m.isHttpError(caught));
    assert.throws(() => m.fail(500, 'x'), m.HttpError);
    assert.ok(m.isHttpError(new m.HttpError(400, 'made at home')));
    assert.equal(m.isHttpError(Object.assign(new Error('x'), { status: 400 })), false);
  },
  'an error that is frozen is thrown as it is'(m) {
    assert.throws(
      () => m.failFrozen(404, 'not found'),
      (error) => error instanceof m.HttpError && Object.isFrozen(error) && error.message === 'not found' && error.status === 404,
    );
  },
  'are not touched by one that home derives'(m) {
    class Mine extends m.Counter {}
    assert.equal(Object.hasOwn(Mine.prototype, 'up'), false);
    assert.equal(new m.Counter().describe(), 'Counter at 0');
    assert.deepEqual(Object.getOwnPropertyNames(m.Counter.prototype).sort(), [
      'constructor',
      'count',
      'describe',
      'equals',
      'name',
      'toJSON',
      'up',
    ]);
  },
};
