'use strict';
/*
 * Whether a replica that is a process lives. In: a source of signs of life that looks like a socket (signs.js), and a limit. Out: news that
 * it has not answered for too long, and how much memory it takes. A replica that computes answers; one that is stopped, or whose machine
 * is, does not.
 *
 *      quiet --first answer--> beating --half the limit--> doubtful --the limit--> silent (onSilent, once)
 *                                  \<-------an answer-----------/
 */
const { atEachBeat } = require('./beats');
const { setImmediate } = require('../engine');

/** Beats within one limit. A beat counts at most its own length, so time in which home itself did not run does not count. */
const BEATS = 4;
/** An answer: resident memory in KiB, little endian. */
const ANSWER_BYTES = 4;
/** Anything that comes is a sign of life; no answer is this long. */
const MOST_BYTES = 1 << 16;

class Pulse {
  #socket;
  #beatMs;
  /** ends its beats */
  #rest = () => {};
  /** @type {'quiet' | 'beating' | 'doubtful' | 'silent' | 'ended'} */
  #state = 'quiet';
  /** beats since the first unanswered question */
  #missed = 0;
  /** @type {Buffer} */
  #partial = Buffer.alloc(0);

  /** resident memory of the whole process at its last answer, bytes; null: not known yet @type {number | null} */
  rssBytes = null;
  /** @type {() => void} called once, when it has not answered for the limit */
  onSilent = () => {};
  /** @type {() => void} called when it answers after doubts */
  onRelief = () => {};
  /** @type {() => void} called at each answer */
  onAnswer = () => {};

  /**
   * @param {import('node:net').Socket} socket the pulse owns it from now on
   * @param {number} limitMs 0: it only listens
   */
  constructor(socket, limitMs) {
    this.#socket = socket;
    this.limitMs = limitMs;
    this.#beatMs = limitMs / BEATS;
    socket.unref();
    socket.on('error', () => {});
    socket.on('close', () => this.end());
    socket.on('data', (bytes) => this.#hear(bytes));
  }

  /** Whether it is better not to send anything now. */
  get isDoubtful() {
    return this.#state === 'doubtful' || this.#state === 'silent';
  }

  end() {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#rest();
    this.#socket.destroy();
  }

  /** @param {Buffer} bytes */
  #hear(bytes) {
    if (this.#state === 'ended' || this.#state === 'silent') return;
    if (bytes.length > MOST_BYTES) return this.end();
    const all = Buffer.concat([this.#partial, bytes]);
    const whole = all.length - (all.length % ANSWER_BYTES);
    this.#partial = all.subarray(whole);
    if (whole > 0) this.rssBytes = all.readUInt32LE(whole - ANSWER_BYTES) * 1024;
    const wasDoubtful = this.#state === 'doubtful';
    if (this.#state === 'quiet' && this.limitMs > 0) this.#rest = atEachBeat(this.#beatMs, () => this.#beat());
    this.#state = 'beating';
    this.#missed = -1;
    if (wasDoubtful) this.onRelief();
    this.onAnswer();
  }

  #beat() {
    // At each beat: a process may have been stopped only at the moment of the look (a tracer does that at each system call) and be alive.
    this.#socket.write(ASK);
    if (this.#missed === -1) this.#missed = 0;
    // After the look: an answer that home was too busy to read is in time.
    else setImmediate(() => this.#miss());
  }

  #miss() {
    if (this.#missed === -1 || this.#state === 'ended' || this.#state === 'silent') return;
    this.#missed += 1;
    if (this.#missed < BEATS / 2) return;
    this.#state = this.#missed < BEATS ? 'doubtful' : 'silent';
    if (this.#state === 'silent') this.onSilent();
  }
}

const ASK = Buffer.from([1]);

exports.Pulse = Pulse;
exports.BEATS = BEATS;
