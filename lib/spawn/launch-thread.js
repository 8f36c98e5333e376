'use strict';
/*
 * Starts an agent as a thread of this process: the cheapest to start and the fastest to reach, for modules known to be pure JavaScript. In:
 * only limits. Out: a launched agent, as launch-process.js gives. The thread never keeps home alive.
 */
const path = require('node:path');
const { MessageChannel } = require('node:worker_threads');
const { makeCodec } = require('../wire/codec');
const { mayStart } = require('./permitted');
const { followInThread } = require('./current-directory');
const { exitOfThread } = require('./exit');
const { agentArguments } = require('./launch-process');
const { hearFirst } = require('./output');
const { replicaEnv } = require('./replica-env');
const { PortChannel } = require('../wire/port-channel');
const { changesAtLoad, surroundings } = require('./surroundings');
const { startThread } = require('../threads');
const { Promise } = require('../engine');

const AGENT = path.join(__dirname, 'agent.js');

/** Arguments about the program: with the first, Node lets no thread run a file; with the second, it takes the file for an address. */
const TEXT = /^--(?:input-type|entry-url)/;
/**
 * Node reads the file once more for each thread. The thread would get variables that it must not see; and if it shares home's variables,
 * those that the program has deleted would come back.
 */
const VARIABLES = /^--env-file/;

/**
 * Arguments for a thread: home's, except those above.
 *
 * @returns {string[] | undefined} undefined: home's unchanged
 */
function threadArguments() {
  // Node's permissions hold in a thread only if it is given no arguments.
  const isOther = /** @type {any} */ (process).permission === undefined && process.execArgv.some((argument) => VARIABLES.test(argument));
  return isOther || process.execArgv.some((argument) => TEXT.test(argument)) ? agentArguments(process.execArgv) : undefined;
}

/**
 * @param {{codec: string, heapMb?: number, env?: readonly string[], nested?: import('./insides').Insides}} settings
 * @returns {Promise<import('./launch-process').Launched>}
 * @throws {IgnisError} IGNIS_BAD_OPTION when the codec's package is missing; IGNIS_START_FAILED when the program may start no threads
 */
async function launchThread(settings) {
  mayStart('worker');
  const { nested } = settings;
  const codec = makeCodec(settings.codec);
  const { port1, port2 } = new MessageChannel();
  const env = replicaEnv(process.env, settings.env);
  const worker = startThread(AGENT, {
    workerData: { ignisAgent: { port: port2, codec: settings.codec, nested: nested?.entry, home: surroundings() } },
    transferList: [port2],
    execArgv: threadArguments(),
    env,
    ...(settings.heapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: settings.heapMb } }),
  });
  worker.unref();
  hearFirst(worker);
  const channel = new PortChannel(port1, codec);
  /** @type {any} */
  let failure;
  worker.on('error', (error) => {
    failure = error;
  });
  /** @type {Promise<import('./exit').Exit>} */
  const exit = new Promise((resolve) => {
    worker.once('exit', (code) => {
      resolve(exitOfThread(code, failure));
      // Before anybody hears of the exit, and once it is sure to be heard: a callback of the program may throw here.
      channel.takeRest();
    });
  });
  if (/** @type {any} */ (process).permission !== undefined) void exit.then(followInThread(channel));
  const changes = changesAtLoad(env, settings.env);
  return {
    where: 'thread',
    pid: process.pid,
    channel,
    kill: () => void worker.terminate(),
    onExit: (listener) => void exit.then((one) => listener(one.why, one)),
    nested,
    atLoad: nested === undefined ? changes : () => ({ ...changes(), nested: nested.told() }),
  };
}

exports.launchThread = launchThread;
exports.threadArguments = threadArguments;
