'use strict';

const assert = require('node:assert/strict');
const { Link, JOIN_NAMES } = require('../helpers/link');
const { KIND } = require('../../lib/wire/frame');

/** Keeps this thread busy, as a synchronous function does. @param {number} ms */
function burn(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a skeleton', () => {
  /** @type {string[]} */
  let order;
  /** @type {Link} */
  let link;

  const served = {
    log: (name, ms = 0) => {
      burn(ms);
      order.push(name);
      return name;
    },
    async slow(name) {
      await new Promise(setImmediate);
      order.push(name);
      return name;
    },
    thenable: (value) => ({
      then(resolve) {
        resolve(value);
      },
    }),
    thenableTwice: (value) => ({
      then(resolve, reject) {
        resolve(value);
        resolve('again');
        reject(new Error('and again'));
      },
    }),
    thenableThrows: () => ({
      then() {
        throw new Error('in then');
      },
    }),
    get getter() {
      return () => 'from a getter';
    },
    refusals: 0,
    get refusing() {
      if (this.refusals-- > 0) throw new RangeError('not now');
      return { inside: () => 'given' };
    },
    oddThen: () => ({
      get then() {
        throw new Error('in the getter');
      },
    }),
    notThenable: () => ({ then: 5, value: 1 }),
    dies: () => Promise.reject(undefined),
    own: Object.create({ inherited: () => 'inherited' }),
  };

  beforeEach(async () => {
    order = [];
    link = new Link(served);
    await link.load();
  });

  afterEach(() => link.close());

  it('runs calls in the order in which they were made', async () => {
    await Promise.all([link.call('log', 'a'), link.call('slow', 'c'), link.call('log', 'b')]);
    assert.deepEqual(order, ['a', 'b', 'c']);
  });

  it('answers each call when it ends: an asynchronous one holds back nobody', async () => {
    const answered = [];
    await Promise.all(['slow', 'log', 'slow', 'log'].map((name, i) => link.call(name, i).then((value) => answered.push(value))));
    assert.deepEqual(answered.slice(0, 2), [1, 3]);
    assert.deepEqual([...answered].sort(), [0, 1, 2, 3]);
  });

  it('takes a thenable for a promise, once', async () => {
    assert.equal(await link.call('thenable', 5), 5);
    assert.equal(await link.call('thenableTwice', 6), 6);
    await assert.rejects(link.call('thenableThrows'), { message: 'in then' });
    await assert.rejects(link.call('oddThen'), { message: 'in the getter' });
    assert.deepEqual(await link.call('notThenable'), { then: 5, value: 1 });
    await assert.rejects(
      link.call('dies').catch((thrown) => {
        throw new Error(`rejected with ${thrown}`);
      }),
      { message: 'rejected with undefined' },
    );
    assert.equal(await link.call('log', 'and goes on'), 'and goes on');
  });

  it('finds functions behind getters and prototypes', async () => {
    assert.equal(await link.call('getter'), 'from a getter');
    assert.equal(await link.call(['own', 'inherited']), 'inherited');
  });

  it('answers calls of a function behind a getter that throws with what it throws, as long as it does', async () => {
    served.refusals = 3;
    const calls = [1, 2, 3].map(() => link.call(['refusing', 'inside']).catch((error) => error));
    const outcomes = await Promise.all([...calls, link.call('log', 'behind')]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome instanceof RangeError ? outcome.message : outcome)),
      ['not now', 'not now', 'given', 'behind'],
    );
    assert.equal(await link.call(['refusing', 'inside']), 'given');
    assert.deepEqual(link.losses, []);
  });

  it('serves a module that is a function itself', async () => {
    const callable = new Link((target) => (target.name === 'double' ? (n) => 2 * n : undefined));
    await callable.load({ name: 'double' });
    assert.equal(await callable.call([], 21), 42);
    await callable.close();
  });

  it('answers a load that fails with what was thrown', async () => {
    const broken = new Link(() => {
      throw new SyntaxError('broken module');
    });
    await assert.rejects(broken.load(), { name: 'SyntaxError', message: 'broken module' });
    await broken.close();
  });

  it('answers a call of a target that was never introduced with an error', async () => {
    const { call, result } = link.start('log', ['x']);
    await result;
    const failed = new Promise((resolve) => {
      link.home.load({}, { id: -1, sequence: 0, finish: resolve, fail: resolve });
    });
    await failed;
    const answers = [];
    // The report of the call before may come yet, which is no answer.
    link.homeChannel.onFrames = (frames) => answers.push(...frames.filter(([kind]) => kind !== KIND.USAGE));
    link.homeChannel.send([KIND.CALL, call.id, 99, [], null]);
    while (answers.length === 0) await new Promise(setImmediate);
    assert.equal(answers[0][0], KIND.ERROR);
  });
});

for (const join of JOIN_NAMES) {
  describe(`a skeleton over a ${join}`, () => {
    it('does not let a long call hold back the answers before it', async () => {
      // All on one thread here, so it is not the arrival that tells but the moment of sending.
      const sent = [];
      const link = new Link({ work: (ms) => burn(ms) ?? ms }, { join });
      await link.load();
      const write = link.agentChannel._write;
      link.agentChannel._write = function (frames, attachments) {
        sent.push({ at: performance.now(), ids: frames.filter((frame) => frame[0] === KIND.RESULT).map((frame) => frame[1]) });
        return write.call(this, frames, attachments);
      };
      const calls = [2, 2, 60].map((ms) => link.start('work', [ms]));
      await Promise.all(calls.map(({ result }) => result));
      const sentAt = (i) => sent.find(({ ids }) => ids.includes(calls[i].call.id)).at;
      assert.ok(sentAt(2) - sentAt(0) >= 60, 'the first answer left before the long call began');
      assert.ok(sentAt(2) - sentAt(1) >= 60, 'the second too');
      await link.close();
    });
  });
}
