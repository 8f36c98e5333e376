'use strict';
/*
 * Output of threads. In: a thread that was started with `OWN_OUTPUT`. Out: what it writes before it has home's own descriptors (what is preloaded into it may), at home, in order; nothing is made for that before it does. With Node's
 * defaults each thread makes home's `process.stdout` and `process.stderr`, which set a pipe non-blocking, and then `fs.writeSync(1, ...)` of the program fails with EAGAIN.
 */

/** Options of a Worker that goes without Node's own way for its output. */
const OWN_OUTPUT = Object.freeze({ stdout: true, stderr: true });

/** @param {import('node:worker_threads').Worker} worker */
function passOutput(worker) {
  worker.stdout.on('data', (chunk) => process.stdout.write(chunk));
  worker.stderr.on('data', (chunk) => process.stderr.write(chunk));
}

exports.OWN_OUTPUT = OWN_OUTPUT;
exports.passOutput = passOutput;
