'use strict';
/*
 * The mail of a conversation: turns values into messages and messages into values, and does what follows: settles promises later, brings
 * copies up to date, tells which were collected. In: what to say, as a function of a packer; baggage and slots that came. Out: messages on
 * the line. It asks nothing and runs nothing of the program.
 */
const types = require('node:util/types');
const { IgnisError } = require('../errors');
const { Broken, isLookedAfter } = require('./broken');
const { Fetches } = require('./fetches');
const { follow, hear, isHandled, leave, watch } = require('./handled');
const { forgetKept } = require('./kept');
const { Listeners } = require('./listeners');
const { Loose } = require('./loose');
const { Orphans, goneWith } = require('./orphans');
const { Packer, Unsendable } = require('./pack');
const { pathTo } = require('./path-to');
const { Tables } = require('./tables');
const { MESSAGE, isAnswer } = require('./tags');
const { Unpacker } = require('./unpack');
const { excuse } = require('../session/unheard');
const engine = require('../engine');

const { Map, Math, Promise, isArray, isInteger, queueMicrotask, setImmediate } = engine;

/**
 * @typedef {object} MailHooks
 * @property {boolean} isHome
 * @property {'restore' | 'copy' | 'ref'} [args] what becomes of data that this side sends with its calls
 * @property {(id: number, shape: number) => any} makeStub
 * @property {import('./contexts').Contexts | null} contexts at home: the contexts in which its functions were lent
 * @property {() => void} onSettle the other side will hear of a promise, and may have something to do then
 * @property {() => void} onSettled that was sent
 * @property {() => void} onPost a message is about to be made
 * @property {(id: number) => void} waitFor deals with messages until the contents of a twin are here
 */

/** @typedef {{promise: Promise<any>, id: number, isFulfilled: boolean, value: any}} Settled */

/** Stubs and symbols are looked through only if there are many, and new ones. */
const MANY_HELD = 4096;

class Mail {
  #line;
  #hooks;
  #tables;
  #unpacker;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: any) => void}>} promises that the other side settles */
  #promises = new Map();
  /** @type {Settled[]} ours, not told yet */
  #settled = [];
  #broken = new Broken();
  /** @type {number[]} collected references: id, count, ... */
  #released = [];
  /** @type {{message: number, objects: any[]}[]} twins named to the other side, which may have lost its copies: kept until it has dealt with the message */
  #named = [];
  #isDropPlanned = false;
  #manyHeld = MANY_HELD;
  /** called before each message with values @type {(() => void) | undefined} */
  onPost = undefined;
  /** messages sent and received */
  sent = 0;
  received = 0;

