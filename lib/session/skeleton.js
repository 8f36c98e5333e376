'use strict';
/*
 * The skeleton serves one module at the callee's side: it loads it, finds the function a number stands for, runs the calls in the order they came,
 * and answers; it also repeats what changed the module at home. In: frames from a peer. Out: answers. A call that throws answers with the error; nothing
 * that module code does can throw into the peer. It reports how busy the module keeps this side.
 */
const { performance } = require('node:perf_hooks');
const { KIND } = require('../wire/frame');
const { IgnisError } = require('../errors');
const { Turns } = require('./turns');
const { writeTo } = require('./write');

/** Answers that wait longer than this behind a running batch are sent before it goes on, ms. */
const FLUSH_AFTER_MS = 1;
const USAGE_EVERY_MS = 50;

/** @typedef {import('./peer').Peer} Peer */

class Skeleton {
  #load;
  /** @type {any} */
  #exports = undefined;
  /** @type {{holder: any, fn: Function, hasTurns: boolean}[]} */
  #targets = [];
  #turns = new Turns();
  #calls = 0;
  #busyMs = 0;
  #longestMs = 0;
  #toldAt = 0;
  #flushedAt = 0;

  /** @param {(target: any) => Promise<any>} load gives the exports of a module; rejects when it throws at load */
  constructor(load) {
    this.#load = load;
  }

  /** @param {Peer} peer @param {number} id @param {any} target */
  async serveLoad(peer, id, target) {
    try {
      this.#exports = await this.#load(target);
      peer.answer(id, null);
    } catch (error) {
      peer.answerError(id, error);
    }
  }

  /** @param {Peer} peer @param {number} id @param {any[]} frame @param {any[]} args */
  serve(peer, id, frame, args) {
    if (frame[0] === KIND.TARGET) {
      this.#targets[id] = this.#find(frame[2]);
      return;
    }
    if (frame[0] === KIND.TURNS) return this.#takeTurns(id);
    if (this.#turns.isWaiting && this.#turns.mustWait(this.#isChange(frame), this.#hasTurns(frame))) {
      this.#turns.hold(() => this.#serveNow(peer, id, frame, args), this.#isChange(frame), this.#hasTurns(frame));
      return;
    }
    this.#serveNow(peer, id, frame, args);
  }

  /** @param {Peer} peer @param {number} id @param {any[]} frame @param {any[]} args */
  #serveNow(peer, id, frame, args) {
    if (frame[0] !== KIND.CALL) return this.#change(peer, id, frame, args);
    const begun = performance.now();
    if (begun - this.#flushedAt > FLUSH_AFTER_MS) {
      peer.channel.flush();
      this.#flushedAt = begun;
    }
    this.#run(peer, id, frame, args);
    const ended = performance.now();
    this.#count(peer, ended - begun, ended);
  }

  /** @param {Peer} peer @param {number} id @param {any[]} frame @param {any[]} args */
  #run(peer, id, frame, args) {
    try {
      const target = this.#targets[frame[2]];
      if (target === undefined) throw new IgnisError('IGNIS_BAD_FRAME', `target ${frame[2]} was never introduced`);
      const result = Reflect.apply(target.fn, target.holder, args);
      if (takesCallback(frame[4])) return;
      if (isThenable(result)) {
        // A thenable of the module's own may settle twice; a promise around it does so once.
        const settled = Promise.resolve(result).then(
          (/** @type {any} */ value) => answer(peer, id, value),
          (/** @type {any} */ error) => peer.answerError(id, error),
        );
        if (target.hasTurns) this.#turns.waitFor(settled, false);
      } else answer(peer, id, result);
    } catch (error) {
      peer.answerError(id, error);
    }
  }

  /** @param {number} id of a target whose calls begin one after another */
  #takeTurns(id) {
    if (this.#targets[id] === undefined) throw new IgnisError('IGNIS_BAD_FRAME', `target ${id} was never introduced`);
    this.#targets[id].hasTurns = true;
  }

  /** @param {any[]} frame */
  #isChange(frame) {
    return frame[0] !== KIND.CALL;
  }

  /** @param {any[]} frame */
  #hasTurns(frame) {
    return frame[0] === KIND.CALL && this.#targets[frame[2]]?.hasTurns === true;
  }

  /** A call of a set-up function, or a write: what comes behind waits for it. @param {Peer} peer @param {number} id @param {any[]} frame @param {any[]} args */
  #change(peer, id, frame, args) {
    try {
      if (frame[0] === KIND.WRITE) {
        writeTo(this.#exports, frame[2], args);
        return peer.answer(id, null);
      }
      const target = this.#targets[frame[2]];
      if (target === undefined) throw new IgnisError('IGNIS_BAD_FRAME', `target ${frame[2]} was never introduced`);
      const result = Reflect.apply(target.fn, target.holder, args);
      if (!isThenable(result)) return peer.answer(id, null);
      const settled = Promise.resolve(result).then(
        () => peer.answer(id, null),
        (/** @type {any} */ error) => peer.answerError(id, error),
      );
      this.#turns.waitFor(settled, true);
    } catch (error) {
      peer.answerError(id, error);
    }
  }

  /** @param {Peer} peer @param {number} tookMs @param {number} now */
  #count(peer, tookMs, now) {
    this.#calls += 1;
    this.#busyMs += tookMs;
    if (tookMs > this.#longestMs) this.#longestMs = tookMs;
    if (now - this.#toldAt < USAGE_EVERY_MS) return;
    peer.usage(this.#calls, this.#busyMs, this.#longestMs);
    this.#calls = 0;
    this.#busyMs = 0;
    this.#longestMs = 0;
    this.#toldAt = now;
  }

  /** Follows own and inherited names, as the caller's expression did; the path itself was made by our own membrane. @param {string[]} path */
  #find(path) {
    let holder;
    let value = this.#exports;
    for (const name of path) {
      holder = value;
      value = value?.[name];
    }
    const fn =
      typeof value === 'function'
        ? value
        : () => {
            throw new IgnisError('IGNIS_START_FAILED', `the module has no function '${path.join('.')}' in the replica`);
          };
    return { holder, fn, hasTurns: false };
  }
}

/** Whether the call is answered by the callback among its arguments. @param {any[] | null} special */
function takesCallback(special) {
  return special !== null && special.some((entry) => Array.isArray(entry) && entry[1] === 'function' && entry[3] === true);
}

/** @param {any} value */
function isThenable(value) {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && typeof value.then === 'function';
}

/** @param {Peer} peer @param {number} id @param {any} value */
function answer(peer, id, value) {
  try {
    peer.answer(id, value);
  } catch (error) {
    peer.answerError(id, error);
  }
}

exports.Skeleton = Skeleton;
