'use strict';
/*
 * Serves modules over a channel: says hello to home, loads what it is told to load, and answers calls through a skeleton. In: a channel,
 * and where a target is. Out: nothing; it ends the process when the channel ends.
 */
const { Peer } = require('../session/peer');
const { Skeleton } = require('../session/skeleton');
const { IgnisError } = require('../errors');
const { beginWith, importTarget, isToImport, requireTarget } = require('./load-target');
const { thin } = require('./thinner');
const { Object } = require('../engine');

/** @typedef {import('./load-target').Target} Target */

/** @param {Target} target @returns {Promise<any>} the module's exports */
async function loadTarget(target) {
  if (target.isEsModule) {
    beginWith(target);
    return importTarget(target);
  }
  try {
    return requireTarget(target);
  } catch (error) {
    if (!isToImport(target, error)) throw error;
    return importTarget(target);
  }
}

/** @param {(name: string) => any} find @param {string} name */
function errorClass(find, name) {
  const found = find(name);
  return typeof found === 'function' ? found : undefined;
}

/**
 * @typedef {(peer: Peer, id: number, target: Target, skeleton: Skeleton) => boolean} Other serves a wish that is not for a module; false:
 *   it is for one
 */

/**
 * @param {import('../wire/channel').Channel} channel
 * @param {object} ways
 * @param {(target: Target) => Target} [ways.locate] where home's name for a file is here; throws if it may not be loaded
 * @param {Other} ways.other
 * @param {(texts: any) => void} [ways.onTold] what home tells
 * @param {(frame: any[]) => void} [ways.onInside] if Ignis is active here: home lets it look for free cores
 * @param {(code: number) => void} [ways.exit] how the process ends
 * @param {(begin: () => void) => void} [ways.whenMay] calls `begin` when a call that has waited here may begin
 */
function serveModules(channel, { locate = (target) => target, other, onTold, onInside, exit, whenMay }) {
  /** @type {any[]} exports of its modules */
  const loaded = [];
  const skeleton = new Skeleton(async (target) => loaded[loaded.push(await loadTarget(locate(target))) - 1], whenMay);
  const peer = new Peer(channel, {
    keepsAlive: true,
    onCall: (from, id, frame, args) => skeleton.serve(from, id, frame, args),
    onAbort: (number, abort) => skeleton.abort(number, abort),
    onLoad: (from, id, target) => void (other(from, id, target, skeleton) || skeleton.serveLoad(from, id, target)),
    errorClass: (name) => errorClass((wanted) => loaded.find((one) => Object.hasOwn(one ?? {}, wanted))?.[wanted], name),
    onTold,
    onInside,
    onLost: (error) => {
      // When home ends, the link is simply reset.
      if (error instanceof IgnisError) process.stderr.write(`ignis: ${error.message} (${error.code})\n`);
      (exit ?? process.exit)(error instanceof IgnisError ? 1 : 0);
    },
  });
  channel.linger();
  thin(peer.held);
  peer.hello({ pid: process.pid, node: process.version });
}

exports.serveModules = serveModules;