  /** @param {import('../wire/line').Line} line @param {MailHooks} hooks */
  constructor(line, hooks) {
    this.#line = line;
    this.#hooks = hooks;
    watch(hooks.isHome);
    this.#tables = new Tables(
      hooks.isHome,
      {
        onReleased: (counts) => {
          for (const count of counts) this.#released.push(count);
          this.#planDrop();
        },
        onGone: () => this.#planDrop(),
        onLend: (value) => hooks.contexts?.note(value),
      },
      line.sharesMemory,
    );
    this.#tables.args = hooks.args ?? 'restore';
    /** listeners on closed streams @readonly */
    this.loose = new Loose(this, hooks.makeStub);
    /** who listens to whose emitters @readonly */
    this.hearing = hooks.contexts === null ? new Listeners(this) : new Orphans(this.#tables, hooks.contexts, this.loose);
    this.#unpacker = new Unpacker(this.#tables, {
      makeStub: hooks.makeStub,
      makePromise: (id) => new Promise((resolve, reject) => this.#promises.set(id, { resolve, reject })),
      fetch: (id) => this.fetches.fetch(id),
    });
    /** @readonly */
    this.fetches = new Fetches(this, hooks.waitFor);
  }

  get tables() {
    return this.#tables;
  }
  get unpacker() {
    return this.#unpacker;
  }

  /**
   * A message is [kind, baggage, ...parts], unless it is an answer.
   *
   * @param {number} kind
   * @param {(packer: Packer) => any[]} pack gives the parts
   * @throws {IgnisError} IGNIS_FRAME_TOO_LARGE, IGNIS_UNMARSHALABLE: nothing was sent, and nothing has changed
   */
  post(kind, pack) {
    this.#hooks.onPost();
    this.onPost?.();
    const packer = new Packer(this.#tables, this.sent, (promise, id) => this.#sent(promise, id));
    packer.isPassing = this.#tables.args === 'copy' && kind === MESSAGE.CALL;
    packer.isContent = kind === MESSAGE.CONTENT;
    try {
      const parts = pack(packer);
      const baggage = packer.baggage();
      this.send(isAnswer(kind) ? [kind, ...parts, baggage] : [kind, baggage, ...parts]);
      packer.letGo();
      if (packer.named.length > 0) this.#named.push({ message: this.sent - 1, objects: packer.named });
    } catch (error) {
      packer.undo();
      if (!(error instanceof Unsendable)) throw error;
      throw new IgnisError(
        'IGNIS_UNMARSHALABLE',
        `a SharedArrayBuffer cannot be shared with another process (${pathTo(error.value, pack, packer.changed)})`,
      );
    }
  }

  /** If the error cannot be sent, the reason is. @param {number} kind @param {any} error @param {...any} parts before it */
  postError(kind, error, ...parts) {
    try {
      this.post(kind, (packer) => [...parts, packer.slot(error)]);
    } catch (why) {
      this.post(kind, (packer) => [...parts, packer.slot(why)]);
    }
  }

  /** @param {any[]} message without values; gets one more part: how many messages of the other side this side has dealt with */
  send(message) {
    message.push(this.#done);
    this.#line.post(message);
    this.sent += 1;
  }

  /** @param {any[]} message that came; its last part is removed */
  took(message) {
    this.received += 1;
    const done = message.pop();
    if (!isInteger(done)) throw new IgnisError('IGNIS_BAD_FRAME', 'a message without its last part');
    while (this.#named.length > 0 && this.#named[0].message < done) this.#named.shift();
    this.#broken.heard(done);
    for (const drop of this.fetches.next()) this.dropped(drop);
  }

  /** A message has not been dealt with while contents that it needs are fetched. */
  get #done() {
    return this.fetches.doneBefore ?? this.received;
  }

  /** Tells the other side at once which of our copies were collected. @param {() => void} [collect] collects them */
  sweep(collect) {
    const { twins } = this.#tables;
    twins.endTurn();
    collect?.();
    twins.sweep();
    if (collect !== undefined) twins.noteCollected();
    this.#tables.held.sweep();
    this.#tables.symbols.sweep();
    this.#tellDropped();
  }

  /** In the middle of a long turn, the engine keeps every stub and symbol, and no finalizer runs: now and then, unused ones are released here. */
  thin() {
    const { held, symbols } = this.#tables;
    if (held.size + symbols.size <= this.#manyHeld) return;
    forgetKept();
    held.sweep();
    symbols.sweep();
    this.#tellDropped();
    const left = held.size + symbols.size;
    this.#manyHeld = left + Math.max(MANY_HELD, left);
  }

  /** @param {any[]} message a SETTLE */
  settled([, baggage, ...settled]) {
    if (!settled.every(isArray)) throw new IgnisError('IGNIS_BAD_FRAME', 'a SETTLE is of lists');
    this.#unpacker.open(baggage);
    // Read all of them first: settling one asks its value for `then`, which is a call if it is a stub; what came for the others may be
    // collected during that call.
    const values = settled.map(([, , slot]) => this.#unpacker.value(slot));
    // Before anything else: the replica knows which promises these are only until home goes on, as it does with its next call.
    const areEarly = settled.map((one, i) => this.#isEarly(one, values[i]));
    const early = settled.filter((_, i) => areEarly[i]);
    if (early.length > 0) this.send([MESSAGE.UNAWAITED, ...early.map(([id]) => id)]);
    for (let i = 0; i < settled.length; i++) if (!areEarly[i]) this.#settle(settled[i], values[i]);
  }

  /** @param {any[]} one about to be settled @param {any} value @returns {boolean} whether the replica must tell of it again */
  #isEarly([id, isFulfilled, , isLookedAfter], value) {
    const promise = isFulfilled || isLookedAfter || !this.#hooks.isHome ? undefined : this.#promises.get(id);
    if (promise === undefined || !this.#broken.isEarly(id, this.#tables.twins.get(id))) return false;
    // It is rejected with this even if the replica ends first.
    this.#promises.set(id, { resolve: promise.resolve, reject: () => promise.reject(value) });
    this.#hooks.onSettle();
    return true;
  }

  /** @param {any[]} one promise, whether it was fulfilled, slot, whether somebody there handles it @param {any} value */
  #settle([id, isFulfilled, , isLookedAfter], value) {
    const promise = this.#promises.get(id);
    this.#promises.delete(id);
    const twin = this.#tables.twins.get(id);
    if (!isFulfilled && types.isPromise(twin)) {
      this.#broken.dealWith(twin);
      if (isLookedAfter) follow(twin, undefined, () => {});
    }
    if (isFulfilled) promise?.resolve(value);
    else promise?.reject(value);
  }

  /** At home nobody waits yet for these rejected promises of ours. Our own code may: we know when its promises have run. @param {any[]} message an UNAWAITED */
  tellAgain([, ...ids]) {
    for (const id of ids) {
      const promise = this.#broken.take(id);
      if (promise !== undefined) setImmediate(() => this.#follow(promise, id));
    }
  }

  /** @param {any} id of a promise @returns {boolean} whether code here handles it */
  isLookedAfter(id) {
    const promise = this.#tables.twins.get(id);
    return types.isPromise(promise) && isHandled(promise);
  }

  /** @param {any[]} message a DROP; its last part is how many of our messages the other side had when it lost these */
  dropped(message) {
    if (this.fetches.holds(message)) return;
    const [, gone, released, received] = message;
    if (!isArray(gone) || !isArray(released) || !isInteger(received)) {
      throw new IgnisError('IGNIS_BAD_FRAME', 'a DROP has two lists and a number');
    }
    const { twins, lent } = this.#tables;
    // One that we sent again before we knew stays: the other side asks for its contents.
    for (const id of gone) {
      // If nobody over there has a promise any more, it will never be settled, and those waiting for it here need not wait.
      this.#promises.delete(id);
      if (twins.get(id) === undefined || twins.sentAt(id) < received) twins.dissolve(id);
    }
    for (let i = 0; i + 1 < released.length; i += 2) lent.release(released[i], released[i + 1]);
  }

  /** @param {any[]} message a FETCH: the other side has lost a twin that we sent again */
  fetched([, id]) {
    const object = this.#tables.twins.get(id);
    this.post(MESSAGE.CONTENT, (packer) => [id, object === undefined ? null : packer.content(object)]);
    // It may have been settled long ago, and only the lost one was told.
    if (types.isPromise(object)) this.#follow(object, id);
  }

  /** The line has ended. */
  end() {
    leave();
    const cause = this.#line.error;
    const error = goneWith('the replica that was to settle this promise is gone', cause);
    if (this.#line.isKilled && this.#promises.size > 0) excuse(error);
    for (const { reject } of this.#promises.values()) reject(error);
    this.#promises.clear();
    this.#named = [];
    this.loose.end();
    this.hearing.end(cause, this.#line.isKilled || cause === null);
    this.#tables.clear();
  }

  /** @param {Promise<any>} promise that the other side gets @param {number} id */
  #sent(promise, id) {
    if (!this.#tables.twins.isTheirs(promise)) this.#follow(promise, id);
    // Its maker may handle it only now; if it is not settled here yet, we hear of that in time.
    else if (!this.#promises.has(id)) follow(promise, undefined, () => {});
  }

  /** @param {Promise<any>} promise of ours that the other side has now @param {number} id */
  #follow(promise, id) {
    const note = (/** @type {boolean} */ isFulfilled, /** @type {any} */ value) => {
      // Promises settled together are told together, so that code waiting for them runs in the same order as here.
      const areMore = hear(promise);
      this.#settled.push({ promise, id, isFulfilled, value });
      if (areMore) queueMicrotask(() => this.#tellSettled());
      else this.#tellSettled();
    };
    follow(
      promise,
      (value) => note(true, value),
      (error) => note(false, error),
    );
  }

  #tellSettled() {
    const settled = this.#settled;
    this.#settled = [];
    if (this.#line.isClosed || settled.length === 0) return;
    this.#hooks.onSettle();
    try {
      this.#postSettled(settled);
    } catch {
      // One of them cannot be sent: it is rejected with the reason, and the others stay as they were.
      for (const one of settled) this.#postSettledAlone(one);
    }
    this.#hooks.onSettled();
  }

  /** @param {Settled} one */
  #postSettledAlone(one) {
    try {
      this.#postSettled([one]);
    } catch (why) {
      this.#postSettled([{ ...one, isFulfilled: false, value: why }]);
    }
  }

  /** @param {Settled[]} settled */
  #postSettled(settled) {
    this.post(MESSAGE.SETTLE, (packer) =>
      settled.map(({ promise, id, isFulfilled, value }) => {
        const isCared = isLookedAfter(promise);
        if (!isFulfilled && !isCared && !this.#hooks.isHome) this.#broken.told(id, promise, this.sent);
        return [id, isFulfilled, packer.slot(value), isCared];
      }),
    );
    if (this.#hooks.isHome) for (const { promise, isFulfilled } of settled) if (!isFulfilled) this.#broken.dealWith(promise);
  }

  #planDrop() {
    if (this.#isDropPlanned) return;
    this.#isDropPlanned = true;
    setImmediate(() => this.#tellDropped()).unref();
  }

  #tellDropped() {
    this.#isDropPlanned = false;
    const [gone, released] = [this.#tables.twins.takeGone(), this.#released];
    this.#released = [];
    if (!this.#line.isClosed && gone.length + released.length > 0) this.send([MESSAGE.DROP, gone, released, this.#done]);
  }
}

exports.Mail = Mail;
