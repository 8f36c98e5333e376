'use strict';
/*
 * What runs in a replica on another host. In: a link whose home has proved itself, and bundles that the daemon has checked. Out: their
 * modules, served: distributed or, if home says so, resident. It loads only what is in such a bundle, and only built-ins that reach neither
 * files nor processes.
 */
const path = require('node:path');
const { leaveSignalsToHome } = require('../boot/started-by-home');
const { makeCodec } = require('../wire/codec');
const { BUILTINS } = require('../host/facts');
const { DatagramDoor } = require('../host/datagram-door');
const { HomeChannel } = require('../host/home-channel');
const { isPath } = require('../host/manifest');
const { ReplicaDoor } = require('../host/replica-door');
const { serveRest, watchRest } = require('../session/rest');
const { isLimited } = require('./memory-left');
const { becomeReplica } = require('./own-process');

/** Makes Ignis active in a replica; it is a room above this one, so it is named by its path. */
const INSIDE = path.join(__dirname, '..', 'nested', 'inside.js');

/**
 * @param {ReplicaDoor} door
 * @param {any} target its place is the digest of a bundle, and a path in it
 * @returns {any} the target with its place here
 */
function locate(door, target) {
  const place = String(target.place);
  if (target.kind === 'builtin') {
    if (BUILTINS.includes(place.replace(/^node:/, ''))) return target;
    throw new Error(`the built-in module '${place}' is not served on a host`);
  }
  const at = place.indexOf('/');
  const root = door.rootOf(place.slice(0, at), target.grant);
  const within = place.slice(at + 1);
  if (root === undefined || !isPath(within)) throw new Error('it lies in no bundle that this host has');
  const { nested } = target;
  if (nested !== undefined && nested.root !== '' && !isPath(nested.root))
    throw new Error('its program lies in no bundle that this host has');
  return {
    ...target,
    place: path.join(root, within),
    extensions: undefined,
    isFoundAtHome: false,
    nested: nested && { ...nested, root: path.join(root, nested.root) },
  };
}

/** Waits for home. @param {string} [serve] file that serves resident modules, in place of object/serve.js */
function openHosted(serve = '../object/serve') {
  becomeReplica(isLimited());
  const door = new ReplicaDoor();
  const find = (/** @type {any} */ target) => locate(door, target);
  leaveSignalsToHome();
  watchRest();
  /** @type {HomeChannel | null} */
  let channel = null;
  door.onHome = (socket, { maxBlockBytes, leaseMs }) => {
    socket.setNoDelay(true);
    if (channel !== null) return channel.resume(socket);
    const codec = makeCodec('msgpackr');
    const datagrams = new DatagramDoor(socket.localAddress, codec);
    channel = new HomeChannel(socket, codec, { maxBlockBytes }, leaseMs, () => door.sure());
    const home = channel;
    /** @type {any} */
    let inside = null;
    const { serveModules } = require('./serve-modules');
    serveModules(home, {
      locate(target) {
        const found = find(target);
        if (found.nested !== undefined)
          inside ??= require(INSIDE).openInside(
            (/** @type {any[]} */ frame) => home.send(frame),
            () => door.admit(),
          );
        return inside === null ? found : inside.begin(found);
      },
      other: (peer, id, asked, skeleton) =>
        serveRest(peer, id, asked) || datagrams.serve(peer, id, asked, skeleton) || inside?.serveLeave(peer, id, asked) === true,
      onInside: (frame) => inside?.hear(frame),
      whenMay: (begin) => home.whenSure(begin),
    });
  };
  door.onResident = (socket, beginning) => {
    const { serveResident } = require('./host-resident');
    serveResident(socket, beginning, { locate: find, serve: require(serve).serve });
  };
  door.open();
}

exports.openHosted = openHosted;
