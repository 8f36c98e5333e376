'use strict';

const assert = require('node:assert/strict');
const { News } = require('../../lib/rank/news');

describe('rank/news', () => {
  /**
   * @param {News} news
   * @param {[time: number, reason: string, action?: string][]} all
   * @returns {string} of each kept one the time and the reason
   */
  const keptOf = (news, all, module = 'uri-js') =>
    all
      .filter(([time, reason, action = 'stay']) => news.note(/** @type {any} */ ({ module, time, reason, action })))
      .map(([time, reason]) => `${time} ${reason}`)
      .join(', ');

  it('are reasons to stay that are others than before, but not that nothing goes on yet, or that it is being weighed', () => {
    const news = new News();
    const all = [[0, 'idle'], [100, 'young'], [200, 'young'], [300, 'weighing'], [400, 'young'], [90_000, 'young'], [90_100, 'idle']]; // prettier-ignore
    assert.equal(keptOf(news, all), '100 young, 90100 idle');
  });

  it('are not the two reasons between which a load at their edge goes to and fro', () => {
    const news = new News();
    const edge = Array.from({ length: 300 }, (_, i) => [i * 100, i % 2 === 0 ? 'enough' : 'maximum']);
    assert.equal(keptOf(news, edge), '0 enough, 100 maximum');
    assert.equal(keptOf(news, [[35_000, 'enough'], [41_000, 'maximum'], [51_200, 'enough']]), '41000 maximum, 51200 enough'); // prettier-ignore
  });

  it('are all changes, and after each the reasons to stay again, but for its own', () => {
    const news = new News();
    const all = [[0, 'enough'], [100, 'busy', 'scale-out'], [200, 'enough'], [300, 'not-allowed', 'home'], [400, 'not-allowed'], [500, 'enough']]; // prettier-ignore
    assert.equal(keptOf(news, all), '0 enough, 100 busy, 200 enough, 300 not-allowed, 500 enough');
  });

  it('are told of each module by itself', () => {
    const news = new News();
    assert.deepEqual([keptOf(news, [[0, 'young']]), keptOf(news, [[0, 'young']], 'marked')], ['0 young', '0 young']);
  });
});
