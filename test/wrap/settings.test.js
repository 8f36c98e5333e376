'use strict';

const assert = require('node:assert/strict');
const { differences } = require('../../lib/wrap/settings');
const { checkRecipe } = require('../../lib/recipe/fields');
const { mergeLayers } = require('../../lib/recipe/merge');

const effective = (recipe) => mergeLayers([{ by: 'import', where: 'a.js:1', recipe: checkRecipe('module', recipe) }], 4);
const between = (before, after) => differences(effective(before), effective(after));

describe('wrap/settings', () => {
  it('name what a replica set has from its beginning', () => {
    assert.deepEqual(between({ copies: 2 }, { copies: 2, where: 'thread', qDepth: 5 }), ['qDepth', 'where']);
    assert.deepEqual(between({ state: 'none', sched: 'rr' }, { state: 'none' }), ['sched']);
    // Where the state says which replica takes a call, it cannot matter.
    assert.deepEqual(between({ state: 'shared', sched: () => 0 }, { state: 'shared', sched: () => 0 }), []);
    assert.deepEqual(between({ state: 'private' }, { state: 'none' }), ['state']);
    assert.deepEqual(between({ state: 'none' }, { state: 'none', group: 'both' }), ['group']);
  });

  it('name what follows for the state', () => {
    assert.deepEqual(between({ state: 'shared' }, { pure: true }), ['state']);
    assert.deepEqual(between({ state: 'none' }, { pure: true }), []);
  });

  it('say nothing of what is read anew each time', () => {
    const key = () => '';
    const all = { copies: [1, 2], call: 'await', args: 'copy', order: true, setup: ['use'], idempotent: true, preload: true };
    const hooks = { onFail() {}, saturation() {}, functions: { f: { key } } };
    assert.deepEqual(between({ state: 'none' }, { state: 'none', ...all, ...hooks }), []);
    assert.deepEqual(between({ state: 'none', hot: true }, { state: 'none', cold: true }), []);
    assert.deepEqual(between({ pure: true }, { pure: true, timeout: 10, retry: 2, priority: 1, weight: 2 }), []);
  });
});
