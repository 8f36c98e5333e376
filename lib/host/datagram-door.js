'use strict';
/*
 * The replica's end of oneway calls that come as datagrams (`comm: 'udp'`). In: two wishes of home over the link (to open a port with a
 * key; to tell what became of the calls), and datagrams from anybody. Out: calls, run through the skeleton like all others, each at most
 * once; and which arrived, ended and failed. Whatever was not sealed with the key, came before, or is too late, is dropped. It never
 * throws, and answers no datagram.
 *      closed --datagrams--> open; the answer is the port
 *      survey(upTo) --news, or LONGEST_MS--> { floor, ended, arrived, failed }: what did not come up to `floor` never runs
 */
const dgram = require('node:dgram');
const net = require('node:net');
const { Arrivals } = require('../wire/arrivals');
const { KIND } = require('../wire/frame');
const { KEY_BYTES, unseal } = require('../wire/sealed-datagram');
const { IgnisError } = require('../errors');
const { noContext } = require('./datagram-context');
const { packError } = require('../session/thrown');
const { unmarshal } = require('../session/unmarshal');
const { Math, Set, clearTimeout, isArray, isInteger, setImmediate, setTimeout } = require('../engine');

/** Without news, a survey is answered after this, ms. */
const LONGEST_MS = 250;
const RECEIVE_BYTES = 1024 * 1024;

/** @typedef {import('../session/peer').Peer} Peer */
/** @typedef {import('../session/skeleton').Skeleton} Skeleton */
/**
 * @typedef {{floor: number, ended: number[], arrived: number[], failed: [number, any, any][]}} Survey ended, arrived: first number and
 *   count, alternating
 */

class DatagramDoor {
  #address;
  #codec;
  /** @type {dgram.Socket | null} */
  #socket = null;
  #key = Buffer.alloc(KEY_BYTES);
  #arrivals = new Arrivals();
  /** @type {number[]} numbers of calls that have ended since the last survey */
  #ended = [];
  /** @type {Set<number>} calls that came since then and still run */
  #running = new Set();
  /** @type {[number, any, any][]} */
  #failed = [];
  /** @type {{peer: Peer, id: number, upTo: number} | null} a survey that is not answered yet */
  #asked = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isPlanned = false;

  /**
   * @param {string | undefined} address where home's link came in
   * @param {import('../wire/codec').Codec} codec
   */
  constructor(address, codec) {
    this.#address = address;
    this.#codec = codec;
  }

  /**
   * @param {Peer} peer
   * @param {number} id
   * @param {any} wish
   * @param {Skeleton} skeleton
   * @returns {boolean} whether it was one of the two
   */
  serve(peer, id, wish, skeleton) {
    if (wish.kind === 'datagrams') this.#open(peer, id, wish.key, skeleton);
    else if (wish.kind === 'survey') this.#survey(peer, id, Number(wish.upTo) || 0);
    else return false;
    return true;
  }

