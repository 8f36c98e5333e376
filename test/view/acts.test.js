'use strict';

const assert = require('node:assert/strict');
const { IgnisError } = require('../../lib/errors.js');
const { Acts } = require('../../lib/view/acts.js');
const { boundary } = require('./fake-feed.js');

const ONE = boundary('./app.js -> marked', {
  calls: 90,
  exclusiveMs: 900,
  functions: {
    parse: { kind: 'sync', calls: 80, exclusiveMs: 890, latencyMs: null },
    load: { kind: 'promise', calls: 5, exclusiveMs: 9, latencyMs: 4 },
    use: { kind: 'sync', calls: 1, exclusiveMs: 1, latencyMs: null },
  },
});

/** Acts upon a program whose live recipes are here. */
function actsOn(live = {}, more = {}) {
  const sources = {
    liveRecipe: (module) => live[module],
    setLive: (module, recipe) => {
      if (recipe === null) delete live[module];
      else live[module] = recipe;
      return { [ONE.id]: { copies: [0, 4] } };
    },
    permission: () => ({ allowed: true }),
    shipped: () => null,
    mayDiffer: () => false,
    profiled: (set, replica) => ({ name: `${set} ${replica}`, profile: async (ms) => ({ ms }) }),
    ...more,
  };
  return { acts: new Acts(sources), live };
}

describe('acts', () => {
  it('pin a module home, and take that back', () => {
    const { acts, live } = actsOn();
    assert.equal(acts.act({ what: 'home' }, ONE).module, 'marked');
    assert.deepEqual(live, { marked: { cold: true } });
    acts.act({ what: 'unpin' }, ONE);
    assert.deepEqual(live, {});
    assert.equal(acts.act({ what: 'unpin' }, ONE).changed, false);
  });

  it('keep what the program itself has said while it runs, and give that back', () => {
    const onFail = () => {};
    const own = { copies: [1, 2], hot: true, onFail };
    const { acts, live } = actsOn({ marked: own });
    acts.act({ what: 'home' }, ONE);
    assert.deepEqual(live.marked, { onFail, cold: true });
    acts.act({ what: 'copies', copies: 3 }, ONE);
    assert.deepEqual(live.marked, { copies: 3, hot: true, onFail, cold: false });
    acts.act({ what: 'unpin' }, ONE);
    assert.equal(live.marked, own);
  });

  it('leave alone what the program itself has said after them', () => {
    const { acts, live } = actsOn({ marked: { copies: [1, 2] } });
    acts.act({ what: 'home' }, ONE);
    const later = { copies: [2, 3], timeout: 500 };
    live.marked = later;
    assert.equal(acts.act({ what: 'unpin' }, ONE).changed, false);
    assert.equal(live.marked, later);
    acts.act({ what: 'home' }, ONE);
    live.marked = later;
    acts.act({ what: 'copies', copies: 4 }, ONE);
    assert.deepEqual(live.marked, { copies: 4, timeout: 500, cold: false });
    acts.act({ what: 'unpin' }, ONE);
    assert.equal(live.marked, later);
    acts.act({ what: 'home' }, ONE);
    delete live.marked;
    assert.equal(acts.act({ what: 'unpin' }, ONE).changed, false);
    assert.deepEqual(live, {});
  });

  it('change nothing of what they have said when a recipe is refused', () => {
    let isRefused = false;
    const { acts, live } = actsOn(
      {},
      {
        setLive: (module, recipe) => {
          if (isRefused) throw new IgnisError('IGNIS_BAD_RECIPE', 'no');
          live_[module] = recipe;
          return {};
        },
      },
    );
    const live_ = live;
    acts.act({ what: 'copies', copies: 2 }, ONE);
    isRefused = true;
    assert.throws(() => acts.act({ what: 'home' }, ONE), { code: 'IGNIS_BAD_RECIPE' });
    isRefused = false;
    acts.act({ what: 'recipe', recipe: { pure: true } }, ONE);
    assert.deepEqual(live.marked, { copies: 2, pure: true });
  });

  it('propose a recipe, and take it up only when asked to', () => {
    const { acts, live } = actsOn();
    const { recipe, text } = acts.act({ what: 'recipe' }, ONE);
    assert.deepEqual(recipe, { hot: true, functions: { parse: { call: 'await' } } });
    assert.match(text, /^\/\/ ignis\.config\.js\nmodule\.exports = /);
    assert.deepEqual(live, {});
    acts.act({ what: 'recipe', apply: true }, ONE);
    assert.deepEqual(live.marked, { ...recipe, cold: false });
  });

  it('take a profile of a bounded length, of whom the wish names', async () => {
    const { acts } = actsOn();
    assert.deepEqual(await acts.act({ what: 'profile', seconds: 0.5, replica: '7' }, ONE), {
      of: 'marked 7',
      seconds: 0.5,
      profile: { ms: 500 },
    });
    assert.equal((await acts.act({ what: 'profile' }, null)).of, 'null undefined');
    for (const seconds of [0, -1, 121, '5', NaN])
      await assert.rejects(async () => acts.act({ what: 'profile', seconds }, null), { code: 'IGNIS_BAD_OPTION' });
  });

  it('are refused where there is no such act, no boundary, or nothing to say', () => {
    const { acts } = actsOn();
    for (const [wish, one] of [
      [{ what: 'quit' }, ONE],
      [{}, ONE],
      [null, ONE],
      [{ what: 'home' }, null],
      [{ what: 'copies' }, ONE],
    ])
      assert.throws(() => acts.act(wish, one), { code: 'IGNIS_BAD_OPTION' }, JSON.stringify(wish));
  });
});
