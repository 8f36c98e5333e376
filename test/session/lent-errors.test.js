'use strict';

// Errors of functions that are lent to a module in a replica, which does not look after what it is given for them.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { setImmediate: turn } = require('node:timers/promises');
const { KIND } = require('../../lib/wire/frame');
const { Link, JOIN_NAMES } = require('../helpers/link');
const { until } = require('../helpers/until');

const UNHEARD = require.resolve('../../lib/session/unheard.js');

/** @type {((value?: any) => void)[]} what calls of the module wait for */
const waiting = [];
const signal = () => new Promise((resolve) => void waiting.push(resolve));

/** Lets them go on. @param {number} [count] that has to wait first */
async function go(count = 1) {
  await until(() => waiting.length === count, 'the module to wait');
  for (const resolve of waiting.splice(0)) resolve();
}

const served = {
  each(list, fn) {
    for (const item of list) fn(item);
    return 'done';
  },
  async eachLater(list, fn) {
    await Promise.all(list.map(async (item) => void fn(item)));
    return 'done';
  },
  async twice(fn) {
    fn(1);
    await signal();
    fn(2);
    return 'done';
  },
  later(fn) {
    signal().then(() => void fn('later'));
    return 'done';
  },
  async whileOpen(fn) {
    fn();
    await signal();
    return 'done';
  },
  caught: (fn) => fn().then(assert.fail, ({ message }) => `caught ${message}`),
  sizeOfCaught: (fn) => fn().then(assert.fail, ({ body }) => body.length),
  async give(fn) {
    fn(new (class Socket {})());
    await signal();
  },
  async giveLarge(fn) {
    const large = Object.assign(new Error('large'), { body: Buffer.alloc(100_000) });
    fn({
      get member() {
        throw large;
      },
    });
    await signal();
  },
  tell(fn, callback) {
    fn();
    signal().then(callback);
  },
};

/**
 * What the process is told, in place of mocha, which would take it for a failure of a test.
 *
 * @param {'uncaughtException' | 'unhandledRejection'} event @param {number} count of errors @param {() => any} [run] @returns
 *   {Promise<any[]>} the errors
 */
async function told(event, count, run = () => {}) {
  const others = process.listeners(event);
  process.removeAllListeners(event);
  const errors = [];
  const listen = (/** @type {any} */ error) => errors.push(error);
  process.on(event, listen);
  try {
    await run();
    await until(() => errors.length >= count, 'the errors');
    return errors;
  } finally {
    process.off(event, listen);
    for (const other of others) process.on(event, /** @type {any} */ (other));
  }
}

