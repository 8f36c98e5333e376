'use strict';
/*
 * Says what is watched, and what never is. In: names of built-ins and files, and which thread this is. Out: facts about them. No effects.
 */
const { isBuiltin } = require('node:module');
const { parentPort, workerData } = require('node:worker_threads');
const { isOwn } = require('../boot/hidden');
const { Set, isMainThread } = require('../engine');
const { hasBecomeReplica } = require('../spawn/own-process');

/** Built-ins that do work. All others are plumbing: used everywhere, and taking no time of their own. */
const OBSERVED_BUILTINS = new Set(['crypto', 'zlib', 'dns', 'fs', 'child_process', 'fs/promises', 'dns/promises']);

/** Built-ins whose files a recipe may place elsewhere. */
const FILE_BUILTINS = new Set(['fs', 'fs/promises']);

/** @param {string} request @returns {boolean} whether it names a built-in that is never watched, so a recipe has no effect */
function isPlumbing(request) {
  return isBuiltin(request) && !OBSERVED_BUILTINS.has(request.replace(/^node:/, ''));
}

/** @param {string} request @param {any} parent @returns {boolean} whether a file of Ignis asks for another one */
function isOfOurs(request, parent) {
  return typeof request === 'string' && request.startsWith('.') && typeof parent?.filename === 'string' && isOwn(parent.filename);
}

/**
 * @returns {boolean} whether this is the thread on which Node (before 22.15) runs hooks; it also runs the program's preloads, but nothing
 *   else of the program
 */
function isHooksThread() {
  return !isMainThread && parentPort === null;
}

/** @returns {boolean} whether this process or thread was started by Ignis to serve a module */
function isReplica() {
  return hasBecomeReplica() || process.env.IGNIS_AGENT !== undefined || (!isMainThread && workerData?.ignisAgent !== undefined);
}

/**
 * A thread that the program starts has its preloads, too. Watching it costs more than most threads bring, and it has no say in what home
 * decides or reports. A check and IGNIS_FORCE, however, concern all that the program does.
 * @returns {boolean} whether this is such a thread, and nobody asked for it to be watched
 */
function isLeftAlone() {
  const { IGNIS_WORKERS: asked = '', IGNIS_CHECK: check = '', IGNIS_FORCE: force = '' } = process.env;
  return !isMainThread && check === '' && force === '' && !['1', 'true'].includes(asked);
}

exports.FILE_BUILTINS = FILE_BUILTINS;
exports.OBSERVED_BUILTINS = OBSERVED_BUILTINS;
exports.isHooksThread = isHooksThread;
exports.isLeftAlone = isLeftAlone;
exports.isOfOurs = isOfOurs;
exports.isPlumbing = isPlumbing;
exports.isReplica = isReplica;
