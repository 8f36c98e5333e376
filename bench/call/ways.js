'use strict';
/*
 * The ways to call an echo somewhere else: Ignis in a thread and in a process, the bare channels below them, and two worker pools. In:
 * nothing. Out: for each a function `call(value)` that gives a promise of the same value, and how to end it.
 */
const { spawn } = require('node:child_process');
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { Piscina } = require('piscina');
const workerpool = require('workerpool');
const { frames, writeFrame } = require('./frames');

/** @typedef {{call: (value: any) => Promise<any>, end: () => unknown}} Way */

const file = (/** @type {string} */ name) => path.join(__dirname, name);

/** One post a call. @returns {Way} */
function barePort() {
  const worker = new Worker(file('bare-thread.js'));
  /** @type {((value: any) => void)[]} */
  const waiting = [];
  worker.on('message', (value) => waiting.shift()?.(value));
  return {
    call: (value) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(value);
      }),
    end: () => worker.terminate(),
  };
}

/** All calls of a tick in one post. @returns {Way} */
function batchedPort() {
  const worker = new Worker(file('bare-thread.js'));
  /** @type {((value: any) => void)[]} */
  const waiting = [];
  let head = 0;
  /** @type {any[]} */
  let batch = [];
  worker.on('message', (values) => {
    for (const value of values) waiting[head++](value);
    if (head > 65536) (waiting.splice(0, head), (head = 0));
  });
  const flush = () => {
    const values = batch;
    batch = [];
    worker.postMessage(values);
  };
  return {
    call: (value) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (batch.push(value) === 1) process.nextTick(flush);
      }),
    end: () => worker.terminate(),
  };
}

/** Raw bytes, one write a call: no codec at all, so other rows do more. @returns {Way} */
function barePair() {
  const child = spawn(process.execPath, [file('bare-process.js')], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const socket = /** @type {import('node:net').Socket} */ (child.stdio[3]);
  /** @type {((value: any) => void)[]} */
  const waiting = [];
  frames(socket, (bytes) => waiting.shift()?.(bytes));
  return {
    call: (value) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        writeFrame(socket, value);
      }),
    end: () => child.kill('SIGKILL'),
  };
}

/** @returns {Way} */
function piscina() {
  // As many tasks at a time as it will take: an echo never waits, so one thread could hold them all.
  const pool = new Piscina({
    filename: file('piscina-task.js'),
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: 60000,
    concurrentTasksPerWorker: 1024,
  });
  return { call: (value) => pool.run(value), end: () => pool.destroy() };
}

/** @returns {Way} */
function pool() {
  const workers = workerpool.pool(file('workerpool-worker.js'), { minWorkers: 1, maxWorkers: 1, workerType: 'thread' });
  return { call: (value) => /** @type {any} */ (workers.exec('echo', [value])), end: () => workers.terminate(true) };
}

exports.barePort = barePort;
exports.batchedPort = batchedPort;
exports.barePair = barePair;
exports.piscina = piscina;
exports.pool = pool;
