'use strict';
/*
 * Hostile requests at a monitor's link: bytes at random, lines cut anywhere, JSON of any shape, requests that are almost right. In: a seed
 * and a number. Out: what became of the link ('open' or 'ended'). It throws when the link does, when it answers what is no line of JSON, or
 * when it goes on after garbage. Synchronous, without a socket.
 */
const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const { MonitorLink, VERSION } = require('../../lib/view/monitor-link.js');
const { Random, seedOf } = require('../helpers/random.js');
const { fakeFeed } = require('./fake-feed.js');

const NAMES = ['__proto__', 'constructor', 'toString', 'app.js -> a', '', 'profile', 'x'.repeat(300), '\u0000', '\ud800'];
const ASKS = ['snapshot', 'watch', 'stop', 'detail', 'act', 'then', '__proto__', 'hasOwnProperty', ''];
const FIELDS = ['id', 'version', 'ask', 'everyMs', 'boundary', 'wish', 'watch', 'brief', '__proto__', 'then', 'toJSON'];

/** A socket, as far as a link uses one. */
class FakeSocket extends EventEmitter {
  written = '';
  isDestroyed = false;
  isEnded = false;
  writableLength = 0;
  isPaused = false;
  unref() {}
  pause() {
    this.isPaused = true;
  }
  resume() {
    this.isPaused = false;
    return this;
  }
  write(text) {
    assert.ok(!this.isDestroyed && !this.isEnded, 'something is written to a link that has ended');
    this.written += text;
  }
  end() {
    this.isEnded = true;
  }
  destroy() {
    this.isDestroyed = true;
  }
}

/** @param {Random} random @param {number} [depth] @returns {any} */
function anything(random, depth = 0) {
  const kind = random.below(depth > 3 ? 6 : 8);
  if (kind === 0) return random.pick([0, 1, -1, 0.5, 1e308, -0, 2 ** 53, 100]);
  if (kind === 1) return random.pick(NAMES);
  if (kind === 2) return random.pick(ASKS);
  if (kind === 3) return random.pick([true, false, null]);
  if (kind < 6) return random.below(1000);
  if (kind === 6) return Array.from({ length: random.below(4) }, () => anything(random, depth + 1));
  return Object.fromEntries(Array.from({ length: random.below(5) }, () => [random.pick(FIELDS), anything(random, depth + 1)]));
}

/** @param {Random} random @returns {Buffer} */
function piece(random) {
  const kind = random.below(10);
  if (kind === 0) return random.bytes(random.below(200));
  if (kind === 1) return Buffer.alloc(random.below(200_000), random.pick(['[', '{"a":', ' ', '"']));
  if (kind === 2) return Buffer.from(`${JSON.stringify(anything(random))}\n`);
  const request = { id: random.below(50), version: VERSION, ask: random.pick(ASKS) };
  for (let more = random.below(4); more > 0; more--) request[random.pick(FIELDS)] = anything(random);
  return Buffer.from(`${JSON.stringify(request)}\n`);
}

/** @param {number} seed @param {number} number @returns {'open' | 'ended'} */
function checkMonitor(seed, number) {
  const random = new Random(seedOf(seed, number));
  const socket = new FakeSocket();
  let ended = 0;
  const feed = fakeFeed();
  const link = new MonitorLink(/** @type {any} */ (socket), { feed: () => feed, hello: {}, onEnd: () => (ended += 1) });
  for (let count = 1 + random.below(8); count > 0; count--) {
    const bytes = piece(random);
    const cut = random.below(bytes.length + 1);
    socket.emit('data', bytes.subarray(0, cut));
    socket.emit('data', bytes.subarray(cut));
  }
  const lines = socket.written.split('\n');
  assert.equal(lines.pop(), '', 'the last line is whole');
  for (const line of lines) assert.equal(typeof JSON.parse(line), 'object');
  const wasOpen = ended === 0;
  link.end();
  link.end();
  assert.equal(ended, 1);
  assert.equal(feed.watchers, 0, 'a link that has ended watches nothing');
  return wasOpen ? 'open' : 'ended';
}

exports.FakeSocket = FakeSocket;
exports.checkMonitor = checkMonitor;
