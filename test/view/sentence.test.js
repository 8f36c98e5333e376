'use strict';

const assert = require('node:assert/strict');
const { mainKind, sentenceFor } = require('../../lib/view/sentence');
const { count, ms, percent, rate } = require('../../lib/view/figures');

function described({
  kind = 'sync',
  calls = 10,
  exclusiveMs = 900,
  maxMs = 300,
  stayed = null,
  kept = null,
  whyBound = null,
  ...changes
} = {}) {
  return {
    totals: { calls, pending: 0, functions: { f: { kind, calls, exclusiveMs, maxMs, stayed, kept, whyBound } } },
    share: 0.81,
    isAllowed: false,
    why: '',
    replicas: 0,
    wanted: 0,
    isBuiltin: false,
    ...changes,
  };
}

const TABLE = [
  [
    'one that is at ease, and whose replicas cannot be started',
    { share: 0.001, maxMs: 1, why: 'its replicas cannot be started: no such file' },
    'synchronous, under 1 % of the event loop: at home; its replicas cannot be started: no such file',
  ],
  [
    'one that is at ease, and cannot have the replica that its recipe asks for',
    {
      share: 0.001,
      maxMs: 1,
      isSaid: true,
      isAsked: true,
      why: "its state is 'shared', and 'f' would stay at home, where its state would be missing",
    },
    "synchronous, under 1 % of the event loop: at home; its state is 'shared', and 'f' would stay at home, where its state would be missing",
  ],
  [
    'one that cannot have it, and was not called',
    { calls: 0, isSaid: true, isAsked: true, why: "its state is 'shared', and 'f' has no key" },
    "not called yet: at home; its state is 'shared', and 'f' has no key",
  ],
  [
    'one all of whose calls went to replicas',
    { kind: 'unknown', exclusiveMs: 0, maxMs: 0, isAllowed: true, replicas: 1, wanted: 1 },
    'not timed at home yet; in 1 replica',
  ],
  [
    'one all of whose calls threw',
    { kind: 'unknown', exclusiveMs: 3, maxMs: 1, share: 0.001 },
    'has only thrown at home yet, under 1 % of the event loop: nothing to gain',
  ],
  ['one that is at ease, and may have the replica that its recipe asks for', { share: 0.001, maxMs: 1, isAllowed: true, isSaid: true, isAsked: true }, 'synchronous, under 1 % of the event loop: nothing to gain'], // prettier-ignore
  [
    'a synchronous module without a recipe',
    {},
    "synchronous, 81 % of the event loop, longest call 300 ms: at home; with `lift` in its recipe, or `call: 'await'` and callers that await its results, Ignis could move it",
  ],
  [
    'one that is given functions, which no recipe could let go',
    { maxMs: 0, whyBound: 'it is given functions' },
    'synchronous, 81 % of the event loop: at home; it is given functions, so its calls could not leave; the code that calls it could, in a file of its own',
  ],
  [
    'one that is given a callback, of which nobody knows when it is called',
    { maxMs: 0, whyBound: 'it is given a callback' },
    'synchronous, 81 % of the event loop: at home; with `hot: true` in its recipe Ignis could move it, if it calls back later',
  ],
  [
    'one that returns promises',
    { kind: 'promise', maxMs: 0 },
    'returns promises, 81 % of the event loop: at home; with `hot: true` in its recipe Ignis could move it',
  ],
  [
    'one that calls back at once',
    { kind: 'sync-callback', maxMs: 0 },
    'calls back before it returns, 81 % of the event loop: at home; its callbacks run inside the call, so it stays at home',
  ],
  [
    'one that makes objects',
    { kind: 'constructor', maxMs: 0 },
    'makes objects, 81 % of the event loop: at home; its objects live where they are made, so it stays at home',
  ],
  [
    'an asynchronous built-in',
    { kind: 'callback', maxMs: 0, isBuiltin: true },
    "calls back later, 81 % of the event loop: at home; libuv's threads already run it outside the event loop",
  ],
  [
    'a reason from outside',
    { kind: 'property', maxMs: 0, why: 'it could not be started' },
    'properties only, 81 % of the event loop: at home; it could not be started',
  ],
  [
    'one that a recipe keeps at home',
    { maxMs: 0, isSaid: true, why: 'the recipe in app.js says cold' },
    'synchronous, 81 % of the event loop: at home; the recipe in app.js says cold',
  ],
  ['one with consent', { isAllowed: true, maxMs: 0 }, 'synchronous, 81 % of the event loop: at home, and may be moved when that pays'],
  ['one that takes little', { share: 0.004, maxMs: 1 }, 'synchronous, under 1 % of the event loop: nothing to gain'],
  ['one that takes little, and much in the modules that it calls', { share: 0.03, shareWithin: 0.93, maxMs: 1 }, "synchronous, 3 % of the event loop, 93 % with the modules that it calls: at home; with `lift` in its recipe, or `call: 'await'` and callers that await its results, Ignis could move it"], // prettier-ignore
  [
    'one that takes little, and a little more in those',
    { share: 0.01, shareWithin: 0.04, maxMs: 1 },
    'synchronous, 1 % of the event loop: nothing to gain',
  ],
  [
    'one that takes most of it itself',
    { share: 0.5, shareWithin: 0.9, maxMs: 1, isAllowed: true },
    'synchronous, 50 % of the event loop: at home, and may be moved when that pays',
  ],
  ['one that takes nothing', { share: 0, maxMs: 0 }, 'synchronous, 0 % of the event loop: nothing to gain'],
  ['one that is away', { isAllowed: true, replicas: 3, wanted: 3 }, 'synchronous; in 3 replicas'],
  ['one whose small calls stay', { isAllowed: true, replicas: 2, wanted: 2, stayed: { calls: 12974, belowBytes: 60 } }, 'synchronous; in 2 replicas; 12,974 small calls stayed at home, where they are short'], // prettier-ignore
  ['one whose calls cannot leave', { isAllowed: true, replicas: 2, wanted: 2, kept: { calls: 8, why: 'it was given a function' } }, 'synchronous; in 2 replicas; 8 calls of f ran at home anyway: it was given a function'], // prettier-ignore
  ['one whose calls could not leave, and that went home', { isAllowed: true, maxMs: 0, kept: { calls: 5, why: 'it was given a function' } }, 'synchronous, 81 % of the event loop: at home, and may be moved when that pays; 5 calls of f ran at home anyway: it was given a function'], // prettier-ignore
  ['one of whose calls few cannot leave', { isAllowed: true, replicas: 2, wanted: 2, kept: { calls: 1, why: 'it was given a function' } }, 'synchronous; in 2 replicas'], // prettier-ignore
  ['one whose calls are too short to leave', { isAllowed: true, replicas: 2, wanted: 2, exclusiveMs: 0.1, kept: { calls: 9, why: 'it was given a function' } }, 'synchronous; in 2 replicas'], // prettier-ignore
  ['one that is starting', { isAllowed: true, replicas: 0, wanted: 1 }, 'synchronous; 0 of 1 replica ready'],
  ['one that was not called', { calls: 0 }, 'not called yet'],
  ['one that may have been called', { calls: 0, isPartlySeen: true }, 'no call was seen: it exports an object of a class, and of that only functions that a recipe names are watched'], // prettier-ignore
  ['one that was not called but is preloaded', { calls: 0, replicas: 2, wanted: 2 }, 'not called yet; in 2 replicas'],
];

