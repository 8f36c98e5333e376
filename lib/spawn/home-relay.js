'use strict';
/*
 * The thread at home that looks after one resident replica in a process. It spawns the child, relays between its socket and the line of
 * home's main thread, forwards stderr, kills a child that gives no sign of life, and says how it ended; all of that also while the main
 * thread is blocked. In (workerData): the parts of the line, the settings of the agent. Out: through the line; to the parent, how it ended.
 * It kills the child when told to, and lets none outlive the line.
 */
const { spawn } = require('node:child_process');
const path = require('node:path');
const { parentPort, workerData } = require('node:worker_threads');
const { join, relay } = require('../wire/relay');
const { IgnisError } = require('../errors');
const { inVariables } = require('./agent-settings');
const { exitOf } = require('./exit');
const { listen, onNotStarted } = require('./launch-process');
const { writeAll } = require('./output');
const { Pulse } = require('./pulse');
const { Signs } = require('./signs');
const { REPLICA_FLAGS } = require('../boot/started-by-home');
const { setTimeout } = require('../engine');
const { LAST_WORDS, stdio } = require('./surroundings');

const AGENT = path.join(__dirname, 'resident-agent.js');
/** How long a child whose line is closed may take to end by itself, ms. */
const CLOSE_MS = 1000;
/** How long, after its exit, its last output may take to arrive, ms: its own children may hold its stderr open for ever. */
const DRAIN_MS = 100;

function run() {
  const { parts, agent, node, cwd, env, execArgv, heartbeatMs } = workerData.ignisAgent;
  /** @type {import('node:child_process').ChildProcess} */
  let child;
  try {
    child = spawn(node, [...REPLICA_FLAGS, ...execArgv, AGENT], {
      argv0: process.argv0,
      cwd,
      stdio: stdio('pipe'),
      env: { ...env, ...inVariables(agent) },
    });
  } catch (error) {
    // For example, no memory is left for it.
    return sayNotStarted(parts, /** @type {Error} */ (error));
  }
  // If Node has no descriptors for the streams of a child, it gives one without streams.
  if (child.stdio === undefined) return void child.once('error', (error) => sayNotStarted(parts, error));
  const socket = /** @type {any} */ (child.stdio[3]);
  const written = listen(child, (text) => writeAll(2, Buffer.from(text)));
  const kill = () => void child.kill('SIGKILL');
  const joined = relay(parts, socket, agent);
  joined.line.post(['wire', socket._handle?.fd ?? -1, child.pid ?? 0]);

  let isOver = false;
  /** @param {string} why @param {string} [detail] for whoever waits for its start */
  const finish = (why, detail = why) => {
    if (isOver) return;
    isOver = true;
    joined.line.destroy(new IgnisError('IGNIS_REPLICA_LOST', detail));
    parentPort?.postMessage(why);
    socket.destroy();
    child.stderr?.destroy();
    /** @type {any} */ (child.stdio)[LAST_WORDS].destroy();
    parentPort?.close();
  };
  if (Signs.areThere && child.pid !== undefined && heartbeatMs > 0) {
    const pulse = new Pulse(/** @type {any} */ (new Signs(child.pid)), heartbeatMs);
    pulse.onSilent = () => {
      kill();
      finish(`gave no sign of life for ${heartbeatMs} ms`);
    };
    child.once('exit', () => pulse.end());
  }
  onNotStarted(child, (error) => finish(`could not be started: ${error.message}`, error.message));
  child.once('close', (code, signal) => finish(exitOf(code, signal, written).why));
  child.once('exit', (code, signal) => setTimeout(() => finish(exitOf(code, signal, written).why), DRAIN_MS).unref());
  joined.onEnd = (error) => {
    if (error === null) return void setTimeout(kill, CLOSE_MS).unref();
    joined.line.destroy(error);
    kill();
  };
  joined.onLineClosed = (error) => (error === null ? void setTimeout(kill, CLOSE_MS).unref() : kill());
  parentPort?.on('message', kill);
}

/**
 * Otherwise home, which waits for the line, would only know that this thread has ended.
 *
 * @param {import('../wire/line').LineParts} parts
 * @param {Error} error
 */
function sayNotStarted(parts, error) {
  join(parts, { write() {}, end() {} }).line.destroy(new IgnisError('IGNIS_REPLICA_LOST', error.message));
  parentPort?.postMessage(`could not be started: ${error.message}`);
  parentPort?.close();
}

run();
