'use strict';
/*
 * The link between a home and a daemon, after the handshake: questions with answers, and what one side tells the other. In: a stream over
 * TLS. Out: answers, questions, news, and one end with its reason. It survives the end of its stream, and a stream that falls silent, if
 * home dials again. Both sides show twice a second that they live; one that is silent for too long counts as gone; a side that computes
 * meanwhile does not count its own time. It never keeps a program alive. By its own clock, a daemon also knows until when its home cannot
 * have given it up: home has received what was sent after a certain moment, and gives nobody up whom it has heard so recently.
 */
const { makeCodec } = require('../wire/codec');
const { ResumableChannel } = require('../wire/resumable-channel');
const { ERRORS, IgnisError, detailOf } = require('../errors');
const { KIND, checkAnswer, checkControl } = require('./control-frames');
const { Map, Math, Promise, clearInterval, performance, setInterval } = require('../engine');

const MAX_BLOCK_BYTES = 32 * 1024 * 1024;
const PING_MS = 500;
/** How often it was checked before the other side counts as quiet. */
const QUIET_LOOKS = 2;
/** With more than this under way, whoever has much to tell waits, bytes. */
const FULL_BYTES = 1024 * 1024;
/**
 * After this silence a host is dialled anew, beside the existing stream, ms: if a network has lost what was under way, TCP sends it again
 * 1.4 s later, then after 3 s, which is too late.
 */
const DOUBT_MS = 1000;
/** After this silence a host is gone, ms: what ran there must run elsewhere within five seconds. */
const SILENT_MS = 3000;
/** How long after it was last heard no host has been given up, ms, with a margin for clocks that differ in speed. */
const SURE_MS = SILENT_MS - 500;

/**
 * @typedef {object} ControlHooks
 * @property {(name: string, body: any, bytes: Buffer | null) => Promise<any>} [onAsk]
 * @property {(name: string, body: any) => void} [onTell]
 * @property {() => void} [onDrain] it was full, and takes more
 * @property {(error: Error | null, wasSilent: boolean) => void} onClose called once; wasSilent: the other side gave no sign of life
 */

class ControlLink {
  #channel;
  #hooks;
  #nextId = 1;
  /** @type {Map<number, {name: string, resolve: (body: any) => void, reject: (error: Error) => void}>} */
  #asked = new Map();
  #missed = 0;
  #most;
  #timer;
  /** @type {((ms: number) => void)[]} those who wait until the other side is heard */
  #doubting = [];

  /**
   * @param {import('node:net').Socket} stream
   * @param {ControlHooks} hooks
   * @param {number} [silentMs] after this long without a sign of the other side, it counts as gone
   * @param {(() => Promise<import('node:net').Socket>) | null} [dial] another stream to the same side, when this one has ended or is
   *   silent; null: the other side dials
   */
  constructor(stream, hooks, silentMs = SILENT_MS, dial = null) {
    this.#hooks = hooks;
    // It may be broken no longer than the other side may be silent.
    const resuming = { waitMs: Infinity, dial, isThere: () => true, doubtMs: DOUBT_MS, mostDoubtMs: DOUBT_MS };
    this.#channel = new ResumableChannel(stream, makeCodec('msgpackr'), { maxBlockBytes: MAX_BLOCK_BYTES }, resuming);
    this.#channel.onFrames = (frames, attachments) => this.#read(frames, attachments);
    this.#channel.onClose = (error) => this.#closed(error);
    this.#channel.onDrain = () => this.#hooks.onDrain?.();
    this.#channel.onHave = () => this.#doubting.length > 0 && this.sureMs > 0 && this.#beSure();
    this.#channel.unref();
    this.#most = Math.max(1, Math.ceil(silentMs / PING_MS));
    this.#timer = setInterval(() => this.#look(), PING_MS).unref();
  }

  get isOpen() {
    return this.#channel.state === 'open';
  }

  /** Whether its stream has ended and there is no other yet. */
  get isBroken() {
    return this.#channel.isBroken;
  }

  /** Whether the other side has been silent for a second or more, as if it would soon count as gone. */
  get isQuiet() {
    return this.#missed > QUIET_LOOKS;
  }

  /** Whether the other side does not take what it is told, as if it was stopped; a short break does not count. */
  get isFull() {
    return this.#channel.isFull && this.#channel.heldBytes > FULL_BYTES;
  }

  /** How long from now a home on the other side has certainly not given this link up, ms; 0 or less: unknown. */
  get sureMs() {
    return this.isOpen ? this.#channel.thereSince + SURE_MS - performance.now() : 0;
  }

  /**
   * @param {(ms: number) => void} tell called when the other side has certainly not given this link up, with how long that holds; never
   *   called if it has
   */
  whenSure(tell) {
    this.#doubting.push(tell);
    if (this.sureMs > 0) this.#beSure();
  }

