'use strict';

// Which of several holders answers a read: holders here are plain records that answer when the test says so.

const assert = require('node:assert/strict');
const { Reads } = require('../../lib/fs/reads');
const { Waiting } = require('../../lib/fs/waiting');
const { until } = require('../helpers/until');

/** @param {string} name @param {number} [ms] expected */
function holderOf(name, ms = 0) {
  const holder = {
    name,
    ms,
    state: 'serving',
    stuckMs: 0,
    asked: 0,
    expectedMs: () => holder.ms,
    stop: (why) => Object.assign(holder, { state: 'stopped', why }),
    read: () => {
      holder.asked += 1;
      return new Promise((resolve, reject) => Object.assign(holder, { resolve, reject }));
    },
  };
  return holder;
}

const answering = (holder, answer = holder.name) => {
  const { read } = holder;
  holder.read = () => {
    read();
    return answer instanceof Error || answer?.code !== undefined ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return holder;
};

const readsOf = (...holders) =>
  new Reads({ holders, patienceMs: 10_000, least: () => 0, await: async (look) => look() ?? Promise.reject(new Error('nobody serves')) });

describe('reads of a replicated file', () => {
  it('go to the holder that will answer first, and each in its turn among equals', async () => {
    const [slow, quick] = [answering(holderOf('slow', 50)), answering(holderOf('quick', 1))];
    const reads = readsOf(slow, quick);
    for (let i = 0; i < 4; i++) assert.equal(await reads.ask({ op: 'readFile' }), 'quick');
    slow.ms = 1;
    const seen = new Set();
    for (let i = 0; i < 4; i++) seen.add(await reads.ask({ op: 'readFile' }));
    assert.deepEqual([...seen].sort(), ['quick', 'slow']);
  });

  it('are asked of a second one where the first is late, and the first answer counts', async () => {
    const [silent, other] = [holderOf('silent', 0), answering(holderOf('other', 1))];
    const reads = readsOf(silent, other);
    assert.equal(await reads.ask({ op: 'readFile' }), 'other');
    assert.deepEqual([silent.asked, other.asked], [1, 1]);
    silent.resolve('late');
    assert.equal(await reads.ask({ op: 'stat' }), 'other');
    assert.deepEqual([silent.asked, other.asked], [2, 2]);
    silent.stuckMs = 1000;
    assert.equal(await reads.ask({ op: 'stat' }), 'other');
    assert.deepEqual([silent.asked, other.asked], [2, 3]);
  });

  it('are asked of all, one after the other, while nobody says anything', async () => {
    const holders = ['a', 'b', 'c'].map((name) => holderOf(name));
    const answer = readsOf(...holders).ask({ op: 'readdir' });
    while (holders.some(({ asked }) => asked === 0)) await new Promise((resolve) => setImmediate(resolve));
    holders[0].reject({ code: 'EIO', lost: { detail: 'gone', ran: 'maybe' } });
    holders[2].resolve('c');
    assert.equal(await answer, 'c');
    assert.deepEqual(holders.map(({ asked, state }) => [asked, state]), Array(3).fill([1, 'serving'])); // prettier-ignore
  });

  it('wait for a node that has not applied yet what they must see, and do not take it for one that fails', async () => {
    const behind = holderOf('behind');
    const said = [{ code: 'IGNIS_NODE', message: 'this node has applied 6, and 7 was wanted' }, { code: 'IGNIS_NODE' }];
    behind.read = () => {
      behind.asked += 1;
      const error = said.shift();
      return error === undefined ? Promise.resolve('seen') : Promise.reject(error);
    };
    assert.equal(await readsOf(behind).ask({ op: 'readFile' }), 'seen');
    assert.deepEqual([behind.asked, behind.state], [3, 'serving']);
  });

  for (const [code, what] of [
    ['IGNIS_ELSEWHERE', 'by one who has it not'],
    ['IGNIS_NODE', 'for a moment'],
  ])
    it(`are sent on ${what}, also where they had waited for longer than they would wait for an answer: ${code}`, async () => {
      const patienceMs = 1;
      const begun = performance.now();
      const [first, second] = ['first', 'second'].map((name) => ({ ...answering(holderOf(name)), id: name, quietMs: 0 }));
      const { read } = first;
      let asked = 0;
      first.read = async () => {
        if (++asked > 1) return read();
        await until(() => performance.now() > begun + patienceMs + 1, 'the end of patience');
        throw Object.assign(new Error('not I'), { code, holders: ['second'] });
      };
      const spread = { guess: () => ['first'], learn() {} };
      const wait = async (look) => look();
      const reads = new Reads({ holders: [first, second], patienceMs, least: () => 0, await: wait, spread });
      assert.equal(await reads.ask({ op: 'readFile', path: 'posts/1' }), code === 'IGNIS_NODE' ? 'first' : 'second');
    });

  describe('while the clock of the machine is set', () => {
    const { now } = Date;
    const HOUR_MS = 3_600_000;
    afterEach(() => {
      Date.now = now;
    });

    /** @param {number} byMs it is set meanwhile */
    function dying(byMs) {
      const holder = Object.assign(holderOf('dying'), { quietMs: Infinity, why: '' });
      holder.read = async () => {
        holder.state = 'away';
        Date.now = () => now() + byMs;
        return Promise.reject({ code: 'EIO', lost: { detail: 'gone', ran: 'no' } });
      };
      return holder;
    }

    it('are not given up for that: one comes back', async () => {
      const other = answering(holderOf('other'));
      const reads = new Reads({ holders: [dying(HOUR_MS)], patienceMs: 10_000, least: () => 0, await: async () => other });
      assert.equal(await reads.ask({ op: 'readFile' }), 'other');
    });

    it('are given up as late as ever where nobody comes back', async () => {
      const holder = dying(-HOUR_MS);
      const waiting = new Waiting([holder], 10);
      const wait = (look, end) => waiting.for(look, end, 'no');
      const reads = new Reads({ holders: [holder], patienceMs: 10, least: () => 0, await: wait });
      await assert.rejects(reads.ask({ op: 'readFile' }), ({ lost }) => /no holder came back in time/.test(lost.detail));
    });
  });

  it('give an error of the files as it is, and go on where a node or its disk fails', async () => {
    const none = answering(holderOf('none', 0), { code: 'ENOENT' });
    const reads = readsOf(none, answering(holderOf('other', 1)));
    await assert.rejects(
      async () => {
        await reads.ask({ op: 'readFile' });
      },
      { code: 'ENOENT' },
    );
    const broken = answering(holderOf('broken', 0), { code: 'EIO', message: 'a bad sector' });
    const gone = holderOf('gone', 0);
    gone.read = () => {
      gone.state = 'away';
      return Promise.reject({ code: 'EIO', lost: { detail: 'gone', ran: 'no' } });
    };
    assert.equal(await readsOf(broken, gone, answering(holderOf('last', 1))).ask({ op: 'readFile' }), 'last');
    assert.deepEqual([broken.state, broken.why], ['stopped', 'its disk fails: a bad sector']);
  });
});
