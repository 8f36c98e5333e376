'use strict';
/*
 * The thread beside the program that talks to the nodes, so that a program that blocks for an answer (`readFileSync`) gets one. In:
 * [number, request] on the line from the program. Out: [number, error or null, value], and [0, sentence] for what people should know. It
 * keeps the order of all operations of the program on one root, and owns the root: no other program has it meanwhile.
 */
// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('../boot/own-require').ownRequire(module, require);
const path = require('node:path');
const process = require('node:process');
const { workerData } = require('node:worker_threads');
const { Line } = require('../wire/line');
const { lostError } = require('./far-error');
const { Handles } = require('./handles');
const { Holders, stateOf } = require('./holders');
const { allGone } = require('./link');
const { tryLock, unlock } = require('./lock');
const { EVENTUAL } = require('./modes');
const { Owner } = require('./owner');
const { Atomics, Promise } = require('../engine');

/** For less, transferring memory costs more than copying it. */
const LARGE_BYTES = 16 * 1024;
/** How long nodes that were told to end may take, ms. */
const CLOSE_MS = 2000;

/**
 * @param {{line: import('../wire/line').LineParts, settings: import('./modes').Settings, hold: Int32Array}} given hold: 1 while this thread
 *   has the root; if it ends early, another takes the root over
 */
function begin({ line: parts, settings, hold }) {
  const line = new Line(parts);
  line.ref();
  const report = (/** @type {string} */ sentence) => line.post([0, sentence]);
  const lock = path.join(stateOf(settings.root), 'lock');
  const refusal = (/** @type {number} */ pid) =>
    lostError(`process ${pid} already has the files of ${settings.root}; two programs would not see the same`, 'no');
  const onTaken = (/** @type {number} */ pid) => {
    refused = refusal(pid);
    report(`nothing of ${settings.root} is served any more: this program stood still, and process ${pid} has taken its files`);
    void engine?.close();
  };
  const other = tryLock(lock, onTaken);
  if (other === null) Atomics.store(hold, 0, 1);
  /** Why nothing is done. @type {any} */
  let refused = other === null ? null : refusal(other);
  const engine = other !== null ? null : settings.mode === EVENTUAL ? new Holders(settings, report) : new Owner(settings, report);
  const handles = new Handles((request) => (engine === null || refused !== null ? Promise.reject(refused) : engine.ask(request)));
  const end = () =>
    Promise.resolve(engine?.close())
      .finally(() => allGone(CLOSE_MS))
      .finally(() => {
        if (Atomics.exchange(hold, 0, 0) === 1) unlock(lock);
        process.exit();
      });
  line.onClose = end;
  line.onMessage = ([number, request]) => {
    if (request.op === 'nodes') return line.post([number, null, engine?.nodes ?? []]);
    handles.ask(request).then(
      (value) => line.post([number, null, value], wholeOf(value)),
      (error) => line.post([number, error instanceof Error ? lostError(error.message, 'maybe') : error]),
    );
  };
}

/**
 * @param {any} value
 * @returns {ArrayBuffer[] | undefined} memory that only this value has, and that need not be copied: contents of files
 */
function wholeOf(value) {
  const isWhole = value instanceof Uint8Array && value.length >= LARGE_BYTES && value.length === value.buffer.byteLength;
  return isWhole && value.buffer instanceof ArrayBuffer ? [value.buffer] : undefined;
}

begin(workerData);
