'use strict';

const assert = require('node:assert/strict');
const { baselineOf, lostIn, reasonOf, groupByReason, checkKnown, knownOn } = require('../../bench/suites/compare');

const outcomes = (record) =>
  Object.entries(record).map(([name, ok]) => ({ name, ok: ok === true, error: ok === true ? null : String(ok) }));

describe('suites: comparison', () => {
  const baseline = baselineOf([
    outcomes({ 'a > 1': true, 'a > 2': true, 'b > 1': 'no', 'c > 1': true }),
    outcomes({ 'a > 1': true, 'a > 2': true, 'b > 1': 'no', 'c > 1': 'late' }),
  ]);

  it('takes for granted only what passes plain each time', () => {
    assert.deepEqual([...baseline.passed], ['a > 1', 'a > 2']);
    assert.deepEqual([...baseline.failed], ['b > 1']);
    assert.deepEqual([...baseline.flaky], ['c > 1']);
    assert.deepEqual([...baselineOf([outcomes({ x: true }), []]).flaky], ['x']);
  });

  it('counts as lost what fails, and what did not run, with the reason why it ended', () => {
    assert.deepEqual(lostIn(baseline, { outcomes: outcomes({ 'a > 1': 'boom' }), ending: 'ended by SIGKILL' }), [
      { test: 'a > 1', error: 'boom' },
      { test: 'a > 2', error: 'not run: ended by SIGKILL' },
    ]);
    assert.deepEqual(
      lostIn(baseline, { outcomes: outcomes({ 'a > 1': true, 'a > 2': true, 'b > 1': 'no', 'c > 1': 'late' }), ending: null }),
      [],
    );
  });

  it('counts a failure that plain never has, once a test, and not beside another loss of the same test', () => {
    const passing = { 'a > 1': true, 'a > 2': true };
    const ran = (more) => lostIn(baseline, { outcomes: outcomes({ ...passing, ...more }), ending: null }).map(({ test }) => test);
    assert.deepEqual(ran({ 'a > .end() already called': 'twice', 'a > again': 'twice' }), ['a > .end() already called']);
    assert.deepEqual(ran({ 'a > 2': 'no', 'a > plan != count': 'plan' }), ['a > 2']);
    assert.deepEqual(ran({ 'd > new': true }), []);
  });

  it('groups errors that differ only in texts, numbers and paths', () => {
    assert.equal(reasonOf('\nCannot read \'x\' of "y"\n at f'), 'Cannot read <text> of <text>');
    assert.equal(reasonOf('at /srv/app/lib/a.js:12 after 3.5 s'), 'at <path>:<n> after <n> s');
    const one = (test, error) => ({ suite: 's', mode: 'thread', test, error });
    const groups = groupByReason([one('1', 'x is 1'), one('2', 'other'), one('3', 'x is 22')]);
    assert.deepEqual(
      groups.map(({ reason, lost }) => [reason, lost.map(({ test }) => test)]),
      [
        ['x is <n>', ['1', '3']],
        ['other', ['2']],
      ],
    );
  });

  describe('known failures', () => {
    const known = (test, modes = ['thread']) => ({ suite: 's', modes, test, reason: 'because' });
    const lost = (test, mode = 'thread') => ({ suite: 's', mode, test, error: 'x' });
    const ran = [{ suite: 's', mode: 'thread' }];

    it('cover a test by its name, or by how it begins, in the modes they name', () => {
      const list = [known('whole'), known('begins > *')];
      const { unlisted } = checkKnown([lost('whole'), lost('whole more'), lost('begins > 1'), lost('whole', 'process')], list, ran);
      assert.deepEqual(unlisted, [lost('whole more'), lost('whole', 'process')]);
    });

    it('hold on the versions of Node that they name', () => {
      const list = [known('ever'), { ...known('before'), below: 22 }];
      const on = (version) => knownOn(list, version).map(({ test }) => test);
      assert.deepEqual([on('20.20.2'), on('22.0.0'), on('26.10.0')], [['ever', 'before'], ['ever'], ['ever']]);
    });

    it('are told when they pass again, but not when they did not run', () => {
      const list = [known('whole', ['thread', 'process']), { ...known('x'), suite: 'other' }];
      assert.deepEqual(checkKnown([], list, ran).healed, [{ known: list[0], mode: 'thread' }]);
      assert.deepEqual(checkKnown([lost('whole')], list, ran).healed, []);
    });
  });
});
