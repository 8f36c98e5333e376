'use strict';
/*
 * The replica's side of a conversation: what runs beside a module that lives there. In: a line to home, and how to load a module. Out: a served module; news of errors that
 * nobody caught, of `process.exit`, and of the moment when there is nothing left to do but to wait for home. It keeps the replica alive as long as the line lives, and lets twins
 * be collected before there are many.
 */
const { setImmediate, setTimeout } = require('node:timers');
const v8 = require('node:v8');
const vm = require('node:vm');
const { performance } = require('node:perf_hooks');
const { Conversation } = require('./conversation');
const { MESSAGE } = require('./tags');

/** Twins are looked through at each crossing, so there should be few that nobody uses. */
const FEW_TWINS = 512;
/** Without a message for so long it is idle unless something of its own is going on, ms. */
const REST_MS = 10;
/** A collection takes time, which so many new twins are worth. */
const TWINS_PER_MS = 50;

/**
 * @param {import('../wire/line').Line} line
 * @param {{load: (target: any) => any}} settings
 * @returns {Conversation}
 */
function serve(line, { load }) {
  const conversation = new Conversation(line, { isHome: false, load });
  const thin = makeThinner(conversation);
  const onMessage = /** @type {(message: any[]) => void} */ (line.onMessage);
  line.onMessage = (message) => {
    onMessage(message);
    rest();
    thin();
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

/**
 * @param {Conversation} conversation
 * @returns {() => void} to be called now and then: has unused twins collected when there are many
 */
function makeThinner(conversation) {
  const collect = makeCollector();
  let limit = FEW_TWINS;
  let isPlanned = false;
  return () => {
    if (isPlanned || conversation.counts.twins <= limit) return;
    isPlanned = true;
    // Not now: what was looked at in this turn of the loop is kept until it ends.
    setImmediate(() => {
      isPlanned = false;
      const begun = performance.now();
      collect();
      conversation.sweep();
      const tookMs = performance.now() - begun;
      limit = Math.max(FEW_TWINS, 2 * conversation.counts.twins, tookMs * TWINS_PER_MS);
    });
  };
}

/** @returns {() => void} a full collection */
function makeCollector() {
  if (typeof globalThis.gc === 'function') return globalThis.gc;
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc');
  v8.setFlagsFromString('--no-expose-gc');
  return gc;
}

exports.serve = serve;
