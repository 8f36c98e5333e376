'use strict';

const assert = require('node:assert/strict');
const { exitBy } = require('../../lib/spawn/exit');
const { judgeOf, lossOf, lossOfOther } = require('../../lib/spawn/loss');
const { sendHome, sortLost } = require('../../lib/spawn/rerun');
const { TestSet } = require('./sets');
const { until } = require('../helpers/until');

const JOURNAL = /** @type {any} */ ({ length: 0 });

/** @param {object} [plan] @param {object} [more] @returns {any} */
function made(plan = {}, more = {}) {
  return {
    plan: { canRerun: true, isPure: false, ...plan },
    isSettled: false,
    canReplay: true,
    mark: 0,
    losses: 0,
    harm: '',
    wasSent: true,
    isLost: false,
    lose() {
      this.isLost = true;
    },
    ...more,
  };
}

/** How often a call that is the oldest each time runs again before it is lost. @param {any} call */
function reruns(call) {
  let count = 0;
  while (sortLost([call], JOURNAL, 'lost').length > 0 && count < 50) count += 1;
  assert.ok(call.isLost || count === 50);
  return count;
}

describe('calls of a lost replica', () => {
  it('run again once, or as often as their recipe says', () => {
    assert.equal(reruns(made()), 1);
    for (const retry of [0, 1, 2, 7]) assert.equal(reruns(made({ retry })), retry);
  });

  it('do not, where the function must not run twice or the copy is not whole any more', () => {
    assert.equal(reruns(made({ canRerun: false, retry: 3 })), 0);
    assert.equal(reruns(made({ retry: 3 }, { canReplay: false })), 0);
  });

  it('run again without end where they only waited behind others, but never with retry: 0', () => {
    const [innocent, never] = [made({ retry: 1 }), made({ retry: 0 })];
    for (let i = 0; i < 20; i++) assert.deepEqual(sortLost([made({ canRerun: false }), innocent], JOURNAL, 'lost'), [innocent]);
    assert.deepEqual(sortLost([made(), never], JOURNAL, 'lost').includes(never), false);
    assert.ok(never.isLost);
  });

  it('wait for another replica that has them, too, and are lost with the last one', () => {
    const [first, second] = [made({}, { held: 1 }), made({ retry: 0 }, { held: 1 })];
    assert.deepEqual(
      sortLost([first, second], JOURNAL, 'lost', exitBy('gone'), () => 'throw'),
      [],
    );
    assert.deepEqual([first.isLost, first.losses, second.isLost], [false, 1, false]);
    first.held = second.held = 0;
    assert.deepEqual(sortLost([second, first], JOURNAL, 'lost'), [first]);
    assert.ok(second.isLost);
  });

  it('run at home where no replica takes them, unless the state that they need is elsewhere, or another one by now', () => {
    const becomes = (set, call = {}) => {
      const told = [];
      const methods = { lose: (why) => told.push('lost', why), fail: ({ code }) => told.push(code), runAtHome: () => told.push('at home') };
      const asked = { module: 'm', pending: 3, isAway: false, isRetired: false, journal: { length: 0 }, ...set };
      sendHome(/** @type {any} */ ({ ...made(), ...methods, ...call }), /** @type {any} */ (asked));
      return told;
    };
    assert.deepEqual(becomes({}), ['at home']);
    assert.deepEqual(becomes({ isRetired: true }), ['at home']);
    assert.deepEqual(becomes({ isAway: true }), ['IGNIS_QUEUE_FULL']);
    assert.deepEqual(becomes({ isAway: true, isRetired: true }), ['lost', 'm: the replica that had its state is gone']);
    assert.deepEqual(becomes({ journal: { length: 1 } }), ['lost', 'm has no replica left, and was changed at home since the call was made']); // prettier-ignore
    assert.deepEqual(becomes({ journal: { length: 1 } }, { mark: 1 }), ['at home']);
    assert.deepEqual(becomes({ journal: { length: 1 } }, { plan: { isPure: true } }), ['at home']);
  });

  it('are left alone when they are settled, also as the suspect', () => {
    const [settled, next] = [made({}, { isSettled: true }), made()];
    assert.deepEqual(sortLost([settled, next], JOURNAL, 'lost'), [next]);
    assert.deepEqual([settled.losses, next.losses], [0, 1]);
  });
});

