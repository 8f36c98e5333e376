'use strict';

const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { talk } = require('../../lib/view/dash-talk');

const LIMIT = 4 * 1024 * 1024;

describe('what a page asks', () => {
  it('is answered while it reads, and ends its connection once it has left 4 MB of answers unread', async () => {
    const asked = [];
    const [sent, closed] = [[], []];
    const socket = Object.assign(new EventEmitter(), {
      OPEN: 1,
      readyState: 1,
      bufferedAmount: LIMIT,
      send: (/** @type {string} */ text) => sent.push(JSON.parse(text)),
      close: (/** @type {any[]} */ ...why) => closed.push(why),
    });
    const source = { watch: () => () => {}, detail: (/** @type {string} */ id) => (asked.push(id), `of ${id}`) };
    talk(socket, /** @type {any} */ (source));
    const ask = (/** @type {number} */ id) => socket.emit('message', Buffer.from(JSON.stringify({ id, what: 'detail', about: 'a' })));
    ask(1);
    await new Promise(setImmediate);
    assert.deepEqual([asked, sent, closed], [['a'], [{ kind: 'answer', id: 1, value: 'of a' }], []]);
    socket.bufferedAmount = LIMIT + 1;
    ask(2);
    await new Promise(setImmediate);
    assert.deepEqual([asked.length, sent.length, closed], [1, 1, [[1008, 'what was answered is not read']]]);
  });
});
