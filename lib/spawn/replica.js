'use strict';
/*
 * One replica's life, seen from home: a launched agent (fresh or a warm spare), its peer, and its module.
 * In: calls. Out: answers, and one end with its reason. It never decides: its set does. Its states: replica-states.js.
 */
const { Math, Promise, clearTimeout, performance, setImmediate, setTimeout } = require('../engine');
const { Peer } = require('../session/peer');
const { askForRest } = require('../session/rest');
const { IgnisError } = require('../errors');
const { limit } = require('./deadline');
const { LITTLE, exitBy } = require('./exit');
const { Likeness } = require('./likeness');
const { lossOfOther } = require('./loss');
const { warn } = require('./surroundings');
const { ReplicaFigures } = require('./replica-figures');
const { NEXT } = require('./replica-states');
const { whyNotLoaded } = require('./sources');

/** How long we wait, when a link ends, for the exit that explains it, ms. */
const EXIT_MS = 2000;

/** @typedef {import('./replica-states').ReplicaHooks} ReplicaHooks */

class Replica extends ReplicaFigures {
  /** @type {import('./replica-states').ReplicaState} */
  #state = 'starting';
  #launched;
  #peer;
  #hooks = /** @type {ReplicaHooks | null} */ (null);
  #hello;
  #why = '';
  /** what home found wrong with the link */
  #fault = '';
  #likeness;
  /** @type {import('../host/datagrams').Datagrams | null} for oneway calls, if the recipe asks for datagrams */
  #datagrams = null;
  /** answers to pings that we wait for because a call took too long */
  #pings = 0;
  /** @type {(() => void) | null} */
  #drained = null;
  #gone = () => {};

  /** how much its oldest call is to blame, if home ended it */
  #blame = 1;

