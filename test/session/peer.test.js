'use strict';

const assert = require('node:assert/strict');
const { KIND, VERSION } = require('../../lib/wire/frame');
const { Link, JOIN_NAMES, collect } = require('../helpers/link');
const { until } = require('../helpers/until');

class Refusal extends Error {
  constructor(message, details) {
    super(message);
    this.details = details;
  }
}

/** A RegExp whose source only a Node knows that has not been made yet. */
const newer = () => Object.defineProperty(/a/, 'source', { value: '(?<+' });

/** One argument more than a call can have. */
const WIDE = new Array(65537).fill(0);

/** @type {any[]} functions that the module was given to keep */
let kept = [];

const served = {
  add: (a, b) => a + b,
  echo: (...args) => args,
  identity: (value) => value,
  later: async (value) => value,
  throws: (message) => {
    throw new Refusal(message, { list: [1] });
  },
  rejects: async () => {
    throw new TypeError('later', { cause: new Error('root') });
  },
  throwsOdd: (which) => {
    throw [undefined, null, 'text', 7, { code: 'E' }][which];
  },
  throwsHeavy: () => {
    throw Object.assign(new Refusal('heavy', [1]), {
      code: 'E_HEAVY',
      socket: new (class Socket {})(),
      cause: Object.assign(new RangeError('inner'), { fn() {} }),
    });
  },
  call: (fn, ...args) => fn(...args),
  callWide: (fn) => fn(...WIDE),
  tellWide: (callback) => void setImmediate(callback, ...WIDE),
  async callMany(fn, count) {
    const results = [];
    for (let i = 0; i < count; i++) results.push(await fn(i));
    return results;
  },
  tellMany(count, callback) {
    for (let i = 0; i < count; i++) callback(null, i);
  },
  tellLater(value, callback) {
    setImmediate(callback, null, value);
  },
  tellBadly(callback) {
    callback(null, new (class Socket {})());
  },
  keep: (fn) => {
    kept.push(fn);
  },
  same: (a, b) => a === b,
  describe: (fn) => [fn.length, fn.name],
  lend: (fn) =>
    fn(
      async () => {},
      () => {},
    ),
  kindOf: (fn) => [fn.constructor.name, String(fn[Symbol.toStringTag]), Object.keys(fn)],
  never: () => new Promise(() => {}),
  newer: async () => newer(),
  newerThrown: async () => {
    throw Object.assign(new Error('newer'), { pattern: newer() });
  },
  newerLater: (callback) => void setImmediate(callback, null, newer()),
  unsendable: () => ({ list: [0, new (class Socket {})()] }),
  inner: {
    deep: {
      name() {
        return this === served.inner.deep;
      },
    },
  },
};

