'use strict';
/*
 * The `process` of a replica with a resident module: what the module does to it is done at home, and the module hears the events of home's
 * process. In: a function of home's that does what it is asked. Out: events, `exit`, `chdir`, `umask` are home's. Listeners stay where the
 * module put them, so all that it does with them works; home only tells when an event has come.
 */
const { constants } = require('node:os');
const { types } = require('node:util');
const { follow } = require('../object/handled');
const engine = require('../engine');
const { flushOutput } = require('./output');

const { Object, Reflect, Set, isMainThread } = engine;

/** Events of the program as a whole, not of a process or thread. */
const EVENTS = new Set([
  'exit',
  'beforeExit',
  'uncaughtException',
  'uncaughtExceptionMonitor',
  'unhandledRejection',
  'rejectionHandled',
  'warning',
  ...Object.keys(constants.signals),
]);

let isBound = false;
/** An event of home's is being told. */
let isTold = false;

/**
 * @param {(what: string, ...more: any[]) => any} home
 * @param {{isFar?: boolean}} [where] isFar: on another host, whose folders are others
 */
function bindResident(home, { isFar = false } = {}) {
  if (isBound) return;
  isBound = true;
  bindEvents(home);
  const { chdir } = process;
  process.exit = /** @type {any} */ (
    // Without an argument, home's own code counts, unless the module has set one.
    (/** @type {any[]} */ ...code) => {
      // When home ends, it ends this replica.
      flushOutput();
      return home('exit', ...(code.length > 0 || process.exitCode === undefined ? code : [process.exitCode]));
    }
  );
  process.chdir = (directory) => {
    home('chdir', directory);
    // The threads of one process share one directory.
    if (isMainThread && !isFar) Reflect.apply(chdir, process, [directory]);
  };
  const { umask } = process;
  process.umask = /** @type {any} */ (
    (/** @type {any[]} */ ...mask) => {
      const before = home('umask', ...mask);
      if (isMainThread && mask.length > 0) Reflect.apply(umask, process, mask);
      return before;
    }
  );
}

/** @param {(what: string, ...more: any[]) => any} home */
function bindEvents(home) {
  /** @type {any} */
  const emitter = process;
  const { emit } = emitter;
  /** Listeners of Node and of this replica, which do not concern home. */
  const ours = new Set([...EVENTS].flatMap((event) => emitter.rawListeners(event)));
  /** @param {any} event @param {boolean} areOurs @returns {Function[]} */
  const listenersOf = (event, areOurs) => emitter.rawListeners(event).filter((/** @type {any} */ one) => ours.has(one) === areOurs);
  /** @param {string} event @param {any[]} args */
  const deliver = (event, args) => {
    // A promise that home reports must not be reported back by this side, for ever.
    for (const arg of args) if (types.isPromise(arg)) follow(arg, undefined, () => {});
    const before = isTold;
    isTold = true;
    try {
      // Through `emit`, which a module may have replaced.
      emitter.emit(event, ...args);
    } finally {
      isTold = before;
      // The replica itself ends soon, and home knows.
      if (event === 'exit') {
        for (const listener of listenersOf('exit', false)) emitter.off('exit', listener);
        flushOutput();
      }
    }
  };
  emitter.emit = /** @this {any} @param {any} event @param {any[]} args */ function (event, ...args) {
    if (!EVENTS.has(event)) return Reflect.apply(emit, this, [event, ...args]);
    if (!isTold && event in constants.signals) return home('emit', event, ...args);
    const listeners = listenersOf(event, !isTold);
    for (const listener of listeners) Reflect.apply(listener, process, args);
    return listeners.length > 0;
  };
  // A signal of this process is not the program's.
  for (const listener of emitter.listeners('newListener'))
    if (listener.name === 'startListeningIfSignal') emitter.off('newListener', listener);
  emitter.on('newListener', (/** @type {any} */ event) => {
    if (EVENTS.has(event) && listenersOf(event, false).length === 0) home('listen', event, deliver);
  });
  emitter.on('removeListener', (/** @type {any} */ event) => {
    if (EVENTS.has(event) && listenersOf(event, false).length === 0) home('unlisten', event);
  });
}

exports.bindResident = bindResident;
