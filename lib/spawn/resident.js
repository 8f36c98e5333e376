'use strict';
/*
 * Starts a replica for resident modules, without waiting: the first receive() of its line waits. In: where, and how long the start may
 * take. Out: the line, how to kill it, when and how it ended. The replica never keeps home alive, and ends when home does.
 */
const { createRequire } = require('node:module');
const path = require('node:path');
const { SHARE_ENV } = require('node:worker_threads');
const { Line, makeParts } = require('../wire/line');
const { RelayedLine } = require('../wire/line-relayed');
const { makeCodec } = require('../wire/codec');
const { ownConditions } = require('../host/conditions');
const { nodeOfReplicas } = require('./executable');
const { agentArguments } = require('./launch-process');
const { threadArguments } = require('./launch-thread');
const { mayStart } = require('./permitted');
const { hearFirst } = require('./output');
const { replicaEnv } = require('./replica-env');
const { startFolder, surroundings } = require('./surroundings');
const { ownArguments } = require('../boot/own-arguments');
const { IgnisError } = require('../errors');
const { checkRoomForThread, startThread } = require('../threads');
const engine = require('../engine');

const { JSON, Math, Promise, Set, inWords, performance } = engine;

const AGENT = path.join(__dirname, 'resident-agent.js');
const RELAY = path.join(__dirname, 'home-relay.js');
const HOST_RELAY = path.join(__dirname, 'home-relay-host.js');
const SERVE = path.join(__dirname, '..', 'object', 'serve.js');

/** Home is about to end: these threads are asked this, and answer when their replicas have been told. */
const LAST = 'last';
/** Questions of modules have numbers from 1 on. */
const LAST_NUMBER = 0;
/** How long a host may take to hear that home ends, ms; one that does not hear it waits as long as a lease. */
const LAST_MS = 500;

/** @type {Set<Line>} to the threads that look after replicas on hosts */
const asking = new Set();

/**
 * @typedef {object} ResidentSettings
 * @property {'thread' | 'process' | 'host'} where
 * @property {number} [startMs] how long the agent may take to be up; after that the line ends with IGNIS_START_FAILED; 10,000
 * @property {number} [heartbeatMs] for processes: one without a sign of life for this long is killed; 0: never
 * @property {string} [codec] for processes
 * @property {number} [maxBlockBytes] for processes: the heaviest message
 * @property {string[]} [execArgv] arguments of node itself; by default those of home that a replica needs
 * @property {string} [serve] file that exports `serve(line, { load })`; not for hosts
 * @property {Placing} [placing] for hosts: which may take it
 * @property {Who} [options] for hosts: who home is
 */

/**
 * @typedef {object} Resident
 * @property {Line} line
 * @property {string} where
 * @property {number} pid home's own for a thread; 0 until the process is spawned
 * @property {() => void} kill at once; the line ends with IGNIS_REPLICA_LOST
 * @property {() => Promise<string>} close what was posted still arrives; settles like `ended`
 * @property {Promise<string>} ended how it ended, as a sentence; never rejects
 * @property {string} [node] version of Node on its host, once something was located there
 * @property {(target: any) => any} locate a module's place for the replica; a host then has its code. Blocks; throws why there is none
 */

/** @typedef {Omit<import('./launch-host').Placing, 'hosts'>} Placing */
/** @typedef {{identity?: string, trust?: string, deployKey?: string}} Who */

/**
 * @param {ResidentSettings} settings
 * @returns {Resident} at once; it may still be starting
 * @throws {IgnisError} IGNIS_BAD_OPTION when the codec's package is missing; IGNIS_START_FAILED
 */
function openResident({
  where,
  startMs = 10_000,
  heartbeatMs = 0,
  codec = 'msgpackr',
  maxBlockBytes,
  execArgv,
  serve = SERVE,
  placing,
  options,
}) {
  mayStartThreads();
  if (where === 'host')
    return openHost({ codec, maxBlockBytes }, startMs, { placing, options: { ...options, conditions: ownConditions() } });
  const agent = { codec, maxBlockBytes, serve, home: surroundings() };
  return where === 'thread' ? openThread(agent, startMs, execArgv) : openProcess(agent, startMs, heartbeatMs, execArgv);
}

