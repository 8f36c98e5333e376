'use strict';

const assert = require('node:assert/strict');
const { gather } = require('../../lib/check/gather');

const moduleRecord = (name) => ({ type: 'module', module: name, name, filename: `/${name}.js`, version: null, kind: 'file' });
const callRecord = (module, seq, given = {}) => ({
  type: 'call',
  module,
  fn: 'run',
  path: ['run'],
  seq,
  at: '',
  self: 'none',
  args: null,
  why: 'cannot be copied',
  after: null,
  kind: 'value',
  result: null,
  whyResult: '',
  same: -1,
  ...given,
});
const OWN = { type: 'process', argv: ['app.js'], cwd: '/' };

describe('check/gather', () => {
  // That it takes time in proportion to the calls is not asserted: tests do not measure. What they hold is the order, and whose calls they
  // are.
  it('gives each module the calls of each process in the order in which they began, the longest history first', () => {
    const one = [OWN, moduleRecord('a'), moduleRecord('b'), ...[3, 1, 5].map((seq) => callRecord('a', seq)), callRecord('b', 2)];
    const two = [OWN, moduleRecord('a'), ...[4, 2, 3, 1].map((seq) => callRecord('a', seq))];
    const { modules, processes } = gather([
      { process: '1', records: one },
      { process: '2', records: two },
    ]);
    assert.deepEqual(
      modules.map(({ name, histories }) => [name, histories.map(({ calls }) => calls.map(({ seq }) => seq))]),
      [
        [
          'a',
          [
            [1, 2, 3, 4],
            [1, 3, 5],
          ],
        ],
        ['b', [[2]]],
      ],
    );
    assert.equal(modules[0].functions.get('run').refusals[0].count, 7);
    assert.equal(processes.length, 2);
  });

  it('takes the last record of a call that was written twice, and adds counts up', () => {
    const counts = { type: 'count', module: 'a', fn: 'run', calls: 2, constructs: 0, foreignThis: 1, recorded: 0, large: 0 };
    const calls = [callRecord('a', 1), callRecord('a', 2, { kind: 'pending', why: '' }), callRecord('a', 2, { kind: 'rejected', why: '' })];
    const { modules } = gather([{ process: '1', records: [OWN, moduleRecord('a'), ...calls, counts, { ...counts, calls: 3 }] }]);
    const [{ histories, functions }] = modules;
    assert.deepEqual(
      histories[0].calls.map(({ seq, kind }) => [seq, kind]),
      [
        [1, 'value'],
        [2, 'rejected'],
      ],
    );
    const { calls: sum, foreignThis, refusals } = functions.get('run');
    assert.deepEqual([sum, foreignThis, refusals.map(({ why }) => why)], [5, 2, ['cannot be copied']]);
  });
});
