'use strict';

// Labels of hosts, as they are given and asked for.

const assert = require('node:assert/strict');
const { areLabels, missingLabel, readLabels } = require('../../lib/host/survey');

describe('labels of a host', () => {
  it('are names and values of up to 64 letters, digits, dots, dashes and underscores, and whoever wrote others hears that', () => {
    assert.deepEqual(readLabels('disk=fast, zone=eu:1'), { disk: 'fast', zone: 'eu:1' });
    assert.equal(areLabels({ disk: 'fast', zone: 'eu:1' }), true);
    for (const wrong of [{ ['x'.repeat(65)]: 'y' }, { x: 'y'.repeat(65) }, { 'a b': 'c' }, { a: '' }, { a: 'x,b=y' }, ['a'], null, 'a=b'])
      assert.match(String(areLabels(wrong)), /an object of labels, as \{ disk: 'fast' \}: names of 1 to 64 letters, digits, dots/);
    for (const wrong of [`${'x'.repeat(65)}=y`, 'a=', 'a', 'a=b,a=c']) assert.equal(readLabels(wrong), null, wrong);
  });

  it('have the value that is asked for, also where a recipe has a number', () => {
    assert.equal(missingLabel({ zone: '5', disk: 'fast' }, /** @type {any} */ ({ zone: 5 })), '');
    assert.equal(missingLabel({ zone: '5' }, { zone: '6' }), 'zone=6');
    assert.equal(missingLabel(undefined, { zone: '6' }), 'zone=6');
  });
});
