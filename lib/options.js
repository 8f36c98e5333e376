'use strict';

// The options of the program, in one table. In: what was given in code or on the command line, and the environment. Out: all options,
// checked, filled in and frozen. It never writes to the environment.

const { statSync } = require('node:fs');
const { resolve } = require('node:path');
const { workingFolder } = require('./engine');
const { checkValues, examine, fact, oneOf, parseText, refuse, wholeNumber } = require('./option-table.js');

/** @typedef {import('./option-table.js').OptionRow} OptionRow */

/** @type {OptionRow['check']} */
function path(value) {
  return (typeof value === 'string' && value !== '' && !value.includes('\0')) || 'the path of a file';
}

/** If it turned out to be a folder only when the program ends, the report would be lost. @type {OptionRow['check']} */
function newFile(value) {
  const verdict = path(value);
  if (verdict !== true) return verdict;
  try {
    return !statSync(/** @type {string} */ (value), { throwIfNoEntry: false })?.isDirectory() || 'the path of a file, but this is a folder';
  } catch {
    // Node does not let this program look (`--permission`); whether it may write shows later, too.
    return true;
  }
}

/** Its contents are checked where it is used. @type {OptionRow['check']} */
const text = (value) => (typeof value === 'string' && value.trim() !== '') || 'a text';

/** @type {OptionRow['check']} */
const port = (value) => wholeNumber(0, 65535)(value) === true || 'a port from 0 to 65535 (0: any free port)';