describe('calls of a replica that did itself harm', () => {
  const harmed = (harm = 'crash') => /** @type {any} */ ({ ...exitBy('gone'), harm });

  it('are marked, and count each loss where they are answered later', () => {
    const [first, second, later] = [made(), made({ mode: 'await' }), made({ mode: 'promise' })];
    assert.deepEqual(sortLost([first, second, later], JOURNAL, 'lost', harmed()), [first, second, later]);
    assert.deepEqual(
      [first, second, later].map(({ harm, losses }) => [harm, losses]),
      [
        ['crash', 1],
        ['crash', 0],
        ['crash', 1],
      ],
    );
  });

  it('do not run at home, whoever says so', () => {
    const call = made();
    assert.deepEqual(
      sortLost([call], JOURNAL, 'lost', harmed('memory'), () => 'home'),
      [],
    );
    assert.ok(call.isLost);
    const set = /** @type {any} */ ({ module: 'm', isAway: false, journal: JOURNAL });
    const next = made({}, { harm: 'memory', runAtHome: () => assert.fail('it ran at home') });
    sendHome(next, set);
    assert.ok(next.isLost);
  });
});

describe('what onFail answers', () => {
  const exit = exitBy('gone');

  it('is asked with the calls that were lost, and whether one of them may have run', () => {
    const lost = [
      made({ path: ['a', 'b'], module: 'm' }, { losses: 2 }),
      made({ path: ['c'] }, { isSettled: true }),
      made({ path: ['d'] }, { wasSent: false }),
    ];
    const { code, ran, calls } = lossOf('m', 'gone', exit, lost);
    assert.deepEqual([code, ran], ['IGNIS_REPLICA_LOST', 'maybe']);
    assert.deepEqual(calls, [
      { name: 'a.b', module: 'm', ran: 'maybe', losses: 2, harm: '' },
      { name: 'd', module: '', ran: 'no', losses: 0, harm: '' },
    ]);
    for (const none of [lost.slice(1), [lost[1]], []]) assert.equal(lossOf('m', 'gone', exit, none).ran, 'no');
    assert.deepEqual([lossOfOther({ isOfHeld: true }, 7, 'gone').ran, lossOfOther({}, 7, 'gone').code], ['maybe', 'IGNIS_START_FAILED']);
  });

  it('decides for all calls, or for each, over what their recipes say', () => {
    const [one, other] = [made({ canRerun: false, path: ['one'] }), made({ path: ['other'] })];
    assert.deepEqual(sortLost([one, other], JOURNAL, 'lost', exit, judgeOf('rerun', false)), [one, other]);
    assert.deepEqual(sortLost([one], JOURNAL, 'lost', exit, judgeOf('rerun', false)), [], 'not for ever');
    const [home, thrown] = [made({ canRerun: false, path: ['home'] }), made({ path: ['thrown'] })];
    const judge = judgeOf(({ name }) => (name === 'home' ? 'home' : 'throw'), false);
    assert.deepEqual(sortLost([home, thrown], JOURNAL, 'lost', exit, judge), [home]);
    assert.deepEqual([home.mustGoHome, thrown.isLost], [true, true]);
  });

  it('counts for nothing when it is none of the three; and home is none for a module whose state is away', () => {
    for (const answer of [undefined, null, true, 'rerum', Promise.resolve('home')]) {
      assert.equal(judgeOf(answer, false)(made({ path: ['f'] })), undefined);
    }
    assert.equal(judgeOf('home', true)(made({ path: ['f'] })), 'throw');
    assert.equal(judgeOf('rerun', true)(made({ path: ['f'] })), 'rerun');
  });
});

