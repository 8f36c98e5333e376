'use strict';
/*
 * The skeleton serves a module in a replica: it loads it, finds the function for a number, runs calls in order, and answers. It also
 * repeats changes made at home, and reports how busy the module keeps the replica. In: frames from a peer. Out: answers. If a call throws,
 * the error is its answer; nothing that module code does can throw into the peer.
 */
const { KIND } = require('../wire/frame');
const { IgnisError } = require('../errors');
const { numbersIn } = require('./signals');
const { runServed, telemetryApi } = require('./tracing');
const { Turns } = require('./turns');
const { UsageReport } = require('./usage');
const { writeTo } = require('./write');
const { Map, Object, Promise, Reflect, inWords, isArray, performance } = require('../engine');

/** Answers that have waited this long while calls run are sent before the next call, ms. */
const FLUSH_AFTER_MS = 1;

/** @typedef {import('./peer').Peer} Peer */
/** @typedef {import('./restore').Ledger} Ledger */

class Skeleton {
  #load;
  /** @type {any} of its module; for several modules, by name */
  #exports = undefined;
  #isGroup = false;
  /**
   * @type {{path: string[], holder: any, fn: Function | null, hasTurns: boolean, restores: boolean, isOneway: boolean}[]} fn null: not
   *   looked up yet
   */
  #targets = [];
  #turns;
  /** @type {Map<number, (() => void)[]>} by the signals of waiting calls: what to abort once they have begun */
  #aborts = new Map();
  #usage = new UsageReport();
  #flushedAt = 0;
  /** @type {any[] | null} says which trace the next call belongs to */
  #trace = null;

  /**
   * @param {(target: any) => Promise<any>} load gives the exports of a module; rejects if it throws while loading
   * @param {(begin: () => void) => void} [whenMay] calls `begin` when a call that has waited may begin
   */
  constructor(load, whenMay) {
    this.#load = load;
    this.#turns = new Turns(whenMay);
  }

  /** @param {Peer} peer @param {number} id @param {any} target */
  async serveLoad(peer, id, target) {
    const loaded = this.#take(target);
    // Calls that came after it may be for the new module.
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
   * Home aborts a signal. It is aborted here at once; if its call still waits, after that has begun, since its function may only listen for
   * the event.
   *
   * @param {number} number
   * @param {() => void} abort
   */
  abort(number, abort) {
    const aborts = this.#aborts.get(number);
    if (aborts === undefined) abort();
    else aborts.push(abort);
  }

  /**
   * @param {any[]} frame of a call that waits
   * @param {() => void} run begins it
   * @returns {() => void} begins it, and aborts the signals that were aborted meanwhile
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
        // A thenable of the module may settle twice; a promise around it settles once.
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
      // Its answer has gone, and its number may belong to another call by now.
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
   * A call of a set-up function, or a write: later calls wait for it.
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

  /** If a getter on the way throws, each call looks again, and fails with that error. @param {string[]} path */
  #look(path) {
    try {
      return this.#find(path);
    } catch {
      return NOT_YET;
    }
  }

  /** Follows own and inherited names, as the caller's expression did; the path was made by our own membrane. @param {string[]} path */
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
 * @param {boolean} isAwaited its result is waited for
 */
function traced([, , parent, state], { path, holder, fn }, args, isAwaited) {
  const run = () => Reflect.apply(fn, holder, args);
  const api = telemetryApi(process.argv[1] ?? '/');
  return api === null ? run() : runServed(api, { parent, state, name: path.join('.') || 'default' }, run, isAwaited);
}

/** @param {string[]} path of a function @param {any} error that it threw after it had called back */
function warnOf(path, error) {
  const message = `'${path.join('.')}' threw after it had called back, so nobody was given the error`;
  process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_THREW_LATE', detail: inWords(error) });
}

/** For a module that is about to be loaded, or a name that it does not give. */
const NOT_YET = Object.freeze({ holder: undefined, fn: null });

/** Whether a callback among the arguments answers the call. @param {any[] | null} special */
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
