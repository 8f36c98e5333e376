'use strict';

const assert = require('node:assert/strict');
const { until } = require('../helpers/until.js');
const { boundary, fakeFeed } = require('./fake-feed.js');

function feedOf(more = {}) {
  const asked = { boundaries: 0 };
  const boundaries = () => {
    asked.boundaries += 1;
    return [boundary('app.js -> a', { share: 0.2 }), boundary('app.js -> b', { share: 0.1 })];
  };
  return { feed: fakeFeed({ boundaries, ...more }), asked };
}

describe('a feed', function () {
  this.timeout(60_000);

  it('puts what the replicas of a module are busy on the boundaries that lead there, by their calls', () => {
    const { feed } = feedOf({
      boundaries: () => [
        boundary('a.js -> m', { share: 0.1, callsPerSecond: 30, replicas: 2 }),
        boundary('b.js -> m', { callsPerSecond: 10, replicas: 2 }),
        boundary('a.js -> n', { share: 0.9, callsPerSecond: 5 }),
      ],
      away: (set) => (set === 'm' ? 1.6 : 0),
    });
    const heats = feed.snapshot().boundaries.map(({ id, heat, away }) => [id, Number(heat.toFixed(6)), Number(away.toFixed(6))]);
    assert.deepEqual(heats, [
      ['a.js -> m', 1.3, 1.2],
      ['a.js -> n', 0.9, 0],
      ['b.js -> m', 0.4, 0.4],
    ]);
  });

  it('numbers decisions for good, also when the oldest are forgotten, and shows the latest 200', () => {
    const kept = Array.from({ length: 250 }, (_, i) => ({ module: 'm', sentence: `${i}`, figures: { calls: 1 } }));
    const { feed } = feedOf({ decisions: () => ({ decided: 1250, kept }) });
    const { decisions } = feed.snapshot();
    assert.equal(decisions.length, 200);
    assert.deepEqual(
      [decisions[0].number, decisions.at(-1).number, decisions.at(-1).sentence, decisions[0].figures],
      [1051, 1250, '249', undefined],
    );
  });

  it('goes on where a snapshot fails, and does not watch for who could not have a first one', async () => {
    let isBroken = false;
    let failed = 0;
    const { feed } = feedOf({
      replicas: () => {
        if (!isBroken) return [];
        failed += 1;
        throw new Error('no descriptor');
      },
    });
    let seen = 0;
    const stop = feed.watch(100, () => (seen += 1));
    isBroken = true;
    assert.throws(() => feed.watch(100, () => {}), /no descriptor/);
    assert.equal(feed.watchers, 1);
    await until(() => failed > 2, 'a turn in which a snapshot failed');
    isBroken = false;
    await until(() => seen > 1, 'the next snapshot');
    stop();
  });

  it('asks nothing while nobody watches, and one question for all who are due', async () => {
    const { feed, asked } = feedOf();
    assert.equal(asked.boundaries, 0);
    const seen = { quick: [], slow: [] };
    const stopQuick = feed.watch(100, (snapshot) => seen.quick.push(snapshot));
    const stopSlow = feed.watch(300, (snapshot) => seen.slow.push(snapshot));
    await until(
      () => seen.slow.length >= 3 && seen.quick.length > seen.slow.length,
      'three snapshots for the slow one, and more for the quick one',
    );
    const later = seen.slow.slice(1);
    assert.ok(
      later.every((snapshot) => seen.quick.includes(snapshot)),
      'those who are due at once get the same record',
    );
    stopQuick();
    stopQuick();
    stopSlow();
    assert.equal(feed.watchers, 0);
    const { boundaries } = asked;
    await new Promise((resolve) => setTimeout(resolve, 250));
    assert.equal(asked.boundaries, boundaries);
  });

  it('lets a watcher that fails go, and the others stay', async () => {
    const { feed } = feedOf();
    let seen = 0;
    feed.watch(100, () => {
      throw new Error('the pipe broke');
    });
    const stop = feed.watch(100, () => (seen += 1));
    assert.equal(feed.watchers, 1);
    await until(() => seen >= 2, 'snapshots for the other one');
    stop();
  });

  it('gives the details of one boundary, the costliest function first, and names the nearest where there is none', () => {
    const { feed } = feedOf({
      boundaries: () => [
        boundary('app.js -> m', { functions: { cheap: { exclusiveMs: 1, calls: 9 }, dear: { exclusiveMs: 5, calls: 1 } } }),
      ],
      replicas: () => [
        { id: '1', module: 'm', state: 'ready' },
        { id: '2', module: 'other', state: 'ready' },
      ],
      decisions: () => ({ decided: 2, kept: [{ module: 'm', figures: { calls: 1 } }, { module: 'other' }] }),
      recipes: () => [{ module: 'm', text: '{ hot: true }', given: {} }],
    });
    const detail = feed.detail('app.js -> m');
    assert.deepEqual(
      detail.functions.map(({ path }) => path),
      ['dear', 'cheap'],
    );
    assert.deepEqual([detail.replicas.length, detail.decisions.length, detail.recipe.text], [1, 1, '{ hot: true }']);
    assert.deepEqual(detail.decisions[0].figures, { calls: 1 });
    assert.throws(
      () => feed.detail('app.js -> n'),
      (error) => error.code === 'IGNIS_NOT_FOUND' && error.nearest === 'app.js -> m',
    );
  });

  it('finds the boundary that a wish names, and asks nobody to act on one that is not there', () => {
    const { feed } = feedOf();
    assert.equal(feed.act({ what: 'home', boundary: 'app.js -> a' }).found.child, 'a');
    assert.equal(feed.act({ what: 'profile' }).found, null);
    assert.throws(() => feed.act({ what: 'home', boundary: 'nowhere' }), { code: 'IGNIS_NOT_FOUND' });
    const inside = fakeFeed({ boundaries: () => [boundary('b -> c', { home: './b.js #1' })] });
    assert.throws(() => inside.act({ what: 'home', boundary: 'b -> c' }), {
      code: 'IGNIS_BAD_OPTION',
      message: /\.\/b\.js #1 itself decides/,
    });
    assert.throws(() => feed.act({ what: 'home', boundary: { toString: null } }), { code: 'IGNIS_BAD_OPTION' });
  });
});
