'use strict';
/*
 * Home's end of oneway calls that go to one replica as datagrams (`comm: 'udp'`). In: calls. Out: sealed datagrams with the calls of one
 * turn, as many as fit. Each call that was taken is settled once: as the replica tells over the link, or as lost. Calls that are too large,
 * or come while there is no port, are not taken and go over the link. Nothing is sent twice.
 *      closed --open()--> opening --the replica tells its port--> open --none of the first arrives--> refused
 *                            \--no port, no socket-----------------------------------------------------/
 */
const crypto = require('node:crypto');
const dgram = require('node:dgram');
const net = require('node:net');
const { makeCodec } = require('../wire/codec');
const { KEY_BYTES, LENGTH_BYTES, ROOM_BYTES, seal } = require('../wire/sealed-datagram');
const { IgnisError } = require('../errors');
const { noContext } = require('./datagram-context');
const { joinStacks } = require('../session/thrown');
const { unmarshal } = require('../session/unmarshal');
const { Map, isArray, isSafeInteger, nextTick, performance, setImmediate } = require('../engine');

/** What has not come after this time will not come, ms. */
const LATE_MS = 500;
/** If this many are lost and none ever came, datagrams do not get through. */
const MOST_IN_VAIN = 16;

/** @typedef {import('../session/call').Call} Call */
/**
 * @typedef {{sent: number, arrived: number, failed: number, lost: number, large: number, why: string}} DatagramCounts of calls; large: over
 *   the link instead; why there are none, '' while there may be
 */
/**
 * @typedef
 *   {{load: (wish: object, settled: any) => void, abandon: (settled: any) => void, ping: (answered: () => void) => void, targetOf: (plan: any) => number | undefined}}
 *   Link of the peer
 */

class Datagrams {
  #address;
  #peer;
  #onSettled;
  #codec = makeCodec('msgpackr');
  /** @type {'closed' | 'opening' | 'open' | 'refused'} */
  #state = 'closed';
  /** @type {dgram.Socket | null} */
  #socket = null;
  #key = crypto.randomBytes(KEY_BYTES);
  /**
   * @type {Map<number, {call: Call | null, hasArrived: boolean}>} those under way, in the order of their numbers; call null: nobody waits
   *   for it any more
   */
  #sent = new Map();
  /** @type {Map<Call, number>} numbers of calls that somebody waits for: thousands may be given up at once */
  #numbers = new Map();
  /** @type {Map<string, boolean>} for functions: whether the replica surely knows their number */
  #known = new Map();
  /** changes of the replica under way: later calls must not overtake them */
  #holds = 0;
  #last = 0;
  /** @type {Buffer[]} calls that leave at the end of this turn */
  #batch = [];
  #batchBytes = 0;
  #isAsking = false;
  /** @type {{at: number, last: number}[]} now and then, what was sent last */
  #marks = [];

  /** calls that were taken and are still awaited */
  pending = 0;
  /** @type {DatagramCounts} */
  counts = { sent: 0, arrived: 0, failed: 0, lost: 0, large: 0, why: '' };

  /**
   * @param {string} address of the replica
   * @param {Link} peer
   * @param {() => void} onSettled called when some have ended
   */
  constructor(address, peer, onSettled) {
    this.#address = address;
    this.#peer = peer;
    this.#onSettled = onSettled;
  }

  get state() {
    return this.#state;
  }

