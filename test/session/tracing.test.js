'use strict';

// Calls over a link in memory, where both ends trace: what the tracing must not do to them.

const assert = require('node:assert/strict');
const api = require('@opentelemetry/api');
const { traceCalls } = require('../../lib/session/tracing');
const { Link } = require('../helpers/link');

/** A span that says when it ends, and of what. */
function makeSpan(name, ended) {
  const context = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
  const span = { failed: false, spanContext: () => context, recordException: () => (span.failed = true), setStatus() {} };
  return Object.assign(span, { end: () => ended.push(`${name}${span.failed ? ' failed' : ''}`) });
}

/** Work that begins each time somebody asks what becomes of it, as queries of databases do. */
class Lazy {
  begun = 0;
  /** @param {unknown} [error] */
  constructor(error) {
    this.error = error;
  }
  then(resolve, reject) {
    this.begun += 1;
    if (this.error === undefined) resolve('done');
    else reject(this.error);
  }
}

/** String() throws for it. */
const odd = { __proto__: null, code: 'ODD' };

describe('a call that is traced', () => {
  let ended;
  let link;
  const works = { good: new Lazy(), bad: new Lazy(new RangeError('broken')), called: new Lazy() };
  beforeEach(() => {
    ended = [];
    api.trace.setGlobalTracerProvider(/** @type {any} */ ({ getTracer: () => ({ startSpan: (name) => makeSpan(name, ended) }) }));
    traceCalls(api);
    link = new Link({
      good: () => works.good,
      bad: () => works.bad,
      odd: () => Promise.reject(odd),
      oddAtOnce() {
        throw odd;
      },
      called(callback) {
        setImmediate(callback, null, 'called');
        return works.called;
      },
    });
  });
  afterEach(async () => {
    traceCalls(null);
    api.trace.disable();
    await link.close();
  });

  it('begins the work of what it returns once, as one that is not', async () => {
    await link.load();
    assert.equal(await link.call('good'), 'done');
    await assert.rejects(link.call('bad'), { message: /broken/ });
    assert.deepEqual([works.good.begun, works.bad.begun], [1, 1]);
    assert.deepEqual(
      ended.filter((name) => !name.startsWith(' ')),
      ['good', 'bad failed'],
      'the spans of the replica',
    );
  });

  it('fails with what was thrown, also where that has no text', async () => {
    await link.load();
    for (const name of ['odd', 'oddAtOnce'])
      await assert.rejects(link.call(name), (thrown) => Object.getPrototypeOf(thrown) === null && thrown.code === 'ODD');
    assert.deepEqual(
      ended.filter((name) => !name.startsWith(' ')),
      ['odd failed', 'oddAtOnce failed'],
    );
    assert.deepEqual([link.losses, link.agentEnds], [[], []]);
  });

  it('is answered whatever its tracer throws', async () => {
    await link.load();
    const said = [];
    api.diag.setLogger(/** @type {any} */ ({ error: (_text, error) => said.push(error.message) }), { suppressOverrideMessage: true });
    const provide = (startSpan) => {
      api.trace.disable();
      api.trace.setGlobalTracerProvider(/** @type {any} */ ({ getTracer: () => ({ startSpan }) }));
    };
    try {
      for (const end of [false, true]) {
        const refuse = () => {
          throw new Error(end ? 'end' : 'start');
        };
        provide((name) => (end ? Object.assign(makeSpan(name, ended), { end: refuse }) : refuse()));
        assert.equal(await link.call('good'), 'done');
        await assert.rejects(link.call('bad'), { message: /broken/ });
        await assert.rejects(link.call('oddAtOnce'), (thrown) => thrown.code === 'ODD');
      }
    } finally {
      api.diag.disable();
    }
    // Where home could not begin there is nothing to trace in the replica.
    assert.deepEqual(said, [...new Array(3).fill('start'), ...new Array(6).fill('end')]);
    assert.deepEqual([link.losses, link.agentEnds, link.home.pending], [[], [], 0]);
  });

  it('has a span that ends, and failed, also where that cannot be told of what was thrown', async () => {
    const begin = (name) => {
      const span = { ...makeSpan(name, ended), code: 0, setStatus: ({ code }) => (span.code = code) };
      const recordException = () => {
        throw new Error('its stack cannot be read');
      };
      return Object.assign(span, { recordException, end: () => ended.push(span.code) });
    };
    api.trace.disable();
    api.trace.setGlobalTracerProvider(/** @type {any} */ ({ getTracer: () => ({ startSpan: begin }) }));
    await link.load();
    await assert.rejects(link.call('bad'), { message: /broken/ });
    assert.deepEqual(ended, [api.SpanStatusCode.ERROR, api.SpanStatusCode.ERROR], 'that of the replica, and that of home');
  });

  it('does not begin it where the call is answered by its callback', async () => {
    await link.load();
    const answer = await new Promise((resolve) => {
      const { call } = link.start('called', [(_error, value) => (call.finish(undefined), resolve(value))], 'callback');
    });
    assert.equal(answer, 'called');
    assert.equal(works.called.begun, 0);
  });
});