/** @type {readonly OptionRow[]} */
const PROGRAM_OPTIONS = Object.freeze([
  {
    name: 'recipe',
    type: 'path',
    check: path,
    env: 'IGNIS_RECIPE',
    sentence: 'The recipe file to use instead of ignis.config.js, .cjs, .mjs or .json in the root of the program (docs/recipes.md).',
  },
  {
    name: 'level',
    type: 'number',
    check: wholeNumber(0, 9),
    env: 'IGNIS_LEVEL',
    sentence:
      "Which imports are watched. 0: only modules that `hot` names, or that have `hot: true` under `modules` (other recipes then have no effect, except those with `call: 'block'` and those of `fs`); 1: all imports by the program's own files; 2: also those by its packages; and so on. Overrides the recipe file.",
  },
  {
    name: 'exact',
    type: 'true | false',
    default: false,
    check: fact,
    env: 'IGNIS_EXACT',
    sentence:
      'Hands out exports that a program cannot tell from the true ones, and the same ones to all its files: for test suites, mocks, and code that reads property descriptors. A call costs some 30 to 70 ns more, and counts for the file that imported the module first (docs/limits.md).',
  },
  {
    name: 'report',
    type: 'path',
    check: newFile,
    env: 'IGNIS_REPORT',
    sentence:
      'Writes a JSON report of all boundaries, decisions and replicas to this file, or into this pipe, when the program ends. `%p` in the name stands for the process id, so that each worker of node:cluster (`-r ignis/register` and the variable reach them too) writes its own.',
  },
  {
    name: 'explain',
    type: 'true | false',
    default: false,
    check: fact,
    env: 'IGNIS_EXPLAIN',
    sentence: 'Prints every decision as one JSON line on stderr.',
  },
  {
    name: 'statusMs',
    type: 'number',
    default: 0,
    unit: 'ms',
    check: wholeNumber(0, 3600000),
    env: 'IGNIS_STATUS_MS',
    sentence: 'How often to print the hottest boundaries and the replicas, as one JSON line on stderr; 0: never.',
  },
  {
    name: 'dash',
    type: 'port',
    check: port,
    bare: 0,
    env: 'IGNIS_DASH',
    sentence:
      'Serves a web page that shows the program live, on this machine only. Its address, which contains a secret, is printed on stderr. 0, or no port on the command line, takes any free port.',
  },
  {
    name: 'metrics',
    type: 'port',
    check: port,
    bare: 9464,
    env: 'IGNIS_METRICS',
    sentence:
      'Serves the figures as Prometheus text at http://127.0.0.1:PORT/metrics, on this machine only. 0 takes any free port; no port on the command line means 9464.',
  },
  {
    name: 'monitor',
    type: 'true | false',
    check: fact,
    env: 'IGNIS_MONITOR',
    sentence:
      'Lets `ignis ps`, `ignis top` and `ignis profile` find the program, from its first watched import on, through a socket in a folder that only its user can enter. True by default, except in threads and in processes that such a program has forked.',
  },
  {
    name: 'quiet',
    type: 'true | false',
    default: false,
    check: fact,
    env: 'IGNIS_QUIET',
    sentence:
      'Prints no warnings about options, recipes and imports; the report still has those about recipes. Whatever goes wrong later is printed all the same: a verified call that differs, a oneway call that fails, a port that is taken.',
  },
  {
    name: 'tickMs',
    type: 'number',
    default: 100,
    unit: 'ms',
    check: wholeNumber(10, 60000),
    env: 'IGNIS_TICK_MS',
    sentence: 'How often the coordinator looks at all boundaries; a tenth as often while nothing happens.',
  },
  {
    name: 'windowMs',
    type: 'number',
    default: 1000,
    unit: 'ms',
    check: wholeNumber(100, 600000),
    env: 'IGNIS_WINDOW_MS',
    sentence: 'How far back a decision looks.',
  },
  {
    name: 'reclaimMs',
    type: 'number',
    default: 5000,
    unit: 'ms',
    check: wholeNumber(0, 3600000),
    env: 'IGNIS_RECLAIM_MS',
    sentence: 'How long a replica must have been superfluous before it is ended.',
  },
  {
    name: 'spares',
    type: 'number',
    default: 1,
    unit: 'replicas',
    check: wholeNumber(0, 64),
    env: 'IGNIS_SPARES',
    sentence:
      'How many empty replicas are kept running as spares, so that a scale-out takes milliseconds. The first starts soon after the import of a module that may leave; a spare that was used is replaced some seconds later, when a processor is free.',
  },
  {
    name: 'startMs',
    type: 'number',
    default: 30000,
    unit: 'ms',
    check: wholeNumber(100, 3600000),
    env: 'IGNIS_START_MS',
    sentence:
      'How long a replica may take to start and load its module, or a spare to start. After that it is ended, and the start has failed.',
  },
  {
    name: 'closeMs',
    type: 'number',
    default: 5000,
    unit: 'ms',
    check: wholeNumber(0, 3600000),
    env: 'IGNIS_CLOSE_MS',
    sentence:
      'How long replicas may take to finish their calls when Ignis is closed. A replica that is merely no longer needed takes as long as its calls do.',
  },
  {
    name: 'heartbeatMs',
    type: 'number',
    default: 1000,
    unit: 'ms',
    check: (value) => value === 0 || wholeNumber(200, 600000)(value) === true || '0, or a whole number from 200 to 600000',
    env: 'IGNIS_HEARTBEAT_MS',
    sentence:
      'How long a replica process may give no sign of life before it is killed and its calls run again or fail. A replica that computes counts as alive (Linux only). After half that time it gets no more calls. Time in which the program itself did not run does not count. 0: never.',
  },
  {
    name: 'maxFrameBytes',
    type: 'number',
    default: 268435456,
    unit: 'bytes',
    check: wholeNumber(65536, 1073741824),
    env: 'IGNIS_MAX_FRAME_BYTES',
    sentence: 'The largest frame that is sent or accepted.',
  },
  {
    name: 'force',
    type: 'string',
    check: (value) => (typeof value === 'string' && value.trim() !== '') || 'packages, folders, files or globs, separated by commas',
    env: 'IGNIS_FORCE',
    sentence:
      'Modules that live in one replica from their first import on, whatever recipes say; every use of them crosses, and waits. Packages, paths within packages (`lodash/fp`), folders, files and globs of files (`lib/*.js`), separated by commas; paths start at the working directory.',
  },
  {
    name: 'where',
    type: "'process', 'thread' or 'host'",
    default: 'process',
    check: oneOf(['process', 'thread', 'host']),
    env: 'IGNIS_WHERE',
    sentence: 'Where the replica of the forced modules (`force`) runs; `host`: on one of the hosts that `nodes` or `cluster` names.',
  },
  {
    name: 'nodes',
    type: 'string',
    check: text,
    env: 'IGNIS_NODES',
    sentence:
      "Hosts whose daemons run the modules forced with `where: 'host'`, and the replicas of modules whose recipes say `where: 'host'` without naming hosts: IP:PORT, or NAME=IP:PORT with the name that the certificate must have, separated by commas.",
  },
  {
    name: 'cluster',
    type: 'string',
    check: text,
    env: 'IGNIS_CLUSTER',
    sentence:
      'Uses the hosts of a cluster instead of `nodes`. The value is the address of its engine: `nats://HOST:PORT,...` or `etcd://HOST:PORT,...`.',
  },
  {
    name: 'identity',
    type: 'path',
    check: (value) => path(value) === true || 'the path of a folder',
    env: 'IGNIS_IDENTITY',
    sentence: 'The folder with the key and the certificate by which other hosts know this home; `ignis keys` makes it.',
  },
  {
    name: 'trust',
    type: 'path',
    check: path,
    env: 'IGNIS_TRUST',
    sentence: 'The file with the certificate of the authority that certifies hosts; by default trust.pem in the identity folder.',
  },
  {
    name: 'deployKey',
    type: 'path',
    check: path,
    env: 'IGNIS_DEPLOY_KEY',
    sentence: 'The file with the key that signs code sent to hosts; by default deploy.key in the identity folder.',
  },
  {
    name: 'blockMs',
    type: 'number',
    default: 300000,
    unit: 'ms',
    check: wholeNumber(0, 86400000),
    env: 'IGNIS_BLOCK_MS',
    sentence: 'How long a caller may be blocked, waiting for one answer of a module that lives in a replica; 0: for ever.',
  },
]);

