'use strict';
/*
 * The replicas of one module: how many there are, which takes a call, what waits, and what becomes of the calls of a lost one.
 * In: calls, and the number of replicas wanted. Out: settled calls, and readings for the coordinator.
 * It never loses or reruns a call silently: a call runs again only if its plan allows it, else its caller gets IGNIS_REPLICA_LOST.
 */
const { Math, Promise, performance } = require('../engine');
const { CallQueue } = require('./call-queue');
const { Gauge } = require('./gauge');
const { callsBehind } = require('./hedge');
const { Journal } = require('./journal');
const { Order } = require('./order');
const { Placing } = require('./placing');
const { judgeOf, lossOf } = require('./loss');
const { MOST_LENT, Members } = require('./members');
const { ReplicaSetFigures } = require('./replica-set-figures');
const { CLOSED, sortLost, sendHome } = require('./rerun');
const { MB, overMemory } = require('./ripe');
const { Starters } = require('./starters');
const { Targets } = require('./targets');
const { Watch } = require('./watch');

/** @typedef {import('./starter').SetSettings} SetSettings */
/** @typedef {import('./replica').Replica} Replica */
/** @typedef {import('../session/call').Call} Call */

class ReplicaSet extends ReplicaSetFigures {
  #placing;
  #members = new Members();
  #queue = new CallQueue();
  #sequence = 0;
  #watch = new Watch((now) => this.#look(now));
  closedBy = ''; // why it was closed
  #gauge = new Gauge();

