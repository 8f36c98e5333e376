'use strict';
/*
 * Starts an agent as a child process. In: how frames are to travel. Out: a launched agent: its channel, its pid, how to kill it, when it
 * ended. The link is an inherited socket pair (descriptor 3): no port is opened, nobody else can connect. Home's stdout and stderr are
 * inherited. What others than the module write to descriptor 2 comes through home; home keeps the last lines of both to say why a replica
 * ended. The child never keeps home alive, and never outlives it.
 */
const { spawn } = require('node:child_process');
const path = require('node:path');
const { makeCodec } = require('../wire/codec');
const { DirectSocket } = require('../wire/direct-socket');
const { StreamChannel } = require('../wire/stream-channel');
const { IgnisError } = require('../errors');
const { inVariables } = require('./agent-settings');
const { mayStart } = require('./permitted');
const { forgetChild, noteChild } = require('./child-time');
const { awaitCoverage, killer } = require('./coverage');
const { beginFollowing, follow } = require('./current-directory');
const { nodeOfReplicas } = require('./executable');
const { LastLines } = require('../session/last-lines');
const { exitBy, exitOf } = require('./exit');
const { say } = require('./output');
const { Pulse } = require('./pulse');
const { replicaEnv } = require('./replica-env');
const { guard, release } = require('./guard');
const { Signs } = require('./signs');
const { AS_AGENT, REPLICA_FLAGS } = require('../boot/started-by-home');
const { Promise, Set, setTimeout } = require('../engine');
const { LAST_WORDS, changesAtLoad, startFolder, stdio, surroundings } = require('./surroundings');

const AGENT = path.join(__dirname, 'agent.js');
/** How long, after its exit, its last output may take to arrive, ms. */
const DRAIN_MS = 100;
/**
 * Arguments of node itself that are only for the one process they were given to. A replica has the variables of such a file from home,
 * except those that home has removed, and those that a recipe hides.
 */
const OWN_ARGUMENTS =
  /^--?(inspect|cpu-prof|heap-prof|prof|test|watch|input-type|eval|e$|p$|pe$|print|i$|interactive|check|c$|report|snapshot-blob|trace-event|env-file|entry-url)/;
/**
 * If `test` or `watch` is in a file of options (Node 23.10 and later), every process that gets the file becomes a test runner or a watcher.
 */
const FILE_OF_OPTIONS = /^--experimental-(default-)?config-file/;
/** Program text may begin with a dash; no other value does. */
const TAKES_TEXT = /^(-e|--eval|-p|--print|-pe)$/;

/**
 * @type {Set<import('node:child_process').ChildProcess>} those alive; a busy one would not notice for a while that home has ended
 */
const children = new Set();
const endAll = () => {
  awaitCoverage();
  for (const child of children) child.kill('SIGKILL');
};

/**
 * @typedef {object} Launched
 * @property {string} where 'process', 'thread', or 'host' with its name
 * @property {number} pid
 * @property {import('../wire/channel').Channel} channel
 * @property {Pulse} [pulse] only of a process
 * @property {() => void} kill at once
 * @property {(listener: (why: string, exit?: import('./exit').Exit) => void) => void} onExit called once, with a sentence
 * @property {Promise<void>} [stopping] settles when its host is being stopped, and it must end after its calls
 * @property {import('./insides').Insides} [nested] Ignis is active in it, and reports to this
 * @property {() => object} [atLoad] what it is told of home with each module: what has changed since its launch
 * @property {(error: any) => Error} [whyUnloaded] told why it could not load its first module; may know more about it
 * @property {() => number} [travelMs] to another host and back, if known; otherwise 0
 * @property {string} [datagramsTo] address for oneway calls as datagrams
 */

/**
 * @param {readonly string[]} given process.execArgv
 * @returns {string[]} what a replica needs of it: loaders and engine flags; no debugger, profiler or program text
 */
function agentArguments(given) {
  const kept = [];
  for (let i = 0; i < given.length; i++) {
    if (!OWN_ARGUMENTS.test(given[i])) kept.push(given[i]);
    else if (TAKES_TEXT.test(given[i]) || given[i + 1]?.startsWith('-') === false) i += 1;
  }
  return kept.some((flag) => FILE_OF_OPTIONS.test(flag)) ? [...AS_AGENT, ...kept] : kept;
}

/**
 * @param
 *   {{codec: string, comm: string, maxBlockBytes?: number, connectMs?: number, heartbeatMs?: number, env?: readonly string[], nested?: import('./insides').Insides}}
 *   settings
 * @returns {Promise<Launched>}
 * @throws {IgnisError} IGNIS_BAD_OPTION when the codec's package is missing; IGNIS_START_FAILED when the program is a single executable, or
 *   may start no processes
 */
