'use strict';

// ignis ps: the programs of this user that run under Ignis. Each is asked about itself; one whose event loop is busy is listed
// nevertheless.

const { IgnisError } = require('../errors.js');
const { fact } = require('../option-table.js');
const { Watching, listPrograms } = require('../view/monitor-client.js');
const { isAlive } = require('../view/run-folder.js');
const { span } = require('../view/top-screen.js');
const { bare, percent } = require('../view/top-table.js');
const { guarded } = require('./guarded.js');
const { toTable } = require('./table.js');
const { misused } = require('./misuse.js');

/** How long a program may take to answer, ms. */
const ASK_MS = 2000;

exports.usage = 'ps [options]';
exports.summary = 'Lists the running programs that `ignis top` can show.';
exports.options = Object.freeze([{ name: 'json', type: 'true | false', check: fact, sentence: 'Prints the list as JSON.' }]);

/** @type {import('./table.js').Column[]} */
const COLUMNS = [
  { title: 'pid', cell: ({ pid, thread }) => (thread === 0 ? pid : `${pid}.${thread}`), isNumber: true },
  { title: 'program', cell: ({ name }) => name },
  { title: 'up', cell: ({ uptimeMs }) => (uptimeMs === null ? '' : span(uptimeMs)), isNumber: true },
  { title: 'loop', cell: ({ utilisation }) => (utilisation === null ? '' : percent(utilisation)), isNumber: true },
  { title: 'replicas', cell: ({ replicas }) => replicas, isNumber: true },
  { title: 'hottest', cell: ({ hottest, state }) => (state === 'busy' ? '(does not answer: its event loop is busy)' : hottest) },
];

/** @param {import('../view/run-folder').Entry} entry @returns {Promise<any>} a plain record; never rejects */
async function lookAt({ pid, thread, name, place }) {
  const nothing = { pid, thread, name, path: null, uptimeMs: null, utilisation: null, replicas: null, hottest: null };
  /** @type {Watching | null} */
  let link = null;
  try {
    link = await Watching.open(place, ASK_MS);
    const { program, boundaries, replicas } = await link.ask('snapshot', { brief: true }, ASK_MS);
    const [first] = boundaries;
    return {
      ...nothing,
      state: 'answers',
      name: program.name,
      path: program.path,
      uptimeMs: program.uptimeMs,
      utilisation: program.loop.utilisation,
      replicas: replicas.filter((/** @type {any} */ { state }) => state === 'ready').length,
      hottest: first === undefined || first.heat === 0 ? null : `${bare(first.child)} ${percent(first.heat)}`,
    };
  } catch (error) {
    const isBusy = error instanceof IgnisError && error.code === 'IGNIS_CALL_TIMEOUT';
    return { ...nothing, state: isBusy ? 'busy' : 'refuses' };
  } finally {
    link?.close();
  }
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length > 0) throw misused('it takes no arguments', exports.usage);
  const launch = guarded(io, async () => {
    const all = await Promise.all((await listPrograms()).map(lookAt));
    // What a program that died has left behind is still there.
    const programs = all.filter(({ state, pid }) => state !== 'refuses' || isAlive(pid));
    if (given.json === true) return io.out(`${JSON.stringify(programs, null, 2)}\n`);
    io.out(programs.length === 0 ? 'None of your programs runs under Ignis.\n' : toTable(COLUMNS, programs));
  });
  return { code: 0, launch };
};