  /** the changes of the module */
  journal = new Journal();
  /** calls that begin one after another, and calls that only settle one after another */
  order = { begin: new Order(true), settle: new Order(false) };
  /** the module's state is in replicas: none of its calls may run elsewhere */
  isAway = false;
  /** it takes no new calls, only those made before */
  isRetired = false;
  /**
   * @param {SetSettings} settings
   * @param {import('./spare-pool').SparePool} spares
   */
  constructor(settings, spares) {
    super(
      new Starters(settings, spares, {
        ready: () => this.#members.ready,
        target: () => this.targets.begin(),
        onReady: (replica) => this.#enter(replica),
        prepare: (replica) =>
          Promise.all([this.targets.complete(replica), this.journal.tell(replica, Math.min(this.#waitingMark, this.journal.length))]),
        onFailed: (error) => this.#failed(error),
        onMore: () => void this.resize(this.wanted),
        replica: {
          onBroken: (broken) => this.#break(broken),
          onEnded: (ended, pending, exit) => this.#lose(ended, pending, exit),
          onIdle: () => this.#drainQueue(),
          wantedMs: () => this.#queue.waitedMs(performance.now()),
          errorClass: settings.errorClass,
        },
      }),
      settings,
    );
    const { sched, isGroup = false } = settings;
    /** its modules */
    this.targets = new Targets(settings.target, isGroup, settings.startMs);
    this.#placing = new Placing(sched, this.state, settings.beyond !== undefined);
  }

  get ready() {
    return this.#members.ready.length;
  }
  /** Whether it takes calls. A replica must be ready; one that is still to come will do if calls must not run at home meanwhile. */
  get isOpen() {
    if (this.isRetired || (this.journal.refusal !== '' && !this.isAway)) return false;
    return this.#members.ready.length > 0 || (this.isStateful && this.starting + this.#members.broken.size > 0);
  }
  /** How many replicas must stay: those with state, and one while a call waits that came before a change that home has made. */
  get least() {
    if (this.isStateful && this.isAway) return Math.max(1, this.#placing.held);
    return this.journal.isBefore(this.#waitingMark) && (!this.isStateful || this.#members.ready.length > 0) ? 1 : 0;
  }
  /** Mark of the oldest waiting call; Infinity if none waits. Such calls must not find later changes. */
  get #waitingMark() {
    return Math.min(this.#queue.mark, this.order.begin.mark);
  }
  /** The only replica, if it would take a call now; null if there are more, calls wait, or others still have calls. */
  get onlyPlace() {
    return this.queued > 0 ? null : this.#members.only(performance.now());
  }
  get queued() {
    return this.#queue.size;
  }
  /** Calls in replicas and calls waiting here. */
  get pending() {
    return this.queued + this.#members.pending;
  }

  /** @param {Call} call @returns {string} why no more such calls are taken: as many pend as the recipe's qDepth allows, or replicas hold too many functions; '' while they are */
  whyFull(call) {
    if (this.settings.qDepth !== Infinity && this.pending >= this.settings.qDepth) return `has ${this.pending} calls pending`;
    return call.lends && this.#members.lent >= MOST_LENT ? `holds ${MOST_LENT} functions that it was given` : '';
  }

  /** @returns {Replica[]} all that are alive */
  get replicas() {
    return this.#members.all;
  }

  /**
   * @param {number} count replicas wanted from now on
   * @param {string} [why] told about those that end
   * @param {number} [here] how many of them may be on this machine; absent: as before
   * @returns {Promise<void>} when the count is reached or starts have failed; never rejects
   */
  async resize(count, why = 'scaled in', here = this.starters.here) {
    this.starters.here = here;
    this.wanted = this.closedBy ? 0 : Math.max(Math.min(count, this.settings.state === 'shared' ? 1 : Infinity), this.least);
    const starts = [];
    while (this.#members.ready.length + this.starting < this.wanted && this.starters.mayBegin) starts.push(this.starters.begin());
    this.wanted = this.starters.within(this.wanted);
    while (this.#members.ready.length > this.wanted) this.#leave(this.#placing.takeLast(this.#members.ready), why);
    if (this.isStateful) this.onChange();
    if (this.#members.ready.length === 0 && this.starting === 0) this.#flushHome();
    await Promise.all(starts);
  }

  /** Loads the module into one replica that serves nothing yet. @returns {Promise<void>} never rejects */
  async preload() {
    if (this.#members.ready.length === 0) await this.starters.preload();
  }

  /**
   * @param {Call} call
   * @param {number} now ms
   * @returns {boolean} false if it was not taken (no replica, or too many calls pend): its caller runs it at home
   */
  submit(call, now) {
    // Home can no longer serve a call from before a change: it waits for a replica if one is coming.
    const isLate = !this.closedBy && (this.isRetired || this.journal.isBefore(call.mark)) && this.#members.serving + this.starting > 0;
    if (!(this.isOpen || isLate) || this.whyFull(call) !== '') return false;
    if (this.isStateful && !this.isAway) {
      this.isAway = true;
      this.wanted = Math.max(this.wanted, 1);
    }
    const isTimed = this.#gauge.isTimed();
    this.#placing.meet(call);
    const replica = this.queued > 0 ? null : this.#pick(call, now);
    if (replica !== null) this.#dispatch(replica, call, now);
    else if (!call.isSettled) this.#wait(call, now);
    if (isTimed) this.#gauge.noteSubmission(performance.now() - now);
    return true;
  }

  /** Serves one more module from now on. @param {import('./load-target').Target} target */
  join(target) {
    if (this.targets.add(target)) for (const replica of this.#members.ready) void this.targets.complete(replica);
  }

  /** @returns {object[]} a record for each replica that lives or has ended */
  records() {
    return this.roll.records(this.replicas);
  }

  /**
   * Notes a change of the module, for all replicas to make.
   *
   * @param {import('../session/change').Change} change
   * @throws {IgnisError} IGNIS_REFUSED when there are too many and home can serve the module instead
   */
  change(change) {
    this.journal.checkRoom(this.module, this.isAway);
    const isLast = this.#waitingMark === Infinity;
    this.journal.add(change, isLast);
    if (isLast) this.journal.tellAll(this.#members.ready);
    else if (this.#members.ready.length + this.starting < this.least) void this.resize(this.wanted);
  }

  /** The module was changed in a way that cannot be repeated: no call may find a replica that differs from home. @param {string} why */
  refuse(why) {
    this.journal.refuse(why);
    void this.resize(0, why);
    this.onChange();
  }

  /** What the coordinator sees. @param {number} now ms @param {[number, number]} copies @param {number} [spanMs] see gauge.js */
  read(now, copies, spanMs) {
    return this.#gauge.describe(this, now, copies, spanMs);
  }

  /** @param {string} [why] @param {number} [closeMs] how long calls in replicas may take @returns {Promise<void>} when all have ended; calls that wait run at home */
  async close(why = CLOSED, closeMs = this.settings.closeMs) {
    this.closedBy = why;
    this.isRetired = true;
    await this.resize(0, why);
    this.#members.hurry(closeMs, why);
    await this.starters.close();
    await Promise.all(this.replicas.map((replica) => replica.ended));
  }

  /** The replica that takes too much memory and is replaced next. */
  get #over() {
    return this.isStateful ? undefined : overMemory(this.#members.ready, this.settings.memoryMb);
  }

  /** @param {Call} call @param {number} now ms @returns {Replica | null} null: it waits here */
  #pick(call, now) {
    return this.#members.ready.length === 0 ? null : this.#placing.pick(this.#members.ready, call, now, this.queued);
  }

  /** @param {Call} call @param {number} now */
  #wait(call, now) {
    this.#queue.push(call, now);
    this.#rest();
  }

  /** @param {Replica} replica @param {Call} call @param {number} now */
  #dispatch(replica, call, now) {
    this.#placing.note(replica, call);
    if (replica.mark < call.mark) void this.journal.tell(replica, call.mark);
    call.sequence = ++this.#sequence;
    call.wasSent = true;
    this.#watch.begin();
    replica.send(call, now);
  }

  /** @param {Error | null} error null: the replica was no longer wanted */
  #failed(error) {
    this.wanted = this.starters.within(this.wanted);
    if (this.#members.ready.length === 0 && this.starting === 0) this.#flushHome();
    if (error === null) return;
    this.roll.tell('failed', { why: error.message, error });
    this.onChange();
    this.onFail(error);
  }

  /** @param {Replica} replica */
  #enter(replica) {
    const over = this.#members.ready.length === this.wanted ? this.#over : undefined;
    if (over !== undefined)
      this.#leave(over, `took ${Math.round(Number(over.rssBytes) / MB)} MB, but its recipe allows ${this.settings.memoryMb}`);
    if (this.#members.ready.length >= this.wanted) {
      const leaving = this.#placing.leavesFor(replica, this.#members.ready);
      this.#leave(leaving, 'no longer wanted when it was ready');
      if (leaving === replica && this.#members.ready.length === 0 && this.starting === 0) this.#flushHome();
      if (leaving === replica) return;
    }
    this.#members.enter(replica);
    void this.targets.complete(replica);
    this.roll.enter(replica);
    void replica.stopping?.then(() => this.#giveBack(replica));
    this.onChange();
    this.#drainQueue();
  }

  /** @param {Replica} replica @param {string} why */
  #leave(replica, why) {
    this.#members.dismiss(replica, this.settings.closeMs, why);
    this.onChange();
  }

  /** @param {Replica} replica on a host that is being stopped: another takes its place elsewhere */
  #giveBack(replica) {
    if (!this.#members.giveBack(replica, this.isStateful)) return;
    void this.resize(this.wanted);
    this.onChange();
  }

  /** @param {Replica} replica that was wanted, or was leaving, and lost its link */
  #break(replica) {
    if (this.#members.break(replica)) this.onChange();
  }

  /** @param {Replica} replica @param {Call[]} pending @param {import('./exit').Exit} exit */
  #lose(replica, pending, exit) {
    this.#break(replica);
    const wasWanted = this.#members.remove(replica);
    const detail = `${this.module}, replica ${replica.id}: ${exit.why}`;
    this.#gauge.leave(replica);
    if (wasWanted) this.lost += 1;
    const judge = wasWanted ? this.onFail(lossOf(this.module, detail, exit, pending)) : undefined;
    this.roll.end(replica, exit.why);
    this.#placing.forget(replica);
    // Start another replica first, so that calls that may run again wait for it instead of running at home at once.
    if (wasWanted && !this.closedBy && (exit.blame === 0 || !this.starters.noteLoss(replica, this.wanted, exit.why)))
      void this.resize(this.wanted);
    // Calls that may run again go ahead of the queue, in their old order.
    const again = sortLost(pending, this.journal, detail, exit, judgeOf(judge, this.isAway));
    for (const call of again) if (call.mustGoHome) sendHome(call, this);
    this.#requeue(again.filter(({ mustGoHome }) => !mustGoHome));
    this.#rest();
    this.onChange();
  }

  /** The watch keeps the program alive while calls wait here. It ends with the last replica. */
  #rest() {
    this.#watch.rest(this.queued > 0);
    if (this.queued === 0 && this.replicas.length + this.starting === 0) this.#watch.end();
  }

  /** @param {Call[]} calls go to the front of the queue */
  #requeue(calls) {
    this.#queue.pushFront(calls, performance.now());
    if (this.#members.ready.length === 0 && this.starting === 0) this.#flushHome();
    else this.#drainQueue();
    this.#rest();
  }

  #drainQueue() {
    if (this.queued === 0) return;
    const now = performance.now();
    for (let call = this.#queue.first; call !== undefined; call = this.#queue.first) {
      const replica = call.isSettled ? null : this.#pick(call, now);
      if (replica === null && !call.isSettled) break;
      this.#queue.shift();
      const place = replica === null ? null : this.#placing.without(replica, this.#members.ready, call, now);
      if (place !== null) this.#dispatch(place, call, now);
      else call.isHedged = false;
    }
    if (this.queued > 0) return;
    if (this.journal.size > 0 && this.#waitingMark === Infinity) this.journal.tellAll(this.#members.ready);
    this.#rest();
  }

  /** There is no replica left to wait for: waiting calls run here. */
  #flushHome() {
    const waiting = this.#queue.takeAll();
    this.#rest();
    // Its state ends with a replica, so home is as good as a new one. After a close, isAway is left as it was.
    this.isAway &&= this.closedBy !== '';
    for (const call of waiting) sendHome(call, this);
  }

  /** Looks for replicas stuck in a long call: what waits behind it, and may run twice, is sent elsewhere too; the first answer counts. @param {number} now ms @returns {boolean} whether anything is under way */
  #look(now) {
    this.#members.askForRest(now);
    const behind = this.#placing.canHedge ? callsBehind(this.#members.ready, now, this.journal.length) : [];
    if (behind.length > 0) this.#requeue(behind);
    else this.#drainQueue();
    // Start the new one first, so that there are never fewer.
    if (this.starting === 0 && this.#over !== undefined) this.starters.replace(this.#over);
    return this.pending + this.#members.others > 0;
  }
}

exports.ReplicaSet = ReplicaSet;