async function launchProcess(settings) {
  mayStart('child');
  const { nested } = settings;
  const node = nodeOfReplicas();
  const codec = makeCodec(settings.codec);
  const isIpc = settings.comm === 'node-ipc';
  const listening = isIpc ? await require('../wire/node-ipc-channel').listenNodeIpc(codec, settings) : null;
  const env = replicaEnv(process.env, settings.env);
  const since = beginFollowing();
  const child = spawn(node, [...REPLICA_FLAGS, ...agentArguments(process.execArgv), AGENT], {
    argv0: process.argv0,
    cwd: startFolder(),
    stdio: stdio(isIpc ? 'ignore' : 'pipe'),
    env: { ...env, ...inVariables({ ...settings, ...listening?.settings, nested: nested?.entry, home: surroundings() }) },
  });
  if (child.stdio === undefined) return notStarted(child).finally(() => listening?.close());
  child.unref();
  endWithHome(child);
  const written = listen(child, say);
  /** @type {Promise<import('./exit').Exit>} */
  const exit = new Promise((resolve) => {
    onNotStarted(child, (error) => resolve(exitBy(`could not be started: ${error.message}`)));
    child.once('close', (code, signal) => resolve(exitOf(code, signal, written)));
    // Its own children may hold its stderr open for ever.
    child.once('exit', (code, signal) => setTimeout(() => resolve(exitOf(code, signal, written)), DRAIN_MS).unref());
  });
  if (listening !== null) child.once('exit', () => listening.close());
  const channel =
    listening === null
      ? new StreamChannel(DirectSocket.takeOver(/** @type {any} */ (child.stdio[3])), codec, settings)
      : await Promise.race([listening.channel, exit.then(({ why }) => Promise.reject(new IgnisError('IGNIS_START_FAILED', why)))]).catch(
          (error) => {
            // It is alive and did not connect in time.
            child.kill('SIGKILL');
            listening.close();
            throw error;
          },
        );
  void exit.then(follow(channel, since));
  const pulse =
    Signs.areThere && child.pid !== undefined ? new Pulse(/** @type {any} */ (new Signs(child.pid)), settings.heartbeatMs ?? 0) : undefined;
  const changes = changesAtLoad(env, settings.env);
  return {
    where: 'process',
    pid: child.pid ?? 0,
    channel,
    pulse,
    kill: killer(child, channel, env),
    onExit: (listener) => void exit.then((one) => listener(one.why, one)),
    nested,
    atLoad: nested === undefined ? changes : () => ({ ...changes(), nested: nested.told() }),
  };
}

/**
 * If Node has no descriptors for the streams of a child, it gives one without streams.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<never>}
 */
async function notStarted(child) {
  const error = await new Promise((resolve) => child.once('error', resolve));
  throw new IgnisError('IGNIS_START_FAILED', error.message);
}

/**
 * A program that has given up its privileges may not kill what it started before: that is an 'error' too, but no news, since a replica ends
 * when its link does.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {(error: Error) => void} hear
 */
function onNotStarted(child, hear) {
  child.on('error', (error) => {
    if (/** @type {NodeJS.ErrnoException} */ (error).syscall !== 'kill') hear(error);
  });
}

/** @param {import('node:child_process').ChildProcess} child */
function endWithHome(child) {
  // Home has this listener only while there is a child to end.
  if (children.size === 0) process.on('exit', endAll);
  children.add(child);
  guard(child.pid);
  noteChild(child.pid);
  const forget = () => {
    release(child.pid);
    forgetChild(child.pid);
    if (children.delete(child) && children.size === 0) process.off('exit', endAll);
  };
  child.once('exit', forget);
  // A child that could not be started does not exit.
  onNotStarted(child, forget);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {(text: string) => void} print prints what it wrote past its own streams
 * @returns {LastLines}
 */
function listen(child, print) {
  const written = new LastLines();
  /** @param {any} stream @param {(text: string) => void} hear */
  const keep = (stream, hear) => {
    stream.unref();
    stream.setEncoding('utf8');
    stream.on('error', () => {});
    stream.on('data', (/** @type {string} */ text) => {
      hear(text);
      written.add(text);
    });
  };
  keep(child.stderr, print);
  keep(/** @type {any} */ (child.stdio)[LAST_WORDS], () => {});
  return written;
}

exports.launchProcess = launchProcess;
exports.agentArguments = agentArguments;
exports.listen = listen;
exports.onNotStarted = onNotStarted;