  /** Asks the replica for a port. */
  open() {
    if (this.#state !== 'closed') return;
    this.#state = 'opening';
    this.#ask({ kind: 'datagrams', key: new Uint8Array(this.#key) }, (port) => this.#connect(port));
  }

  /** @param {Promise<unknown>} change of the replica; never rejects */
  hold(change) {
    this.#holds += 1;
    void change.then(() => (this.#holds -= 1));
  }

  /** @param {Call} call @returns {boolean} whether it was taken; if not, it goes over the link, at once */
  take(call) {
    if (this.#state !== 'open' || call.plan.mode !== 'oneway' || this.#holds > 0 || call.signals.length > 0) return false;
    const target = this.#targetOf(call.plan);
    if (target === undefined) return false;
    const packed = call.packFor(/** @type {any} */ (null), undefined, this.#codec.keepsBuffers);
    const bytes = packed.attachments === null && packed.weight < 16 * ROOM_BYTES ? this.#encode(target, packed) : null;
    if (bytes === null) {
      this.counts.large += 1;
      return false;
    }
    if (this.#batchBytes + bytes.length + LENGTH_BYTES > ROOM_BYTES) this.#flush();
    call.trace?.begin(call.plan, () => {});
    this.#last += 1;
    this.counts.sent += 1;
    this.#sent.set(this.#last, { call, hasArrived: false });
    this.#numbers.set(call, this.#last);
    if (this.pending++ === 0) this.#socket?.ref();
    if (this.#batch.push(bytes) === 1) nextTick(() => this.#flush());
    this.#batchBytes += bytes.length + LENGTH_BYTES;
    this.#survey();
    return true;
  }

  /** @param {Call} call @returns {boolean} */
  has(call) {
    return this.#numbers.has(call);
  }

  /** Nobody waits for its end any more. @param {Call} call @returns {boolean} whether it was here */
  abandon(call) {
    const one = this.#sent.get(this.#numbers.get(call) ?? 0);
    if (one === undefined) return false;
    one.call = null;
    this.#leave(call);
    return true;
  }

  /** @returns {Call[]} all calls whose end nobody knows; the replica is gone */
  end() {
    const calls = [...this.#sent.values()].flatMap(({ call }) => (call === null ? [] : [call]));
    this.counts.lost += this.#sent.size;
    this.#sent.clear();
    this.#numbers.clear();
    this.pending = 0;
    this.#stop('');
    return calls;
  }

  /** @param {any} port */
  #connect(port) {
    if (this.#state !== 'opening') return;
    try {
      const socket = dgram.createSocket({ type: net.isIPv6(this.#address) ? 'udp6' : 'udp4' });
      this.#socket = socket;
      socket.unref();
      // Later, an error only means a lost datagram.
      socket.on('error', (error) => this.#state === 'opening' && this.#stop(`no socket for datagrams can be had: ${error.message}`));
      socket.connect(port, this.#address, () => {
        if (this.#state === 'opening') this.#state = 'open';
      });
    } catch (error) {
      this.#stop(`no socket for datagrams can be had: ${/** @type {Error} */ (error).message}`);
    }
  }

  /**
   * The first call of a function goes over the link, which tells its number.
   *
   * @param {import('../session/call').CallPlan} plan
   * @returns {number | undefined}
   */
  #targetOf(plan) {
    const { key } = plan;
    if (this.#known.get(key) === true) return this.#peer.targetOf(plan);
    if (!this.#known.has(key)) {
      this.#known.set(key, false);
      // After the call that is sent next.
      nextTick(() => this.#peer.ping(() => this.#known.set(key, true)));
    }
    return undefined;
  }

  /** @param {number} target @param {import('../session/marshal').Sent} packed @returns {Buffer | null} null: too large */
  #encode(target, { value, special }) {
    const bytes = this.#codec.encode([target, value, special]);
    // The codec may reuse its memory.
    return bytes.length + LENGTH_BYTES > ROOM_BYTES ? null : Buffer.from(bytes);
  }

  #flush() {
    if (this.#batch.length === 0) return;
    const datagram = seal(this.#key, this.#last - this.#batch.length + 1, this.#batch);
    this.#batch = [];
    this.#batchBytes = 0;
    this.#socket?.send(datagram, () => {});
  }

  /** Has the replica tell what became of those under way, as soon as there is something to tell. */
  #survey() {
    if (this.#isAsking || this.#sent.size === 0) return;
    this.#isAsking = true;
    const now = performance.now();
    const settled = this.#marks.findLast(({ at }) => now - at >= LATE_MS);
    const upTo = settled?.last ?? 0;
    this.#marks = this.#marks.filter(({ last }) => last >= upTo);
    if (this.#marks.length === 0 || now - this.#marks[this.#marks.length - 1].at > LATE_MS / 10)
      this.#marks.push({ at: now, last: this.#last });
    this.#ask({ kind: 'survey', upTo }, (survey) => this.#learn(survey));
  }

  /** @param {object} wish @param {(answer: any) => void} finish */
  #ask(wish, finish) {
    const asked = { id: -1, sequence: 0, finish, fail: (/** @type {any} */ error) => this.#unknown(String(error?.message ?? error)) };
    this.#peer.load(wish, asked);
    // It keeps nobody waiting.
    this.#peer.abandon(asked);
  }

  /** @param {any} survey as it came @throws {IgnisError} IGNIS_BAD_FRAME */
  #learn(survey) {
    if (!isSurvey(survey, this.#sent.size)) throw new IgnisError('IGNIS_BAD_FRAME', 'what is told of datagrams is of no right shape');
    const { floor, ended, arrived, failed } = survey;
    this.#isAsking = false;
    eachIn(arrived, (number) => {
      const one = this.#sent.get(number);
      if (one !== undefined) one.hasArrived = true;
    });
    eachIn(ended, (number) => this.#settle(number, (call) => call.finish(null)));
    for (const [number, value, special] of failed) {
      const error = special === null ? value : unmarshal(value, special, noContext());
      this.counts.failed += 1;
      this.#settle(number, (call) => call.fail(joinStacks(error, call.origin)));
    }
    for (const [number, { call, hasArrived }] of this.#sent) {
      if (number > floor) break;
      if (!hasArrived) this.#lose(number, call);
    }
    const isInVain = this.counts.arrived === 0 && ![...this.#sent.values()].some(({ hasArrived }) => hasArrived);
    if (isInVain && this.counts.lost >= MOST_IN_VAIN) this.#stop(`none of the first ${this.counts.lost} calls sent as datagrams arrived`);
    this.#onSettled();
    this.#survey();
  }

  /** @param {number} number @param {(call: Call) => void} end */
  #settle(number, end) {
    const one = this.#sent.get(number);
    if (one === undefined) return;
    this.counts.arrived += 1;
    this.#forget(number, one.call);
    if (one.call !== null) end(one.call);
  }

  /** @param {number} number @param {Call | null} call */
  #lose(number, call) {
    this.counts.lost += 1;
    this.#forget(number, call);
    if (call === null) return;
    const { path, module = '' } = call.plan;
    call.fail(new IgnisError('IGNIS_DATAGRAM_LOST', `'${path.join('.')}' of ${module}`, { ran: 'no', module }));
  }

  /** @param {number} number @param {Call | null} call */
  #forget(number, call) {
    this.#sent.delete(number);
    if (call !== null) this.#leave(call);
  }

  /** @param {Call} call */
  #leave(call) {
    this.#numbers.delete(call);
    if (--this.pending === 0) this.#socket?.unref();
  }

  /** Nothing more will be told. @param {string} why */
  #unknown(why) {
    this.#stop(why);
    for (const [number, { call }] of [...this.#sent]) {
      this.counts.lost += 1;
      this.#forget(number, call);
      call?.lose(`what became of a call that was sent as a datagram is not known: ${why}`);
    }
  }

  /**
   * From now on, calls go over the link; the replica still tells about those under way.
   *
   * @param {string} why '' if there is no link either
   */
  #stop(why) {
    if (this.#state === 'refused') return;
    this.#state = 'refused';
    this.counts.why = why;
    this.#flush();
    // The last ones sent still leave.
    setImmediate((socket) => socket?.close(), this.#socket).unref();
    this.#socket = null;
  }
}

/** @param {any} survey @param {number} most how many are under way @returns {survey is import('./datagram-door').Survey} */
function isSurvey(survey, most) {
  const { floor, ended, arrived, failed } = survey ?? {};
  if (!isSafeInteger(floor) || !areRanges(ended, most) || !areRanges(arrived, most)) return false;
  if (!isArray(failed) || failed.length > most) return false;
  return failed.every((one) => isArray(one) && one.length === 3 && (one[2] === null || isArray(one[2])));
}

/** @param {any} ranges @param {number} most numbers in all of them together @returns {boolean} */
function areRanges(ranges, most) {
  if (!isArray(ranges) || ranges.length % 2 !== 0 || ranges.length > 2 * most) return false;
  let left = most;
  for (let i = 0; i < ranges.length; i += 2) {
    const [first, count] = [ranges[i], ranges[i + 1]];
    if (!isSafeInteger(first) || !(isSafeInteger(count) && count > 0 && count <= left)) return false;
    left -= count;
  }
  return true;
}

/** @param {number[]} ranges first number and count, alternating @param {(number: number) => void} visit */
function eachIn(ranges, visit) {
  for (let i = 0; i < ranges.length; i += 2) for (let n = 0; n < ranges[i + 1]; n++) visit(ranges[i] + n);
}

exports.Datagrams = Datagrams;
