'use strict';
/*
 * The front door: what `require('ignis')` gives. `require('ignis')(recipe)` starts Ignis for this process and gives the calling file a
 * `require` that takes recipes; `ignis.start`, `ignis.recipe`, `ignis.boundaries`, `ignis.explain`, `ignis.report` and `ignis.close` do
 * what they say. The walk of a call begins in import/hook.js (`require`) or import/es-hook.js (`import`). docs/architecture.md describes it
 * step by step, together with blocking calls and the words we use:
 *
 *   import/hook -> import/imports -> recipe/book -> wrap/boundary, wrap/membrane -> wrap/crossing (counts: profile/meter)
 *     -> wrap/route (distributed?) -> session/call -> spawn/replica-set -> spawn/replica -> session/peer -> wire/channel
 *       -> (replica) spawn/agent -> session/peer -> session/skeleton -> the module, and back
 *   meanwhile, ten times a second: program -> profile/window -> rank/coordinator -> spawn/replica-set
 */
require('./import/refuse-bundle').refuseBundle(module);
require('./import/refuse-runtime').refuseRuntime();
// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('./boot/own-require').ownRequire(module, require);
const Module = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { publish } = require('./diagnostics');
const { IgnisError } = require('./errors');
const { EVENTUAL, LOCAL, STRONG } = require('./fs/modes');
const { Inactive } = require('./import/inactive');
const { OWN, otherCopy, takePlace } = require('./import/other-copy');
const { makeRequire } = require('./import/recipe-require');
const { tellUnknown } = require('./import/variables');
const { isHooksThread, isReplica } = require('./import/watched');
const { PROGRAM_OPTIONS, readOptions } = require('./options');
const { Program } = require('./program');
const { RECIPE_FIELDS } = require('./recipe/fields');

/** @type {Program | null} */
let program = null;
let isClosed = false;

/** Warn only once: a test suite may start Ignis before each of its tests. */
let hasTold = false;

/** `ignis.import()` after a close asks for a module, not for a start: no warning then. */
const IMPORT = 'ignis.import()';

/** Whether `ignis check` runs this process. Few processes are checked, so only those load the room that records calls. */
const isChecked = () => Boolean(process.env.IGNIS_CHECK) && require('./check/watch').isChecked();

/** Whether Ignis must stay out of this process, whoever asks for it. */
const isInactive = () => isReplica() || isHooksThread() || isChecked();

/**
 * @param {Record<string, unknown>} [options] as in docs/options.md
 * @param {string} [where] named in messages; without it, a file of the program called us
 * @param {import('./rank/nesting').InsideOf} [inside] when Ignis is to be active inside a replica
 * @returns {Program | null} null in any other replica, where nothing is watched, and under `ignis check`, where nothing is distributed
 * @throws {IgnisError} IGNIS_BAD_OPTION, IGNIS_BAD_RECIPE, IGNIS_NOT_FOUND
 */
function start(options = {}, where = undefined, inside = undefined) {
  if (inside === undefined && program === null && isInactive()) return null;
  const { recipe, ...others } = options;
  const isFile = typeof recipe !== 'object' || recipe === null;
  const given = isFile ? options : others;
  const said = where ?? 'ignis.start()';
  const isLate = program === null && where === undefined;
  refuseFields(given, said);
  // Options of a second start change nothing, but mistakes in them are still reported.
  if (program === null) {
    program = new Program(given, said, inside);
    if (inside === undefined) tellUnknown(program.options.quiet);
    takePlace();
    tellOther(program.options.quiet);
  } else readOptions({ env: {}, given, where: said });
  if (isClosed && where !== IMPORT) tellClosed(said, program.options.quiet || given.quiet === true);
  if (!isFile) program.setRecipe(recipe, said);
  if (isLate) program.warnOfEarlier(callerOf(start).file);
  return program;
}

/** @param {boolean} isQuiet */
function tellOther(isQuiet) {
  const other = otherCopy();
  if (other === null || isQuiet) return;
  const message = `two copies of Ignis are active in this process, ${other} and ${OWN}: both watch it, and neither knows what the other does`;
  publish('ignis:warning', { message });
  process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_TWICE' });
}

/** @param {string} where it was started @param {boolean} isQuiet */
function tellClosed(where, isQuiet) {
  if (hasTold || isQuiet) return;
  hasTold = true;
  const message = `Ignis was closed and does not start again in this process (${where}): later imports are not watched, and recipes have no effect`;
  publish('ignis:warning', { message });
  process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_CLOSED' });
}

/**
 * @param {Record<string, unknown>} given
 * @param {string} where
 * @throws {IgnisError} IGNIS_BAD_OPTION when fields of a recipe were given as options
 */
