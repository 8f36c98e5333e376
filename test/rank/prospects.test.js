'use strict';

const assert = require('node:assert/strict');
const { Prospects, prospectsOf } = require('../../lib/rank/prospects');
const { FRACTIONS } = require('../../lib/rank/service-time');

const boundary = (changes) => ({
  id: 'app.js -> hot',
  child: 'hot',
  callsPerSecond: 150,
  share: 0.9,
  meanMs: 6,
  pending: 0,
  bytes: 100,
  values: 3,
  latencyMs: null,
  isLater: false,
  quantiles: FRACTIONS.map(() => 6),
  ...changes,
});
const busiest = (...boundaries) => ({
  at: new Date(0).toISOString(),
  windowMs: 1000,
  poolThreads: 4,
  loop: { utilisation: 0.99, delayMs: 5 },
  boundaries,
  replicas: [],
});

describe('rank/prospects', () => {
  it('are none before anything was called, or where nothing pressed', () => {
    assert.deepEqual(prospectsOf(null, 2), []);
    assert.deepEqual(prospectsOf(busiest(), 2), []);
    assert.deepEqual(prospectsOf(busiest(boundary({ share: 0.01 })), 2), []);
  });

  it('say what each number of replicas up to the cores would bring, and from what that is known', () => {
    const [{ module, sentence, answers, from }] = prospectsOf(busiest(boundary()), 2);
    assert.equal(module, 'hot');
    assert.deepEqual(
      answers.map(({ replicas }) => replicas),
      [0, 1, 2],
    );
    assert.ok(answers[2].callsPerSecond > 1.5 * answers[0].callsPerSecond);
    assert.ok(answers[1].loopShare < 0.5 * answers[0].loopShare);
    assert.match(
      sentence,
      /^In its busiest second, at home: \d+ calls a second, p99 [\d,]+ ms, event loop \d+ %; with 1 replica: .*; with 2 replicas: [^.]*$/,
    );
    assert.ok(from.some((line) => /assumed/.test(line)));
  });

  it('are none of a module that was not called in the busiest window, whatever earlier calls took of it', () => {
    const late = boundary({ id: 'app.js -> late', child: 'late', callsPerSecond: 0, share: 0.4, pending: 3, quantiles: [] });
    assert.deepEqual(prospectsOf(busiest(late), 2), []);
    assert.deepEqual(
      prospectsOf(busiest(boundary({ share: 0.5 }), late), 2).map(({ module }) => module),
      ['hot'],
    );
  });

  it('are first of the module that would free most of the event loop with what it takes along', () => {
    const render = boundary({
      id: 'app.js -> render',
      parent: './app.js',
      child: 'render',
      share: 0.1,
      withInside: { share: 0.9, quantiles: [] },
    });
    const inside = (child, share) => boundary({ id: `render -> ${child}`, parent: 'render', child, share });
    const window = busiest(inside('marked', 0.38), inside('sanitize', 0.42), render);
    const [first, ...others] = prospectsOf(window, 2);
    assert.deepEqual([first.module, ...others.map(({ module }) => module)], ['render', 'sanitize', 'marked']);
    assert.ok(first.answers[1].loopShare < 0.3, String(first.answers[1].loopShare));
    assert.ok(others[0].answers[1].loopShare > 0.5, String(others[0].answers[1].loopShare));
    assert.ok(
      first.from.some((line) =>
        /render include what they do in the modules that they call.*: 90 % of the event loop, 10 % without that/.test(line),
      ),
    );
    const bound = (module) => module !== 'marked';
    assert.deepEqual(
      prospectsOf(window, 2, bound).map(({ module }) => module),
      ['marked'],
    );
    const kept = new Prospects(2);
    assert.equal(kept.of(window, () => false).length, 3);
    assert.equal(kept.of(window, bound).length, 1, 'found since');
  });

  it('are of three modules and four replicas at most', () => {
    const many = ['a', 'b', 'c', 'd'].map((child) => boundary({ id: `app.js -> ${child}`, child, share: 0.2, callsPerSecond: 30 }));
    const prospects = prospectsOf(busiest(...many), 64);
    assert.deepEqual([prospects.length, prospects[0].answers.length], [3, 5]);
  });

  it('are plain records, the same each time', () => {
    const prospects = prospectsOf(busiest(boundary()), 2);
    assert.deepEqual(JSON.parse(JSON.stringify(prospects)), prospects);
    assert.deepEqual(prospectsOf(busiest(boundary()), 2), prospects);
  });

  it('are worked out once for a window, and anew for another one', () => {
    const kept = new Prospects(2);
    assert.deepEqual(kept.of(null), []);
    const window = busiest(boundary());
    const first = kept.of(window);
    assert.deepEqual(first, prospectsOf(window, 2));
    assert.equal(kept.of(window), first);
    const another = kept.of(busiest(boundary({ share: 0.3 })));
    assert.notEqual(another, first);
    assert.notDeepEqual(another, first);
    assert.deepEqual(kept.of(null), []);
  });
});
