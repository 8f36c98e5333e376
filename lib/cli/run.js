'use strict';

// ignis run: runs a program in this process, watched by Ignis. The program sees its own name and arguments in process.argv, is
// `require.main`, and its exit code is the exit code. Nothing it throws is touched. If it is the command of an installed package, the files
// of that package are the program's own.

// Node's own start of a program, for CommonJS and ES modules alike. @types/node does not know it.
const { _initPaths: readNodePath, runMain } = /** @type {any} */ (require('node:module'));
const { statSync } = require('node:fs');
const path = require('node:path');
const { IgnisError } = require('../errors.js');
const { findProgram, installedRootOf, setInstalledProgram } = require('../import/module-id.js');
const { PROGRAM_OPTIONS, readOptions } = require('../options.js');
const { behindScript } = require('./shell-script.js');
const { misused } = require('./misuse.js');

exports.usage = 'run [options] <program> [args..]';
exports.summary = 'Runs a program, finds its saturated module, and scales that module out as far as its recipes allow.';
exports.options = PROGRAM_OPTIONS;
// Everything after the program belongs to it, even what begins with a dash.
exports.stopsAtFirst = true;
exports.nodesForm = 'node -r ignis/register';

/**
 * @param {string} program as it was written
 * @returns {{file: string, named: string, nodePath: string | null}} both absolute: the file that runs, and its name, which may be a link or
 *   have no extension; nodePath as in behindScript
 * @throws {IgnisError} IGNIS_NOT_FOUND; IGNIS_BAD_OPTION as behindScript
 */
function resolveProgram(program) {
  const { file, nodePath } = behindScript(path.resolve(program), program);
  try {
    return { file: findProgram(file), named: file, nodePath };
  } catch (error) {
    const isFolder = statSync(path.resolve(program), { throwIfNoEntry: false })?.isDirectory();
    const what = isFolder
      ? `a program in the folder ${program}: an index.js, or what 'main' of a package.json names`
      : `the program ${program}${isCommand(program) ? asCommand(program) : ''}`;
    throw new IgnisError('IGNIS_NOT_FOUND', what, { cause: error, path: program });
  }
}

/** @param {string} program as it was written @returns {boolean} whether a shell would run it by this name (`npm`, `tsx`, `node`) */
function isCommand(program) {
  if (program !== path.basename(program)) return false;
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => statSync(path.join(folder, program), { throwIfNoEntry: false })?.isFile());
}

/** @param {string} program @returns {string} */
function asCommand(program) {
  return ` (${program} is a command: start it as NODE_OPTIONS='--require ignis/register' ${program} ... to have Ignis in each of its Node processes)`;
}

/** @param {Record<string, any>} given options @returns {string} the one that got what looks like the program (`--report app.js`) */
function takenIn({ report, recipe }) {
  for (const [name, value] of Object.entries({ report, recipe }))
    if (typeof value === 'string' && /\.[cm]?[jt]s$/.test(value)) return `: ${value} was taken as the value of --${name}`;
  return '';
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, { env }) {
  const [program, ...args] = rest;
  if (program === undefined) throw misused(`name the program to run${takenIn(given)}`, exports.usage);
  const { file, named, nodePath } = resolveProgram(program);
  readOptions({ env, given, where: 'the command line' });
  // As Node does: absolute, but otherwise as written, even if it is a link or has no extension.
  process.argv = [process.execPath, named, ...args];
  if (nodePath !== null) {
    process.env.NODE_PATH = [nodePath, ...(env.NODE_PATH ? [env.NODE_PATH] : [])].join(path.delimiter);
    readNodePath();
  }
  setInstalledProgram(installedRootOf(file));
  require('../index.js').start({ ...given }, 'the command line');
  return { code: 0, launch: runMain };
};

exports.resolveProgram = resolveProgram;
