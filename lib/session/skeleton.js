'use strict';
/*
 * The skeleton serves one module at the callee's side: it loads it, finds the function a number stands for, runs the calls in the order
 * they came, and answers; it also repeats what changed the module at home. In: frames from a peer. Out: answers. A call that throws answers
 * with the error; nothing that module code does can throw into the peer. It reports how busy the module keeps this side.
 */
const { KIND } = require('../wire/frame');
const { IgnisError } = require('../errors');
const { numbersIn } = require('./signals');
const { runServed, telemetryApi } = require('./tracing');
const { Turns } = require('./turns');
const { UsageReport } = require('./usage');
const { writeTo } = require('./write');
const { Map, Object, Promise, Reflect, inWords, isArray, performance } = require('../engine');

/** Answers that wait longer than this behind a running batch are sent before it goes on, ms. */
const FLUSH_AFTER_MS = 1;

/** @typedef {import('./peer').Peer} Peer */
/** @typedef {import('./restore').Ledger} Ledger */

class Skeleton {
  #load;
  /** @type {any} of its module, or of each of its modules by name */
  #exports = undefined;
  #isGroup = false;
  /**
   * @type {{path: string[], holder: any, fn: Function | null, hasTurns: boolean, restores: boolean, isOneway: boolean}[]} fn null: not
   *   looked for yet
   */
  #targets = [];
  #turns;
  /** @type {Map<number, (() => void)[]>} of signals of calls that wait: what is to be aborted when they have begun */
  #aborts = new Map();
  #usage = new UsageReport();
  #flushedAt = 0;
  /** @type {any[] | null} the frame that says which trace the call behind it belongs to */
  #trace = null;

  /**
   * @param {(target: any) => Promise<any>} load gives the exports of a module; rejects when it throws at load
   * @param {(begin: () => void) => void} [whenMay] calls that when a call that has waited may begin
   */
  constructor(load, whenMay) {
    this.#load = load;
    this.#turns = new Turns(whenMay);
  }

  /** @param {Peer} peer @param {number} id @param {any} target */
  async serveLoad(peer, id, target) {
    const loaded = this.#take(target);
    // Calls that came behind it may be of the new module.
    const settled = loaded.catch(() => {});
    this.#turns.waitFor(settled, true);
    try {
      await loaded;
      this.#usage.begin();
      peer.answer(id, null);
    } catch (error) {
      peer.answerError(id, error);
    }
  }

  /** @param {any} target */
  async #take(target) {
    const exports = await this.#load(target);
    this.#isGroup = target.as !== undefined;
    if (!this.#isGroup) this.#exports = exports;
    else this.#exports = Object.assign(this.#exports ?? Object.create(null), { [target.as]: exports });
  }

  /** @param {Peer} peer @param {number} id @param {any[]} frame @param {any[]} args */
  serve(peer, id, frame, args) {
    if (frame[0] === KIND.TARGET) {
      const isHere = !this.#isGroup || frame[2][0] in this.#exports;
      this.#targets[id] = {
        path: frame[2],
        ...(isHere ? this.#look(frame[2]) : NOT_YET),
        hasTurns: false,
        restores: false,
        isOneway: false,
      };
      return;
    }
    if (frame[0] === KIND.TURNS) return void (this.#introduced(id).hasTurns = true);
    if (frame[0] === KIND.TRACE) return void (this.#trace = frame);
    if (frame[0] === KIND.RESTORES) return void (this.#introduced(id).restores = true);
    if (frame[0] === KIND.ONEWAY) return void (this.#introduced(id).isOneway = true);
    const trace = this.#trace !== null && this.#trace[1] === id ? this.#trace : null;
    this.#trace = null;
    const ledger = frame[0] === KIND.CALL && this.#targets[frame[2]]?.restores ? peer.ledgerOf(args) : null;
    if (this.#turns.isWaiting && this.#turns.mustWait(this.#isChange(frame), this.#hasTurns(frame))) {
      const run = this.#withAborts(frame, () => this.#serveNow(peer, id, frame, args, ledger, trace));
      this.#turns.hold(run, this.#isChange(frame), this.#hasTurns(frame));
      return;
    }
    this.#serveNow(peer, id, frame, args, ledger, trace);
  }

  /**
   * A signal of home is aborted: at once, but that of a call that waits here when that has begun, since its function may only listen for
   * it.
   *
   * @param {number} number @param {() => void} abort
   */
  abort(number, abort) {
    const aborts = this.#aborts.get(number);
    if (aborts === undefined) abort();
    else aborts.push(abort);
  }

  /**
   * @param {any[]} frame of a call that waits
   * @param {() => void} run begins it
   * @returns {() => void} begins it, and aborts its signals where they were aborted meanwhile
   */
  #withAborts(frame, run) {
    const numbers = numbersIn(frame[4]);
    if (numbers.length === 0) return run;
    /** @type {(() => void)[]} */
    const aborts = [];
    for (const number of numbers) this.#aborts.set(number, aborts);
    return () => {
      run();
      for (const number of numbers) this.#aborts.delete(number);
      for (const abort of aborts) abort();
    };
  }

  /**
   * @param {Peer} peer
   * @param {number} id
   * @param {any[]} frame
   * @param {any[]} args
   * @param {Ledger | null} ledger
   * @param {any[] | null} trace
   */
  #serveNow(peer, id, frame, args, ledger, trace) {
    if (frame[0] !== KIND.CALL) return this.#change(peer, id, frame, args);
    const begun = performance.now();
    if (begun - this.#flushedAt > FLUSH_AFTER_MS) {
      peer.channel.flush();
      this.#flushedAt = begun;
    }
    this.#run(peer, id, frame, args, ledger, trace);
    const ended = performance.now();
    this.#usage.count(peer, ended - begun, ended);
  }

  /**
   * @param {Peer} peer
   * @param {number} id
   * @param {any[]} frame
   * @param {any[]} args
   * @param {Ledger | null} ledger
   * @param {any[] | null} trace
   */
  #run(peer, id, frame, args, ledger, trace) {
    const isAnsweredLater = takesCallback(frame[4]);
    try {
      const target = this.#called(frame[2]);
      if (ledger !== null && isAnsweredLater) peer.lending.answerThrough(args[args.length - 1], ledger);
      const result = trace === null ? Reflect.apply(target.fn, target.holder, args) : traced(trace, target, args, !isAnsweredLater);
      if (isAnsweredLater) return this.#usage.leaveOpen(peer, false);
      if (isThenable(result)) {
        this.#usage.leaveOpen(peer, true);
        // A thenable of the module's own may settle twice; a promise around it does so once.
        const settled = Promise.resolve(result).then(
          (/** @type {any} */ value) => {
            this.#usage.open -= 1;
            answer(peer, id, target.isOneway ? null : value, ledger);
          },
          (/** @type {any} */ error) => {
            this.#usage.open -= 1;
            peer.answerError(id, error, ledger);
          },
        );
        if (target.hasTurns) this.#turns.waitFor(settled, false);
      } else answer(peer, id, target.isOneway ? null : result, ledger);
    } catch (error) {
      // Its answer has gone, and another call may be under its number now.
      if (isAnsweredLater && peer.lending.hasAnswered(args[args.length - 1])) warnOf(this.#targets[frame[2]].path, error);
      else peer.answerError(id, error, ledger);
    }
  }

  /** @param {number} id of a target @throws {IgnisError} IGNIS_BAD_FRAME */
  #introduced(id) {
    const target = this.#targets[id];
    if (target === undefined) throw new IgnisError('IGNIS_BAD_FRAME', `target ${id} was never introduced`);
    return target;
  }

  /**
   * @param {number} id of a target that is called now
   * @returns {{path: string[], holder: any, fn: Function, hasTurns: boolean, isOneway: boolean}}
   * @throws {IgnisError} IGNIS_BAD_FRAME
   */
  #called(id) {
    const target = this.#introduced(id);
    return /** @type {any} */ (target.fn === null ? Object.assign(target, this.#find(target.path)) : target);
  }

  /** @param {any[]} frame */
  #isChange(frame) {
    return frame[0] !== KIND.CALL;
  }

  /** @param {any[]} frame */
  #hasTurns(frame) {
    return frame[0] === KIND.CALL && this.#targets[frame[2]]?.hasTurns === true;
  }

