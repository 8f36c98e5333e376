'use strict';
/*
 * The agent of a replica on another host. In: a link of its home that has proved itself, and bundles that the daemon found right. Out: their modules, served. It loads nothing but what lies in
 * such a bundle, and of the built-ins only those that reach neither files nor processes.
 */
const path = require('node:path');
const { makeCodec } = require('../wire/codec');
const { StreamChannel } = require('../wire/stream-channel');
const { BUILTINS } = require('../host/facts');
const { isPath } = require('../host/manifest');
const { ReplicaDoor } = require('../host/replica-door');
const { serveModules } = require('./serve-modules');

const door = new ReplicaDoor();

/**
 * @param {import('./load-target').Target} target whose place is the digest of a bundle, and a path in it
 * @returns {import('./load-target').Target}
 */
function locate(target) {
  const place = String(target.place);
  if (target.kind === 'builtin') {
    if (BUILTINS.includes(place.replace(/^node:/, ''))) return target;
    throw new Error(`the built-in module '${place}' is not served on a host`);
  }
  const at = place.indexOf('/');
  const root = door.rootOf(place.slice(0, at));
  const within = place.slice(at + 1);
  if (root === undefined || !isPath(within)) throw new Error('it lies in no bundle that this host has');
  return { ...target, place: path.join(root, within), extensions: undefined };
}

let isServing = false;
door.onHome = (socket, { maxBlockBytes }) => {
  // One home, one session.
  if (isServing) return void socket.destroy();
  isServing = true;
  socket.setNoDelay(true);
  // A Ctrl-C reaches the whole process group of the daemon, which decides when its replicas end.
  process.on('SIGINT', () => {});
  serveModules(new StreamChannel(socket, makeCodec('msgpackr'), { maxBlockBytes }), { locate });
};
door.open();
