'use strict';
/*
 * Finds modules for replicas of programs that have a function of their own for it, in place of Node's `Module._resolveFilename`
 * (module-alias, tsconfig-paths). That function stays at home and is asked there. In: at home, a request and the file that it is in; in a
 * replica, a function of home's. Out: the file that is meant. A function that came with Node's own options, which a replica has too, is
 * asked first in the replica.
 */
const Module = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { Object, Reflect, isArray } = require('../engine');

const api = /** @type {any} */ (Module);

const LIB = path.join(__dirname, '..', path.sep);
const REGISTER = path.join(LIB, 'register.js');

/** The function that was asked about last. @type {{fn: unknown, isNodes: boolean}} */
const asked = { fn: null, isNodes: false };

/** @returns {boolean} whether Node's own function finds files: judged by its source, since somebody may have replaced it before us */
function isFoundByNode() {
  const fn = api._resolveFilename;
  if (asked.fn !== fn) Object.assign(asked, { fn, isNodes: /\bnormalizeRequirableId\b/.test(Function.prototype.toString.call(fn)) });
  return asked.isNodes;
}

/** Options for what Node loads before the program. */
const PRELOAD = /^(?:-r|--require|--import|--(?:experimental-)?loader)(?:=(?<named>.*))?$/s;

/**
 * @returns {boolean} whether something besides Ignis is loaded before the program, here and in replicas: it may have import hooks
 *   (`module.register`), which `require` does not ask
 */
function mayHaveHooks() {
  const words = [...process.execArgv, ...optionsOfNode()];
  return words.some((word, i) => {
    const found = PRELOAD.exec(word);
    return found !== null && !isOfOurs(found.groups?.named ?? words[i + 1] ?? '');
  });
}

/** @returns {string[]} words of the variable, without their quotes */
function optionsOfNode() {
  const { NODE_OPTIONS = '' } = process.env;
  if (NODE_OPTIONS === '') return [];
  // Few programs have some, and a replica should need little memory.
  const { bare, wordsOf } = require('../boot/node-options');
  return wordsOf(NODE_OPTIONS).map(bare);
}

/** @param {string} name of a preload @returns {boolean} */
function isOfOurs(name) {
  try {
    return api.createRequire(path.join(process.cwd(), '/')).resolve(name.startsWith('file:') ? fileURLToPath(name) : name) === REGISTER;
  } catch {
    return false;
  }
}

/**
 * @param {string} request
 * @param {string} from absolute name of the file that it is in
 * @param {string[]} [paths] of `require.resolve(request, { paths })`
 * @returns {string | null} null: there is no such module
 */
function foundAtHome(request, from, paths) {
  const standIn = new api(from, null);
  standIn.filename = from;
  standIn.paths = api._nodeModulePaths(path.dirname(from));
  try {
    return api._resolveFilename(request, standIn, false, paths === undefined ? undefined : { paths });
  } catch {
    return null;
  }
}

let isFinding = false;

/**
 * In a replica: from now on, modules are found as home says. Idempotent.
 *
 * @param {(request: string, from: string, paths?: string[]) => string | null} ask home
 */
function findBy(ask) {
  if (isFinding) return;
  isFinding = true;
  const before = api._resolveFilename;
  const isNodes = isFoundByNode();
  api._resolveFilename = /** @this {any} */ function (
    /** @type {any} */ request,
    /** @type {any} */ parent,
    /** @type {any} */ _isMain,
    /** @type {any} */ options,
  ) {
    const own = () => Reflect.apply(before, this, arguments);
    const from = parent?.filename;
    if (typeof request !== 'string' || typeof from !== 'string' || from.startsWith(LIB) || Module.isBuiltin(request)) return own();
    const paths = isArray(options?.paths) ? options.paths : undefined;
    if (isNodes) return ask(request, from, paths) ?? own();
    try {
      return own();
    } catch (/** @type {any} */ error) {
      const found = error?.code === 'MODULE_NOT_FOUND' ? ask(request, from, paths) : null;
      if (found === null) throw error;
      return found;
    }
  };
}

exports.findBy = findBy;
exports.foundAtHome = foundAtHome;
exports.isFoundByNode = isFoundByNode;
exports.mayHaveHooks = mayHaveHooks;