describe('view/sentence', () => {
  for (const [name, changes, expected] of TABLE) it(`describes ${name}`, () => assert.equal(sentenceFor(described(changes)), expected));

  it('names the kind in which most time was spent, or else most calls', () => {
    assert.equal(
      mainKind({ a: { kind: 'sync', calls: 1000, exclusiveMs: 1 }, b: { kind: 'promise', calls: 1, exclusiveMs: 5 } }),
      'promise',
    );
    assert.equal(mainKind({ a: { kind: 'sync', calls: 1, exclusiveMs: 0 }, b: { kind: 'promise', calls: 2, exclusiveMs: 0 } }), 'promise');
    assert.equal(mainKind({}), 'unknown');
    assert.equal(mainKind({ a: { kind: 'unknown', calls: 9, exclusiveMs: 9 }, b: { kind: 'sync', calls: 1, exclusiveMs: 1 } }), 'sync');
  });
});

describe('view/figures', () => {
  it('writes times with as many digits as are read', () => {
    assert.deepEqual([0, 0.0001, 0.0123, 1.26, 9.99, 28.4, 1300, 12_345].map(ms), [
      '0 ms',
      'under 0.001 ms',
      '0.012 ms',
      '1.3 ms',
      '10 ms',
      '28 ms',
      '1,300 ms',
      '12.3 s',
    ]);
  });

  it('writes counts, shares and rates', () => {
    assert.deepEqual(
      [count(1, 'call'), count(12_000, 'call'), percent(0.912), percent(0.001), percent(0), rate(0.5), rate(1234)],
      ['1 call', '12,000 calls', '91 %', 'under 1 %', '0 %', '0.5 calls a second', '1,234 calls a second'],
    );
  });
});
