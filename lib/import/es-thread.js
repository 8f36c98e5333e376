'use strict';
/*
 * Runs our hooks on the thread that Node before 22.15 has for hooks. In: how deep imports are watched, and what the recipes say (except for
 * functions in them). Out: `resolve` and `load` for Node, and, for the main thread, what was lifted. Whatever may be watched gets a module
 * in between; the main thread decides what that hands out.
 */
// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('../boot/own-require').ownRequire(module, require);
const { AsyncLocalStorage } = require('node:async_hooks');
const { fileURLToPath } = require('node:url');
const { receiveMessageOnPort } = require('node:worker_threads');
const { RecipeBook } = require('../recipe/book');
const { Depths } = require('./depths');
const { EsHooks, runLater } = require('./es-hooks');
const { Lifting } = require('./lifting');
const { makeIdentify, setInstalledProgram } = require('./module-id');
const { FILE_BUILTINS } = require('./watched');
const { hotBy, residentBy } = require('./resident-rules');
const { Set } = require('../engine');

/** @typedef {import('./hook').Edge} Edge */

/** @type {EsHooks | null} */
let hooks = null;
/** @type {any} */
let port = null;
/** null: Ignis is closed. @type {((edge: Edge) => boolean) | null} */
let isResident = null;
/** Watched at any level. @type {(edge: Edge) => boolean} */
let isHot = () => false;
/** null: nothing is lifted. @type {Lifting | null} */
let lifting = null;
/** @type {string | null} */
let mainFile = null;
/** whether files are placed elsewhere for every import of `fs` */
let hasFiles = false;
/** CommonJS files that threw while `import` loaded them. @type {Set<string>} */
let failed = new Set();
const depths = new Depths(1);

/**
 * Set while one of our hooks runs. Ours may be registered twice: again in front of hooks that the program registered later
 * (first-hooks.js). Those lie between the two, and the inner one must then do nothing.
 * @type {AsyncLocalStorage<true>}
 */
const inFront = new AsyncLocalStorage();

/** @param {{port: import('node:worker_threads').MessagePort} | undefined} data undefined: registered again */
function initialize(data) {
  if (data === undefined) return;
  port = data.port;
  hooks = new EsHooks({
    depths,
    isWatched: (edge) => isResident !== null && (depths.of(edge.parentFile) < depths.limit || isHot(edge) || isOfFiles(edge)),
    isResident: (edge) => isResident?.(edge) === true,
    mayLift: (source) => lifting?.mayLift(source) === true,
    lift,
    hasFailed: (url) => failed.size > 0 && url.startsWith('file:') && failed.has(fileURLToPath(url)),
    isFar: true,
    onApart: (url, parentFile) => port.postMessage({ apart: { url, parentFile } }),
    // Nothing here shows whether `import.meta.resolve` asks.
    isMocking: asksForMock,
    isQuestion: asksForMock,
  });
}

/**
 * @param {any} context of a resolve hook
 * @returns {boolean} whether `mock.module` of `node:test` asks: only that asks without attributes
 */
const asksForMock = ({ importAttributes }) => importAttributes === null;

/** @param {Edge} edge @returns {boolean} whether it imports `fs` and files are placed elsewhere */
function isOfFiles({ builtin }) {
  return hasFiles && FILE_BUILTINS.has(builtin ?? '');
}

/** Reads what the main thread said before it asked. */
function hear() {
  let latest;
  for (let heard = receiveMessageOnPort(port); heard !== undefined; heard = receiveMessageOnPort(port)) latest = heard.message;
  if (latest === undefined) return;
  setInstalledProgram(latest?.installed ?? null);
  isResident = latest === null ? null : residentBy(latest.residents);
  isHot = latest === null ? () => false : hotBy(latest.residents.appRoot, latest.chapters);
  lifting = latest?.lifts ? liftingBy(latest) : null;
  mainFile = latest?.mainFile ?? null;
  hasFiles = latest?.hasFiles === true;
  failed = new Set(latest?.failed);
  depths.limit = Math.max(latest?.level ?? 1, 1);
}

/** @param {import('./es-hook').Told} told */
function liftingBy({ residents: { appRoot }, chapters }) {
  const book = new RecipeBook({ appRoot, recipeFile: null, told: chapters });
  return new Lifting({ appRoot, book, identify: makeIdentify(appRoot) });
}

/** @param {string} url @param {string} source @param {boolean} isRequired @returns {string | null} */
function lift(url, source, isRequired) {
  const filename = fileURLToPath(url);
  const lifted = lifting?.module(url, source, { mayWaitAtTop: !isRequired && filename === mainFile }) ?? null;
  const outcome = lifting?.outcomeOf(filename);
  if (outcome !== undefined) port.postMessage({ lifted: { filename, outcome: { ...outcome, code: '', map: null } } });
  return lifted;
}

/** @param {string} specifier @param {any} context @param {any} next */
function resolve(specifier, context, next) {
  const ours = hooks;
  if (ours === null || inFront.getStore()) return next(specifier, context);
  hear();
  return inFront.run(true, () => runLater(ours.resolve(specifier, context, next)));
}

/** @param {string} url @param {any} context @param {any} next */
function load(url, context, next) {
  const ours = hooks;
  if (ours === null || inFront.getStore()) return next(url, context);
  return inFront.run(true, () => runLater(ours.load(url, context, next)));
}

exports.initialize = initialize;
exports.resolve = resolve;
exports.load = load;
