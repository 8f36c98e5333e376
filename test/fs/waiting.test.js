'use strict';

const assert = require('node:assert/strict');
const { Waiting } = require('../../lib/fs/waiting');

describe('requests that wait for holders', () => {
  it('are given up when no node has said anything for long, and not before', async () => {
    let looks = 0;
    // As long as nodes say something, others are served.
    const busy = { state: 'serving', why: '', get quietMs() { return ++looks < 5 ? 0 : 100; } }; // prettier-ignore
    const away = { state: 'away', why: '', quietMs: Infinity };
    const waiting = new Waiting([away, busy], 10);
    await assert.rejects(
      waiting.for(() => null, performance.now() - 1, 'maybe'),
      (error) => error.code === 'EIO' && error.lost.ran === 'maybe' && /came back in time/.test(error.lost.detail),
    );
    assert.equal(looks, 5);
  });

  it('are given up where those that were asked say nothing, whatever others say', async () => {
    const [hung, busy] = [Infinity, 0].map((quietMs) => ({ state: 'serving', why: '', quietMs }));
    const waiting = new Waiting([hung, busy], 10);
    const whose = () => [hung];
    await assert.rejects(waiting.for(() => null, performance.now() - 1, 'maybe', undefined, whose), { code: 'EIO' }); // prettier-ignore
  });

  it('see what comes, by word of those who know or when a holder comes', async () => {
    const waiting = new Waiting([{ state: 'serving', why: '', quietMs: 0 }], 10_000);
    const seen = [];
    let tell;
    const one = waiting.for(() => seen[0], performance.now() + 60_000, 'no', (check) => (tell = check)); // prettier-ignore
    const other = waiting.for(() => seen[0], performance.now() + 60_000, 'no');
    seen.push('there');
    tell();
    assert.equal(await one, 'there');
    waiting.look();
    assert.equal(await other, 'there');
  });

  it('end at once when nobody is left', async () => {
    const holder = { state: 'serving', why: '', quietMs: 0 };
    const waiting = new Waiting([holder], 10_000);
    const answer = waiting.for(() => null, performance.now() + 60_000, 'no');
    Object.assign(holder, { state: 'stopped', why: 'its disk fails' });
    waiting.look();
    await assert.rejects(answer, (error) => error.lost.ran === 'no' && /no copy is kept any more: its disk fails/.test(error.lost.detail));
  });
});
