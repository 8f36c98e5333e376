'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');
const { faults } = require('../helpers/faults');
const { OwnTime } = require('../../lib/profile/own-time');
const { ThreadTime, waitedBetween } = require('../../lib/session/thread-time');

const spin = (ms) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

describe('profile/own-time', () => {
  it('counts what its timers run, and what runs within that once', async () => {
    const own = new OwnTime();
    spin(20);
    assert.equal(own.ms, 0);
    await new Promise((resolve) => {
      own.setTimeout(() => {
        own.count(() => spin(5));
        spin(5);
        own.setImmediate(() => {
          spin(5);
          const interval = own.setInterval(() => {
            spin(5);
            own.clearInterval(interval);
            setImmediate(resolve);
          }, 1);
        });
      }, 1);
    });
    assert.ok(own.ms >= 20, `${own.ms}`);
    const before = own.ms;
    assert.throws(
      () =>
        own.count(() => {
          spin(5);
          throw new RangeError('of the work');
        }),
      RangeError,
    );
    assert.ok(own.ms >= before + 5);
    assert.equal(
      own.count(() => 7),
      7,
    );
  });

  it('ends no program by what its timers throw, and warns of it once', async () => {
    const own = new OwnTime();
    let times = 0;
    const fault = new RangeError('of the work');
    await new Promise((resolve) => {
      const interval = own.setInterval(() => {
        times++;
        if (times === 3) own.clearInterval(interval);
        if (times === 3) own.setTimeout(() => own.setImmediate(() => (setImmediate(resolve), thrown('another'))), 1);
        throw fault;
      }, 1);
      const thrown = (text) => {
        throw text;
      };
    });
    await new Promise(setImmediate);
    assert.equal(times, 3);
    assert.deepEqual(
      faults.splice(0).map(({ name, code, detail }) => [name, code, detail.split('\n')[0]]),
      [
        ['IgnisWarning', 'IGNIS_FAULT', 'RangeError: of the work'],
        ['IgnisWarning', 'IGNIS_FAULT', 'another'],
      ],
    );
  });

  it('does its work outside of the request in which it was planned', async () => {
    const own = new OwnTime();
    const requests = new AsyncLocalStorage();
    const stores = [];
    const note = (next) => () => {
      stores.push(requests.getStore());
      next();
    };
    await new Promise((resolve) => {
      requests.run('first', () => {
        const interval = own.setInterval(
          note(() => {
            own.clearInterval(interval);
            requests.run('second', () =>
              own.setTimeout(
                note(() => requests.run('third', () => own.setImmediate(note(resolve)))),
                1,
              ),
            );
          }),
          1,
        );
        assert.equal(requests.getStore(), 'first');
      });
    });
    assert.deepEqual(stores, [undefined, undefined, undefined]);
  });

  it('gives timers that are cleared as others are', () => {
    const own = new OwnTime();
    const fail = () => assert.fail('it was cleared');
    own.clearTimeout(own.setTimeout(fail, 0));
    own.clearImmediate(own.setImmediate(fail));
    own.clearInterval(own.setInterval(fail, 1));
  });
});

describe('session/thread-time', () => {
  it('waits for a core only as long as it is busy without one', () => {
    const first = { ranMs: 100, waitedMs: 10 };
    assert.equal(waitedBetween(first, { ranMs: 160, waitedMs: 30 }, 100), 20, 'the rest is something else');
    assert.equal(waitedBetween(first, { ranMs: 160, waitedMs: 90 }, 100), 40, 'the rest was idle');
    assert.equal(waitedBetween(first, { ranMs: 260, waitedMs: 90 }, 100), 0, 'clocks differ a little');
    assert.equal(waitedBetween({ ranMs: 0, waitedMs: 0 }, { ranMs: 0, waitedMs: 0 }, 100), 0, 'not told');
  });

  it('reads what this thread alone has run, where the system tells', async function () {
    if (process.platform !== 'linux' || new ThreadTime().read().ranMs === 0) this.skip();
    const own = new ThreadTime();
    const before = own.read();
    const worker = new Worker(
      `const { ThreadTime } = require(${JSON.stringify(require.resolve('../../lib/session/thread-time'))});
       const thread = new ThreadTime();
       const end = process.cpuUsage().user + 200_000;
       while (process.cpuUsage().user < end);
       require('node:worker_threads').parentPort.postMessage(thread.read());`,
      { eval: true },
    );
    const [its] = await once(worker, 'message');
    const after = own.read();
    assert.ok(its.ranMs > 100, `${its.ranMs} ms of the worker`);
    assert.ok(after.ranMs - before.ranMs < its.ranMs, `${after.ranMs - before.ranMs} ms here, ${its.ranMs} there`);
    await worker.terminate();
  });
});
