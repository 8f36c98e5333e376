'use strict';
/*
 * The agent is what runs in a replica, process or thread: it opens the channel to its home, says hello, loads the modules it is told to
 * load, and serves their calls through a skeleton. It must end when its channel ends, and must not show itself to the module: the
 * environment has none of our variables; the arguments and main file are home's.
 */
// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('../boot/own-require').ownRequire(module, require);
const { inspect } = require('node:util');
const { workerData } = require('node:worker_threads');
const { makeCodec } = require('../wire/codec');
const { KIND } = require('../wire/frame');
const { serveRest, watchRest } = require('../session/rest');
const { takeSettings } = require('./agent-settings');
const { isCovered } = require('./coverage');
const { serveProfile } = require('./cpu-profile');
const { becomeReplica } = require('./own-process');
const { bindPlain } = require('./plain-bound');
const { serveModules } = require('./serve-modules');
const { takeOn } = require('./surroundings');
const { Reflect, isMainThread } = require('../engine');

/** @param {any} settings @returns {import('../wire/channel').Channel} */
function openChannel(settings) {
  if (!isMainThread) {
    const { PortChannel } = require('../wire/port-channel');
    return new PortChannel(settings.port, makeCodec(settings.codec, { isLazy: true }));
  }
  const limits = { maxBlockBytes: settings.maxBlockBytes };
  const codec = makeCodec(settings.codec, { isLazy: true });
  if (settings.comm === 'node-ipc') {
    const { connectNodeIpc } = require('../wire/node-ipc-channel');
    return connectNodeIpc(settings, codec, limits);
  }
  const { DirectSocket } = require('../wire/direct-socket');
  const { StreamChannel } = require('../wire/stream-channel');
  return new StreamChannel(new DirectSocket({ fd: 3 }), codec, limits);
}

/**
 * Node writes coverage when a process ends by itself. As always when home ends a replica, the module's 'exit' listeners are not called.
 *
 * @returns {((code: number) => void) | undefined}
 */
function exitWithCoverage() {
  const { reallyExit } = /** @type {any} */ (process);
  return isMainThread && isCovered(process.env) ? (code) => Reflect.apply(reallyExit, process, [code]) : undefined;
}

/** Prints uncaught errors as Node does in a process. */
function showUncaught() {
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') === 0) process.stderr.write(`Uncaught ${inspect(error)}\n`);
  });
}

function run() {
  const settings = isMainThread ? takeSettings(process.env) : workerData.ignisAgent;
  becomeReplica(settings.home.isLimited);
  takeOn(settings.home);
  const channel = openChannel(settings);
  const follow = bindPlain((warning) => channel.send([KIND.TOLD, warning]));
  if (!isMainThread) showUncaught();
  watchRest();
  // This is a room above this one, so home says where it is. A replica in which Ignis stays off loads none of it.
  const inside =
    settings.nested === undefined ? null : require(settings.nested).openInside((/** @type {any[]} */ frame) => channel.send(frame));
  serveModules(channel, {
    locate: inside?.begin,
    other: (peer, id, asked) => serveRest(peer, id, asked) || serveProfile(peer, id, asked) || inside?.serveLeave(peer, id, asked) === true,
    onTold: ([directory, made]) => follow(directory, made),
    onInside: inside?.hear,
    exit: exitWithCoverage(),
  });
}

run();