for (const join of JOIN_NAMES) {
  describe(`two peers joined by a ${join}`, () => {
    /** @type {Link} */
    let link;

    beforeEach(async () => {
      kept = [];
      link = new Link(served, { join, hooks: { errorClass: (name) => (name === 'Refusal' ? Refusal : undefined) } });
      await link.load();
    });

    afterEach(() => {
      kept = [];
      return link.close();
    });

    it('call a function and get its result', async () => {
      assert.equal(await link.call('add', 1, 2), 3);
      assert.equal(await link.call('later', 'value'), 'value');
      assert.deepEqual(await link.call('echo', [undefined], { a: -0 }), [[undefined], { a: -0 }]);
    });

    it('hand over Buffers as Buffers, each with memory of its own', async () => {
      const [alone] = await link.call('echo', Buffer.from('alone'));
      const several = await link.call('echo', { a: Buffer.from('a') }, [Buffer.from('b'), new Uint8Array([1, 2]), Buffer.alloc(0), 'c']);
      assert.deepEqual(
        [alone, several],
        [Buffer.from('alone'), [{ a: Buffer.from('a') }, [Buffer.from('b'), new Uint8Array([1, 2]), Buffer.alloc(0), 'c']]],
      );
      for (const bytes of [alone, several[0].a, several[1][0], several[1][2]]) {
        assert.ok(Buffer.isBuffer(bytes));
        assert.deepEqual([bytes.byteOffset, bytes.buffer.byteLength], [0, bytes.length]);
      }
      assert.ok(!Buffer.isBuffer(several[1][1]));
    });

    it('tell whom it was meant for of a value that only another version of Node knows, and go on', async () => {
      const wrong = {
        code: 'IGNIS_UNMARSHALABLE',
        message: /the RegExp \/\(\?<\+\/ came from another version of Node, and is unknown to v\d/,
      };
      const { result: other } = link.start('later', ['other']);
      await assert.rejects(link.call('echo', { patterns: [newer()] }), wrong);
      await assert.rejects(link.call('newer'), wrong);
      await assert.rejects(link.call('newerThrown'), wrong);
      await assert.rejects(
        link.call('call', () => newer()),
        wrong,
      );
      const error = await new Promise((resolve) => {
        const { call } = link.start('newerLater', [(failure) => resolve(failure) ?? call.finish(undefined)], 'callback');
      });
      assert.equal(error.code, wrong.code);
      const { call, result } = link.start('never', []);
      link.agentChannel.send([KIND.RESULT, call.id, Buffer.alloc(2), [0, [[], 'bytes', 'Float8Array', -1]]]);
      await assert.rejects(result, { code: wrong.code, message: /a Float8Array came from another version/ });
      assert.deepEqual([await other, await link.call('add', 1, 2), link.losses], ['other', 3, []]);
    });

    it('keep the holder of a function as its this', async () => {
      assert.equal(await link.call(['inner', 'deep', 'name']), true);
    });

    it('answer many calls of one tick, each with its own result', async () => {
      const results = await Promise.all(Array.from({ length: 1000 }, (_, i) => link.call('add', i, i)));
      assert.deepEqual(
        results,
        Array.from({ length: 1000 }, (_, i) => 2 * i),
      );
    });

    /** @param {number} count of calls in one tick @returns {Promise<number[]>} how many came together, batch by batch */
    const batchesOf = async (count) => {
      /** @type {number[]} */
      const batches = [];
      const receive = link.agentChannel.onFrames;
      link.agentChannel.onFrames = (frames, attachments) => {
        batches.push(frames.length);
        receive(frames, attachments);
      };
      await Promise.all(Array.from({ length: count }, (_, i) => link.call('add', i, 1)));
      link.agentChannel.onFrames = receive;
      return batches;
    };

    it('send calls of one tick ahead of its end where the other side would have nothing to do, and else together', async () => {
      await link.call('add', 0, 0);
      assert.deepEqual(await batchesOf(3), [3]);
      assert.deepEqual(await batchesOf(64), [4, 4, 8, 16, 32]);
      assert.deepEqual(await batchesOf(70), [4, 4, 8, 16, 32, 6]);
      const held = Array.from({ length: 20 }, () => link.start('never', []));
      await link.call('add', 0, 0);
      assert.deepEqual(await batchesOf(19), [19]);
      for (const { call } of held) link.home.abandon(call);
    });

    it('send calls of one tick together where none may go ahead of the others', async () => {
      await link.call('add', 0, 0);
      const { send } = link.home;
      link.home.send = (call) => send.call(link.home, call, false);
      assert.deepEqual(await batchesOf(64), [64]);
    });

    it('carry large buffers there and back', async () => {
      const sent = Array.from({ length: 5 }, (_, i) => Buffer.alloc(1000 * 7 ** i, i));
      const seen = await Promise.all(sent.map((bytes) => link.call('identity', { bytes })));
      seen.forEach(({ bytes }, i) => assert.ok(bytes.equals(sent[i])));
    });

    it('throw at home what was thrown there, with class, own properties, cause and the stacks of both', async () => {
      const error = await (async function whereHomeCalled() {
        await new Promise((resolve) => setTimeout(resolve, 2)); // a caller's stack is taken once a millisecond
        return link.start('throws', ['no']).result.catch((thrown) => thrown);
      })();
      assert.ok(error instanceof Refusal);
      assert.equal(error.message, 'no');
      assert.deepEqual(error.details, { list: [1] });
      const [far, near] = error.stack.split('    ---- in a replica; called from home ----\n');
      assert.match(far, /^Error: no\n\s+at .*throws/);
      assert.match(near, /whereHomeCalled/);
      await assert.rejects(link.call('rejects'), (thrown) => thrown instanceof TypeError && thrown.cause.message === 'root');
    });

    it('throw at home whatever was thrown, error or not', async () => {
      for (const [which, value] of [undefined, null, 'text', 7, { code: 'E' }].entries()) {
        assert.deepEqual(
          await link.call('throwsOdd', which).then(
            () => assert.fail(),
            (thrown) => ({ thrown }),
          ),
          { thrown: value },
        );
      }
    });

    it("keep an error's class when a property of it cannot be sent", async () => {
      const error = await link.call('throwsHeavy').catch((thrown) => thrown);
      assert.ok(error instanceof Refusal);
      assert.equal(error.code, 'E_HEAVY');
      assert.deepEqual(error.details, [1]);
      assert.ok(!('socket' in error));
      assert.ok(error.cause instanceof RangeError);
    });

    it('make an error with its path of a result that cannot be sent', async () => {
      await assert.rejects(link.call('unsendable'), { code: 'IGNIS_UNMARSHALABLE', path: 'result.list[1]' });
    });

    it('refuse arguments that cannot be sent before anything is sent', () => {
      assert.throws(() => link.start('echo', [1, { socket: new WeakRef({}) }]), { code: 'IGNIS_UNMARSHALABLE', path: 'args[1].socket' });
      assert.equal(link.home.pending, 0);
    });

    it('answer a call of a name that is not there with an error', async () => {
      await assert.rejects(link.call('missing'), { code: 'IGNIS_START_FAILED', message: /missing/ });
      await assert.rejects(link.call(['inner', 'no', 'way']), { code: 'IGNIS_START_FAILED', message: /inner\.no\.way/ });
    });

    it('call a function that was given as an argument, and give its result back', async () => {
      assert.equal(await link.call('call', (a, b) => a * b, 6, 7), 42);
      assert.equal(await link.call('call', async (text) => `${text}!`, 'hey'), 'hey!');
      assert.deepEqual(
        await link.call('callMany', (i) => ({ i }), 50),
        Array.from({ length: 50 }, (_, i) => ({ i })),
      );
    });

    it('let an error of a lent function arrive where it was called', async () => {
      await assert.rejects(
        link.call('call', () => {
          throw new RangeError('mine');
        }),
        (error) => error instanceof RangeError && error.message === 'mine',
      );
    });

    it('know how many calls of lent functions the other side waits for', async () => {
      const { lending } = link.home;
      const settle = [];
      const waits = () => new Promise((...both) => settle.push(both));
      const calls = [link.call('call', waits), link.call('call', waits)];
      await until(() => settle.length === 2, 'both to have begun');
      assert.equal(lending.serving, 2);
      settle[0][0]('first');
      assert.equal(await calls[0], 'first');
      assert.equal(lending.serving, 1);
      settle[1][1](new RangeError('second'));
      await assert.rejects(calls[1], RangeError);
      assert.equal(lending.serving, 0);
    });

    it('refuse more arguments than a call can have, of calls, lent functions and callbacks: those alone fail', async () => {
      assert.throws(() => link.start('echo', WIDE), { code: 'IGNIS_UNMARSHALABLE', path: 'args' });
      await assert.rejects(
        link.call('callWide', () => assert.fail('it was called')),
        { code: 'IGNIS_UNMARSHALABLE', path: 'args' },
      );
      const told = await new Promise((resolve) => {
        const { call } = link.start('tellWide', [(error) => resolve(error) ?? call.finish(undefined)], 'callback');
      });
      assert.equal(told.code, 'IGNIS_UNMARSHALABLE');
      assert.equal(await link.call('add', 1, 2), 3);
    });

    it('lend functions that are given to lent functions', async () => {
      assert.equal(
        await link.call(
          'call',
          (fn) => fn(5),
          (n) => n + 1,
        ),
        6,
      );
    });

    it("keep a lent function's length and name", async () => {
      assert.deepEqual(
        await link.call('describe', function named(a, b, c) {
          return [a, b, c];
        }),
        [3, 'named'],
      );
    });

    it('tell async functions by their class, as modules do that give others a callback', async () => {
      const kinds = [async () => {}, Object.assign(async () => {}, { weight: 1 }), () => {}].map((fn) => link.call('kindOf', fn));
      const known = ['AsyncFunction', 'AsyncFunction', []];
      assert.deepEqual(await Promise.all(kinds), [known, known, ['Function', 'undefined', []]]);
      const theirs = await link.call('lend', async (one, other) => [one.constructor.name, other.constructor.name]);
      assert.deepEqual(theirs, ['AsyncFunction', 'Function']);
    });

    it('hold the same stub for the same function', async () => {
      const fn = () => {};
      assert.equal(await link.call('same', fn, fn), true);
      assert.equal(await link.call('same', fn, () => {}), false);
      assert.equal(link.home.lent.size <= 2, true);
    });

    it('call a callback many times, in order', async () => {
      const seen = [];
      const { call } = link.start('tellMany', [500, (error, i) => seen.push(i)], 'callback');
      await until(() => seen.length === 500, 'all calls of the callback');
      assert.deepEqual(
        seen,
        Array.from({ length: 500 }, (_, i) => i),
      );
      assert.equal(link.home.pending, 1);
      call.finish(undefined);
      assert.equal(link.home.pending, 0);
    });

    it('are called, held and released however many this link has lent before', async () => {
      const { lent } = link.home;
      const before = 2 ** 31;
      const lend = lent.lend.bind(lent);
      lent.lend = (...args) => before + lend(...args);
      for (const name of ['get', 'contextOf', 'release']) {
        const plain = lent[name].bind(lent);
        lent[name] = (reference, ...args) => plain(reference - before, ...args);
      }
      assert.equal(await link.call('call', (value) => `called with ${value}`, 'x'), 'called with x');
      const told = await new Promise((resolve) => {
        const { call } = link.start('tellLater', ['later', (_, value) => resolve(value) ?? call.finish(undefined)], 'callback');
      });
      assert.equal(told, 'later');
      await link.settle();
    });

    it("make an error of a callback's argument that cannot be sent", async () => {
      const seen = [];
      const { call } = link.start('tellBadly', [(...args) => seen.push(args)], 'callback');
      await until(() => seen.length === 1, 'the callback');
      assert.equal(seen[0][0].code, 'IGNIS_UNMARSHALABLE');
      call.finish(undefined);
    });

    it('give references back when nobody holds their stubs any more, and only then', async () => {
      await link.call('keep', function first() {});
      await link.call('keep', function second() {});
      for (let i = 0; i < 20; i++) await link.call('keep', served.add);
      collect();
      await new Promise(setImmediate);
      assert.equal(link.home.lent.size, 3);
      kept.splice(0, 1);
      await until(() => {
        collect();
        return link.home.lent.size === 2;
      }, 'the first to be given back');
      kept.length = 0;
      await link.settle();
    });

    it('give back all that a release counts, though the same function is sent again meanwhile', async () => {
      const fn = () => 'still here';
      for (let i = 0; i < 200; i++) {
        await link.call('same', fn, 1);
        if (i % 20 === 0) collect();
        assert.equal(await link.call('call', fn), 'still here');
      }
    });

    it('report how busy the module keeps the other side', async () => {
      await link.call('add', 1, 2);
      await until(async () => {
        await link.call('add', 1, 2);
        return link.usage.length >= 2;
      }, 'two reports');
      assert.ok(link.usage.every(({ calls, busyMs, longestMs }) => calls >= 0 && busyMs >= longestMs && longestMs >= 0));
    });
  });
}

describe('a callback that throws', () => {
  it('is uncaught at home, and stops nobody else', async () => {
    const link = new Link(served);
    await link.load();
    const uncaught = [];
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => uncaught.push(error.message));
    try {
      const seen = [];
      const { call } = link.start(
        'tellMany',
        [
          3,
          (error, i) => {
            seen.push(i);
            throw new Error(`callback ${i}`);
          },
        ],
        'callback',
      );
      assert.equal(await link.call('add', 2, 2), 4);
      await until(() => uncaught.length === 3, 'what was thrown');
      assert.deepEqual(seen, [0, 1, 2]);
      assert.deepEqual(uncaught, ['callback 0', 'callback 1', 'callback 2']);
      call.finish(undefined);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of before) process.on('uncaughtException', /** @type {any} */ (listener));
    }
    await link.close();
  });
});

