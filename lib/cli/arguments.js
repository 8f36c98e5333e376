'use strict';

// Reads the arguments of one sub-command, and prints its help, both from its table of options. In: a command and its arguments. Out: the
// given options by their names in the table, checked, with defaults for the others; and the arguments that are no options. Arguments of the
// user's program are not looked at.

const { IgnisError } = require('../errors.js');
const { examine, parseText, refuse } = require('../option-table.js');

/** @typedef {import('../option-table.js').OptionRow} OptionRow */
/** @typedef {import('./main.js').Command} Command */

/**
 * Loaded when there is something to parse: it takes longer to load than all that `ignis run program` needs. It is given its folder, since
 * the working directory may be gone.
 *
 * @param {readonly string[]} args
 */
const yargsOf = (args) => require('yargs')(args, __dirname);

/**
 * @param {string} name 'tickMs'
 * @returns {string} 'tick-ms'
 */
function toFlag(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * If a variable may set an option, a default here would hide that.
 *
 * @param {readonly OptionRow[]} table
 * @returns {Record<string, unknown>} by name
 */
function defaultsOf(table) {
  const rows = table.filter((row) => row.env === undefined && row.default !== undefined);
  return Object.fromEntries(rows.map((row) => [row.name, row.default]));
}

/** Options of Node that it does not allow in NODE_OPTIONS. */
const NODES = ['-e', '--eval', '-p', '-pe', '--print', '-c', '--check', '-i', '--interactive', '--test', '--run', '--watch'];

/** @param {OptionRow} row */
const isSwitch = (row) => row.type === 'true | false';

/** Whether it has no value: the next argument is none. @param {OptionRow} row @param {string | undefined} next */
const isBare = (row, next) => row.bare !== undefined && !/^\d+$/.test(next ?? '');

/** If no value was typed, none is named. @param {import('../option-table.js').Mistake} mistake */
function asTyped(mistake) {
  const { field, value, nearest, message } = mistake;
  return field === nearest || value !== true ? mistake : { ...mistake, message: message.replace(' (its value is true)', '') };
}

/**
 * @param {readonly OptionRow[]} table
 * @param {Record<string, unknown>} flags value by flag
 * @returns {Record<string, unknown>} value by name
 * @throws {import('../errors.js').IgnisError} IGNIS_BAD_OPTION with flags as they are written, so that the nearest one can be copied
 */
function checkFlags(table, flags) {
  const rows = table.map((row) => ({ ...row, name: toFlag(row.name) }));
  const { checked, mistakes } = examine(rows, flags, { where: 'the command line', list: '--help' });
  refuse('IGNIS_BAD_OPTION', mistakes.map(asTyped));
  return Object.fromEntries(table.map(({ name }) => [name, checked[toFlag(name)]]).filter(([, value]) => value !== undefined));
}

/**
 * @param {readonly OptionRow[]} table
 * @param {readonly string[]} args
 * @returns {string[]} the same, with a value for each option that may have none, and with yargs's words for switches
 * @throws {IgnisError} IGNIS_BAD_OPTION when a switch has any other value, and for a name that is not in the table: yargs takes some for
 *   its own (`--_`), and fails on what every object inherits (`--constructor`)
 */
function spellOut(table, args) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, i) => {
    if (i >= end) return arg;
    const [, flag, word] = /^(--[^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const row = rowOf(table, flag);
    if (row === undefined) {
      if (flag !== undefined && !isUnderstood(table, flag)) checkFlags(table, { [flag.slice(2)]: word ?? true });
      return arg;
    }
    if (word === undefined) return isBare(row, args[i + 1]) ? `${arg}=${row.bare}` : arg;
    if (!isSwitch(row)) return arg;
    // For yargs, anything but `true` is false.
    const { [row.name]: value } = checkFlags([row], { [toFlag(row.name)]: parseText(row, word) });
    return `${flag}=${value}`;
  });
}

/**
 * @param {Command} command
 * @param {readonly string[]} args of its own
 * @throws {IgnisError} IGNIS_BAD_OPTION that says where options of Node belong, if there is one among them
 */
function refuseNodes({ options, nodesForm }, args) {
  if (nodesForm === undefined) return;
  for (const [flag] of args.map((arg) => arg.split('='))) {
    const isOwn = rowOf(options, flag) !== undefined || isUnderstood(options, flag);
    if (isOwn || !flag.startsWith('-')) continue;
    if (NODES.includes(flag) || process.allowedNodeEnvironmentFlags.has(flag))
      throw new IgnisError('IGNIS_BAD_OPTION', `'${flag}' is an option of Node, as in '${nodesForm} ${flag} ...'`);
  }
}

/** @param {readonly OptionRow[]} table @param {string} flag as it is written @returns {OptionRow | undefined} the option that it is */
const rowOf = (table, flag) => table.find(({ name }) => `--${toFlag(name)}` === flag);

/** @param {readonly OptionRow[]} table @param {string} flag that is no option's @returns {boolean} whether yargs knows it all the same */
function isUnderstood(table, flag) {
  return flag === '--help' || flag === '--h' || table.some((row) => flag === `--no-${toFlag(row.name)}`);
}

