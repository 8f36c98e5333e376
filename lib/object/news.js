'use strict';
/*
 * Deals with messages of the other side that are neither calls nor answers. In: a message, and what it may concern. Out: it is dealt with;
 * anything else, or anything invalid, is IGNIS_BAD_FRAME.
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
 * @property {number} [timeoutMs] limit for one answer; Infinity
 * @property {() => string} [whose] whose answers they are, for the error of a late one
 * @property {(target: any, ask: any) => any} [load] if this side serves modules: gives the exports of one
 * @property {(error: any) => void} [onUncaught] an error reached the other side's event loop uncaught
 * @property {() => void} [onPause] this side is about to wait
 * @property {(place: number, isOwn: any, value: any) => void} [onReplace] home's program has replaced something that both sides have
 * @property {(code: number) => void} [onExit] the other side's program wants to end
 * @property {(code: number) => void} [onExitCode] it has set the program's exit code
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
 * @property {number[]} waiting our calls that wait for answers, the innermost last
 * @property {number[]} serving calls of the other side that are being served
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
      // The replica only waits for us now: nothing that it does must keep home alive.
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

/** Tells what home listens to there. @param {any[]} message @param {import('./mail').Mail} mail */
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

/** The replica has a promise of home's own: home handles it or not. @param {any} reason @param {boolean} isLookedAfter */
function unhandled(reason, isLookedAfter) {
  if (!isLookedAfter) void Promise.reject(reason);
}

/**
 * An error thrown by a function of home belongs to home, in the context of that function.
 *
 * @param {any} error
 * @param {Side} side
 * @param {import('./contexts').Contexts} contexts
 */
function uncaught(error, side, contexts) {
  contexts.run(error, () => side.onUncaught?.(error));
}

exports.takeNews = takeNews;
