'use strict';

const assert = require('node:assert/strict');
const { parseTap, parseMocha } = require('../../bench/suites/outcomes');

const names = (outcomes) => outcomes.map(({ name }) => name);

describe('suites: what a suite said', () => {
  it('is read from the TAP of tape: a comment names the assertions below it', () => {
    const outcomes = parseTap(
      [
        'TAP version 13',
        '# parse()',
        'ok 1 splits at &',
        'ok 2 should be equal',
        '# stringify()',
        'ok 3 should be equal',
        '',
        '1..3',
        '# tests 3',
        '# pass  3',
        '',
        '# ok',
      ].join('\n'),
    );
    assert.deepEqual(names(outcomes), ['parse() > splits at &', 'parse() > should be equal', 'stringify() > should be equal']);
    assert.ok(outcomes.every(({ ok, error }) => ok && error === null));
  });

  it('tells equal names apart by a count', () => {
    const outcomes = parseTap('# a\nok 1 should be equal\nnot ok 2 should be equal\nok 3 should be equal\n');
    assert.deepEqual(names(outcomes), ['a > should be equal', 'a > should be equal (2)', 'a > should be equal (3)']);
    assert.deepEqual(
      outcomes.map(({ ok }) => ok),
      [true, false, true],
    );
  });

  it('leaves out times that were measured', () => {
    assert.deepEqual(names(parseTap('# a\nok 1 took 3ms\nok 2 took 12.5 ms\n')), ['a > took <n> ms', 'a > took <n> ms (2)']);
  });

  it('takes the error from the block below a failure, not the lines in it that look like assertions', () => {
    const outcomes = parseTap(
      [
        '# a',
        'not ok 1 are equal',
        '  ---',
        '    operator: equal',
        '    expected: |-',
        "      'ok 1'",
        '    actual:   2',
        '    stack: |-',
        '      Error: are equal',
        '          at f (x.js:1:1)',
        '  ...',
        'ok 2 goes on',
      ].join('\n'),
    );
    assert.deepEqual(names(outcomes), ['a > are equal', 'a > goes on']);
    assert.equal(outcomes[0].error, "Error: are equal\nexpected: 'ok 1'\nactual: 2");
  });

  it('names assertions of subtests by all titles above, and counts the line that closes a subtest only once', () => {
    const text = [
      'TAP version 13',
      '# Subtest: outer',
      '    # Subtest: inner',
      '        ok 1 - deep',
      '        1..1',
      '    ok 1 - inner # time=2ms',
      '    not ok 2 - shallow',
      '    1..2',
      'not ok 1 - outer # time=5ms',
      '# Subtest: last',
      '    ok 1 - end',
      '    1..1',
      'ok 2 - last # time=1ms',
    ].join('\n');
    assert.deepEqual(
      parseTap(text).map(({ name, ok }) => [name, ok]),
      [
        ['outer > inner > deep', true],
        ['outer > shallow', false],
        ['last > end', true],
      ],
    );
  });

  it('counts no skipped and no to-do tests, and reads what was cut short', () => {
    assert.deepEqual(names(parseTap('# a\nok 1 one # SKIP no reason\nnot ok 2 two # TODO later\nok 3 three\nnot ok 4 fo')), [
      'a > three',
      'a > fo',
    ]);
    assert.deepEqual(
      parseTap('# a\nnot ok 1 one\n  ---\n    operator: fail').map(({ ok }) => ok),
      [false],
    );
  });

  it('is read from mocha, between what the tests print themselves', () => {
    const text = [
      '["start",{"total":2}]',
      'a test says hello',
      'no line end["pass",{"title":"adds","fullTitle":"sum adds"}]',
      '["fail",{"title":"throws","fullTitle":"sum throws","err":"expected 1 to be 2","stack":"x"}]',
      '["pass",{"title":"cut',
    ].join('\n');
    assert.deepEqual(parseMocha(text), [
      { name: 'sum adds', ok: true, error: null },
      { name: 'sum throws', ok: false, error: 'expected 1 to be 2' },
    ]);
  });
});
