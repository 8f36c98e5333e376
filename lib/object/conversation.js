'use strict';
/*
 * A conversation is one end of a line between home and a replica with resident modules. In: operations on stubs; messages of the other
 * side. Out: results, at once: the asker waits, and meanwhile serves what the other side asks on its behalf (callbacks), to any depth.
 *      home   ask ----CALL 1----> serve --+
 *             serve <--CALL 2, within 1-- ask   (a callback)
 *             +------RETURN 2-----------> ...
 *             result <--RETURN 1---------
 * While it waits, a side serves only what is asked *within* the call that it waits for. What the replica wants on its own (a timer of the
 * module) is done in a turn of home's event loop, as if the module were there, and vice versa (own-turn.js says who goes first). Nothing
 * waits for ever: the end of the line and `timeoutMs` wake it.
 */
const { Answers } = require('./answers');
const { Mail } = require('./mail');
const { takeNews } = require('./news');
const { admit, operationOf, packOperands, openOperands, packResult } = require('./operations');
const { makeStub } = require('./stub');
const { MESSAGE, OPERATION, isAnswer } = require('./tags');
const { shareEnvironment } = require('./environment');
const { Contexts, setBack } = require('./contexts');
const { Deferred } = require('./deferred');
const { isDue, mayServe } = require('./own-turn');
const { Replaced } = require('./replaced');
const { Stacks } = require('./stacks');
const { Reads } = require('./steady');
const { Turn } = require('./turn');
const { lateAnswer, waitForContents, waitUntil } = require('./wait-until');
const engine = require('../engine');

const { Math, Reflect, performance } = engine;

/** @typedef {import('./news').Side} Side */
/** @typedef {import('./operations').Opened} Opened */

/** Used directly, without a function in between, to save stack. */
const [APPLY, GET] = [OPERATION.APPLY, OPERATION.GET].map(operationOf);

