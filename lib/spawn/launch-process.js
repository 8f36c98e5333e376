'use strict';
/*
 * Starts an agent as a child process. In: how frames are to travel. Out: a launched agent: its channel, its pid, how to kill it, when it ended.
 * The link is an inherited socket pair (descriptor 3): no port is opened, nobody else can connect. stdout is inherited; stderr comes through
 * home, which keeps its last lines to say why a replica ended. The child never keeps home alive.
 */
const { spawn } = require('node:child_process');
const path = require('node:path');
const { makeCodec } = require('../wire/codec');
const { DirectSocket } = require('../wire/direct-socket');
const { StreamChannel } = require('../wire/stream-channel');
const { IgnisError } = require('../errors');

const AGENT = path.join(__dirname, 'agent.js');
const LAST_LINES = 10;
/** Arguments of node itself that belong to the one process they were given to. */
const OWN_ARGUMENTS = /^--?(inspect|cpu-prof|heap-prof|prof|test|watch|input-type|eval|e$|p$|pe$|print|i$|interactive|check|c$|report)/;
/** Program text may begin with a dash; no other value does. */
const TAKES_TEXT = /^(-e|--eval|-p|--print|-pe)$/;

/** @type {Set<import('node:child_process').ChildProcess>} those that live; one that is busy would not notice for a while that home has ended */
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * @typedef {object} Launched
 * @property {'process' | 'thread'} where
 * @property {number} pid
 * @property {import('../wire/channel').Channel} channel
 * @property {() => void} kill at once
 * @property {(listener: (why: string) => void) => void} onExit called once, with a sentence
 */

/**
 * @param {readonly string[]} given process.execArgv
 * @returns {string[]} what a replica needs of it: loaders and flags of the engine, no debugger, profiler or program text
 */
function agentArguments(given) {
  const kept = [];
  for (let i = 0; i < given.length; i++) {
    if (!OWN_ARGUMENTS.test(given[i])) kept.push(given[i]);
    else if (TAKES_TEXT.test(given[i]) || given[i + 1]?.startsWith('-') === false) i += 1;
  }
  return kept;
}

/**
 * @param {{codec: string, comm: string, maxBlockBytes?: number}} settings
 * @returns {Promise<Launched>}
 * @throws {IgnisError} IGNIS_BAD_OPTION when the codec's package is missing
 */
async function launchProcess(settings) {
  const codec = makeCodec(settings.codec);
  const isIpc = settings.comm === 'node-ipc';
  const listening = isIpc ? await require('../wire/node-ipc-channel').listenNodeIpc(codec, settings) : null;
  const child = spawn(process.execPath, [...agentArguments(process.execArgv), AGENT], {
    stdio: ['ignore', 'inherit', 'pipe', isIpc ? 'ignore' : 'pipe'],
    env: { ...process.env, IGNIS_AGENT: JSON.stringify({ ...settings, ...listening?.settings }) },
  });
  child.unref();
  children.add(child);
  child.once('exit', () => children.delete(child));
  const lastLines = forward(/** @type {import('node:net').Socket} */ (child.stderr));
  const exit = new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('close', (code, signal) => resolve(describeExit(code, signal, lastLines())));
  });
  const kill = () => void child.kill('SIGKILL');
  if (listening !== null) child.once('exit', () => listening.close());
  const channel =
    listening === null
      ? new StreamChannel(DirectSocket.takeOver(/** @type {any} */ (child.stdio[3])), codec, settings)
      : await Promise.race([
          listening.channel,
          exit.then((why) => {
            throw new IgnisError('IGNIS_START_FAILED', String(why));
          }),
        ]);
  return { where: 'process', pid: child.pid ?? 0, channel, kill, onExit: (listener) => void exit.then(listener) };
}

/**
 * @param {import('node:net').Socket} stderr
 * @returns {() => string[]} its last lines
 */
function forward(stderr) {
  /** @type {string[]} */
  let lines = [];
  stderr.unref();
  stderr.setEncoding('utf8');
  stderr.on('error', () => {});
  stderr.on('data', (text) => {
    process.stderr.write(text);
    lines = [...lines, ...String(text).split('\n').filter(Boolean)].slice(-LAST_LINES);
  });
  return () => lines;
}

/** @param {number | null} code @param {string | null} signal @param {string[]} lines */
function describeExit(code, signal, lines) {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  return lines.length === 0 ? how : `${how}; it last wrote: ${lines.join(' | ').slice(-600)}`;
}

exports.launchProcess = launchProcess;
exports.agentArguments = agentArguments;
exports.describeExit = describeExit;
