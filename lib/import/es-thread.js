'use strict';
/*
 * Our hooks on the thread that Node before 22.15 has for hooks. In: how deep imports are watched, and which modules live in replicas. Out: `resolve` and `load` for Node. It knows no other recipes:
 * whatever may be watched gets a module between, and the main thread decides what that hands out.
 */
const { receiveMessageOnPort } = require('node:worker_threads');
const { Depths } = require('./depths');
const { EsHooks, runLater } = require('./es-hooks');
const { residentBy } = require('./resident-rules');

/** @type {EsHooks | null} */
let hooks = null;
/** @type {import('node:worker_threads').MessagePort | null} */
let port = null;
/** null: Ignis is closed. @type {((edge: import('./hook').Edge) => boolean) | null} */
let isResident = null;

/** @param {{level: number, port: any}} data */
function initialize(data) {
  const depths = new Depths(Math.max(data.level, 1));
  port = data.port;
  hooks = new EsHooks({
    depths,
    isWatched: ({ parentFile }) => isResident !== null && depths.of(parentFile) < depths.limit,
    isResident: (edge) => isResident?.(edge) === true,
    mayLift: () => false,
    lift: () => null,
    isQuestion: () => false,
  });
}

/** What the main thread said before it asked. */
function hear() {
  for (
    let heard = receiveMessageOnPort(/** @type {any} */ (port));
    heard !== undefined;
    heard = receiveMessageOnPort(/** @type {any} */ (port))
  ) {
    isResident = heard.message === null ? null : residentBy(heard.message);
  }
}

/** @param {string} specifier @param {any} context @param {any} next */
function resolve(specifier, context, next) {
  if (hooks === null) return next(specifier, context);
  hear();
  return runLater(hooks.resolve(specifier, context, next));
}

/** @param {string} url @param {any} context @param {any} next */
function load(url, context, next) {
  return hooks === null ? next(url, context) : runLater(hooks.load(url, context, next));
}

exports.initialize = initialize;
exports.resolve = resolve;
exports.load = load;
