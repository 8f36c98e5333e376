'use strict';

const assert = require('node:assert/strict');
const { checkCalls, checkKeyed, checkOrder, tallyRuns } = require('./checker');
const { Ledger, readRuns } = require('./ledger');

/**
 * @param {'again' | 'once'} rule
 * @param {(ledger: Ledger, id: string) => void} settle
 * @param {string} log '#' stands for the id
 * @param {object} [rules]
 */
function verdict(rule, settle, log, rules) {
  const ledger = new Ledger('x-');
  const id = ledger.open('f', rule);
  ledger.expect(id, { n: 1 });
  settle(ledger, id);
  return checkCalls(ledger.entries.values(), readRuns(log.replaceAll('#', id)), rules);
}

const lost = (ran) => Object.assign(new Error('lost'), { code: 'IGNIS_REPLICA_LOST', ran });
const good = (/** @type {Ledger} */ ledger, id) => ledger.fulfil(id, { n: 1 });

describe('the checker of the fault suite', () => {
  it('finds nothing where a call ran, and gave what it is to give', () => {
    assert.deepEqual(verdict('once', good, 'b # 1/0\ne # 1/0\n'), []);
    assert.deepEqual(verdict('again', good, 'b # 1/0\nb # 2/0\ne # 2/0\n'), []);
  });

  const cases = {
    'a call that hangs': ['once', () => {}, 'b # 1/0\n', 'f x-0 hangs'],
    'one that was answered twice': [
      'once',
      (ledger, id) => (good(ledger, id), good(ledger, id)),
      'b # 1/0\n',
      'f x-0 was answered 2 times',
    ],
    'one that ran twice and must not': ['once', good, 'b # 1/0\nb # home\n', 'f x-0 ran 2 times'],
    'a wrong result': ['again', (ledger, id) => ledger.fulfil(id, { n: 2 }), 'b # 1/0\n', 'f x-0 gave a wrong result'],
    'a result of nothing': ['again', good, '', 'f x-0 was answered and never ran'],
    'a run that was denied': [
      'once',
      (ledger, id) => ledger.reject(id, lost('no')),
      'b # 1/0\n',
      'f x-0 ran, and its caller was told that it did not',
    ],
    'a loss without a word': [
      'once',
      (ledger, id) => ledger.reject(id, lost(undefined)),
      '',
      'f x-0 was lost, and nobody says whether it ran',
    ],
    'a loss of what may run again': [
      'again',
      (ledger, id) => ledger.reject(id, lost('maybe')),
      '',
      'f x-0 failed: IGNIS_REPLICA_LOST lost',
    ],
    'another error': ['once', (ledger, id) => ledger.reject(id, new TypeError('no')), 'b # 1/0\n', 'f x-0 failed:  no'],
    'a run of nobody': ['once', good, 'b # 1/0\nb y-7 1/0\n', 'y-7 ran and was never called'],
  };
  for (const [what, [rule, settle, log, said]] of Object.entries(cases)) {
    it(`finds ${what}`, () => assert.deepEqual(verdict(rule, settle, log), [said]));
  }

  it('finds a run at home of what must not run there', () => {
    assert.deepEqual(verdict('again', good, 'b # home\n', { neverAtHome: ['f'] }), ['f x-0 ran at home']);
  });

  it('takes a loss that is told as it is', () => {
    assert.deepEqual(
      verdict('once', (ledger, id) => ledger.reject(id, lost('maybe')), 'b # 1/0\n'),
      [],
    );
    assert.deepEqual(
      verdict('once', (ledger, id) => ledger.reject(id, lost('no')), ''),
      [],
    );
  });

  it('counts runs by where they were', () => {
    assert.deepEqual(tallyRuns(readRuns('b 1 home\nb 2 7/0\ne 2 7/0\nb 2 8/0\n')), { home: 1, away: 2, again: 1 });
  });

  it('refuses a log with a line that is none, but not one that was cut short', () => {
    assert.throws(() => readRuns('b 1 home\nb 1\n'), /line that is none/);
    assert.equal(readRuns('b 1 home\nb 2').length, 1);
  });
});

describe('the check of an order', () => {
  const check = (made, settled, log, gone = []) => checkOrder(made, settled, readRuns(log), new Set(gone));

  it('finds nothing where each began after the one before had ended, also where one ran again', () => {
    assert.deepEqual(check(['1', '2'], ['1', '2'], 'b 1 a\ne 1 a\nb 2 a\nb 2 b\ne 2 b\n'), []);
    assert.deepEqual(check(['1', '2'], ['1', '2'], 'b 1 a\nb 2 b\ne 2 b\n', ['1']), []);
  });

  it('finds calls that overlap, go back, or settle in another order', () => {
    assert.deepEqual(check(['1', '2'], ['1', '2'], 'b 1 a\nb 2 b\ne 1 a\ne 2 b\n'), ['2 began before 1 had ended']);
    assert.deepEqual(check(['1', '2'], ['1', '2'], 'b 2 a\ne 2 a\nb 1 a\ne 1 a\n'), ['1 began after 2']);
    assert.deepEqual(check(['1', '2'], ['2', '1'], ''), ['1 settled after 2']);
  });
});

describe('the check of keys', () => {
  const at = (key, life, count) => ({ key, life, count });

  it('finds nothing where each key counts on, and begins anew in another life', () => {
    assert.deepEqual(checkKeyed([at('a', 'x', 1), at('b', 'y', 1), at('a', 'x', 2), at('a', 'z', 1), at('b', 'y', 2)], new Map()), []);
    assert.deepEqual(checkKeyed([at('a', 'x', 1), at('a', 'x', 3)], new Map([['a', 1]])), []);
  });

  it('finds a count that jumps or repeats, and a life that comes back', () => {
    assert.deepEqual(checkKeyed([at('a', 'x', 1), at('a', 'x', 3)], new Map()), ['a counted 3 after 1']);
    assert.deepEqual(checkKeyed([at('a', 'x', 1), at('a', 'x', 1)], new Map()), ['a counted 1 after 1']);
    assert.deepEqual(checkKeyed([at('a', 'x', 1), at('a', 'y', 1), at('a', 'x', 2)], new Map()), [
      'a went on counting in x, which was left before',
    ]);
  });
});
