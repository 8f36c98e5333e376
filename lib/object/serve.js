'use strict';
/*
 * The replica's side of a conversation: what runs beside a resident module. In: a line to home, and how to load a module. Out: a served
 * module; news of uncaught errors, of `process.exit`, and of the moment when only waiting for home is left. It keeps the replica alive as
 * long as the line lives, and has twins collected before there are many.
 */
const { makeThinner } = require('./collecting');
const { Conversation } = require('./conversation');
const { knownNames } = require('./intrinsics');
const { replace, replaceFar } = require('./replaced');
const { MESSAGE } = require('./tags');
const { checkWarning } = require('../session/warning');
const engine = require('../engine');

const { Reflect, setTimeout } = engine;

/** After this long without a message it is idle, unless something of its own goes on, ms. */
const REST_MS = 10;

/**
 * @param {import('../wire/line').Line} line
 * @param {{load: (target: any, ask: any) => any, onIdle?: () => void}} settings
 * @returns {Conversation}
 */
function serve(line, { load, onIdle }) {
  // What a module adds to the engine's objects is not home's, and what home's program has added is not ours.
  const names = knownNames();
  const conversation = new Conversation(line, {
    isHome: false,
    load,
    onReplace: line.sharesMemory || line.sharesEnvironment ? replace : replaceFar,
    onPause: () => thin(),
  });
  const { mail } = conversation;
  mail.send([MESSAGE.NAMES, names]);
  const thin = makeThinner(mail);
  const onMessage = /** @type {(message: any[]) => void} */ (line.onMessage);
  line.onMessage = (message) => {
    onMessage(message);
    rest();
  };
  // Calls mostly come close together; after a while without one, check whether they started something that still goes on.
  let timer = /** @type {NodeJS.Timeout | null} */ (null);
  const rest = () => {
    line.ref();
    timer ??= setTimeout(() => {
      timer = null;
      line.unref();
    }, REST_MS);
    timer.refresh();
  };
  process.on('beforeExit', () => {
    if (line.isClosed) return;
    onIdle?.();
    mail.onPost?.();
    mail.send([MESSAGE.IDLE, mail.received]);
    line.ref();
  });
  process.on('uncaughtException', (error) => mail.postError(MESSAGE.UNCAUGHT, error));
  const { twins } = mail.tables;
  process.on('unhandledRejection', (reason, promise) =>
    mail.postError(MESSAGE.UNHANDLED, reason, twins.isTheirs(promise) ? twins.idOf(promise) : 0),
  );
  process.emitWarning = /** @type {any} */ (
    (/** @type {any[]} */ ...args) => {
      checkWarning(args);
      // The last argument may be a function, which only says where the stack begins.
      const told = args.filter((arg) => typeof arg !== 'function');
      try {
        mail.post(MESSAGE.WARNING, (packer) => [packer.slot(told)]);
      } catch {
        mail.post(MESSAGE.WARNING, (packer) => [packer.slot([String(told[0])])]);
      }
    }
  );
  /** @type {any} */
  let exitCode = undefined;
  // Nobody can listen to it.
  mail.onPost = () => {
    if (process.exitCode === exitCode || line.isClosed) return;
    exitCode = process.exitCode;
    mail.send([MESSAGE.EXIT_CODE, Number(exitCode ?? 0)]);
  };
  const exit = process.exit;
  process.exit = /** @type {any} */ (
    (/** @type {number} */ code) => {
      mail.post(MESSAGE.EXIT, () => [Number(code ?? process.exitCode ?? 0)]);
      line.close();
      return Reflect.apply(exit, process, [code]);
    }
  );
  noteTicks(conversation);
  line.ref();
  return conversation;
}

/** What `process.nextTick` plans comes before home's next timer or event. @param {Conversation} conversation */
function noteTicks(conversation) {
  const plan = process.nextTick;
  process.nextTick = function nextTick(/** @type {Function} */ callback, /** @type {any[]} */ ...args) {
    conversation.turn.plan();
    Reflect.apply(plan, process, [callback, ...args]);
  };
}

exports.serve = serve;