for (const join of JOIN_NAMES)
  describe(`an error of a lent function that the module does not look after, over a ${join}`, () => {
    /** @type {Link} */
    let link;
    beforeEach(async () => {
      link = new Link(served, { join });
      await link.load();
    });
    afterEach(() => link.close());

    const mine = new (class Mine extends Error {})('mine');
    const throws = () => {
      throw mine;
    };

    it('fails the call that gave the function, as it would at home, also where the call has its answer before the error is there', async () => {
      const is = (/** @type {any} */ error) => error === mine;
      await assert.rejects(link.call('each', [1, 2], throws), is);
      await assert.rejects(link.call('eachLater', [1, 2], throws), is);
    });

    it('comes with its bytes, however many these are', async () => {
      const large = Object.assign(new Error('mine'), { body: Buffer.alloc(100_000, 1) });
      const fails = () => {
        throw large;
      };
      await assert.rejects(link.call('each', [1, 2], fails), (/** @type {any} */ error) => error === large);
      assert.equal(await link.call('sizeOfCaught', fails), 100_000);
    });

    it('fails that call alone, whatever was thrown', async () => {
      for (const thrown of [null, undefined, 0, 'text']) {
        const result = link.call('each', [1, 2], () => {
          throw thrown;
        });
        const is = (/** @type {any} */ error) => error === thrown;
        await assert.rejects(result, is);
      }
      await turn();
    });

    it('is dropped where that has failed the call already', async () => {
      const calls = [];
      const result = link.call('twice', (/** @type {number} */ n) => {
        calls.push(n);
        throw new Error(`mine ${n}`);
      });
      await assert.rejects(result, { message: 'mine 1' });
      await go();
      await until(() => calls.length === 2 && link.home.pending === 0, 'the second call');
      await turn();
    });

    it('is uncaught where the call has its answer', async () => {
      assert.equal(await link.call('later', throws), 'done');
      assert.deepEqual(await told('uncaughtException', 1, go), [mine]);
    });

    it('is uncaught where the call is answered by a callback', async () => {
      const run = () => {
        const { call } = link.start('tell', [throws, () => call.finish(null)], 'callback');
      };
      assert.deepEqual(await told('uncaughtException', 1, run), [mine]);
      await go();
      await until(() => link.home.pending === 0, 'the callback');
    });

    it('is uncaught where several calls have given the function and nobody can tell which it was', async () => {
      const calls = [];
      const run = () => calls.push(link.call('whileOpen', throws), link.call('whileOpen', throws));
      assert.deepEqual(await told('uncaughtException', 2, run), [mine, mine]);
      await go(2);
      assert.deepEqual(await Promise.all(calls), ['done', 'done']);
    });

    it('is an unhandled rejection of home where the function gave a promise', async () => {
      const calls = [];
      const run = () => calls.push(link.call('whileOpen', async () => throws()));
      // Both sides are one process here: the first is that of the other side.
      assert.equal((await told('unhandledRejection', 2, run))[1], mine);
      await go();
      assert.deepEqual(await Promise.all(calls), ['done']);
    });

    it('is none where the function gave what cannot be sent, or is none that was lent', async () => {
      const run = async () => {
        assert.equal(await link.call('each', [1], async () => new (class Socket {})()), 'done');
        await until(() => link.home.lending.serving === 0 && link.agent.pending === 0, 'the answer of the function');
        await turn();
        link.agentChannel.send([KIND.HEARD, 0, 99, 'why', null]);
        link.agentChannel.send([KIND.HEARD, 99, 1, null, null]);
        // What was told by then has come before this answer.
        await link.call('each', [], () => {});
        await turn();
      };
      // That of the other side.
      assert.equal((await told('unhandledRejection', 1, run)).length, 1);
    });

    it('is dropped where the link ends before it is known, and the call has its answer', async () => {
      const { send } = link.agentChannel;
      let told = 0;
      link.agentChannel.send = (/** @type {any[]} */ frame, /** @type {any[]} */ ...more) =>
        frame[0] === KIND.HEARD ? void (told += 1) : Reflect.apply(send, link.agentChannel, [frame, ...more]);
      const answer = link.call('each', [1], throws);
      await until(() => told === 1, 'the word that it is not looked after');
      assert.equal(link.home.pending, 1);
      link.home.destroy();
      assert.equal(await answer, 'done');
    });

    it('is what it was at home also where the module cannot read it, and so is what this side cannot read of the module', async () => {
      const { homeChannel, agentChannel } = link;
      // As of a newer Node.
      for (const channel of [homeChannel, agentChannel]) {
        const { onFrames } = channel;
        channel.onFrames = (/** @type {any[][]} */ frames, /** @type {any[]} */ attachments) => {
          const isError = ([kind]) => kind === KIND.THROWN || kind === KIND.HEARD;
          const changed = frames.map((frame) =>
            isError(frame) && frame[4] !== null ? [...frame.slice(0, 3), null, [0, [[], 'engine-value', 'Temporal.Later', '']]] : frame,
          );
          onFrames(changed, attachments);
        };
      }
      await assert.rejects(link.call('each', [1], throws), (/** @type {any} */ error) => error === mine);
      await assert.rejects(link.call('give', assert.fail), { code: 'IGNIS_UNMARSHALABLE', message: /Temporal\.Later/ });
      await go();
      await until(() => link.home.pending === 0, 'the late answer');
    });

    it('is nothing to anybody else where the module looks after it', async () => {
      assert.equal(await link.call('caught', throws), 'caught mine');
    });

    it('is nothing to a call that runs at home instead, since the function could not be called, and may run twice', async () => {
      const { call, result } = link.start('give', [() => {}]);
      call.reject = () => {
        Object.assign(call.plan, { runAtHome: () => 'home' });
        call.comeHome();
      };
      assert.equal(await result, 'home');
      await go();
      await until(() => link.home.pending === 0, 'the late answer');
    });

    it('fails the call that gave the function, where that could not be called', async () => {
      await assert.rejects(link.call('give', assert.fail), { code: 'IGNIS_UNMARSHALABLE' });
      await go();
      await until(() => link.home.pending === 0, 'the late answer');
    });
  });

