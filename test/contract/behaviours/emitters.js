'use strict';

const assert = require('node:assert/strict');
const { EventEmitter, once, on } = require('node:events');
const { Stream } = require('node:stream');
const { caught } = require('../caught');

exports.title = 'event emitters';
exports.fixture = 'emitters.js';

exports.behaviours = {
  'listeners of home get what the module emits, at once and in order'(m) {
    const feed = m.make();
    const log = [];
    assert.equal(
      feed.on('data', (...args) => log.push(['a', ...args])),
      feed,
    );
    feed.on('data', (...args) => log.push(['b', ...args]));
    assert.equal(feed.send(1, 2), true);
    assert.deepEqual(log, [['a', 1, 2], ['b', 1, 2]]); // prettier-ignore
    assert.equal(feed.sent, 1);
  },
  'emit says whether somebody listens'(m) {
    const feed = m.make();
    assert.equal(feed.send(), false);
    feed.on('data', () => {});
    assert.equal(feed.send(), true);
    assert.equal(m.emit(feed, 'other'), false);
  },
  'arguments keep their identity'(m) {
    const feed = m.make();
    const thing = { a: 1 };
    let seen;
    feed.on('data', (...args) => (seen = args));
    feed.send(thing, [thing]);
    assert.equal(seen[0], thing);
    assert.equal(seen[1][0], thing);
  },
  'this of a listener is the emitter'(m) {
    const feed = m.make();
    let self;
    feed.on('data', function () {
      self = this;
    });
    feed.send();
    assert.equal(self, feed);
  },
  'a function, or a plain object, that was given the methods of an emitter tells listeners of errors'(m) {
    for (const emitter of [m.functionThatEmits(), m.objectThatEmits()]) {
      const heard = [];
      const listener = (error) => heard.push(error.message);
      emitter.on('error', listener);
      emitter.once('error', listener);
      assert.equal(m.emit(emitter, 'error', new Error('one')), true);
      emitter.removeListener('error', listener);
      assert.throws(() => m.emit(emitter, 'error', new Error('two')), { message: 'two' });
      assert.deepEqual(heard, ['one', 'one']);
    }
    assert.equal(m.functionThatEmits()(), 'called');
  },
  'a stream of home in the old style flows into a plain object that was given the methods of an emitter'(m) {
    const taken = [];
    const source = new Stream();
    source.pipe(m.oldSink((chunk) => taken.push(chunk)));
    source.emit('data', 'one');
    source.emit('end');
    assert.deepEqual(taken, ['one', 'end']);
  },
  'once listens once'(m) {
    const feed = m.make();
    let count = 0;
    feed.once('data', () => count++);
    feed.send();
    feed.send();
    assert.equal(count, 1);
    assert.equal(feed.listenerCount('data'), 0);
  },
  'off, removeListener and removeAllListeners'(m) {
    const feed = m.make();
    let count = 0;
    const listener = () => count++;
    feed.on('data', listener).on('data', listener);
    assert.equal(m.count(feed, 'data'), 2);
    feed.off('data', listener);
    feed.send();
    assert.equal(count, 1);
    feed.removeListener('data', listener);
    feed.send();
    assert.equal(count, 1);
    feed.on('data', listener);
    assert.equal(m.offAll(feed), feed);
    assert.equal(feed.listenerCount('data'), 0);
  },
  'prependListener and prependOnceListener'(m) {
    const feed = m.make();
    const log = [];
    feed.on('data', () => log.push('on'));
    feed.prependListener('data', () => log.push('first'));
    feed.prependOnceListener('data', () => log.push('once'));
    feed.send();
    feed.send();
    assert.deepEqual(log, ['once', 'first', 'on', 'first', 'on']);
  },
  'listeners, rawListeners and eventNames'(m) {
    const feed = m.make();
    const listener = () => {};
    feed.on('data', listener).once(m.symbol, listener);
    assert.equal(feed.listeners('data')[0], listener);
    assert.equal(feed.rawListeners(m.symbol)[0].listener, listener);
    assert.deepEqual(feed.eventNames(), ['data', m.symbol]);
    feed.emit(m.symbol);
    assert.deepEqual(feed.eventNames(), ['data']);
  },
  'newListener and removeListener are told'(m) {
    const feed = m.make();
    const log = [];
    feed.on('newListener', (name, fn) => log.push(['new', name, fn]));
    feed.on('removeListener', (name, fn) => log.push(['removed', name, fn]));
    const listener = () => {};
    feed.on('data', listener);
    feed.off('data', listener);
    assert.deepEqual(log.slice(1), [['new', 'data', listener], ['removed', 'data', listener]]); // prettier-ignore
  },
  'a listener that is removed by another still runs this time'(m) {
    const feed = m.make();
    const log = [];
    const second = () => log.push('second');
    feed.on('data', () => {
      log.push('first');
      feed.off('data', second);
      feed.on('data', () => log.push('late'));
    });
    feed.on('data', second);
    feed.send();
    assert.deepEqual(log, ['first', 'second']);
  },
  'an error event without a listener throws at who emits'(m) {
    const feed = m.make();
    const error = new RangeError('unheard');
    assert.throws(
      () => m.emit(feed, 'error', error),
      (thrown) => thrown === error,
    );
    assert.throws(() => m.emit(feed, 'error', 'text'), { code: 'ERR_UNHANDLED_ERROR', context: 'text' });
    let seen;
    feed.on('error', (given) => (seen = given));
    assert.equal(m.emit(feed, 'error', error), true);
    assert.equal(seen, error);
  },
  async 'an error event later without a listener is an uncaught exception'(m) {
    const error = new Error('unheard later');
    const [thrown] = await caught('uncaughtException', () => m.emitLater(m.make(), 'error', error));
    assert.equal(thrown, error);
  },
  'what a listener throws comes out of emit, and stops the others'(m) {
    const feed = m.make();
    const error = new Error('in the listener');
    let ran = false;
    feed.on('data', () => {
      throw error;
    });
    feed.on('data', () => (ran = true));
    assert.throws(
      () => feed.send(),
      (thrown) => thrown === error,
    );
    assert.equal(ran, false);
  },
  'a thousand events'(m) {
    const feed = m.make();
    const seen = [];
    feed.on('data', (i) => seen.push(i));
    m.emitTimes(feed, 1000);
    assert.equal(seen.length, 1000);
    assert.ok(seen.every((i, at) => i === at));
  },
  'the module listens to an emitter of home'(m) {
    const emitter = new EventEmitter();
    const seen = m.listen(emitter, 'ping');
    assert.equal(emitter.emit('ping', 1, { two: 2 }), true);
    assert.deepEqual(seen, [true, 1, { two: 2 }]);
    assert.equal(emitter.listenerCount('ping'), 1);
    emitter.removeAllListeners('ping');
    assert.equal(emitter.emit('ping'), false);
  },
  'the module emits on an emitter of home, and its subclass'(m) {
    class Mine extends EventEmitter {
      emit(name, ...args) {
        return super.emit(name, 'mine', ...args);
      }
    }
    const mine = new Mine();
    let seen;
    mine.on('x', (...args) => (seen = args));
    assert.equal(m.emit(mine, 'x', 1), true);
    assert.deepEqual(seen, ['mine', 1]);
    assert.ok(m.isEmitter(mine));
    assert.equal(m.isFeed(mine), false);
  },
  'a class of home extends an emitter of the module'(m) {
    class Mine extends m.Feed {
      send(...args) {
        return super.send('mine', ...args);
      }
    }
    const mine = new Mine();
    let seen;
    mine.on('data', (...args) => (seen = args));
    mine.send(1);
    assert.deepEqual(seen, ['mine', 1]);
    assert.equal(mine.sent, 1);
    assert.ok(m.isFeed(mine) && mine instanceof EventEmitter);
  },
  'an emitter of the module is an EventEmitter of home'(m) {
    assert.ok(m.shared instanceof EventEmitter && m.shared instanceof m.Feed);
    assert.equal(Object.getPrototypeOf(m.Feed), EventEmitter);
    assert.equal(EventEmitter.listenerCount(m.shared, 'data'), 0);
  },
  'a method of EventEmitter, read from an emitter of the module, is that of home'(m) {
    assert.equal(m.shared.on, EventEmitter.prototype.on);
  },
  async 'once and on of node:events, for an emitter of the module'(m) {
    const feed = m.make();
    const first = once(feed, 'data');
    m.emitLater(feed, 'data', 1, 2);
    assert.deepEqual(await first, [1, 2]);
    const failed = once(feed, 'data');
    m.emitLater(feed, 'error', new TypeError('broken'));
    await assert.rejects(failed, TypeError);
    const seen = [];
    setImmediate(() => m.emitTimes(feed, 3));
    for await (const [i] of on(feed, 'data')) {
      seen.push(i);
      if (i === 2) break;
    }
    assert.deepEqual(seen, [0, 1, 2]);
    assert.equal(feed.listenerCount('data'), 0);
  },
  async 'once and on of node:events, by the module for an emitter of home'(m) {
    const emitter = new EventEmitter();
    const first = m.waitFor(emitter, 'ping');
    emitter.emit('ping', 'pong');
    assert.deepEqual(await first, ['pong']);
    const two = m.firstTwo(emitter, 'ping');
    emitter.emit('ping', 1);
    emitter.emit('ping', 2);
    assert.deepEqual(await two, [[1], [2]]);
    assert.equal(emitter.listenerCount('ping'), 0);
  },
  'an event target of the module'(m) {
    const target = m.target();
    const seen = [];
    const listener = (event) => {
      seen.push(event.type, event.target === target);
      event.preventDefault();
    };
    target.addEventListener('ping', listener, { once: true });
    assert.equal(m.dispatch(target, 'ping'), false);
    assert.equal(m.dispatch(target, 'ping'), true);
    assert.deepEqual(seen, ['ping', true]);
  },
  'an event target of home'(m) {
    const target = new EventTarget();
    let seen = 0;
    target.addEventListener('ping', { handleEvent: () => seen++ });
    m.dispatch(target, 'ping');
    assert.equal(seen, 1);
    assert.ok(target.dispatchEvent(new Event('ping')));
    assert.equal(seen, 2);
  },
};
