'use strict';

// What home's listeners, pipes and callbacks hear when the replica is lost in which the module lives that has their streams and emitters.

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { execFile } = require('node:child_process');
const { once } = require('node:events');
const { PassThrough, Readable, Writable, pipeline, finished } = require('node:stream');
const { inspect, promisify } = require('node:util');
const { Conversation } = require('../../lib/object/conversation');
const { Contexts } = require('../../lib/object/contexts');
const { makeCollector } = require('../../lib/object/kept');
const { STATE } = require('../../lib/object/listeners');
const { Orphans } = require('../../lib/object/orphans');
const { openResident } = require('../../lib/spawn/resident');
const { until } = require('../helpers/until');
const { makePair } = require('./pair');

const MODULE = require.resolve('../fixtures/lost/module.js');
const context = new AsyncLocalStorage();
const collect = makeCollector();

/** @typedef {ReturnType<typeof open>} Replica */

/** @param {'thread' | 'process'} where */
function open(where) {
  const resident = openResident({ where, serve: require.resolve('../contract/serve-counted') });
  const conversation = new Conversation(resident.line, { isHome: true, timeoutMs: 30_000 });
  const m = conversation.load({ kind: 'file', name: MODULE, place: MODULE, argv: [] });
  const { hearing, tables } = conversation.mail;
  return {
    m,
    resident,
    /** What home keeps. */
    kept: () => [tables.counts.lent, /** @type {any} */ (hearing).size],
    /** As a crash: home is not asked. */
    crash() {
      if (where === 'process') process.kill(resident.pid, 'SIGKILL');
      else m.die();
    },
  };
}

/** Notes what an emitter says, by name. @param {any} emitter @param {...string} events @returns {any[]} [event, code of the error] */
function listen(emitter, ...events) {
  /** @type {any[]} */
  const said = [];
  for (const event of events) emitter.on(event, (/** @type {any} */ value) => said.push(event === 'error' ? [event, value.code] : [event]));
  return said;
}

const BROKEN = [['error', 'IGNIS_STALE_REFERENCE'], ['close']];
/** Whoever prints a message prints no cause. */
const HOW =
  /: (?:its replica has ended|the replica in which this stream or emitter lived is gone): .*(?:signal SIGKILL|ended without a word)/;