  #beSure() {
    for (const tell of this.#doubting.splice(0)) tell(this.sureMs);
  }

  /** @param {import('node:net').Socket} stream in place of the one that ended, here or there */
  resume(stream) {
    this.#channel.resume(stream);
  }

  /**
   * @param {string} name
   * @param {Record<string, any>} body
   * @param {Uint8Array[] | null} [bytes] one array; the link owns it from now on
   * @returns {Promise<any>} what was answered
   * @throws {IgnisError} as the other side says; IGNIS_NO_HOST when it is gone; IGNIS_BAD_FRAME when nobody may ask that
   */
  ask(name, body, bytes = null) {
    if (!this.isOpen) return Promise.reject(new IgnisError('IGNIS_NO_HOST', 'its link has ended'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      // Throws for anything else: the other side would end the link, and all that runs there with it.
      const frame = checkControl([KIND.ASK, id, name, body, [-1]]);
      this.#asked.set(id, { name, resolve, reject });
      this.#send(frame, bytes);
    });
  }

  /** @param {string} name @param {Record<string, any>} [body] */
  tell(name, body = {}) {
    this.#send([KIND.TELL, name, body, [-1]]);
  }

  /** @param {any[]} frame @param {Uint8Array[] | null} [bytes] */
  #send(frame, bytes = null) {
    this.#channel.probe();
    this.#channel.send(frame, bytes);
  }

  /** Sends at once what was told. */
  flush() {
    this.#channel.flush();
  }

  /** The next break is the end: nobody here will dial again. @param {() => void} told called when that was sent, or cannot be */
  sayLast(told) {
    this.#channel.sayLast(told);
  }

  /** What was told still leaves. */
  close() {
    this.#channel.close();
  }

  /** @param {Error | null} [error] why */
  destroy(error = null) {
    this.#channel.destroy(error);
  }

  /** @param {any[]} frames @param {any[]} attachments */
  #read(frames, attachments) {
    this.#missed = 0;
    try {
      for (const frame of frames) this.#take(checkControl(frame), attachments);
    } catch (error) {
      this.#channel.destroy(/** @type {Error} */ (error));
    }
  }

  /** @param {any[]} frame @param {any[]} attachments */
  #take(frame, attachments) {
    switch (frame[0]) {
      case KIND.ASK:
        return void this.#serve(frame[1], frame[2], frame[3], attachments[frame[4][0]] ?? null);
      case KIND.ANSWER:
        return this.#answered(frame[1], frame[2]);
      case KIND.FAIL:
        return this.#settled(frame[1]).reject(errorOf(frame[2], frame[3]));
      default:
        if (frame[1] !== 'ping') this.#hooks.onTell?.(frame[1], frame[2]);
    }
  }

  /** An answer that does not fit the question ends the link, and the question with it. @param {number} id @param {any} body */
  #answered(id, body) {
    const asked = this.#asked.get(id);
    if (asked !== undefined) checkAnswer(asked.name, body);
    this.#settled(id).resolve(body);
  }

  /** @param {number} id */
  #settled(id) {
    const asked = this.#asked.get(id);
    if (asked === undefined) throw new IgnisError('IGNIS_BAD_FRAME', 'an answer that nobody asked for');
    this.#asked.delete(id);
    return asked;
  }

  /** @param {number} id @param {string} name @param {any} body @param {Buffer | null} bytes */
  async #serve(id, name, body, bytes) {
    try {
      if (this.#hooks.onAsk === undefined) throw new IgnisError('IGNIS_BAD_FRAME', 'a home is asked nothing');
      this.#send([KIND.ANSWER, id, await this.#hooks.onAsk(name, body, bytes), [-1]]);
    } catch (error) {
      const code = error instanceof IgnisError ? error.code : 'IGNIS_HOST_REFUSED';
      this.#send([KIND.FAIL, id, code, detailOf(error).slice(0, 8000), [-1]]);
    }
  }

  #look() {
    if (++this.#missed > this.#most) this.destroy(new IgnisError('IGNIS_NO_HOST', 'it gave no sign of life'));
    else this.tell('ping');
  }

  /** @param {Error | null} error */
  #closed(error) {
    clearInterval(this.#timer);
    this.#doubting.length = 0;
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    for (const { reject } of asked)
      reject(
        new IgnisError('IGNIS_NO_HOST', `its link ended${error === null ? '' : `: ${detailOf(error)}`}`, { cause: error ?? undefined }),
      );
    this.#hooks.onClose(error, this.#missed > this.#most);
  }
}

/** @param {string} code @param {string} detail */
function errorOf(code, detail) {
  return code in ERRORS ? new IgnisError(code, detail) : new IgnisError('IGNIS_HOST_REFUSED', detail);
}

exports.ControlLink = ControlLink;
exports.SILENT_MS = SILENT_MS;
