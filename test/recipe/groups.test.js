'use strict';

const assert = require('node:assert/strict');
const { Groups } = require('../../lib/recipe/groups');
const { checkRecipe } = require('../../lib/recipe/fields');
const { mergeLayers } = require('../../lib/recipe/merge');

/** @param {object} recipe @param {string} [where] */
const effective = (recipe, where = 'a.js:1') =>
  mergeLayers([{ by: 'import', where, recipe: checkRecipe('module', { group: 'g', ...recipe }) }], 4);

describe('the groups of recipes', () => {
  it('know their members', () => {
    const groups = new Groups();
    groups.note('./a.js', effective({}));
    groups.note('./plain.js', effective({ group: undefined }));
    assert.deepEqual([groups.has('./a.js', 'g'), groups.has('./a.js', 'h'), groups.has('./b.js', 'g')], [true, false, false]);
    assert.equal(groups.has('./plain.js', undefined), false);
  });

  for (const [field, one, other] of [
    ['where', 'thread', 'process'],
    ['state', 'none', 'private'],
    ['comm', 'node-ipc', 'pipe'],
    ['codec', 'msgpack-lite', 'msgpackr'],
  ]) {
    it(`refuse another ${field}, naming both places`, () => {
      const groups = new Groups();
      groups.note('./a.js', effective({ [field]: one }, 'app.js:3'));
      assert.throws(() => groups.note('./b.js', effective({ [field]: other }, 'app.js:9')), {
        code: 'IGNIS_BAD_RECIPE',
        message: new RegExp(
          `group 'g'.*'${field}'.*\\./a\\.js has '${one}' \\(given in app\\.js:3\\).*\\./b\\.js has '${other}' \\(given in app\\.js:9\\)`,
        ),
      });
    });
  }

  it('refuse what is only not said in one of both, and say where its group is given', () => {
    const groups = new Groups();
    groups.note('./a.js', effective({ state: 'none' }, 'app.js:3'));
    assert.throws(() => groups.note('./b.js', effective({}, 'app.js:9')), {
      message: /\.\/b\.js has 'shared' \(not given; its group in app\.js:9\)/,
    });
  });

  it('take a pure module for one that has no part in the state of the others, if it is said to share their replicas', () => {
    const groups = new Groups();
    groups.note('./a.js', effective({ state: 'shared' }));
    assert.throws(() => groups.note('./b.js', effective({ pure: true })), { field: 'state' });
    groups.note('./b.js', effective({ pure: true, state: 'shared' }));
  });

  it('refuse modules that live in a replica beside others, and another time or args of these', () => {
    const groups = new Groups();
    groups.note('./a.js', effective({ call: 'block', timeout: 100, state: 'none' }));
    assert.throws(() => groups.note('./b.js', effective({ call: 'await' })), { field: 'call' });
    assert.throws(() => groups.note('./b.js', effective({ call: 'block' })), { field: 'timeout' });
    assert.throws(() => groups.note('./b.js', effective({ call: 'block', timeout: 100, args: 'copy' })), { field: 'args' });
    groups.note('./b.js', effective({ call: 'block', timeout: 100 }));
    assert.ok(groups.has('./b.js', 'g'));
  });
});