describe('a replica that ends a process below JavaScript', function () {
  this.timeout(60_000);
  /** @type {TestSet} */
  let on;
  afterEach(() => on.close());

  it('by a crash takes none of its calls home, and says what it was', async () => {
    on = new TestSet('process');
    await on.set.resize(1);
    const lost = await on.start('abort', [], { canRerun: true, module: 'work' }).result.catch((error) => error);
    assert.equal(lost.code, 'IGNIS_REPLICA_LOST');
    assert.deepEqual([lost.signal, lost.exitCode, lost.harm, lost.ran, lost.module], ['SIGABRT', null, 'crash', 'maybe', 'work']);
    assert.deepEqual(on.atHome, []);
    const [loss] = on.failures;
    assert.deepEqual(loss.calls, [{ name: 'abort', module: 'work', ran: 'maybe', losses: 0, harm: '' }]);
    assert.equal(on.set.lost, 2, 'it was tried again once, in another replica');
  });

  it('by taking all memory is told from a crash', async () => {
    on = new TestSet('process');
    const before = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = '--max-old-space-size=30';
    await on.set.resize(1);
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
    const lost = await on.start('exhaust', []).result.catch((error) => error);
    assert.deepEqual([lost.code, lost.harm, lost.ran], ['IGNIS_REPLICA_LOST', 'memory', 'maybe']);
    assert.ok(lost.stderr.some((line) => /heap out of memory/.test(line)) && lost.stderr.length <= 10);
  });
});

for (const where of ['process', 'thread']) {
  it(`a call in a ${where} that ends each replica it meets ends one more than it is run again`, async function () {
    this.timeout(60_000);
    const on = new TestSet(where);
    try {
      await on.set.resize(1);
      for (const [retry, lost] of [
        [0, 1],
        [2, 4],
      ]) {
        await until(() => on.set.ready === 1, 'a replica');
        await assert.rejects(on.start('exit', [6], { canRerun: true, retry }).result, { code: 'IGNIS_REPLICA_LOST', ran: 'maybe' });
        assert.equal(on.set.lost, lost);
      }
      assert.deepEqual(on.atHome, []);
    } finally {
      await on.close();
    }
  });
}

for (const where of ['process', 'thread']) {
  describe(`a call that two replicas have, each a ${where}`, function () {
    this.timeout(60_000);
    /** @type {TestSet} */
    let on;
    afterEach(() => on.close());

    /**
     * @param {number} ms that it takes
     * @returns {Promise<any>} a call with retry: 0 behind a long one, and what comes of both, when a second replica has it, too
     */
    const hedged = async (ms) => {
      on = new TestSet(where);
      await on.set.resize(1);
      // It takes a second one behind the first when it has told how short they are.
      await until(async () => {
        const ends = [on.callPure('add', 1, 2), on.callPure('add', 1, 2)];
        const isTaken = on.set.queued === 0;
        await Promise.all(ends);
        return isTaken;
      }, 'room for two calls');
      const long = on.start('spin', [60_000], { canRerun: false });
      const short = on.start('spin', [ms, 'short'], { canRerun: true, retry: 0, hedgeMs: 8 });
      await on.set.resize(2);
      const { call } = short;
      await until(() => on.set.replicas.filter((replica) => replica.outstanding().includes(call)).length === 2, 'the second one');
      const [first, second] = on.set.replicas;
      return { first, second, call, long: long.result.catch(({ code }) => code), short: short.result };
    };

    it('is answered by the second when the first is lost', async () => {
      const { first, long, short } = await hedged(400);
      first.kill('the test ends it');
      assert.equal(await long, 'IGNIS_REPLICA_LOST');
      assert.equal(await short, 'short');
    });

    it('is lost, once, when both are', async () => {
      const { first, second, call, short } = await hedged(60_000);
      second.kill('the test ends it');
      await second.ended;
      assert.ok(!call.isSettled);
      first.kill('the test ends it');
      await assert.rejects(short, { code: 'IGNIS_REPLICA_LOST', ran: 'maybe', message: new RegExp(`replica ${first.id}`) });
      assert.equal(call.held, 0);
    });
  });
}