  /** From now on it takes and tells nothing. */
  close() {
    clearTimeout(this.#timer);
    this.#asked = null;
    this.#socket?.close();
  }

  /** @param {Peer} peer @param {number} id @param {any} key @param {Skeleton} skeleton */
  #open(peer, id, key, skeleton) {
    const refuse = (/** @type {string} */ why) => peer.answerError(id, new IgnisError('IGNIS_HOST_REFUSED', why));
    if (this.#socket !== null) return refuse('it has a port for datagrams already');
    if (!(key instanceof Uint8Array) || key.length !== KEY_BYTES) return refuse('that is no key for datagrams');
    this.#key = Buffer.from(key);
    const socket = dgram.createSocket({ type: net.isIPv6(this.#address ?? '') ? 'udp6' : 'udp4' });
    this.#socket = socket;
    socket.unref();
    socket.once('error', (error) => {
      refuse(`it has no port for datagrams: ${error.message}`);
      socket.close();
      this.#socket = null;
    });
    const served = this.#served(peer);
    socket.on('message', (datagram) => this.#take(datagram, served, skeleton));
    socket.bind({ address: this.#address, port: 0, exclusive: true }, () => {
      socket.removeAllListeners('error');
      // A later error only means a lost datagram.
      socket.on('error', () => {});
      try {
        socket.setRecvBufferSize(RECEIVE_BYTES);
      } catch {
        // Then the system's own size stays.
      }
      peer.answer(id, socket.address().port);
    });
  }

  /** What the skeleton uses as the peer of such a call. @param {Peer} peer @returns {any} */
  #served(peer) {
    return {
      channel: peer.channel,
      usage: peer.usage.bind(peer),
      ledgerOf: () => null,
      answer: (/** @type {number} */ number) => this.#end(number),
      answerError: (/** @type {number} */ number, /** @type {any} */ error) => this.#fail(number, error),
    };
  }

  /** @param {Buffer} datagram anything @param {any} served @param {Skeleton} skeleton */
  #take(datagram, served, skeleton) {
    const opened = unseal(this.#key, datagram);
    if (opened === null) return;
    opened.calls.forEach((bytes, index) => {
      const number = opened.number + index;
      if (!this.#arrivals.admit(number)) return;
      this.#running.add(number);
      try {
        const [target, value, special] = this.#codec.decode(bytes);
        const args = special === null ? value : unmarshal(value, special, noContext());
        if (!isArray(args) || !isInteger(target)) throw new IgnisError('IGNIS_BAD_FRAME', 'a datagram holds no call');
        skeleton.serve(served, number, [KIND.CALL, number, target, value, special], args);
      } catch (error) {
        this.#fail(number, error);
      }
    });
    this.#tell();
  }

  /** @param {number} number */
  #end(number) {
    this.#running.delete(number);
    this.#ended.push(number);
    this.#tell();
  }

  /** @param {number} number @param {any} error */
  #fail(number, error) {
    this.#running.delete(number);
    const { value, special, attachments } = packError(error);
    const isWhole = attachments === null;
    const told = isWhole ? { value, special } : packError(new Error(messageOf(error)));
    this.#failed.push([number, told.value, told.special]);
    this.#tell();
  }

  /** @param {Peer} peer @param {number} id @param {number} upTo sent so long ago that it would have come by now */
  #survey(peer, id, upTo) {
    if (this.#asked !== null) this.#answer(false);
    this.#asked = { peer, id, upTo };
    this.#timer = setTimeout(() => this.#beQuiet(), LONGEST_MS);
    if (this.#ended.length + this.#failed.length > 0) this.#tell();
  }

  /** There is news, and more may come in this turn. */
  #tell() {
    if (this.#isPlanned || this.#asked === null) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#answer(false);
    });
  }

  /** Timers run before sockets are read: after a long call, some may be waiting to be read. */
  #beQuiet() {
    const { highest } = this.#arrivals;
    setImmediate(() => this.#answer(this.#arrivals.highest === highest));
  }

  /** @param {boolean} isQuiet nothing has come for a while */
  #answer(isQuiet) {
    const asked = this.#asked;
    if (asked === null) return;
    clearTimeout(this.#timer);
    this.#asked = null;
    // While some come in, more may be waiting; but those before the last that came are late, and lost.
    const floor = this.#arrivals.raise(isQuiet ? asked.upTo : Math.min(asked.upTo, this.#arrivals.highest));
    /** @type {Survey} */
    const survey = { floor, ended: rangesOf(this.#ended), arrived: rangesOf([...this.#running]), failed: this.#failed };
    this.#ended = [];
    this.#failed = [];
    // Home knows that these are here, and that only their end is to come.
    asked.peer.answer(asked.id, survey);
  }
}

/** @param {any} error looking at it may throw; in a promise of the module, that would end the replica */
function messageOf(error) {
  try {
    return String(error?.message);
  } catch {
    return 'something that cannot be sent';
  }
}

/** @param {number[]} numbers @returns {number[]} first number and count, alternating */
function rangesOf(numbers) {
  /** @type {number[]} */
  const ranges = [];
  for (const number of numbers.sort((a, b) => a - b)) {
    const last = ranges.length - 2;
    if (last >= 0 && ranges[last] + ranges[last + 1] === number) ranges[last + 1] += 1;
    else ranges.push(number, 1);
  }
  return ranges;
}

exports.DatagramDoor = DatagramDoor;
exports.rangesOf = rangesOf;
