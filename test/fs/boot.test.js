'use strict';

// How nodes come level while others die: holders here are plain records, whose requests are answered, or lost, as the test says.

const assert = require('node:assert/strict');
const { Boot } = require('../../lib/fs/boot');
const { lostError } = require('../../lib/fs/far-error');

const LOST = lostError('the node is gone', 'maybe');

/** @param {string} name @param {number | null} applied */
function holderOf(name, applied) {
  const holder = {
    folder: name,
    name,
    applied,
    pid: 1,
    state: 'behind',
    isSettled: true,
    copied: [],
    requests: [],
    /** what becomes of copies and requests @type {(what: string, ...more: any[]) => any} */
    meets: () => undefined,
    copyFrom: async (source) => {
      holder.copied.push(source.name);
      await holder.meets('copy', source);
    },
    request: async ({ kind }) => {
      holder.requests.push(kind);
      return holder.meets(kind);
    },
    adopt: async (number) => {
      await holder.request({ kind: 'adopt' });
      holder.applied = number;
    },
    serve: () => (holder.state = 'serving'),
    stop: (why) => Object.assign(holder, { state: 'stopped', why }),
    die: () => {
      holder.pid += 1;
      holder.state = 'away';
      throw LOST;
    },
  };
  return holder;
}

/** A log as it is on the disk before the program has looked at it. */
function logOf(head) {
  return {
    head,
    first: 1,
    segments: head === null ? 0 : 1,
    async open() {
      this.head = head ?? 0;
      return head !== null;
    },
    async begin(number) {
      this.head = number;
      this.first = number + 1;
    },
    async append() {
      return (this.head += 1);
    },
    async idle() {},
    async *from() {},
  };
}

describe('nodes that come level', () => {
  let reports;
  const bootOf = (log, holders, fill = null) => {
    reports = [];
    const settings = { root: 'a', folders: holders.map(({ folder }) => folder) };
    return new Boot({ log, holders, settings, report: (sentence) => reports.push(sentence), fill });
  };
  const back = (holder, applied = holder.applied) => Object.assign(holder, { state: 'behind', applied });
  const states = (holders) => holders.map(({ state }) => state).join(' ');
  const begun = async (log, fill) => {
    const holders = ['a', 'b', 'c'].map((name) => holderOf(name, 5));
    const boot = bootOf(log, holders, fill);
    for (const holder of holders) await boot.level(holder);
    assert.equal(states(holders), 'serving serving serving');
    return { holders, boot };
  };

  it('are copied from another one where the one that they are copied from dies', async () => {
    const { holders, boot } = await begun(logOf(5));
    const [a, b, c] = holders;
    c.copied = [];
    back(c, null).meets = (what, source) => (what === 'copy' && source === a ? a.die() : undefined);
    await boot.level(c);
    assert.deepEqual([c.copied, b.state, c.state], [['a', 'b'], 'serving', 'serving']);
    assert.equal(boot.isFrozen, false);
  });

  it('are copied when that one is back, where there is no other', async () => {
    const { holders, boot } = await begun(logOf(5));
    const [a, b, c] = holders;
    b.state = 'stopped';
    c.copied = [];
    back(c, null).meets = (what, source) => (what === 'copy' && a.pid === 1 ? source.die() : undefined);
    await boot.level(c);
    assert.equal(states(holders), 'away stopped behind');
    assert.equal(boot.isFrozen, false);
    await boot.level(back(a));
    assert.deepEqual([states(holders), c.copied], ['serving stopped serving', ['a', 'a']]);
  });

  it('wait for one that serves where there is none at the moment', async () => {
    const { holders, boot } = await begun(logOf(5));
    const [a, b, c] = holders;
    for (const holder of [a, b]) holder.state = 'away';
    await boot.level(back(c, null));
    assert.equal(states(holders), 'away away behind');
    await boot.level(back(b));
    assert.equal(states(holders), 'away serving serving');
  });

  it('are filled from others where one dies meanwhile, also if that one never comes back', async () => {
    const runs = [];
    let isFatal = false;
    const fill = {
      run: async ({ sources, targets }) => {
        runs.push(sources.map(({ name }) => name).join());
        if (isFatal && sources[0].name === 'a') sources[0].die();
        return { filled: targets, waiting: new Map() };
      },
    };
    const { holders, boot } = await begun(logOf(5), fill);
    isFatal = true;
    await boot.level(back(holders[2], null));
    assert.deepEqual([runs.slice(1), states(holders)], [['a,b', 'b'], 'away serving serving']);
  });

  it('begin again with the one that knows what is true when it dies at the beginning', async () => {
    for (const kind of ['adopt', 'drop']) {
      const holders = ['a', 'b', 'c'].map((name) => holderOf(name, name === 'a' ? 5 : 4));
      const boot = bootOf(logOf(5), holders);
      const [a, ...others] = holders;
      for (const holder of others) holder.applied = null;
      a.meets = (what) => (what === kind && a.pid === 1 ? a.die() : undefined);
      for (const holder of holders) await boot.level(holder);
      assert.deepEqual([states(holders), boot.isFrozen, reports], ['away behind behind', true, []]);
      await boot.level(back(a));
      assert.deepEqual([states(holders), boot.isFrozen, reports], ['serving serving serving', false, []]);
    }
  });

  it('begin when they are back where all of them were away at the moment at which the log was open', async () => {
    const holders = ['a', 'b'].map((name) => holderOf(name, 5));
    const log = logOf(5);
    const open = log.open.bind(log);
    let isOpen = () => {};
    log.open = () => new Promise((resolve) => (isOpen = () => resolve(open())));
    const boot = bootOf(log, holders);
    const levels = holders.map((holder) => boot.level(holder));
    for (const holder of holders) holder.state = 'away';
    isOpen();
    await Promise.race([boot.done, new Promise((resolve) => setImmediate(resolve))]);
    assert.deepEqual([states(holders), boot.isFrozen, reports], ['away away', true, []]);
    for (const holder of holders) levels.push(boot.level(back(holder)));
    await Promise.all(levels);
    assert.deepEqual([states(holders), boot.isFrozen, reports], ['serving serving', false, []]);
  });

  it('begin anew where a program was ended before the first of them had a history', async () => {
    for (const head of [null, 0]) {
      const holders = ['a', 'b', 'c'].map((name) => holderOf(name, null));
      const boot = bootOf(logOf(head), holders);
      for (const holder of holders) await boot.level(holder);
      assert.deepEqual([states(holders), reports], ['serving serving serving', []]);
      assert.equal(holders[0].requests[0], 'adopt');
    }
    const holders = ['a', 'b', 'c'].map((name) => holderOf(name, null));
    for (const [boot, holder] of [bootOf(logOf(3), holders)].flatMap((one) => holders.map((holder) => [one, holder])))
      await boot.level(holder);
    assert.equal(states(holders), 'stopped stopped stopped');
    assert.match(reports[0], /no folder has a history that the log continues/);
  });
});
