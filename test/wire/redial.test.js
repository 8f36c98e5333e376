'use strict';

const assert = require('node:assert/strict');
const { EventEmitter, once } = require('node:events');
const { Redial } = require('../../lib/wire/redial');

/** A socket by name, and a way to dial that gives what a test says, when it says so. */
class Dialled extends EventEmitter {
  destroyed = false;
  destroy() {
    this.destroyed = true;
    this.emit('destroyed');
  }
}

describe('wire/redial', () => {
  /** @type {Redial} */
  let redial;
  afterEach(() => redial.end());

  /** @param {object} [hooks] @param {number} [waitMs] */
  function open(hooks = {}, waitMs = Infinity) {
    const asked = new EventEmitter();
    const dial = () => new Promise((resolve, reject) => asked.emit('dial', { resolve, reject }));
    const sockets = [];
    redial = new Redial(waitMs, /** @type {any} */ (dial), {
      onSocket: (socket) => sockets.push(socket),
      onTooLate: () => sockets.push('too late'),
      ...hooks,
    });
    return { asked, sockets };
  }

  it('dials at once, and again until there is a socket', async () => {
    const { asked, sockets } = open();
    const first = once(asked, 'dial');
    redial.begin();
    const [one] = await first;
    const second = once(asked, 'dial');
    one.reject(new Error('nobody is there'));
    const [two] = await second;
    const third = once(asked, 'dial');
    two.resolve(Object.assign(new Dialled(), { destroyed: true }));
    const [three] = await third;
    const socket = new Dialled();
    three.resolve(socket);
    await new Promise(setImmediate);
    assert.deepEqual([sockets, socket.destroyed], [[socket], false]);
  });

  it('ends a socket that comes when the other side was met without it, or the link is over', async () => {
    const { asked, sockets } = open();
    const first = once(asked, 'dial');
    redial.begin();
    const [one] = await first;
    redial.stop();
    const socket = new Dialled();
    const ended = once(socket, 'destroyed');
    one.resolve(socket);
    await ended;
    assert.deepEqual(sockets, []);
  });

  it('ends a second socket where the first has got on meanwhile, and takes it where it has not', async () => {
    let isWaiting = true;
    const { asked, sockets } = open({ isThere: () => true, isWaiting: () => isWaiting, doubtMs: 1 });
    const [one] = await once(asked, 'dial');
    isWaiting = false;
    const late = new Dialled();
    const ended = once(late, 'destroyed');
    one.resolve(late);
    await ended;
    assert.equal(late.listenerCount('error'), 1, 'what it says as it ends is nobody’s');
    assert.deepEqual(sockets, []);
    isWaiting = true;
    const [two] = await once(asked, 'dial');
    const socket = new Dialled();
    two.resolve(socket);
    await new Promise(setImmediate);
    assert.deepEqual(sockets, [socket]);
  });

  it('keeps the program alive while it waits, where it is told to', () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    open({}, 60_000);
    const before = timers();
    redial.begin();
    assert.equal(timers(), before + 1);
    redial.hold(false);
    assert.equal(timers(), before);
    redial.hold(true);
    assert.equal(timers(), before + 1);
    redial.stop();
    redial.hold(false);
    redial.begin();
    assert.equal(timers(), before);
  });
});