/** @throws {IgnisError} IGNIS_START_FAILED: wherever a resident module is, home needs a thread to wait for it */
function mayStartThreads() {
  mayStart('worker', 'no threads, and modules with calls that block need one: --allow-worker');
  withThread(checkRoomForThread);
}

/** @template T @param {() => T} start may find no room for a thread @returns {T} @throws {IgnisError} IGNIS_START_FAILED */
function withThread(start) {
  try {
    return start();
  } catch (error) {
    throw new IgnisError('IGNIS_START_FAILED', `modules with calls that block need a thread: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {string} file
 * @param {object} ignisAgent
 * @param {any[]} transferList
 * @returns {import('node:worker_threads').Worker} looks after the other end
 */
function startRelay(file, ignisAgent, transferList) {
  return withThread(() => startThread(file, { workerData: { ignisAgent }, transferList, ...onItsOwn() }));
}

/** @param {object} agent @param {number} startMs @param {string[] | undefined} execArgv @returns {Resident} */
function openThread(agent, startMs, execArgv) {
  const { line, parts, transferList } = Line.pair();
  line.expectUp(startMs);
  const workerData = { ignisAgent: { ...agent, parts } };
  const flags = execArgv ?? threadArguments();
  const worker = withThread(() => startThread(AGENT, { workerData, transferList, execArgv: flags, env: SHARE_ENV }));
  worker.unref();
  hearFirst(worker);
  let failure = '';
  worker.on('error', (error) => {
    failure = `: ${inWords(error)}`;
  });
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    worker.once('exit', (code) => resolve(`exit code ${code}${failure}`.slice(0, 600)));
  });
  return {
    line,
    where: 'thread',
    pid: process.pid,
    kill: () =>
      kill(line, () => {
        worker.ref();
        void worker.terminate();
      }),
    close: () => close(line, worker, ended),
    ended,
    locate: (target) => target,
  };
}

/**
 * @param {{codec: string, maxBlockBytes?: number}} agent
 * @param {number} startMs
 * @param {number} heartbeatMs
 * @param {string[] | undefined} execArgv
 * @returns {Resident}
 * @throws {IgnisError} IGNIS_START_FAILED when the program is a single executable, or may start no processes
 */
function openProcess(agent, startMs, heartbeatMs, execArgv) {
  // If a program may start threads, Node does not check what these do: a thread of ours could start a process that the program may not.
  mayStart('child');
  const node = nodeOfReplicas();
  const [own, parts] = makeParts();
  const line = new RelayedLine(own, makeCodec(agent.codec), agent);
  line.expectUp(startMs);
  const settings = {
    parts,
    agent,
    node,
    cwd: startFolder(),
    env: replicaEnv(process.env),
    execArgv: execArgv ?? agentArguments(process.execArgv),
    heartbeatMs,
  };
  const worker = startRelay(RELAY, settings, [parts.port]);
  const ended = endOf(worker);
  return {
    line,
    where: 'process',
    get pid() {
      return line.pid;
    },
    kill: () => kill(line, () => killBy(worker)),
    close: () => close(line, worker, ended),
    ended,
    locate: (target) => target,
  };
}

/**
 * @param {{codec: string, maxBlockBytes?: number}} agent
 * @param {number} startMs
 * @param {object} home which hosts, and who home is
 * @returns {Resident}
 */
function openHost(agent, startMs, home) {
  const [own, parts] = makeParts();
  const asks = Line.pair();
  const line = new RelayedLine(own, makeCodec(agent.codec), { ...agent, isFar: true });
  line.expectUp(startMs);
  const worker = startRelay(HOST_RELAY, { parts, asks: asks.parts, last: LAST, agent, ...home }, [parts.port, ...asks.transferList]);
  const ended = endOf(worker);
  endWithHome(asks.line, ended);
  let where = 'host';
  /** @type {string | undefined} */
  let node;
  let asked = 0;
  return {
    line,
    get where() {
      return where;
    },
    get node() {
      return node;
    },
    get pid() {
      return line.pid;
    },
    kill: () => kill(line, () => killBy(worker)),
    close: () => close(line, worker, ended),
    ended,
    locate(target) {
      checkThere(target);
      // The thread that sends it has Node's own resolver.
      if (process.versions.pnp !== undefined) require('../host/closure').closureOf(target.place);
      const number = ++asked;
      asks.line.post([number, JSON.stringify(target)]);
      const answer = answerTo(asks.line, number, startMs);
      if (answer === undefined) throw new IgnisError('IGNIS_START_FAILED', `no host had the code of ${target.name} within ${startMs} ms`);
      const [, code, text] = answer;
      if (code !== '') throw new IgnisError(code, text);
      const found = JSON.parse(text);
      where = `host ${found.title}`;
      node = found.node;
      return found.target;
    },
  };
}

/**
 * @param {Line} line
 * @param {number} number of the question
 * @param {number} limitMs
 * @returns {any[] | undefined} its answer; late answers to questions that were given up are skipped
 */
function answerTo(line, number, limitMs) {
  const until = performance.now() + limitMs;
  for (;;) {
    const answer = line.receive(Math.max(0, until - performance.now()));
    if (answer === undefined || answer[0] === number) return answer;
  }
}

/**
 * Lets Node say, best of all, that the module is not there.
 *
 * @param {import('./load-target').Target} target about to be sent to a host
 * @throws {Error} MODULE_NOT_FOUND
 */
function checkThere({ place }) {
  createRequire(place).resolve(place);
}

/** @param {Line} asks to the thread that looks after a replica on a host @param {Promise<string>} ended */
function endWithHome(asks, ended) {
  if (asking.size === 0) process.on('exit', sayLast);
  asking.add(asks);
  void ended.then(() => {
    if (asking.delete(asks) && asking.size === 0) process.off('exit', sayLast);
  });
}

/** Runs after home's last listener, which may still call what is in the replica; then these threads are stopped without a word. */
function sayLast() {
  for (const line of asking) line.post([LAST_NUMBER, LAST]);
  for (const line of asking) {
    try {
      answerTo(line, LAST_NUMBER, LAST_MS);
    } catch {
      // It has ended already.
    }
  }
}

/** @param {import('node:worker_threads').Worker} worker @returns {Promise<string>} */
function endOf(worker) {
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    worker.once('message', resolve);
    worker.once('error', (error) => resolve(`the thread at home that looks after it failed: ${inWords(error)}`));
    worker.once('exit', () => resolve('home has ended'));
  });
  // A listener keeps home alive.
  worker.unref();
  return ended;
}

/** @param {import('node:worker_threads').Worker} worker perhaps nothing else is waited for than its end, which is near */
function killBy(worker) {
  worker.ref();
  worker.postMessage('kill');
}

/** @param {Line} line @param {import('node:worker_threads').Worker} worker @param {Promise<string>} ended */
function close(line, worker, ended) {
  // Whoever waits for its end may do nothing else; it is near.
  worker.ref();
  line.close();
  return ended;
}

/** @param {Line} line @param {() => void} end */
function kill(line, end) {
  end();
  line.isKilled = true;
  line.destroy(new IgnisError('IGNIS_REPLICA_LOST', 'home killed it'));
}

/** A thread of Ignis itself loads nothing that the program asked Node to load. @returns {{execArgv: string[], env: NodeJS.ProcessEnv}} */
function onItsOwn() {
  return { execArgv: ownArguments(), env: { ...process.env, NODE_OPTIONS: '' } };
}

exports.answerTo = answerTo;
exports.checkThere = checkThere;
exports.openResident = openResident;
exports.onItsOwn = onItsOwn;
