'use strict';
/*
 * The replica's side of a conversation: what runs beside a module that lives there. In: a line to home, and how to load a module. Out: a served module; news of errors that
 * nobody caught, of `process.exit`, and of the moment when there is nothing left to do but to wait for home. It keeps the replica alive as long as the line lives, and lets twins
 * be collected before there are many.
 */
const { setTimeout } = require('node:timers');
const { performance } = require('node:perf_hooks');
const { Conversation } = require('./conversation');
const { makeCollector } = require('./kept');
const { watch } = require('./handled');
const { replace } = require('./replaced');
const { MESSAGE } = require('./tags');
const engine = require('../engine');

const { Reflect } = engine;

/** Twins are looked through at each crossing, so there should be few that nobody uses. */
const FEW_TWINS = 256;
/** Without a message for so long it is idle unless something of its own is going on, ms. */
const REST_MS = 10;
/** A collection takes time, which so many new twins are worth. */
const TWINS_PER_MS = 25;

/**
 * @param {import('../wire/line').Line} line
 * @param {{load: (target: any, ask: any) => any}} settings
 * @returns {Conversation}
 */
function serve(line, { load }) {
  watch();
  const conversation = new Conversation(line, { isHome: false, load, onReplace: replace, onPause: () => thin() });
  const thin = makeThinner(conversation);
  const onMessage = /** @type {(message: any[]) => void} */ (line.onMessage);
  line.onMessage = (message) => {
    onMessage(message);
    rest();
  };
  // Calls mostly follow each other; after a while without one it is seen whether they set something going that still goes on.
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
    conversation.tellIdle();
    line.ref();
  });
  process.on('uncaughtException', (error) => conversation.tell(MESSAGE.UNCAUGHT, error));
  process.on('unhandledRejection', (reason) => conversation.tell(MESSAGE.UNHANDLED, reason));
  // The last argument may be a function, which only says where the stack begins.
  process.emitWarning = /** @type {any} */ (
    (/** @type {any[]} */ ...args) =>
      conversation.tell(
        MESSAGE.WARNING,
        args.filter((arg) => typeof arg !== 'function'),
      )
  );
  const exit = process.exit;
  process.exit = /** @type {any} */ (
    (/** @type {number} */ code) => {
      conversation.tellExit(Number(code ?? process.exitCode ?? 0));
      line.close();
      return Reflect.apply(exit, process, [code]);
    }
  );
  line.ref();
  return conversation;
}

/** Copies and stubs that are held here for home's sake. @param {Conversation} conversation */
function countOf({ counts: { twins, held } }) {
  return twins + held;
}

/**
 * @param {Conversation} conversation
 * @returns {() => void} to be called between two calls: has unused twins collected when there are many
 */
function makeThinner(conversation) {
  let limit = FEW_TWINS;
  /** @type {(() => void) | null} */
  let collect = null;
  return () => {
    if (countOf(conversation) <= limit) return;
    collect ??= makeCollector();
    const begun = performance.now();
    conversation.sweep(collect);
    const tookMs = performance.now() - begun;
    const count = countOf(conversation);
    limit = count + Math.max(FEW_TWINS, count, tookMs * TWINS_PER_MS);
  };
}

exports.serve = serve;