describe('a link that ends', () => {
  it('gives back what is pending, in the order of sending, and nothing that was answered', async () => {
    const link = new Link(served);
    await link.load();
    assert.equal(await link.call('add', 1, 1), 2);
    const pending = ['a', 'b', 'c'].map((name, i) => Object.assign(link.start('never', [name]).call, { sequence: i }));
    const why = new Error('why');
    link.homeChannel.destroy(why);
    assert.deepEqual(link.losses, [{ error: why, pending }]);
    assert.equal(link.home.pending, 0);
    assert.equal(link.home.lent.size, 0);
    await until(() => link.agentEnds.length === 1, 'the end of the agent');
    assert.deepEqual(link.agentEnds, [null]);
    link.home.destroy();
    assert.equal(link.losses.length, 1);
  });

  it('gives back a call whose answer could not be read', async () => {
    const link = new Link(served);
    await link.load();
    const { call } = link.start('never', []);
    link.agentChannel.send([KIND.RESULT, call.id, null, [0, [[1], 'undefined']]]);
    await until(() => link.losses.length === 1, 'the end');
    assert.equal(link.losses[0].error?.code, 'IGNIS_BAD_FRAME');
    assert.deepEqual(link.losses[0].pending, [call]);
    link.agent.destroy();
  });

  /** Frames that end a link, each with the code. */
  const ENDING = {
    'an answer to a call that is not pending': [[KIND.RESULT, 5, null, null], 'IGNIS_BAD_FRAME'],
    'an error for a call that is not pending': [[KIND.ERROR, 5, null, null], 'IGNIS_BAD_FRAME'],
    'a call of an export at home': [[KIND.CALL, 0, 0, [], null], 'IGNIS_BAD_FRAME'],
    'a target at home': [[KIND.TARGET, 0, []], 'IGNIS_BAD_FRAME'],
    'a load at home': [[KIND.LOAD, 0, {}], 'IGNIS_BAD_FRAME'],
    'another version': [[KIND.HELLO, VERSION + 1, {}], 'IGNIS_VERSION_MISMATCH'],
    'arguments that are no list': [[KIND.CALL, 0, -1, [], [0, [[], 'undefined']]], 'IGNIS_BAD_FRAME'],
    'arguments of a callback that are no list': [[KIND.RECAST, 1, 0, [{}, []], null], 'IGNIS_BAD_FRAME'],
    'more arguments of a callback than a call can have': [[KIND.RECAST, 1, 0, [WIDE, []], null], 'IGNIS_BAD_FRAME'],
  };
  for (const [what, [frame, code]] of Object.entries(ENDING)) {
    it(`ends by ${what}`, async () => {
      const link = new Link(served);
      assert.equal(
        link.home.lent.lend(() => assert.fail('it was called')),
        1,
      );
      link.agentChannel.send(frame);
      await until(() => link.losses.length === 1, 'the end');
      assert.equal(link.losses[0].error?.code, code);
      await until(() => link.agentEnds.length === 1, 'the other end');
    });
  }

  it('does not end by a late cast, release or call of a function that is no longer lent', async () => {
    const link = new Link(served);
    await link.load();
    const answers = [];
    link.agentChannel.send([KIND.CAST, 77, [], null]);
    link.agentChannel.send([KIND.RELEASE, [77, 5]]);
    link.agentChannel.send([KIND.CALL, 0, -77, [], null]);
    link.agentChannel.onFrames = (frames) => answers.push(...frames);
    await until(() => answers.length === 1, 'the answer');
    assert.equal(answers[0][0], KIND.ERROR);
    assert.deepEqual(answers[0][3][1].slice(0, 2), [[], 'error']);
    assert.ok(JSON.stringify(answers[0]).includes('function 77 is no longer lent'));
    assert.equal(link.homeChannel.state, 'open');
    await link.close(false);
  });

  it('is not asked to do so by a call that is too large to send: that call alone fails', async () => {
    const { StreamChannel } = require('../../lib/wire/stream-channel');
    const { makeCodec } = require('../../lib/wire/codec');
    const { duplexPair } = require('../helpers/streams');
    const { Peer } = require('../../lib/session/peer');
    const { Call } = require('../../lib/session/call');
    const { Skeleton } = require('../../lib/session/skeleton');
    const codec = makeCodec('msgpackr');
    const [a, b] = duplexPair();
    const limits = { maxBlockBytes: 65536 };
    const lost = [];
    const home = new Peer(new StreamChannel(/** @type {any} */ (a), codec, limits), { onLost: (error) => lost.push(error) });
    const skeleton = new Skeleton(async () => ({ repeat: (text, times) => text.repeat(times), small: () => 'small' }));
    const agent = new Peer(new StreamChannel(/** @type {any} */ (b), codec, limits), {
      onCall: (peer, id, frame, args) => skeleton.serve(peer, id, frame, args),
      onLoad: (peer, id, target) => void skeleton.serveLoad(peer, id, target),
    });
    await new Promise((resolve, reject) => home.load({}, { id: -1, sequence: 0, finish: resolve, fail: reject }));
    const call = (name, ...args) =>
      new Promise((resolve, reject) => {
        home.send(
          Object.assign(
            new Call({ key: name, path: [name], mode: 'promise', canRerun: false, affinity: null, runAtHome() {} }, null, args),
            { resolve, reject },
          ),
        );
      });
    await assert.rejects(call('repeat', 'x'.repeat(70000), 1), { code: 'IGNIS_FRAME_TOO_LARGE' });
    await assert.rejects(call('repeat', 'x', 70000), { code: 'IGNIS_FRAME_TOO_LARGE' });
    assert.equal(await call('small'), 'small');
    assert.deepEqual(lost, []);
    home.destroy();
    agent.destroy();
  });
});

