'use strict';
/*
 * News: messages of the other side that are no calls and no answers. In: a message, and what it may concern. Out: it is dealt with; what is
 * none, or not valid, is IGNIS_BAD_FRAME.
 */
const { IgnisError } = require('../errors');
const { Orphans } = require('./orphans');
const { MESSAGE } = require('./tags');
const { warnHere } = require('../session/warning');
const engine = require('../engine');

const { Promise, isArray } = engine;

/**
 * @typedef {object} Side
 * @property {boolean} isHome
 * @property {'restore' | 'copy' | 'ref'} [args] what becomes of data among the arguments of our calls; restore: twins
 * @property {number} [timeoutMs] how long one answer may take; Infinity
 * @property {() => string} [whose] answers they are, for the message of one that is late
 * @property {(target: any, ask: any) => any} [load] where modules are served: gives the exports of one
 * @property {(error: any) => void} [onUncaught] the other side's event loop met an error that nobody caught
 * @property {() => void} [onPause] this side is about to wait
 * @property {(place: number, isOwn: any, value: any) => void} [onReplace] home's program has put something in a place that both sides have
 * @property {(code: number) => void} [onExit] the other side's program wants to end
 * @property {(code: number) => void} [onExitCode] it has said what the program is to end with
 */

/**
 * @typedef {object} Concerned
 * @property {import('../wire/line').Line} line
 * @property {Side} side
 * @property {import('./mail').Mail} mail
 * @property {import('./turn').Turn} turn
 * @property {import('./steady').Reads} reads
 * @property {ReturnType<typeof import('./environment').shareEnvironment> | null} environment
 * @property {import('./contexts').Contexts} contexts
 * @property {import('./deferred').Deferred} deferred
 * @property {number[]} waiting our calls that wait for their answer, the innermost last
 * @property {number[]} serving the other side's calls that are being served
 */

/**
 * @param {any[]} message
 * @param {Concerned} concerned
 * @throws {IgnisError} IGNIS_BAD_FRAME
 */
function takeNews(message, { line, side, mail, turn, reads, environment, contexts, deferred, waiting }) {
  switch (message[0]) {
    case MESSAGE.SETTLE:
      if (side.isHome) turn.beginWithPromises();
      return mail.settled(message);
    case MESSAGE.DROP:
      return mail.dropped(message);
    case MESSAGE.CONTENT:
      return mail.fetches.take(message);
    case MESSAGE.FETCH:
      return mail.fetched(message);
    case MESSAGE.TURN:
      return turn.goOn();
    case MESSAGE.FIRST:
      if (side.isHome) throw new IgnisError('IGNIS_BAD_FRAME', 'a replica says that it goes first');
      return deferred.putBack(waiting[0]);
    case MESSAGE.TICKS:
      return turn.awaitTicks();
    case MESSAGE.UNHANDLED:
      mail.unpacker.open(message[1]);
      return unhandled(mail.unpacker.value(message[3]), mail.isLookedAfter(message[2]));
    case MESSAGE.UNAWAITED:
      return mail.tellAgain(message);
    case MESSAGE.ENVIRONMENT:
      return environment?.take(message[1], message[2]);
    case MESSAGE.IDLE:
      // The replica has nothing left to do but to wait for us: nothing that it does need keep home alive.
      if (message[1] === mail.sent) line.unref();
      return;
    case MESSAGE.UNCAUGHT:
      mail.unpacker.open(message[1]);
      return uncaught(mail.unpacker.value(message[2]), side, contexts);
    case MESSAGE.REPLACE:
      mail.unpacker.open(message[1]);
      return side.onReplace?.(message[2], message[3], mail.unpacker.value(message[4]));
    case MESSAGE.WARNING:
      mail.unpacker.open(message[1]);
      return warn(mail.unpacker.value(message[2]));
    case MESSAGE.STEADY:
      mail.unpacker.open(message[1]);
      return reads.learn(message[2], mail.unpacker.value(message[3]), mail.unpacker.value(message[4]));
    case MESSAGE.FORGET:
      return reads.forget();
    case MESSAGE.LISTENERS:
    case MESSAGE.PENDING:
      return takeHearing(message, mail);
    case MESSAGE.LOOSE:
      mail.unpacker.open(message[1]);
      return mail.loose.take(mail.unpacker.value(message[2]), mail.unpacker.values(message[3]));
    case MESSAGE.NAMES:
      if (!isArray(message[1])) throw new IgnisError('IGNIS_BAD_FRAME', 'NAMES is a list');
      return mail.tables.learnNames(message[1]);
    case MESSAGE.EXIT_CODE:
      return side.onExitCode?.(Number(message[1]));
    case MESSAGE.EXIT:
      return side.onExit?.(Number(message[2]));
    default:
      throw new IgnisError('IGNIS_BAD_FRAME', 'a message of an unknown kind');
  }
}

/** What home listens to there. @param {any[]} message @param {import('./mail').Mail} mail */
function takeHearing([kind, baggage, number, ...parts], { unpacker, hearing }) {
  if (!(hearing instanceof Orphans)) throw new IgnisError('IGNIS_BAD_FRAME', 'home tells of no listeners');
  unpacker.open(baggage);
  if (kind === MESSAGE.PENDING) hearing.toldPending(number, unpacker.value(parts[0]), parts[1]);
  else hearing.told(number, parts[0], unpacker.value(parts[1]), unpacker.values(parts[2]));
}

/** @param {any} parts arguments of process.emitWarning, as they came over the wire */
function warn(parts) {
  if (!isArray(parts)) throw new IgnisError('IGNIS_BAD_FRAME', 'a warning is none');
  warnHere(parts);
}

/** A promise of home's own that the replica has is looked after where home does so. @param {any} reason @param {boolean} isLookedAfter */
function unhandled(reason, isLookedAfter) {
  if (!isLookedAfter) void Promise.reject(reason);
}

/**
 * One that a function of home threw is home's, in the context of that function.
 *
 * @param {any} error
 * @param {Side} side
 * @param {import('./contexts').Contexts} contexts
 */
function uncaught(error, side, contexts) {
  contexts.run(error, () => side.onUncaught?.(error));
}

exports.takeNews = takeNews;
