'use strict';
/*
 * The agent is what runs in a replica, process or thread: it opens the channel to its home, says hello, loads the modules it is told to,
 * and serves its calls through a skeleton. It must end when its channel ends, and must not show itself to the module: no variables of
 * ours in the environment, the arguments and main file of home.
 */
const { pathToFileURL } = require('node:url');
const { workerData, isMainThread } = require('node:worker_threads');
const { makeCodec } = require('../wire/codec');
const { Peer } = require('../session/peer');
const { Skeleton } = require('../session/skeleton');
const { requireTarget } = require('./load-target');

/** @typedef {import('./load-target').Target} Target */

/** @param {Target} target @returns {Promise<any>} the module's exports */
async function loadTarget(target) {
  try {
    return requireTarget(target);
  } catch (error) {
    const code = /** @type {any} */ (error)?.code;
    if (target.kind === 'builtin' || (code !== 'ERR_REQUIRE_ESM' && code !== 'ERR_REQUIRE_ASYNC_MODULE')) throw error;
    return import(pathToFileURL(target.place).href);
  }
}

/** @param {(name: string) => any} find @param {string} name */
function errorClass(find, name) {
  const found = find(name);
  return typeof found === 'function' ? found : undefined;
}

/** @returns {import('../wire/channel').Channel} */
function openChannel() {
  if (!isMainThread) {
    const { PortChannel } = require('../wire/port-channel');
    return new PortChannel(workerData.ignisAgent.port, makeCodec(workerData.ignisAgent.codec));
  }
  const settings = JSON.parse(process.env.IGNIS_AGENT ?? '{}');
  delete process.env.IGNIS_AGENT;
  const limits = { maxBlockBytes: settings.maxBlockBytes };
  const codec = makeCodec(settings.codec);
  if (settings.comm === 'node-ipc') {
    const { connectNodeIpc } = require('../wire/node-ipc-channel');
    return connectNodeIpc(settings, codec, limits);
  }
  const { DirectSocket } = require('../wire/direct-socket');
  const { StreamChannel } = require('../wire/stream-channel');
  return new StreamChannel(new DirectSocket({ fd: 3 }), codec, limits);
}

function run() {
  const channel = openChannel();
  /** @type {any[]} exports of its modules */
  const loaded = [];
  const skeleton = new Skeleton(async (target) => loaded[loaded.push(await loadTarget(target)) - 1]);
  const peer = new Peer(channel, {
    keepsAlive: true,
    onCall: (from, id, frame, args) => skeleton.serve(from, id, frame, args),
    onLoad: (from, id, target) => void skeleton.serveLoad(from, id, target),
    errorClass: (name) => errorClass((wanted) => loaded.find((one) => Object.hasOwn(one ?? {}, wanted))?.[wanted], name),
    onLost: (error) => {
      if (error !== null) process.stderr.write(`ignis: ${error.message} (${/** @type {any} */ (error).code})\n`);
      process.exit(error === null ? 0 : 1);
    },
  });
  // A Ctrl-C reaches the whole process group; home decides when its replicas end.
  if (isMainThread) process.on('SIGINT', () => {});
  peer.hello({ pid: process.pid, node: process.version });
}

run();