  /** @param {import('./launch-process').Launched} launched */
  constructor(launched) {
    super(launched);
    this.#launched = launched;
    /** @type {(why: string | null) => void} null: the agent is up */
    let met = () => {};
    this.#hello = new Promise((resolve) => {
      met = resolve;
    });
    /** @type {Promise<void>} settles when the agent is gone */
    this.ended = new Promise((resolve) => {
      this.#gone = resolve;
    });
    this.#peer = new Peer(launched.channel, {
      onHello: () => {
        if (this.#state === 'starting') this.#to('warm');
        met(null);
      },
      onTold: warn,
      onInside: launched.nested?.follow(this, launched.channel),
      onUsage: (usage) => this.#reported(usage),
      onIdle: () => this.#answered(),
      onRoom: () => this.#hooks?.onIdle(this),
      errorClass: (name) => this.#hooks?.errorClass(name),
      onLost: (error, pending) => this.#lostLink(error, pending),
    });
    this.#likeness = new Likeness(this, this.#peer, launched);
    if (launched.datagramsTo !== undefined)
      this.#datagrams = new (require('../host/datagrams').Datagrams)(launched.datagramsTo, this.#peer, () => this.#answered());
    launched.onExit((why) => {
      met(this.#why || this.#explain(why));
      this.#peer.destroy(null);
    });
    if (launched.pulse !== undefined) this.#follow(launched.pulse);
  }

  get state() {
    return this.#state;
  }
  get where() {
    return this.#launched.where;
  }
  get pid() {
    return this.#launched.pid;
  }
  get pending() {
    return this.#peer.pending + (this.#datagrams?.pending ?? 0);
  }
  /** Calls that may not have run yet. A call that has run and waits for something outside the replica's event loop delays nobody. */
  get ahead() {
    return Math.max(0, Math.min(this.pending, this.calls - this.#peer.refused - this.pace.served));
  }
  /** What became of calls sent as datagrams; null: this replica takes none. */
  get datagrams() {
    return this.#datagrams === null ? null : { ...this.#datagrams.counts };
  }
  /** Functions of home that the replica holds. */
  get lent() {
    return this.#peer.lent.size;
  }
  get endedWhy() {
    return this.#why;
  }
  /** Home's own CPU for this link, ms. */
  get overheadMs() {
    return this.#launched.channel.busyMs;
  }

  /** Whether it serves and its link is whole. After its link ends, its state stays `ready` until the exit is explained. */
  get isOpen() {
    return this.#state === 'ready' && this.#launched.channel.state === 'open';
  }

  /**
   * @param {number} now ms
   * @returns {boolean} whether a call may be sent now
   */
  hasRoom(now) {
    if (!this.isOpen || this.#pings > 0 || this.#launched.channel.isFull || this.#launched.pulse?.isDoubtful) return false;
    return this.ahead < this.pace.window(now, this.travelMs);
  }

  /** @returns {boolean} whether a call may join those that leave at the end of this tick: it adds next to no cost */
  get hasOpenBatch() {
    const { queued } = this.#launched.channel;
    return this.isOpen && queued > 0 && queued < this.pace.batch;
  }

  /** @param {number} now ms @returns {number} how long it has worked on one thing without an answer; time on the way does not count */
  stuckMs(now) {
    return this.ahead === 0 && this.#pings === 0 ? 0 : Math.max(0, now - this.busySince - this.travelMs);
  }

  /** @returns {Promise<void>} when the agent is up; rejects with IGNIS_START_FAILED */
  async warm() {
    const why = await this.#hello;
    if (why === null) return;
    this.#why ||= why;
    throw new IgnisError('IGNIS_START_FAILED', why);
  }

  /**
   * @param {import('./load-target').Target} target
   * @param {ReplicaHooks} hooks from now on
   * @param {number} limitMs for start and load together
   * @throws {IgnisError} IGNIS_START_FAILED with the module's own error as cause
   */
  async load(target, hooks, limitMs) {
    const begun = performance.now();
    this.#hooks = hooks;
    const timer = setTimeout(() => this.kill(`did not start within ${limitMs} ms`), limitMs).unref();
    try {
      await this.warm();
      await this.#beReachable();
      this.#to('loading');
      await this.#likeness.begin(target);
      await this.#beReachable(); // its answer may be the last thing that came
    } catch (cause) {
      const why = this.#why || whyNotLoaded(cause, target.place);
      this.kill(why);
      const isOurs = cause instanceof IgnisError && cause.code === 'IGNIS_START_FAILED';
      throw new IgnisError('IGNIS_START_FAILED', `${target.name}: ${why}`, isOurs ? {} : { cause });
    } finally {
      clearTimeout(timer);
    }
    if (this.#state !== 'loading') throw new IgnisError('IGNIS_START_FAILED', `${target.name}: ${this.#why}`);
    this.startedMs = performance.now() - begun;
    this.#to('ready');
    this.#datagrams?.open();
  }

  /**
   * Loads another module, once, before all calls sent from now on. If that fails, the replica ends.
   *
   * @param {import('./load-target').Target} target
   * @param {number} limitMs
   * @returns {Promise<void>} when it is loaded, or the replica has ended; never rejects
   */
  add(target, limitMs) {
    if (this.ahead === 0) this.busySince = performance.now();
    return this.#beforeDatagrams(this.#likeness.add(target, limitMs));
  }

  /**
   * @param {import('../session/call').Call} call
   * @param {number} now ms
   */
  send(call, now) {
    if (this.ahead === 0) this.busySince = now;
    this.calls += 1;
    call.held += 1;
    if (call.plan.timeoutMs) limit(call, this);
    if (!this.#datagrams?.take(call)) this.#peer.send(call, this.pace.isPrompt);
  }

  /**
   * Stops waiting for the answer to a call. Nothing is sent behind that call until the replica shows that it no longer computes.
   *
   * @param {import('../session/call').Call} call
   */
  abandon(call) {
    if (!this.#datagrams?.abandon(call)) this.#peer.abandon(call);
    this.#pings += 1;
    this.#peer.ping(() => {
      this.#pings -= 1;
      this.#hooks?.onIdle(this);
    });
    if (this.pending === 0) this.#drained?.();
    this.#hooks?.onIdle(this);
  }

  /** @param {object} wish something other than a module to load; it keeps nobody waiting @param {{finish: (value: any) => void, fail: (error: any) => void}} settled */
  ask(wish, settled) {
    const asked = /** @type {any} */ ({ id: -1, sequence: 0, ...settled });
    this.#peer.load(wish, asked);
    this.#peer.abandon(asked);
  }

  /** Calls that nothing in it will answer must not keep the program alive. @param {number} now ms @param {boolean} isOver it is about to end */
  askForRest(now, isOver) {
    if (this.pending > 0) askForRest(this.#peer, this.busySince, now, isOver ? this.#drained : null);
  }

  /** Ends the replica if it still has a call that nobody waits for; its other calls are not to blame. @param {import('../session/call').Call} call @param {number} ms from now @param {string} why */
  killFor(call, ms, why) {
    // Timers run before sockets are read: an answer that home was too busy to read is in time.
    setTimeout(() => setImmediate(() => (this.#peer.has(call) || this.#datagrams?.has(call)) && this.kill(why, 0)), ms).unref();
  }

  /** @returns {import('../session/call').Call[]} sent and unanswered, in order */
  outstanding() {
    return this.#peer.outstanding().filter((call) => 'plan' in call);
  }

  /**
   * Makes the changes that home has made, before all calls sent from now on. A replica that cannot must not serve: it is killed.
   *
   * @param {import('../session/change').Change[]} changes in their order
   * @returns {Promise<void>} when they are made; never rejects, since the end of the replica tells
   */
  repeat(changes) {
    if (this.ahead === 0) this.busySince = performance.now();
    return this.#beforeDatagrams(this.#likeness.repeat(changes));
  }

  /** Takes no more calls; ends when those it has are answered, or after `mostMs`. If called again, the earlier end counts. @param {number} mostMs @param {string} why @param {number} [leaveMs] for replicas inside it @returns {Promise<void>} */
  async drain(mostMs, why, leaveMs = mostMs) {
    if (this.#state === 'ready') this.#to('draining');
    else if (this.#state !== 'draining') return this.kill(why);
    if (this.pending > 0) {
      await new Promise((resolve) => {
        const [before, timer] = [this.#drained, setTimeout(resolve, mostMs, null).unref()];
        this.#drained = () => resolve((before?.(), clearTimeout(timer)));
      });
    }
    if (this.#launched.nested !== undefined) await this.#launched.nested.takeLeave(this, leaveMs);
    this.kill(why);
  }

  /** @param {string} why @param {number} [blame] how much the call it works on is to blame */
  kill(why, blame = 1) {
    if (this.#state === 'ended') return;
    if (this.#why === '') this.#blame = blame;
    this.#why ||= why;
    this.#launched.kill();
    this.#peer.destroy(null);
  }

  /** No datagram may overtake a change. @param {Promise<void>} change under way */
  #beforeDatagrams(change) {
    this.#datagrams?.hold(change);
    return change;
  }

  /** @param {import('./pulse').Pulse} pulse */
  #follow(pulse) {
    pulse.onSilent = () => this.kill(`gave no sign of life for ${pulse.limitMs} ms`, LITTLE);
    pulse.onRelief = () => this.#hooks?.onIdle(this);
    pulse.onAnswer = () => this.noteMemory(pulse, this.#state === 'ready');
    void this.ended.then(() => pulse.end());
  }

  /** An agent that was killed, or lost its link, while it was warm would never answer. @throws {IgnisError} IGNIS_START_FAILED when it has ended */
  async #beReachable() {
    if (this.#launched.channel.state === 'open') return;
    await this.ended;
    throw new IgnisError('IGNIS_START_FAILED', this.#why);
  }

  #answered() {
    this.busySince = performance.now();
    if (this.pending === 0) this.#drained?.();
    this.#hooks?.onIdle(this);
  }

  /** @param {import('../session/usage').Usage} usage */
  #reported(usage) {
    this.busySince = performance.now();
    this.pace.note(usage, this.busySince, this.#hooks?.wantedMs());
    if (usage.calls > 0) this.#hooks?.onIdle(this);
  }

  /** @param {string} why the agent exited @returns {string} also what led to that, if the link was at fault */
  #explain = (why) => (this.#fault === '' ? why : `${this.#fault} (${why})`);

  /** The link has ended. The exit tells more: it follows at once, or never if only the link broke. @param {Error | null} error @param {any[]} pending */
  #lostLink(error, pending) {
    const timer = setTimeout(() => this.#end(pending, exitBy(error?.message ?? 'its link ended')), EXIT_MS);
    // Keep the program alive only while there are calls to settle.
    if (pending.length === 0) timer.unref();
    if (error instanceof IgnisError) this.#fault = error.message;
    this.#launched.kill();
    this.#hooks?.onBroken(this);
    this.#launched.onExit((why, exit) => {
      clearTimeout(timer);
      this.#end(pending, this.#fault === '' ? (exit ?? exitBy(why)) : { ...exitBy(this.#explain(why)), stderr: exit?.stderr ?? [] });
    });
  }

  /** @param {any[]} pending @param {import('./exit').Exit} exit */
  #end(pending, exit) {
    if (this.#state === 'ended') return;
    // What home did to it, or a link that broke first, says more than the exit that followed.
    const own = this.#why === '' ? {} : { why: this.#why, harm: /** @type {const} */ (''), blame: this.#blame };
    this.#why ||= exit.why;
    this.#to('ended');
    const calls = [...pending.filter((call) => 'plan' in call), ...(this.#datagrams?.end() ?? [])].sort((a, b) => a.sequence - b.sequence);
    for (const call of calls) call.leave(this);
    for (const other of pending) if (!('plan' in other)) other.fail(lossOfOther(other, this.id, this.#why));
    this.#drained?.();
    this.#hooks?.onEnded(this, calls, { ...exit, ...own });
    this.#gone();
  }

  /** @param {import('./replica-states').ReplicaState} next */
  #to(next) {
    if (!NEXT[this.#state].includes(next)) throw new Error(`a replica cannot go from ${this.#state} to ${next}`);
    this.#state = next;
  }
}

exports.Replica = Replica;
