'use strict';
/*
 * The link between a home and a daemon, after the handshake: questions with answers, and what one side tells the other. In: a stream over
 * TLS. Out: answers, what is asked and told, and one end with its reason. It survives the end of its stream, and a stream by which nothing
 * comes any more, where home dials again. Both sides show twice a second that they live, and who is silent for too long is taken for gone;
 * a side that computes meanwhile does not count its own time. It never keeps a program alive. A daemon also knows by its own clock until
 * when its home cannot have given it up: home has what was sent to it after a moment, and gives nobody up who was heard so lately.
 */
const { makeCodec } = require('../wire/codec');
const { ResumableChannel } = require('../wire/resumable-channel');
const { ERRORS, IgnisError, detailOf } = require('../errors');
const { KIND, checkAnswer, checkControl } = require('./control-frames');
const { Map, Math, Promise, clearInterval, performance, setInterval } = require('../engine');

const MAX_BLOCK_BYTES = 32 * 1024 * 1024;
const PING_MS = 500;
/** So many times was looked whether it has said something. */
const QUIET_LOOKS = 2;
/** More than this under way, and who has much to tell waits, bytes. */
const FULL_BYTES = 1024 * 1024;
/**
 * A host that is silent for so long is dialled anew beside the stream that there is, ms: where a network has lost what was under way, TCP
 * sends it again 1.4 s later, and then 3 s, which is too late.
 */
const DOUBT_MS = 1000;
/** A host that is silent for so long is gone, ms: what ran there is to run elsewhere within five seconds. */
const SILENT_MS = 3000;
/** So long after it was heard no host was given up, ms, with a margin for clocks that go differently. */
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
  /** @type {((ms: number) => void)[]} who waits for the other side to be heard */
  #doubting = [];

  /**
   * @param {import('node:net').Socket} stream
   * @param {ControlHooks} hooks
   * @param {number} [silentMs] so long without a sign of the other side, and it is gone
   * @param {(() => Promise<import('node:net').Socket>) | null} [dial] another stream to the same other side, where this one has ended or
   *   says nothing; null: that one dials
   */
  constructor(stream, hooks, silentMs = SILENT_MS, dial = null) {
    this.#hooks = hooks;
    // How long it may be broken: no longer than the other side may be silent.
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

  /** Whether its stream has ended, and there is no other yet. */
  get isBroken() {
    return this.#channel.isBroken;
  }

  /** Whether the other side has said nothing for a second and more, as one that is about to be taken for gone. */
  get isQuiet() {
    return this.#missed > QUIET_LOOKS;
  }

  /** Whether the other side does not take what it is told, as one that is stopped; a short break is nothing. */
  get isFull() {
    return this.#channel.isFull && this.#channel.heldBytes > FULL_BYTES;
  }

  /** For how long, from now on, a home on the other side has certainly not given this link up, ms; 0 and less: that is not known. */
  get sureMs() {
    return this.isOpen ? this.#channel.thereSince + SURE_MS - performance.now() : 0;
  }

  /**
   * @param {(ms: number) => void} tell called when the other side has certainly not given this link up, with how long that holds; never
   *   where it has
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
   * @param {Uint8Array[] | null} [bytes] one array, which is the link's from now on
   * @returns {Promise<any>} what was answered
   * @throws {IgnisError} as the other side says; IGNIS_NO_HOST when it is gone; IGNIS_BAD_FRAME when nobody may ask that
   */
  ask(name, body, bytes = null) {
    if (!this.isOpen) return Promise.reject(new IgnisError('IGNIS_NO_HOST', 'its link has ended'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      // The other side ends a link on which something else comes, and all that runs there with it. Throws.
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

  /** What was told leaves now. */
  flush() {
    this.#channel.flush();
  }

  /** The next break is the end: nobody is left here to dial again. @param {() => void} told when that has left, or cannot */
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

  /** One that is no answer to what was asked ends the link, and the question with it. @param {number} id @param {any} body */
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
