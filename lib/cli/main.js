'use strict';

// The command line: finds the sub-command, reads its options by its table, and turns an IgnisError into one line on stderr and an exit
// code: 0 done, 1 failed, 2 misused. It never ends the process itself, and never catches what the user's program throws.

// eslint-disable-next-line no-global-assign, no-implicit-globals
require = require('../boot/own-require').ownRequire(module, require);
const { IgnisError } = require('../errors.js');
const { mayMean, nearest } = require('../option-table.js');
const { helpOf, overview, readArguments } = require('./arguments.js');
const { explain } = require('./guarded.js');
const { version } = require('../../package.json');

/**
 * @typedef {object} Io
 * @property {(text: string) => void} out
 * @property {(text: string) => void} err
 * @property {Record<string, string | undefined>} env
 */

/**
 * @typedef {object} Outcome
 * @property {number} code
 * @property {() => void} [launch] what is left to do, outside any try
 */

/**
 * @typedef {object} Command
 * @property {string} usage 'run [options] program [args...]'
 * @property {string} summary
 * @property {readonly import('../option-table.js').OptionRow[]} options
 * @property {boolean} [stopsAtFirst] whether everything after the first positional argument belongs to somebody else
 * @property {string} [nodesForm] how to run the same with options of Node
 * @property {(values: { given: Record<string, unknown>, rest: string[] }, io: Io) => Outcome} run
 */

/**
 * Each is loaded when it is asked for: running a program loads only `run`.
 *
 * @type {Readonly<Record<string, Command>>}
 */
const COMMANDS = Object.freeze({
  __proto__: /** @type {any} */ (null),
  get run() {
    return require('./run.js');
  },
  get report() {
    return require('./report.js');
  },
  get recipes() {
    return require('./recipes.js');
  },
  get simulate() {
    return require('./simulate.js');
  },
  get lift() {
    return require('./lift.js');
  },
  get check() {
    return require('./check.js');
  },
  get ps() {
    return require('./ps.js');
  },
  get top() {
    return require('./top.js');
  },
  get dash() {
    return require('./dash.js');
  },
  get profile() {
    return require('./profile.js');
  },
  get doctor() {
    return require('./doctor.js');
  },
  get keys() {
    return require('./keys.js');
  },
  get daemon() {
    return require('./daemon.js');
  },
  get nodes() {
    return require('./nodes.js');
  },
  get completion() {
    return require('./completion.js');
  },
});

/**
 * @param {string[]} argv without node and the script
 * @param {Io} io
 * @returns {Outcome}
 */
function main(argv, io) {
  try {
    const [name, ...args] = argv;
    if (name === undefined) {
      io.err(overview(COMMANDS));
      return { code: 2 };
    }
    if (name === 'help' && args.length > 0) return main([args[0], '--help'], io);
    if (name === '--help' || name === '-h' || name === 'help') {
      io.out(overview(COMMANDS));
      return { code: 0 };
    }
    if (name === '--version' || name === '-v' || name === 'version') {
      io.out(`${version}\n`);
      return { code: 0 };
    }
    // What the script of `ignis completion` asks for at each Tab.
    if (name === '--get-yargs-completions') {
      const { completions } = require('./completion.js');
      io.out(
        completions(COMMANDS, args)
          .map((word) => `${word}\n`)
          .join(''),
      );
      return { code: 0 };
    }
    const command = COMMANDS[name];
    if (command === undefined) {
      const hint = nearest(name, Object.keys(COMMANDS));
      const advice = mayMean(name, hint) ? `did you mean 'ignis ${hint}'?` : "'ignis --help' lists them";
      throw new IgnisError('IGNIS_BAD_OPTION', `no command is called '${name}'; ${advice}`, {
        field: name,
        nearest: hint,
      });
    }
    const read = readArguments(command, args);
    if (read.isHelp) {
      io.out(helpOf(command));
      return { code: 0 };
    }
    return command.run(read, io);
  } catch (error) {
    return { code: explain(error, io) };
  }
}

exports.COMMANDS = COMMANDS;
exports.main = main;