class Conversation {
  #line;
  #side;
  /** @readonly */ mail;
  /** @readonly */ turn;
  #contexts = new Contexts();
  #nextCall = 1;
  /** @type {number[]} our calls that wait for answers, the innermost last */
  #waiting = [];
  /** @type {number[]} what these calls asked */
  #asked = [];
  /** @type {number[]} calls of the other side that are being served, the innermost last */
  #serving = [];
  #answers;
  #deferred = new Deferred(
    () => this.#waiting.length === 0,
    () => this.#attendOrEnd(),
  );
  #reads;
  #stacks = new Stacks();
  #replaced;
  #around;

  /**
   * @param {import('../wire/line').Line} line the conversation owns it from now on
   * @param {Side} side
   */
  constructor(line, side) {
    this.#line = line;
    this.#side = side;
    this.#replaced = side.isHome ? new Replaced() : null;
    this.mail = new Mail(line, {
      isHome: side.isHome,
      args: side.args,
      makeStub: (id, shape) => makeStub(id, shape, this),
      contexts: side.isHome ? this.#contexts : null,
      onSettle: () => side.isHome && line.ref(),
      onSettled: () => side.isHome || this.#handOver(),
      onPost: () => this.#reads.check(),
      waitFor: (id) => this.#waitFor(id),
    });
    this.#answers = new Answers(this.mail.unpacker);
    this.#reads = new Reads(this.mail.tables.lent, () => this.mail.send([MESSAGE.FORGET]));
    this.turn = new Turn(side.isHome, { line, mail: this.mail, reads: this.#reads, attend: () => this.#attendOrEnd() });
    line.onMessage = (message) => this.#met(message);
    const { onClose } = line;
    const environment = line.sharesEnvironment ? shareEnvironment((...change) => this.mail.send([MESSAGE.ENVIRONMENT, ...change])) : null;
    const { mail, turn } = this;
    const own = { contexts: this.#contexts, deferred: this.#deferred, waiting: this.#waiting, serving: this.#serving };
    this.#around = { line, side, mail, turn, reads: this.#reads, environment, ...own };
    line.onClose = (error) => {
      environment?.leave();
      this.mail.end();
      onClose(error);
    };
  }

  /** @param {object} target what to load there, as plain data @param {(filename: string) => string | null} [sourceOf] gives the source of files that home translates @returns {any} the exports: a stub, or a primitive. Throws what the module throws while loading */
  load(target, sourceOf) {
    return this.ask(OPERATION.LOAD, 0, [target, sourceOf]);
  }

  /** Whether the other side waits for what is done here now. */
  get isServing() {
    return this.#serving.length > 0;
  }

  /** Serves the other side until it has finished something that takes turns of its event loop. @param {() => boolean} isDone */
  waitUntil(isDone) {
    const { timeoutMs = Infinity, whose } = this.#side;
    const meet = (/** @type {any[]} */ message) => this.#met(message);
    waitUntil(isDone, { line: this.#line, turn: this.turn, deferred: this.#deferred, timeoutMs, whose, meet });
  }

  /**
   * One operation on an object of the other side; waits for its result.
   *
   * @param {number} operation
   * @param {number} id 0: none
   * @param {any[]} operands
   * @returns {any}
   * @throws what the operation throws there; IgnisError IGNIS_STALE_REFERENCE, IGNIS_REPLICA_LOST, IGNIS_CALL_TIMEOUT
   */
  ask(operation, id, operands) {
    admit(this.#serving.length);
    if (this.#line.isClosed) return this.mail.hearing.operate(operation, id, operands, this.#line.error);
    if (operationOf(operation) === APPLY) this.mail.hearing.check(operands[0]);
    if (this.#side.isHome) this.#line.ref();
    if (this.#serving.length === 0) {
      this.turn.begin();
      if (this.#side.isHome) this.mail.thin();
      if (this.#deferred.isOwed && this.#side.isHome) this.mail.send([MESSAGE.FIRST]);
    }
    this.#replaced?.tellChanges((place, isOwn, value) => this.mail.post(MESSAGE.REPLACE, (packer) => [place, isOwn, packer.slot(value)]));
    const call = this.#nextCall++;
    const within = this.#serving.length === 0 ? 0 : this.#serving[this.#serving.length - 1];
    this.mail.post(MESSAGE.CALL, (packer) => [call, within, operation, id, ...packOperands(packer, operationOf(operation), operands)]);
    const until = performance.now() + (this.#side.timeoutMs ?? Infinity);
    this.#waiting.push(call);
    this.#asked.push(operation);
    try {
      // Only this loop and #serve are on the stack between two nested calls: a thousand of them must fit.
      for (;;) {
        this.#deferred.runAsked();
        const message = this.#answers.early(call) ?? this.#receive(call, operation, until);
        if (message[0] === MESSAGE.CALL && isDue(message[3], this.#around)) {
          const opened = this.#orEnd(this.#openCall, message);
          if (message[4] === OPERATION.APPLY_LENT || message[3] === 0) this.#serveLater(opened);
          else this.#serve(opened);
        } else if (isAnswer(message[0]) && message[1] === call) return this.#result(operation, message);
        else this.#orEnd(this.#take, message);
      }
    } finally {
      this.#waiting.pop();
      this.#asked.pop();
    }
  }

  /** @param {object} bytes of ours that the other side has a copy of */
  keep(bytes) {
    this.mail.tables.twins.pin(bytes);
  }

  /** Lets the other side go on first. */
  #handOver() {
    this.turn.isTheirs = true;
    this.#attendOrEnd();
  }

  /** If anything goes wrong, the line ends with that error. */
  #attendOrEnd() {
    try {
      this.#attend();
    } catch (error) {
      this.#broken(error);
    }
  }

  /** Serves the other side, including what it asked before, until its turn is over; or until an error comes that nobody caught there. */
  #attend() {
    while (this.turn.isTheirs && !this.#line.isClosed && this.#line.onMessage !== null) {
      if (this.#deferred.runOne()) continue;
      this.#side.onPause?.();
      const message = this.#line.receive(this.#side.timeoutMs ?? Infinity);
      if (message === undefined) return;
      this.mail.took(message);
      if (message[0] === MESSAGE.CALL) this.#serveLater(this.#openCall(message));
      else this.#take(message);
    }
  }

  /**
   * A member that the other side told us of; while it stands still, the member cannot change.
   *
   * @param {number} id @param {PropertyKey} key
   * @returns {any} undefined: it must be asked for
   */
  known(id, key) {
    return (this.#serving.length > 0 || this.turn.isQuiet) && !this.#line.isClosed ? this.#reads.get(id, key) : undefined;
  }

  /** @param {number} call @param {number} operation @param {number} until ms @returns {any[]} the next message */
  #receive(call, operation, until) {
    this.#side.onPause?.();
    const message = this.#line.receive(until === Infinity ? Infinity : Math.max(0, until - performance.now()));
    if (message === undefined) {
      this.turn.isQuiet = false;
      this.#answers.giveUp(call, operation);
      if (this.#side.isHome) this.mail.send([MESSAGE.FIRST]);
      throw lateAnswer(this.#side);
    }
    this.mail.took(message);
    return message;
  }

  /** @param {number} operation @param {any[]} answer @returns {any} */
  #result(operation, answer) {
    if (this.#serving.length === 0) this.turn.isQuiet = true;
    let value;
    try {
      value = this.#answers.read(operation, answer);
    } catch (error) {
      throw this.#broken(error);
    }
    // An error shows where home made it: by a call that threw it, or by a constructor.
    if (this.#side.isHome && (answer[0] === MESSAGE.THROW || operation === OPERATION.CONSTRUCT))
      this.#stacks.join(value, this.mail.tables.twins);
    if (answer[0] === MESSAGE.RETURN) return value;
    throw value;
  }

  /** @param {any} error what was wrong with a message; ends the line, unless only a reference was stale */
  #broken(error) {
    if (error?.code !== 'IGNIS_STALE_REFERENCE') this.#line.destroy(error);
    return error;
  }

  /** From the event loop. @param {any[]} message */
  #met(message) {
    try {
      this.mail.took(message);
      if (message[0] === MESSAGE.CALL && mayServe(message[3], this.#around)) {
        this.turn.isTheirs = true;
        this.#serve(this.#openCall(message));
        this.#attend();
      } else this.#take(message);
    } catch (error) {
      this.#broken(error);
    }
    if (this.#side.isHome) this.#deferred.runOne();
  }

  /** Invalid messages end the line. @template T @param {(message: any[]) => T} deal one of our methods @param {any[]} message @returns {T} */
  #orEnd(deal, message) {
    try {
      return Reflect.apply(deal, this, [message]);
    } catch (error) {
      throw this.#broken(error);
    }
  }

  /** @param {any[]} message any except the awaited answer and calls that are served at once */
  #take(message) {
    switch (message[0]) {
      case MESSAGE.CALL:
        return this.#defer(message);
      case MESSAGE.RETURN:
      case MESSAGE.THROW:
        return this.#answers.add(message, this.#asked[this.#waiting.indexOf(message[1])]);
      default:
        return takeNews(message, this.#around);
    }
  }

  /** What the other side does on its own needs a turn of this side's event loop. During a call that was given up, it has no turn whose end it would tell. @param {any[]} message @param {boolean} [isAsked] of the one who waits here */
  #defer(message, isAsked = false) {
    // Later messages may name what it brings, so it is unpacked now; the values are kept until then.
    const opened = this.#openCall(message);
    if (opened === null) return;
    const isOwn = message[3] === 0;
    this.turn.isTheirs ||= isOwn && !isAsked;
    this.#deferred.add(() => {
      this.turn.isTheirs ||= isOwn && this.#waiting.length === 0;
      if (isAsked && message[4] !== OPERATION.APPLY_LENT) this.#serve(opened);
      else this.#serveLater(opened);
    }, isAsked);
  }

  /** What was handed over in an earlier turn or call runs in the context of that time. @param {Opened | null} opened */
  #serveLater(opened) {
    if (opened !== null) this.#contexts.run(opened.target, () => this.#serve(opened));
  }

  /** @param {any[]} message [CALL, baggage, call, within, operation, id, ...operands] @returns {Opened | null} null: its target is gone, which was the answer */
  #openCall([, baggage, call, , operation, id, ...slots]) {
    const kept = this.mail.unpacker.open(baggage);
    const spec = operationOf(operation);
    try {
      const target = operation === OPERATION.LOAD ? this.#side.load : this.mail.unpacker.own(id);
      return { call, id, spec, target, operands: openOperands(this.mail.unpacker, spec, slots), kept };
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'IGNIS_STALE_REFERENCE') throw error;
      this.#reply(MESSAGE.THROW, call, (packer) => packer.slot(error));
      return null;
    } finally {
      this.mail.unpacker.letGo();
    }
  }

  /** @param {Opened | null} opened null: it was answered already */
  #serve(opened) {
    if (opened === null) return;
    const { call, id, spec, target, operands } = opened;
    this.#serving.push(call);
    const wasBack = setBack(false);
    try {
      // If the answer cannot be sent, the reason is sent.
      try {
        if (spec === APPLY) this.mail.hearing.begin(target, operands);
        const result = spec === APPLY ? Reflect.apply(target, operands[0], operands[1]) : spec.run(target, ...operands);
        if (spec === GET && this.#reads.note(id, operands[0], result)) {
          this.mail.post(MESSAGE.STEADY, (packer) => [id, packer.slot(operands[0]), packer.slot(result, true)]);
        }
        if (spec === APPLY) this.mail.hearing.check(operands[0]);
        this.#reply(MESSAGE.RETURN, call, (packer) => packResult(packer, spec, result));
      } catch (error) {
        this.mail.hearing.threw(error, target, spec === APPLY ? operands : null);
        if (!this.#line.isClosed) this.mail.postError(MESSAGE.THROW, error, call);
      }
    } finally {
      setBack(wasBack);
      this.#serving.pop();
    }
  }

  /** @param {number} kind @param {number} call @param {(packer: import('./pack').Packer) => any} pack */
  #reply(kind, call, pack) {
    if (!this.#line.isClosed) this.mail.post(kind, (packer) => [call, pack(packer)]);
  }

  /** @param {number} id messages are dealt with until the contents of this twin are here */
  #waitFor(id) {
    const take = (/** @type {any[]} */ message) => {
      this.mail.took(message);
      if (message[0] === MESSAGE.CALL) this.#defer(message, isDue(message[3], this.#around));
      else this.#take(message);
    };
    waitForContents(() => this.mail.fetches.lacks(id), { line: this.#line, side: this.#side, take });
  }
}

exports.Conversation = Conversation;