/**
 * The program's options: default < environment < given in code or on the command line.
 *
 * @param {object} [from]
 * @param {Record<string, string | undefined>} [from.env] process.env by default; an empty variable counts as absent
 * @param {Record<string, unknown>} [from.given]
 * @param {string} [from.where] where `given` was given
 * @returns {Readonly<Record<string, any>>} frozen; all paths except the recipe file's are absolute
 * @throws {IgnisError} IGNIS_BAD_OPTION when an option or a variable is wrong
 */
function readOptions({ env = process.env, given, where } = {}) {
  const { checked: explicit, mistakes } = examine(PROGRAM_OPTIONS, given, { where });
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const row of PROGRAM_OPTIONS) {
    const text = row.env === undefined ? undefined : env[row.env];
    if (text === undefined || text === '' || given?.[row.name] !== undefined) continue;
    const read = examine([row], { [row.name]: parseText(row, text) }, { where: `the environment variable ${row.env}` });
    mistakes.push(...read.mistakes);
    Object.assign(found, read.checked);
  }
  refuse('IGNIS_BAD_OPTION', mistakes);
  return checkValues(PROGRAM_OPTIONS, fromHere({ ...found, ...explicit }));
}

/**
 * Files are written and read later, and the program may change directory until then. The recipe file is looked for at once, and messages
 * name it as written.
 *
 * @param {Record<string, any>} values
 * @returns {Record<string, any>} with absolute paths
 */
function fromHere(values) {
  const whole = { ...values };
  for (const { name, type } of PROGRAM_OPTIONS)
    if (type === 'path' && name !== 'recipe' && whole[name] !== undefined) whole[name] = absolute(whole[name]);
  return whole;
}

/** @param {string} file @returns {string} unchanged if there is no working directory any more */
function absolute(file) {
  return workingFolder() === undefined ? file : resolve(file);
}

exports.PROGRAM_OPTIONS = PROGRAM_OPTIONS;
exports.readOptions = readOptions;