describe('a peer at home', () => {
  it('keeps its program alive only while a call is pending', async () => {
    const link = new Link(served);
    const refs = [];
    link.homeChannel.ref = () => refs.push('ref');
    link.homeChannel.unref = () => refs.push('unref');
    await link.load();
    assert.deepEqual(refs, ['ref', 'unref']);
    await Promise.all([link.call('add', 1, 2), link.call('add', 3, 4)]);
    assert.deepEqual(refs, ['ref', 'unref', 'ref', 'unref']);
    const { call } = link.start('tellLater', ['x', () => call.finish(undefined)], 'callback');
    await until(() => link.home.pending === 0, 'the callback');
    assert.deepEqual(refs.slice(4), ['ref', 'unref']);
    link.start('never', []);
    link.home.destroy();
    assert.deepEqual(refs.slice(6), ['ref', 'unref']);
    link.agent.destroy();
  });

  it('drops the late answer of a call that was abandoned, with all that it lends, and counts it no more', async () => {
    const link = new Link({ lend: async () => () => 'lent', add: (a, b) => a + b });
    await link.load();
    const { call } = link.start('lend', []);
    call.giveUp(new Error('late'));
    link.home.abandon(call);
    assert.equal(link.home.pending, 0);
    assert.equal(await link.call('add', 1, 2), 3);
    await link.close();
  });

  it('has its ping answered behind the calls before it', async () => {
    const link = new Link({ add: (a, b) => a + b });
    await link.load();
    const told = [];
    const sum = link.call('add', 1, 2).then(() => told.push('call'));
    const answered = new Promise((resolve) => link.home.ping(() => resolve(told.push('ping'))));
    assert.equal(link.home.pending, 1, 'nobody waits for it');
    await Promise.all([sum, answered]);
    assert.deepEqual(told.sort(), ['call', 'ping']);
    await link.close();
  });

  it('introduces each function once', async () => {
    const link = new Link(served);
    const frames = [];
    await link.load();
    const { onFrames } = link.agentChannel;
    link.agentChannel.onFrames = (batch, attachments) => {
      frames.push(...batch);
      onFrames(batch, attachments);
    };
    await link.call('add', 1, 2);
    await link.call('add', 1, 2);
    await link.call('identity', 1);
    assert.deepEqual(
      frames.map((frame) => frame[0]),
      [KIND.TARGET, KIND.CALL, KIND.CALL, KIND.TARGET, KIND.CALL],
    );
    await link.close();
  });

  it('uses the slot of an answered call again', async () => {
    const link = new Link(served);
    await link.load();
    const ids = [];
    for (let i = 0; i < 5; i++) {
      const { call, result } = link.start('add', [i, i]);
      ids.push(call.id);
      await result;
    }
    assert.deepEqual(ids, [0, 0, 0, 0, 0]);
    await link.close();
  });
});