for (const where of /** @type {const} */ (['thread', 'process'])) {
  describe(`when a ${where} is lost in which a module lives`, function () {
    this.timeout(60_000);
    /** @type {Replica} */
    let replica;
    /** @type {Record<string, any>} */
    const seen = {};
    /** @type {any} */
    let sink;
    /** @type {any} */
    let idle;
    /** @type {any[]} */
    const uncaught = [];
    const dest = new PassThrough();

    before(async () => {
      replica = open(where);
      const { m } = replica;
      // (a) home reads
      const source = m.source();
      seen.source = listen(source, 'error', 'close', 'end');
      source.pipe(dest);
      source.on('error', () => dest.destroy());
      m.source().on('error', (/** @type {any} */ error) => (seen.unheld = error));
      const removed = m.source();
      const listener = () => (seen.removed = true);
      removed.on('error', listener).off('error', listener);
      m.listen(dest);
      // (b) home writes
      sink = m.sink();
      seen.sink = listen(sink, 'error', 'close');
      seen.written = [];
      for (const piece of ['one', 'two']) sink.write(piece, (/** @type {any} */ error) => seen.written.push(error.code));
      assert.throws(() => sink.write(null, () => seen.written.push('never')), { code: 'ERR_STREAM_NULL_VALUES' });
      m.sink().end('all', () => (seen.ended = true));
      const quick = m.quickSink();
      seen.quick = [];
      quick.write('one', (/** @type {any} */ error) => seen.quick.push(error ?? null));
      const piped = m.sink();
      seen.piped = new Promise((resolve) => finished(piped, resolve));
      const feed = new Readable({ read() {} });
      feed.push('piece');
      feed.pipe(piped);
      seen.unpiped = new Promise((resolve) => piped.on('unpipe', resolve));
      // (c) through the module
      const start = new Readable({ read() {} });
      start.push('first');
      const { promise, resolve } = deferred();
      const end = new Writable({ write: (_chunk, _encoding, done) => (resolve(), done()) });
      seen.pipeline = new Promise((tell) => pipeline(start, m.through(), end, tell));
      // (d) emitters
      m.emitter.on('news', () => {});
      idle = m.emitter;
      seen.emitter = [];
      context.run('home', () => m.emitter.once('error', (/** @type {any} */ error) => seen.emitter.push(error, context.getStore())));
      seen.refused = m.refused();
      seen.failures = m.failures();
      assert.equal(seen.failures[0].retry(), true);
      seen.application = listen(m.application, 'error');
      const bare = m.guarded();
      seen.guarded = listen(bare, 'data', 'close');
      // (e) one that has ended
      const short = m.short();
      seen.short = listen(short, 'data', 'error');
      await once(short, 'end');
      const lasting = m.lasting();
      seen.lasting = listen(lasting, 'data', 'error', 'close');
      seen.finished = new Promise((resolve) => finished(lasting, (error) => resolve(error ?? null)));
      await once(lasting, 'end');
      seen.web = m
        .web()
        .getReader()
        .read()
        .catch((/** @type {any} */ error) => error.code);
      const unguarded = m.source();
      seen.unguarded = listen(unguarded, 'data');
      const into = new PassThrough();
      m.source().pipe(into);
      await once(into, 'data');
      await promise;
      await until(() => seen.guarded.length > 0 && seen.unguarded.length > 0 && seen.quick.length > 0, 'what the streams give');
      collect();
      const ours = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error));
      try {
        replica.crash();
        await until(() => dest.closed && uncaught.length > 1, 'the end of the pipes');
      } finally {
        process.removeAllListeners('uncaughtException');
        for (const listener of ours) process.on('uncaughtException', listener);
      }
    });

    after(() => replica.resident.close());

    it('a stream that home reads is broken, as by destroy(error), and its listeners hear why', () => {
      assert.deepEqual(seen.source, BROKEN);
      assert.equal(seen.unheld.code, 'IGNIS_STALE_REFERENCE');
      assert.equal(seen.unheld.cause.code, 'IGNIS_REPLICA_LOST');
    });

    it('a listener that was removed hears nothing', () => assert.equal(seen.removed, undefined));

    it('callbacks of writes that were pending get the error, once, and others nothing', () => {
      assert.deepEqual(seen.written, ['IGNIS_STALE_REFERENCE', 'IGNIS_STALE_REFERENCE']);
      assert.deepEqual(seen.sink, BROKEN);
      assert.deepEqual(seen.quick, [null]);
      assert.equal(seen.ended, true);
    });

    it('a stream that was destroyed so behaves like one of Node', async () => {
      assert.equal(sink.destroyed, true);
      assert.equal(sink.errored.code, 'IGNIS_STALE_REFERENCE');
      const error = await new Promise((resolve) => sink.write('three', resolve));
      assert.equal(error.code, 'ERR_STREAM_DESTROYED');
    });

    it('a pipe into a stream of the module ends, and lets its source go', async () => {
      assert.equal((await seen.piped).code, 'IGNIS_STALE_REFERENCE');
      await seen.unpiped;
    });

    it('a pipeline through the module ends with the error', async () => {
      assert.equal((await seen.pipeline).code, 'IGNIS_STALE_REFERENCE');
    });

    it('an emitter says it where home listens for errors, in the context of the listener, and can be used no more', () => {
      assert.equal(seen.emitter.length, 2);
      assert.equal(seen.emitter[0].code, 'IGNIS_STALE_REFERENCE');
      assert.equal(seen.emitter[1], 'home');
      assert.throws(() => idle.emit('news'), { code: 'IGNIS_STALE_REFERENCE', message: HOW });
      assert.match(seen.emitter[0].message, HOW);
    });

    it('an emitter that is a function says it, too', () => assert.deepEqual(seen.application, [BROKEN[0]]));

    it('a stream whose errors the module looks after is only closed', () => {
      assert.deepEqual(seen.guarded, [['data'], ['close']]);
    });

    it('a stream that home listens to or pipes, and whose errors nobody looks after, ends the program, as one of Node does', () => {
      assert.deepEqual(
        uncaught.map((error) => error.code),
        ['IGNIS_STALE_REFERENCE', 'IGNIS_STALE_REFERENCE'],
      );
    });

    it('a stream that had ended says nothing more', () => assert.deepEqual(seen.short, [['data']]));

    it('a stream that had ended and was not closed is closed', async () => {
      assert.equal(await seen.finished, null);
      assert.deepEqual(seen.lasting, [['close']]);
    });

    it('errors that Node made in the replica say what they said', () => {
      const [missing, wrong] = seen.refused;
      assert.equal(String(missing), 'Error: kill ESRCH');
      assert.match(String(wrong), /^RangeError \[ERR_OUT_OF_RANGE\]: The value/);
      assert.deepEqual([missing.constructor, missing.name, wrong.constructor, wrong.name], [Error, 'Error', RangeError, 'RangeError']);
      assert.match(inspect(missing), /ESRCH/);
    });

    it('errors of classes that the module kept to itself can be looked at and printed', () => {
      const [failure, refusal] = seen.failures;
      assert.deepEqual(
        seen.failures.map((/** @type {any} */ error) => [
          error instanceof Error,
          error instanceof TypeError,
          String(error),
          error.constructor.name,
        ]),
        [
          [true, true, 'TypeError: no', 'Failure'],
          [true, false, 'Refused: never', 'Refusal'],
        ],
      );
      assert.match(inspect(failure), /no\n.*lost.module\.js/);
      assert.equal(JSON.stringify(failure), '{"code":"NO"}');
      assert.match(inspect(refusal), /never/);
      assert.equal(failure.retry, undefined);
    });

    it('what is read from a stream of the web rejects', async () => {
      assert.equal(await seen.web, 'IGNIS_STALE_REFERENCE');
    });

    it('what the module listened to at home is deaf', () => {
      assert.equal(dest.listenerCount('drain') > 0, true);
      assert.equal(dest.emit('drain'), true);
      assert.doesNotThrow(() => dest.removeListener('drain', () => {}));
    });

    it('home keeps nothing for it', () => assert.deepEqual(replica.kept(), [0, 0]));
  });
}

