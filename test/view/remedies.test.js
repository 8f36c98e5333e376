'use strict';

const assert = require('node:assert/strict');
const { boundIn, consent, joined, seenOf, whenKept } = require('../../lib/view/remedies.js');

const answer = (replicas, callsPerSecond, p99Ms) => ({ replicas, callsPerSecond, p99Ms });

describe('a remedy', () => {
  it('is said with what the best number of replicas would bring, more calls or shorter waits', () => {
    const more = [answer(0, 100, 10), answer(1, 150, 9), answer(2, 300, 8), answer(3, 290, 8)];
    assert.match(joined('say so', { answers: more }), /^say so\. Predicted with 2 replicas: .*300.*100/);
    const shorter = [answer(0, 100, 10), answer(1, 100, 2), answer(2, 110, 9)];
    assert.match(joined('say so', { answers: shorter }), /^say so\. Predicted with 1 replica: /);
  });

  it('is another one where replicas would bring nothing, and is said as it is where nothing was foreseen', () => {
    assert.match(
      joined('say so', { answers: [answer(0, 100, 10), answer(1, 101, 10)] }),
      /^replicas would have gained nothing .*: let it do less/,
    );
    for (const prospect of [undefined, {}, { answers: [answer(0, 100, 10)] }, { answers: [answer(1, 100, 10)] }])
      assert.equal(joined('say so', prospect), 'say so');
  });

  it('is of the function that took most time, or of one of which the kind alone is told', () => {
    const of = (exclusiveMs, whyBound = null) => ({ kind: 'sync', exclusiveMs, whyBound });
    assert.deepEqual(seenOf({ functions: { a: of(1), b: of(3, 'bound'), c: of(2) } }), { path: 'b', kind: 'sync', whyBound: 'bound' });
    assert.deepEqual(seenOf({ kinds: { parse: 'promise', lex: 'sync' } }), { path: 'parse', kind: 'promise' });
    assert.deepEqual(seenOf({}), { path: '', kind: 'unknown' });
  });

  it('fits why it is kept at home', () => {
    const { NOT_LIFTED } = require('../../lib/view/sentence.js');
    assert.match(whenKept(NOT_LIFTED), /make the functions that call it async/);
    assert.match(whenKept('synchronous; callers do not await'), /^give it call: 'await'/);
    assert.match(whenKept('its calls are too short'), /say cold: true/);
  });

  it('fits what was seen of it, where consent is asked for', () => {
    const of = (kind, more, child = 'marked') => consent({ child, kinds: { parse: kind }, ...more });
    // A recipe for all functions would make promises of what others give.
    const named = /give 'marked' the recipe \{ state: 'none', functions: \{ parse: \{ call: 'await', pure: true \} \} \} and await/;
    assert.match(of('sync'), named);
    assert.match(of('sync', { kinds: { 'Lexer.lex': 'sync' } }), /functions: \{ 'Lexer\.lex': \{ call/);
    assert.match(of('sync', { kinds: { '': 'sync', bind: 'sync' } }), /functions: \{ '': \{ call/);
    assert.match(
      of('sync', { kinds: { '': 'sync' } }),
      /give 'marked' the recipe \{ call: 'await', pure: true \} and await its results, or say lift: true instead of call$/,
    );
    for (const kind of ['promise', 'callback']) {
      assert.match(of(kind), /hot: true .* for 'marked' \(parse\)/);
      assert.match(of(kind, {}, 'node:zlib'), /UV_THREADPOOL_SIZE/);
    }
    const called = { '': { kind: 'sync', exclusiveMs: 1, whyBound: 'it is given a callback' } };
    assert.match(of('sync', { functions: called }), /^if it calls back later, let it leave with \{ hot: true \} for 'marked'/);
    assert.equal(boundIn([{ child: 'marked', set: 'marked', exclusiveMs: 1, functions: called }])('marked'), false);
    assert.match(of('constructor'), /call: 'block'/);
    assert.match(of('property'), /'ignis profile'.*\(property\)/);
    const functions = {
      parse: { kind: 'sync', exclusiveMs: 1, whyBound: 'a socket' },
      '': { kind: 'sync', exclusiveMs: 0, whyBound: 'a socket' },
    };
    assert.match(of('sync', { functions }), /^calls of parse could not leave \(a socket\): put the slow part/);
    assert.match(of('sync', { functions: { '': functions[''] } }), /^calls of it could not leave/);
  });
});