function refuseFields(given, where) {
  const isOption = (/** @type {string} */ field) => PROGRAM_OPTIONS.some(({ name }) => name === field);
  const isField = (/** @type {string} */ field) => RECIPE_FIELDS.some(({ name, scope }) => name === field && scope.includes('program'));
  const field = Object.keys(given).find((name) => isField(name) && !isOption(name));
  if (field === undefined) return;
  const told = `'${field}' is a field of the recipe, not an option (given in ${where}): write ignis.start({ recipe: { ${field}: ... } })`;
  throw new IgnisError('IGNIS_BAD_OPTION', told, { field, value: given[field], nearest: 'recipe', where });
}

/**
 * @param {Record<string, unknown>} [recipe] for the whole program
 * @returns {NodeJS.Require} for the calling file: Node's own, with a recipe as an optional second argument
 * @throws {IgnisError} IGNIS_BAD_RECIPE naming the field, its value, and the place of the call
 */
function ignis(recipe) {
  const caller = callerOf(ignis);
  const isLate = program === null;
  const running = start({}, caller.where);
  if (recipe !== undefined) running?.setRecipe(recipe, caller.where);
  if (isLate) running?.warnOfEarlier(caller.file);
  return makeRequire(/** @type {any} */ (Module)._cache[caller.file] ?? moduleAt(caller.file));
}

/**
 * @param {string} file an ES module, or one that was never loaded
 * @returns {any} a module object whose `require` searches from the place of that file
 */
function moduleAt(file) {
  const standIn = new Module(file);
  standIn.filename = file;
  standIn.paths = /** @type {any} */ (Module)._nodeModulePaths(path.dirname(file));
  return standIn;
}

/** @param {Function} below @returns {{file: string, where: string}} who called it */
function callerOf(below) {
  const before = Error.prepareStackTrace;
  /** @type {any} */
  const holder = {};
  try {
    // No assignment: the program may have frozen it. Then we know only the program's main file.
    Reflect.set(Error, 'prepareStackTrace', (/** @type {Error} */ _error, /** @type {NodeJS.CallSite[]} */ sites) => sites);
    Error.captureStackTrace(holder, below);
    const site = typeof holder.stack === 'string' ? undefined : holder.stack[0];
    const place = site?.getFileName() ?? process.argv[1] ?? '';
    const file = place.startsWith('file:') ? fileURLToPath(place) : place;
    return { file, where: `${file}:${site?.getLineNumber() ?? 0}` };
  } finally {
    Reflect.set(Error, 'prepareStackTrace', before);
  }
}

/** @param {string} what is unavailable without Ignis @returns {Program | Inactive} what answers @throws {IgnisError} IGNIS_CLOSED */
function running(what) {
  if (program !== null) return program;
  if (isInactive()) return new Inactive();
  const other = otherCopy();
  if (other !== null)
    throw new IgnisError(
      'IGNIS_CLOSED',
      `this copy, ${OWN}, was not started, but another one was, ${other}, so ${what}; keep only one of the two`,
    );
  throw new IgnisError('IGNIS_CLOSED', `it was not started (-r ignis/register, ignis run or ignis.start() starts it), so ${what}`);
}

ignis.start = start;
/** The running program, for our own tests and benchmarks. */
ignis.program = () => program;
ignis.boundaries = () => program?.boundaries() ?? [];
ignis.explain = (/** @type {string} */ id) => running('there is nothing to explain').explain(id);
ignis.recipe = (/** @type {string | RegExp} */ target, /** @type {unknown} */ recipe) =>
  running('no recipe can change').setLive(target, recipe, callerOf(ignis.recipe).where);
ignis.report = () => running('there is nothing to report').report();
ignis.metrics = () => running('there are no metrics').metrics();
/** `import()` with a recipe, relative to the file that calls it. */
ignis.import = async (/** @type {string} */ id, /** @type {unknown} */ recipe) => {
  const { file } = callerOf(ignis.import);
  return (start({}, IMPORT) ?? new Inactive()).import(id, recipe, file);
};
ignis.close = async () => {
  isClosed = program !== null;
  await program?.close();
};
/** What `fs` may be in a recipe of fs: where files live. */
ignis.fs = Object.freeze({ LOCAL, EVENTUAL, STRONG });
ignis.IgnisError = IgnisError;

module.exports = ignis;

// Never true. Node (cjs-module-lexer) reads this text to learn which names an ES module can import.
if (ignis === undefined)
  module.exports = {
    start,
    boundaries: ignis,
    explain: ignis,
    recipe: ignis,
    report: ignis,
    metrics: ignis,
    import: ignis,
    close: ignis,
    fs: ignis,
    IgnisError,
  };
