'use strict';

const assert = require('node:assert/strict');
const { consentOf, mergeLayers } = require('../../lib/recipe/merge.js');
const { checkRecipe } = require('../../lib/recipe/fields.js');

const CPUS = 4;
const PLACES = { shipped: 'recipes/x.js', program: 'ignis.config.js', target: 'ignis.config.js', import: 'a.js:1' };

/** merge({ shipped: {...}, import: {...} }), the weakest first. */
function merge(byLayer) {
  return mergeLayers(
    Object.entries(byLayer).map(([by, recipe]) => ({ by, where: PLACES[by], recipe: checkRecipe('module', recipe) })),
    CPUS,
  );
}

describe('recipe/merge', () => {
  it('fills in every default and freezes', () => {
    const recipe = merge({});
    assert.equal(recipe.sched, 'least');
    assert.equal(recipe.where, 'process');
    assert.equal(recipe.hot, false);
    assert.equal(recipe.call, undefined);
    for (const part of [recipe, recipe.copies, recipe.functions, recipe.given]) assert.ok(Object.isFrozen(part));
  });

  it('lets the stronger layer win field by field', () => {
    const recipe = merge({
      shipped: { where: 'thread', pure: true },
      program: { where: 'process', sched: 'rr' },
      import: { sched: 'hash' },
    });
    assert.deepEqual([recipe.where, recipe.pure, recipe.sched], ['process', true, 'hash']);
    assert.deepEqual(recipe.given.sched, { by: 'import', where: 'a.js:1' });
    assert.deepEqual(recipe.given.pure, { by: 'shipped', where: 'recipes/x.js' });
    assert.equal('qDepth' in recipe.given, false);
  });

  it('lets hot and cold replace each other', () => {
    assert.deepEqual(
      [merge({ target: { cold: true }, import: { hot: true } })].map((r) => [r.hot, r.cold]),
      [[true, false]],
    );
    assert.deepEqual(
      [merge({ target: { hot: true }, import: { cold: true } })].map((r) => [r.hot, r.cold]),
      [[false, true]],
    );
  });

  describe('functions', () => {
    it("are whole recipes that refine the module's", () => {
      const recipe = merge({ import: { call: 'await', where: 'thread', functions: { parse: { call: 'local' } } } });
      assert.equal(recipe.functions.parse.call, 'local');
      assert.equal(recipe.functions.parse.where, 'thread');
      assert.deepEqual(recipe.functions.parse.copies, recipe.copies);
      assert.ok(Object.isFrozen(recipe.functions.parse));
      assert.equal(recipe.functions.toString, undefined);
    });

    it('of a weaker layer yield to what a stronger one says of the whole module', () => {
      const recipe = merge({ shipped: { functions: { parse: { pure: true, idempotent: true } } }, import: { pure: false } });
      assert.equal(recipe.functions.parse.pure, false);
      assert.equal(recipe.functions.parse.idempotent, true);
    });

    it('of the same layer win over the module', () => {
      assert.equal(merge({ import: { pure: false, functions: { parse: { pure: true } } } }).functions.parse.pure, true);
    });

    it('of several layers come together', () => {
      const { functions } = merge({
        shipped: { functions: { a: { pure: true } } },
        import: { functions: { a: { call: 'await' }, b: { pure: true } } },
      });
      assert.deepEqual([functions.a.pure, functions.a.call, functions.b.pure, functions.b.call], [true, 'await', true, undefined]);
    });
  });

  describe('pure', () => {
    it('includes idempotent, unless that is denied', () => {
      assert.equal(merge({ import: { pure: true } }).idempotent, true);
      assert.equal(merge({ import: { pure: true, idempotent: false } }).idempotent, false);
      assert.equal(merge({}).idempotent, false);
    });

    it('has lost calls run again once, where nobody says how often', () => {
      assert.deepEqual(
        [merge({ import: { pure: true } }).retry, merge({ import: { idempotent: true } }).retry, merge({}).retry],
        [1, 1, 0],
      );
      assert.equal(merge({ shipped: { pure: true }, import: { retry: 4 } }).retry, 4);
      assert.deepEqual(merge({ import: { functions: { parse: { pure: true } } } }).functions.parse.retry, 1);
    });

    it('of a function makes only that one idempotent', () => {
      const recipe = merge({ import: { functions: { parse: { pure: true } } } });
      assert.deepEqual([recipe.functions.parse.idempotent, recipe.idempotent], [true, false]);
    });
  });

  describe('copies', () => {
    for (const [title, layers, expected] of [
      ['are one at most while nobody said anything of state', { import: { hot: true } }, [0, 1]],
      ['are as many as processors for a module without state', { import: { state: 'none' } }, [0, CPUS]],
      ['are as many as processors for a module whose replicas may differ', { shipped: { state: 'private' } }, [0, CPUS]],
      ['are as many as processors for a pure module', { shipped: { pure: true } }, [0, CPUS]],
      ['are one at most when only a function is pure', { import: { functions: { f: { pure: true } } } }, [0, 1]],
      ['of the whole program only limit', { program: { copies: [2, 8] } }, [1, 1]],
      ['of the whole program count for a pure module', { program: { copies: [2, 8] }, import: { pure: true } }, [2, 8]],
      ['n are exactly n', { import: { copies: 3 } }, [3, 3]],
      ['true are as many as processors', { target: { copies: true } }, [0, CPUS]],
      ['false are none', { import: { copies: false, hot: true } }, [0, 0]],
      ["given at the import win over the program's", { program: { copies: false }, import: { copies: [1, 2] } }, [1, 2]],
      ['of a cold module are none', { target: { copies: 3 }, import: { cold: true } }, [0, 0]],
    ]) {
      it(title, () => assert.deepEqual(merge(layers).copies, expected));
    }
  });

  describe('consent', () => {
    for (const [title, layers, allowed, why] of [
      ['is not there without a recipe', {}, false, /no recipe/],
      ['is hot', { import: { hot: true } }, true, /a\.js:1 says hot/],
      ['is call', { target: { call: 'await' } }, true, /ignis\.config\.js/],
      ['is call of one function', { import: { functions: { f: { call: 'await' } } } }, true, /call/],
      ['is not call: local', { import: { call: 'local' } }, false, /no recipe/],
      ['is copies of this module', { import: { copies: [0, 4] } }, true, /gives copies/],
      ['is not copies of the whole program', { program: { copies: [0, 4] } }, false, /no recipe/],
      ['is not copies: false', { import: { copies: false, hot: true } }, false, /allows no replicas/],
      ['is not purity', { import: { pure: true, state: 'none' } }, false, /no recipe/],
      ['is lift', { target: { lift: ['f'] } }, true, /says lift/],
      ['is lift of one function', { import: { functions: { f: { lift: true } } } }, true, /says lift/],
      ['is no lift of nothing', { target: { lift: [] } }, false, /no recipe/],
      ['is never lift that Ignis ships', { shipped: { lift: true } }, false, /no recipe/],
      ['is never what Ignis ships', { shipped: { call: 'await', copies: 3, functions: { f: { call: 'await' } } } }, false, /no recipe/],
      ['is withdrawn by cold', { import: { cold: true, call: 'await' } }, false, /a\.js:1 says cold/],
    ]) {
      it(title, () => {
        const consent = consentOf(merge(layers));
        assert.equal(consent.allowed, allowed);
        assert.match(consent.why, why);
      });
    }
  });
});