/** @returns {{promise: Promise<void>, resolve: () => void}} */
function deferred() {
  let resolve = () => {};
  const promise = new Promise((done) => (resolve = /** @type {() => void} */ (done)));
  return { promise: /** @type {Promise<void>} */ (promise), resolve };
}

describe('listeners of home at streams of a replica', function () {
  this.timeout(60_000);

  it('are believed only where they are listeners of home at an object of the replica', () => {
    const { home, back } = makePair();
    const [stub] = back(() => {});
    const [object] = back(new (class Thing {})());
    const orphans = new Orphans(home.tables, new Contexts());
    const refused = { code: 'IGNIS_BAD_FRAME' };
    assert.throws(() => orphans.told('1', 1, object, []), refused);
    assert.throws(() => orphans.told(1, 1, {}, []), refused);
    assert.throws(() => orphans.told(1, 1, () => {}, []), refused);
    assert.throws(() => orphans.told(1, 1, null, []), refused);
    assert.throws(() => orphans.told(1, 1, object, ['error', stub]), refused);
    assert.throws(() => orphans.told(1, 1, object, ['error', 'stub', true]), refused);
    assert.throws(() => orphans.toldPending(1, stub, true), refused);
    orphans.told(1, 1, object, ['error', () => {}, true]);
    assert.throws(() => orphans.toldPending(1, {}, true), refused);
    orphans.toldPending(1, () => {}, true);
    assert.equal(orphans.size, 2);
    orphans.told(1, STATE.OVER, undefined, []);
    assert.equal(orphans.size, 0);
  });

  it('that have ended are kept on neither side', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [require.resolve('./lost-kept')], { timeout: 50_000 });
    assert.equal(stdout, 'forgotten\n');
  });

  it('that stand without one for errors end no program when home itself ends the replica', async () => {
    const { m, resident } = open('thread');
    const source = m.source();
    const heard = listen(source, 'data', 'close');
    resident.kill();
    await until(() => heard.some(([event]) => event === 'close'), 'the close');
    await resident.ended;
  });
});