describe('what is too large to be sent of a lent function, to a module that does not look after it', () => {
  /** @type {Link} */
  let link;
  beforeEach(async () => {
    link = new Link(served, { join: 'stream, msgpackr', limits: { maxBlockBytes: 1 << 16 } });
    await link.load();
  });
  afterEach(() => link.close());

  it('fails the call that gave the function where that threw it, and is told to one who does look', async () => {
    const large = Object.assign(new Error('mine'), { body: Buffer.alloc(100_000) });
    const fails = async () => {
      throw large;
    };
    await assert.rejects(
      link.call('each', [1], () => {
        throw large;
      }),
      (/** @type {any} */ error) => error === large,
    );
    assert.match(await link.call('caught', fails), /^caught a frame is larger/);
  });

  it('fails that call, too, where it is why the function could not be called', async () => {
    await assert.rejects(link.call('giveLarge', assert.fail), { code: 'IGNIS_FRAME_TOO_LARGE' });
    await go();
    await until(() => link.home.pending === 0, 'the late answer');
  });

  it('is nothing where the function gave it', async () => {
    assert.equal(await link.call('each', [1], async () => Buffer.alloc(100_000)), 'done');
    await until(() => link.home.lending.serving === 0 && link.agent.pending === 0, 'the answer of the function');
    await turn();
    // What was told of it by then has come before this answer.
    await link.call('each', [], () => {});
  });
});

describe('a replica in which a promise of its own is rejected at the same time', () => {
  /** @param {string} beside @param {string[]} [flags] */
  function run(beside, flags = []) {
    const code = `
      const { watchUnheard } = require(${JSON.stringify(UNHEARD)});
      const ours = Promise.reject(new Error('ours'));
      watchUnheard(ours, (isHeard) => console.log('heard', isHeard));
      ${beside}
      setImmediate(() => console.log(process.listenerCount('unhandledRejection')));`;
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', code], { encoding: 'utf8', timeout: 30_000 });
    return { status, lines: stdout.trim().split('\n'), tellsTheirs: stderr.includes('Error: theirs') };
  }

  it('goes on, where nobody looks after ours alone, and tells once of one that is looked after', () => {
    assert.deepEqual(run(''), { status: 0, lines: ['heard false', '0'], tellsTheirs: false });
    assert.deepEqual(run('ours.catch(() => {});'), { status: 0, lines: ['heard true', '0'], tellsTheirs: false });
  });

  it('goes on where somebody has put back the `process.emit` of before', () => {
    const again = `setImmediate(() => {
      delete process.emit;
      const more = Promise.reject(new Error('more of ours'));
      watchUnheard(more, (isHeard) => console.log('more heard', isHeard));
    });`;
    assert.deepEqual(run(again), { status: 0, lines: ['heard false', 'more heard false', '0'], tellsTheirs: false });
  });

  it('has one `process.emit` of ours, however many there are', () => {
    const again = `const { emit } = process;
    setImmediate(() => {
      watchUnheard(Promise.reject(new Error('more of ours')), () => {});
      console.log(process.emit === emit);
    });`;
    assert.deepEqual(run(again), { status: 0, lines: ['heard false', 'true', '0'], tellsTheirs: false });
  });

  it('tells of all that came together with its own, where it goes on after that', () => {
    const theirs = `
      process.on('uncaughtException', ({ message }) => console.log('caught', message));
      Promise.reject(new Error('theirs'));
      const more = Promise.reject(new Error('more of ours'));
      watchUnheard(more, (isHeard) => console.log('more heard', isHeard));`;
    assert.deepEqual(run(theirs), { status: 0, lines: ['heard false', 'caught theirs', 'more heard false', '0'], tellsTheirs: false });
  });

  it("ends by its own, warns of it or hears of it, as Node's options and its listeners say", () => {
    const theirs = "Promise.reject(new Error('theirs'));";
    assert.deepEqual(run(theirs), { status: 1, lines: ['heard false'], tellsTheirs: true });
    assert.deepEqual(run(theirs, ['--unhandled-rejections=warn']), { status: 0, lines: ['heard false', '0'], tellsTheirs: true });
    const listens = "process.on('unhandledRejection', ({ message }) => message === 'theirs' && console.log(message));";
    assert.deepEqual(run(listens + theirs), { status: 0, lines: ['heard false', 'theirs', '1'], tellsTheirs: false });
  });
});