  /**
   * A call of a set-up function, or a write: what comes behind waits for it.
   *
   * @param {Peer} peer
   * @param {number} id
   * @param {any[]} frame
   * @param {any[]} args
   */
  #change(peer, id, frame, args) {
    try {
      if (frame[0] === KIND.WRITE) {
        writeTo(this.#exports, frame[2], args);
        return peer.answer(id, null);
      }
      const target = this.#called(frame[2]);
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

  /** What a getter on the way refuses to give is looked for again by each call, which fails with that. @param {string[]} path */
  #look(path) {
    try {
      return this.#find(path);
    } catch {
      return NOT_YET;
    }
  }

  /**
   * Follows own and inherited names, as the caller's expression did; the path itself was made by our own membrane.
   *
   * @param {string[]} path
   */
  #find(path) {
    let holder;
    let value = this.#isGroup ? this.#exports[path[0]] : this.#exports;
    for (const name of this.#isGroup ? path.slice(1) : path) {
      holder = value;
      value = value?.[name];
    }
    const fn =
      typeof value === 'function'
        ? value
        : () => {
            throw new IgnisError('IGNIS_START_FAILED', `the module has no function '${path.join('.')}' in the replica`);
          };
    return { holder, fn };
  }
}

/**
 * @param {any[]} trace
 * @param {{path: string[], holder: any, fn: Function}} target
 * @param {any[]} args
 * @param {boolean} isAwaited what it returns is waited for
 */
function traced([, , parent, state], { path, holder, fn }, args, isAwaited) {
  const run = () => Reflect.apply(fn, holder, args);
  const api = telemetryApi(process.argv[1] ?? '/');
  return api === null ? run() : runServed(api, { parent, state, name: path.join('.') || 'default' }, run, isAwaited);
}

/** @param {string[]} path of a function @param {any} error thrown by it after it had called back */
function warnOf(path, error) {
  const message = `'${path.join('.')}' threw after it had called back, so nobody was given the error`;
  process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_THREW_LATE', detail: inWords(error) });
}

/** Of a module that is about to be loaded, or that does not give it. */
const NOT_YET = Object.freeze({ holder: undefined, fn: null });

/** Whether the call is answered by the callback among its arguments. @param {any[] | null} special */
function takesCallback(special) {
  return special !== null && special.some((entry) => isArray(entry) && entry[1] === 'function' && entry[3] === true);
}

/** @param {any} value */
function isThenable(value) {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && typeof value.then === 'function';
}

/** @param {Peer} peer @param {number} id @param {any} value @param {Ledger | null} ledger */
function answer(peer, id, value, ledger) {
  try {
    peer.answer(id, value, ledger);
  } catch (error) {
    peer.answerError(id, error, ledger);
  }
}

exports.Skeleton = Skeleton;
