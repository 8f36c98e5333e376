'use strict';
/*
 * Inflicts faults on replicas: signals to their processes, garbage between the blocks of their channels, channels that end. In: what was
 * launched, a fault. Out: done at once; a stop and a slowness pass by themselves, and all of them when the suite ends. Garbage stands
 * between whole blocks only: inside of one nobody could know it.
 */
const { DirectSocket } = require('../../lib/wire/direct-socket');
const { BlockReader } = require('../../lib/wire/block');
const { makeCodec } = require('../../lib/wire/codec');
const { block } = require('../wire/golden');

/** @typedef {import('../helpers/random').Random} Random */

/** @type {Map<number, () => void>} by pid: how a stop or a slowness ends */
const passing = new Map();
/** @type {WeakMap<object, {socket: import('node:net').Socket}>} by channel */
const sockets = new WeakMap();
/** @type {WeakMap<object, Buffer>} by socket: what is to come behind the block that is read next */
const behind = new WeakMap();
/** @type {BlockReader | null} that was given bytes last */
let lastReader = null;

/**
 * What no reader takes: each at least as long as a head, so that it is not taken for the beginning of one.
 *
 * @type {Record<string, (random: Random) => Buffer>}
 */
const GARBAGE = {
  noise: (random) => Buffer.concat([Buffer.from([0]), random.bytes(31 + random.below(100))]),
  text: () => Buffer.from('GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n'),
  'another version': () => Buffer.concat([Buffer.from([0x49, 0x47, 0x7f, 0]), Buffer.alloc(12)]),
  'a block over the limit': () => Buffer.from([0x49, 0x47, 1, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
  'an unknown kind': () => block(makeCodec('msgpackr'), [[99, 1, 2]], []),
  'a wrong shape': () => block(makeCodec('msgpackr'), [[6, 'one', null, null]], []),
};
const GARBAGE_NAMES = Object.keys(GARBAGE);

/** From now on the sockets of channels are known, and what they read can be followed by garbage. @returns {() => void} takes it back */
function watchSockets() {
  const { takeOver } = DirectSocket;
  const { readInto } = DirectSocket.prototype;
  const { push, filled } = BlockReader.prototype;
  DirectSocket.takeOver = (socket) => (lastSocket = takeOver(socket));
  DirectSocket.prototype.readInto = function (sink) {
    const read = (/** @type {Buffer} */ bytes, /** @type {number} */ count, /** @type {boolean} */ isInRoom) => {
      sink.read(bytes, count, isInRoom);
      const garbage = behind.get(this);
      if (garbage === undefined || !lastReader?.isBetweenBlocks) return;
      behind.delete(this);
      sink.read(garbage, garbage.length, false);
    };
    return readInto.call(this, { ...sink, read });
  };
  BlockReader.prototype.push = function (chunk, end) {
    lastReader = this;
    return push.call(this, chunk, end);
  };
  BlockReader.prototype.filled = function (count) {
    lastReader = this;
    return filled.call(this, count);
  };
  return () => {
    DirectSocket.takeOver = takeOver;
    Object.assign(DirectSocket.prototype, { readInto });
    Object.assign(BlockReader.prototype, { push, filled });
  };
}

/** @type {import('node:net').Socket | null} */
let lastSocket = null;

/** To be called where a channel has just been made. @param {import('../../lib/spawn/launch-process').Launched} launched */
function know(launched) {
  if (lastSocket !== null) sockets.set(launched.channel, { socket: lastSocket });
  lastSocket = null;
}

/** @param {number} pid @param {NodeJS.Signals} signal @returns {boolean} whether there was such a process */
function signal(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** @param {number} pid @param {number} forMs stopped, or stopped most of the time @param {boolean} isSlow */
function hold(pid, forMs, isSlow) {
  if (passing.has(pid) || !signal(pid, 'SIGSTOP')) return false;
  let isStopped = true;
  const timer = isSlow
    ? setInterval(() => {
        isStopped = !isStopped;
        signal(pid, isStopped ? 'SIGSTOP' : 'SIGCONT');
      }, 10)
    : undefined;
  const end = () => {
    clearInterval(timer);
    clearTimeout(limit);
    passing.delete(pid);
    signal(pid, 'SIGCONT');
  };
  const limit = setTimeout(end, forMs);
  passing.set(pid, end);
  return true;
}

/**
 * @param {import('../../lib/spawn/launch-process').Launched} launched
 * @param {{kind: string, forMs: number}} fault
 * @param {Random} random for garbage
 * @returns {boolean} whether that could be done to it
 */
function strike(launched, { kind, forMs }, random) {
  const { where, pid, channel } = launched;
  if (channel.state === 'closed') return false;
  const socket = sockets.get(channel)?.socket;
  switch (kind) {
    case 'kill':
      if (where === 'thread') return (launched.kill(), true);
      return strikeProcess(pid, kind, forMs);
    case 'stop':
    case 'slow':
      return where === 'process' && strikeProcess(pid, kind, forMs);
    case 'cut':
      channel.destroy(null);
      return true;
    case 'corrupt out':
      return socket !== undefined && (socket.write(garbage(random)), true);
    case 'corrupt in':
      return socket !== undefined && (behind.set(socket, garbage(random)), true);
    default:
      throw new Error(`there is no fault ${kind}`);
  }
}

/** @param {number} pid @param {string} kind of fault @param {number} forMs @returns {boolean} whether there was such a process */
function strikeProcess(pid, kind, forMs) {
  return kind === 'kill' ? signal(pid, 'SIGKILL') : hold(pid, forMs, kind === 'slow');
}

/** @param {Random} random @returns {Buffer} */
const garbage = (random) => GARBAGE[random.pick(GARBAGE_NAMES)](random);

/** Whoever is stopped or slow goes on. */
function passAll() {
  for (const end of [...passing.values()]) end();
}

exports.GARBAGE = GARBAGE;
exports.know = know;
exports.passAll = passAll;
exports.signal = signal;
exports.strike = strike;
exports.strikeProcess = strikeProcess;
exports.watchSockets = watchSockets;