/**
 * Where the user's program begins: the first argument that is neither an option nor an option's value.
 *
 * @param {readonly OptionRow[]} table
 * @param {readonly string[]} args
 * @returns {number} args.length when there is none
 */
function startOfRest(table, args) {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--') return i;
    if (!arg.startsWith('-') || arg === '-') return i;
    const row = rowOf(table, arg);
    if (row !== undefined && !isSwitch(row) && !isBare(row, args[i + 1])) i++;
  }
  return args.length;
}

/**
 * @param {Command} command
 * @param {readonly string[]} args
 * @returns {any} a yargs parser that neither prints nor ends the process
 */
function parserOf(command, args) {
  const parser = yargsOf(args)
    .usage(`ignis ${command.usage}\n\n${command.summary}`)
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      // If an option may be given only once, the last one counts; see readArguments.
      'duplicate-arguments-array': true,
      'populate--': true,
    })
    .locale('en')
    .exitProcess(false)
    .help(false)
    .version(false)
    .wrap(100)
    .fail((/** @type {string | null} */ message, /** @type {Error | undefined} */ cause) => {
      const words = (message ?? String(cause?.message)).replace(/\s+/g, ' ').toLowerCase();
      const told = words.replace(/^not enough arguments following: (\S+)$/, "option '$1' needs a value");
      throw new IgnisError('IGNIS_BAD_OPTION', told, { cause });
    });
  for (const row of command.options) {
    const also = [
      isSwitch(row) ? undefined : row.type,
      row.unit,
      row.env === undefined ? undefined : `$${row.env}`,
      row.default === undefined ? undefined : `default ${row.default}`,
    ].filter(Boolean);
    parser.option(toFlag(row.name), {
      describe: also.length === 0 ? row.sentence : `${row.sentence} [${also.join(', ')}]`,
      // No defaults here: what is not given must not hide the environment.
      ...(isSwitch(row) ? { boolean: true } : { nargs: 1 }),
    });
  }
  return parser.option('help', { alias: 'h', boolean: true, describe: 'Prints this help.' });
}

/**
 * @param {Command} command
 * @param {string[]} args
 * @returns {{ given: Record<string, unknown>, rest: string[], isHelp: boolean }}
 * @throws {import('../errors.js').IgnisError} IGNIS_BAD_OPTION when an option is unknown or wrong
 */
function readArguments(command, args) {
  const start = command.stopsAtFirst === true ? startOfRest(command.options, args) : args.length;
  const own = args.slice(0, start);
  const rest = args.slice(args[start] === '--' ? start + 1 : start);
  refuseNodes(command, own);
  const hasOptions = own.length > 0 || command.stopsAtFirst !== true;
  const parsed = hasOptions ? parserOf(command, spellOut(command.options, own)).parse() : { _: [] };
  /** @type {Record<string, unknown>} */
  const flags = {};
  for (const flag of Object.keys(parsed)) {
    if (['_', '$0', '--', 'help', 'h'].includes(flag) || parsed[flag] === undefined) continue;
    const row = command.options.find((candidate) => toFlag(candidate.name) === flag);
    const values = [parsed[flag]].flat().map((value) => (row === undefined || typeof value !== 'string' ? value : parseText(row, value)));
    flags[flag] = row?.isRepeated === true ? values : values[values.length - 1];
  }
  const positional = [...parsed._, ...(parsed['--'] ?? [])].map(String);
  const isHelp = parsed.help === true;
  return {
    given: isHelp ? {} : { ...defaultsOf(command.options), ...checkFlags(command.options, flags) },
    rest: [...positional, ...rest],
    isHelp,
  };
}

/**
 * @param {Command} command
 * @returns {string}
 */
function helpOf(command) {
  let help = '';
  parserOf(command, []).showHelp((/** @type {string} */ text) => {
    help = text;
  });
  return `${help}\n`;
}

/**
 * @param {Readonly<Record<string, Command>>} commands
 * @returns {string} the help of all commands together
 */
function overview(commands) {
  let help = '';
  const parser = yargsOf([])
    .scriptName('ignis')
    .usage('ignis <command>\n\nScales out the one saturated module of a Node.js program.')
    .locale('en')
    .exitProcess(false)
    .help(false)
    .version(false)
    .wrap(100)
    .option('help', { alias: 'h', boolean: true, describe: 'Prints this help, or that of a command.' })
    .option('version', { alias: 'v', boolean: true, describe: 'Prints the version.' });
  for (const { usage, summary } of Object.values(commands)) parser.command(usage, summary);
  parser.showHelp((/** @type {string} */ text) => {
    help = text;
  });
  return `${help}\n`;
}

exports.helpOf = helpOf;
exports.isBare = isBare;
exports.isSwitch = isSwitch;
exports.overview = overview;
exports.readArguments = readArguments;
exports.rowOf = rowOf;
exports.startOfRest = startOfRest;
exports.toFlag = toFlag;
exports.yargsOf = yargsOf;
