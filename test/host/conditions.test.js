'use strict';

const assert = require('node:assert/strict');
const { areConditions, flagsOf, ownConditions } = require('../../lib/host/conditions');

describe('host/conditions', () => {
  it('are read as Node reads them, from its arguments and its variable, each once', () => {
    assert.deepEqual(ownConditions([], ''), []);
    assert.deepEqual(ownConditions(['-C', 'one', '--conditions=two', '--conditions', 'three', '-r', 'four'], ''), ['one', 'two', 'three']);
    assert.deepEqual(ownConditions(['-C', 'one'], '--conditions=two -C one'), ['two', 'one']);
    assert.deepEqual(ownConditions([], '"--conditions=one" --conditions="two" --require "/a b/-C c.js"'), ['one', 'two']);
    assert.deepEqual(ownConditions(['-C'], ''), [], 'a flag without a name');
  });

  it('leave out what no host would take', () => {
    const names = ownConditions(
      ['--conditions=a b', '--conditions=', '--conditions=a\nb', ...Array.from({ length: 40 }, (_, i) => `--conditions=c${i}`)],
      '',
    );
    assert.equal(names.length, 32);
    assert.ok(areConditions(names));
    assert.equal(areConditions([...names, 'more']), false);
    assert.deepEqual(flagsOf(['one', '@scope/two']), ['--conditions=one', '--conditions=@scope/two']);
  });
});
