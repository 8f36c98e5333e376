'use strict';

const assert = require('node:assert/strict');
const { judge } = require('../../lib/check/judge');

const call = {
  fn: 'f',
  path: ['f'],
  self: 'holder',
  args: null,
  after: null,
  kind: 'value',
  result: null,
  why: '',
  whyResult: '',
  same: -1,
  at: '',
};
const seen = (given = {}) => ({
  fn: 'f',
  calls: 9,
  constructs: 0,
  foreignThis: 0,
  large: 0,
  recorded: 9,
  distinct: [call, call, call],
  refusals: [],
  findings: [],
  ...given,
});
const NAMES = ['as recorded 1', 'shuffled', 'backwards, each twice', 'each function alone'];
const world = (name, given = {}) => ({ name, compared: 3, equal: 3, first: null, ...given });
const studied = (given = {}) => ({ worlds: NAMES.map((name) => world(name)), notes: new Set(), findings: [], suspects: [], ...given });
const moduleOf = (given = {}) => ({ worlds: NAMES, opaque: [], failed: '', writes: [], ...given });
const finding = (what, detail = '') => ({ what, detail, args: '', at: '' });

describe('a verdict', () => {
  it('takes a variable for a memory only where it was seen to be one', () => {
    const remembers = { ...finding('remembers', 'kept'), names: ['kept'] };
    const of = (/** @type {string} */ suspect, /** @type {any[]} */ findings) =>
      judge(seen(), studied({ suspects: [suspect], findings }), moduleOf()).verdict;
    assert.equal(of("a change of 'kept'", [remembers]), 'pure');
    assert.equal(of("a change of 'other'", [remembers]), 'home');
    assert.equal(of("a change of its argument 'kept'", [remembers]), 'home');
    assert.equal(of("a change of its argument 'list'", [finding('mutates', 'argument 0')]), 'stateless');
    assert.equal(of("a change of 'other'", [finding('mutates', 'argument 0')]), 'home');
  });

  it('does not take one thing that is asked of the world for another', () => {
    const of = (/** @type {string} */ suspect, note = 'reads the clock') =>
      judge(seen(), studied({ suspects: [suspect], notes: new Set([note]) }), moduleOf()).verdict;
    assert.equal(of('Math.random'), 'stateless');
    assert.equal(of('timers'), 'home');
    assert.equal(of('the locale'), 'stateless');
    assert.equal(of('os.hostname', 'reads os.hostname()'), 'stateless');
    assert.equal(of('os.cpus', 'reads os.hostname()'), 'home');
    assert.equal(of('code that it loads'), 'home');
    assert.equal(of('code that is made while it runs'), 'home');
  });

  it('is pure when nothing at all stands against it', () => {
    const { verdict, reasons, equal, compared, orders } = judge(seen(), studied(), moduleOf());
    assert.deepEqual([verdict, reasons, equal, compared, orders], ['pure', [], 12, 12, 4]);
  });

  const against = {
    'it was never replayed': [seen(), undefined, moduleOf()],
    'fewer than three different calls were compared': [seen({ distinct: [call, call] }), studied(), moduleOf()],
    'one order is missing': [seen(), studied({ worlds: NAMES.slice(0, 3).map((name) => world(name)) }), moduleOf()],
    'one answer differed': [seen(), studied({ worlds: NAMES.map((name, i) => world(name, { equal: i === 1 ? 2 : 3 })) }), moduleOf()],
    'it asked for the time': [seen(), studied({ notes: new Set(['reads the clock']) }), moduleOf()],
    'its source names the time': [seen(), studied({ suspects: ['the time'] }), moduleOf()],
    'something was found': [seen(), studied({ findings: [finding('something new')] }), moduleOf()],
    'a replay was stuck': [seen(), studied({ findings: [finding('stuck')] }), moduleOf()],
    'a call could not be copied': [seen({ refusals: [{ why: 'args[0] is a function', count: 1, at: '' }] }), studied(), moduleOf()],
    'it was called with `new`': [seen({ constructs: 1 }), studied(), moduleOf()],
    'it was called on another object': [seen({ foreignThis: 1 }), studied(), moduleOf()],
    'home itself answered differently': [seen({ findings: [finding('home')] }), studied(), moduleOf()],
    'the program writes to its module': [seen(), studied(), moduleOf({ writes: ["'escape' (by ./app.js)"] })],
    'its module contains a native addon': [seen(), studied(), moduleOf({ opaque: ['contains a native addon'] })],
    'its module cannot be loaded': [seen(), studied(), moduleOf({ failed: 'no such file' })],
  };
  for (const [why, [one, two, three]] of Object.entries(against)) {
    it(`is not pure when ${why}`, () => {
      const { verdict, reasons } = judge(one, two, three);
      assert.notEqual(verdict, 'pure');
      assert.ok(reasons.length > 0 && reasons.every((reason) => reason.why !== undefined || why === 'something was found'));
    });
  }

  it('keeps no state when only its arguments, or the world it asks, stand against pure', () => {
    const { verdict, changesArguments, isIdempotent } = judge(
      seen(),
      studied({ findings: [finding('mutates', 'argument 0')] }),
      moduleOf(),
    );
    assert.deepEqual([verdict, changesArguments, isIdempotent], ['stateless', true, false]);
    const asks = judge(seen(), studied({ notes: new Set(['reads process.env.HOME']) }), moduleOf());
    assert.deepEqual([asks.verdict, asks.isIdempotent], ['stateless', true]);
    assert.equal(judge(seen(), studied({ notes: new Set(['writes process.env.HOME']) }), moduleOf()).verdict, 'home');
    assert.equal(judge(seen(), studied({ findings: [finding('state', 'count')] }), moduleOf()).verdict, 'home');
  });

  it('is not troubled by what a function remembers without showing it, but says so', () => {
    const { verdict, notes } = judge(seen(), studied({ findings: [finding('remembers', 'cache')] }), moduleOf());
    assert.equal(verdict, 'pure');
    assert.match(notes[0], /remembers something \(cache\)/);
  });
});
