'use strict';
// The other end of a line in tests: a thread that does what workerData says.
const { workerData } = require('node:worker_threads');
const { Line } = require('../../lib/wire/line');
const { answer } = require('./ask');

const line = new Line(workerData.parts);
line.lingers = workerData.lingers === true;

/** @type {Record<string, () => void>} */
const DOES = {
  /** Answers each message with itself: waits for one, lets the event loop bring the next, looks for the one after that. */
  echo() {
    let turn = 0;
    line.ref();
    line.onMessage = (message) => {
      line.post(message);
      for (turn += 1; turn % 4 !== 0; turn += 1) {
        const next = line.receive();
        if (next !== undefined) line.post(next);
      }
    };
    line.onClose = () => process.exit(0);
  },
  /** Counts up for ever so many. */
  count() {
    for (let i = 0; i < workerData.count; i++) line.post([i]);
    line.close();
  },
  /** Asks back. */
  nest() {
    line.ref();
    line.onMessage = ([, depth]) => answer(line, depth);
    line.onClose = () => process.exit(0);
  },
  close() {
    line.receive();
    line.post(['last']);
    line.close();
  },
  destroy() {
    line.receive();
    const { IgnisError } = require('../../lib/errors');
    line.destroy(new IgnisError('IGNIS_REPLICA_LOST', 'exit code 7'));
  },
  grow() {
    line.receive();
    const all = [];
    for (;;) all.push(new Array(1e5).fill({}));
  },
  vanish() {
    Atomics.store(workerData.sign, 0, 1);
    Atomics.notify(workerData.sign, 0);
    /** @type {any} */ (process).reallyExit(0);
  },
  up() {
    line.sayUp();
    line.ref();
  },
  silent() {
    line.ref();
  },
  garbage() {
    workerData.parts.port.postMessage({ not: 'a list' });
    Atomics.add(workerData.parts.counters, 16, 1);
    Atomics.notify(workerData.parts.counters, 16);
    line.ref();
  },
};

DOES[workerData.does]();
