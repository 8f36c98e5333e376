'use strict';
/*
 * The agent of a replica for resident modules, in a process or thread: it opens the line to its home, says that it is up, and serves. In:
 * workerData or the environment. It ends when its line ends, tells home how it ended, and must not show itself to the module: the
 * environment has none of our variables; the arguments are home's.
 */
// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('../boot/own-require').ownRequire(module, require);
const { takeCoverage } = require('node:v8');
const { workerData } = require('node:worker_threads');
const { Line, makeParts } = require('../wire/line');
const { IgnisError } = require('../errors');
const { takeSettings } = require('./agent-settings');
const { COVERAGE } = require('./coverage');
const { giveUpLate } = require('./late-modules');
const { loadResident } = require('./load-target');
const { followResources } = require('../object/contexts');
const { bindResident } = require('./resident-bound');
const { becomeReplica } = require('./own-process');
const { takeOn } = require('./surroundings');
const { Reflect, inWords, isMainThread } = require('../engine');
const { startThread } = require('../threads');

/** @typedef {{codec: string, maxBlockBytes?: number, serve: string, home: import('./surroundings').Surroundings}} AgentSettings */

/** @param {import('../wire/line').LineParts} parts @returns {Line} */
function openInThread(parts) {
  const line = new Line(parts);
  let failure = '';
  process.on('uncaughtExceptionMonitor', (error) => {
    // An error that somebody catches does not end the replica.
    if (process.listenerCount('uncaughtException') === 0) failure = `: ${inWords(error)}`;
  });
  line.lingers = true;
  // Home may be blocked: then its event loop hears only afterwards how this thread ended.
  process.on('exit', (code) => line.destroy(new IgnisError('IGNIS_REPLICA_LOST', `exit code ${code}${failure}`.slice(0, 600))));
  return line;
}

/** @param {AgentSettings} settings @returns {Line} */
function openInProcess({ codec, maxBlockBytes }) {
  const { RelayedLine } = require('../wire/line-relayed');
  const { makeCodec } = require('../wire/codec');
  const { onItsOwn } = require('./resident');
  const [own, parts] = makeParts();
  const relay = startThread(require.resolve('./replica-relay'), {
    workerData: { ignisAgent: { parts, maxBlockBytes } },
    transferList: [parts.port],
    ...onItsOwn(),
  });
  relay.unref();
  return new RelayedLine(own, makeCodec(codec), { fd: 3, maxBlockBytes });
}

/** @param {import('./load-target').Target} target @param {any} home */
function load(target, home) {
  if (/** @type {any} */ (target).kind === COVERAGE) return takeCoverage();
  if (typeof home === 'function') bindResident(home);
  return loadResident(target, home);
}

function run() {
  // Later `exit` is home's.
  const { exit } = process;
  /** @type {AgentSettings & {parts?: import('../wire/line').LineParts}} */
  const settings = isMainThread ? takeSettings(process.env) : workerData.ignisAgent;
  becomeReplica(settings.home.isLimited);
  followResources();
  const line = settings.parts === undefined ? openInProcess(settings) : openInThread(settings.parts);
  takeOn(settings.home);
  line.onClose = (error) => Reflect.apply(exit, process, [error === null ? 0 : 1]);
  line.ref();
  const { serve } = require(settings.serve);
  line.sayUp();
  serve(line, { load, onIdle: giveUpLate });
}

run();
