'use strict';

// ignis lift --dry-run: what `lift` would change in the files of a program, as a diff, and what it would not, with the reasons. It reads
// the files that the program imports by literal names, beginning with the named one, and runs none of them.

const path = require('node:path');
const { IgnisError } = require('../errors.js');
const { fact } = require('../option-table.js');
const { installedRootOf, makeIdentify, setInstalledProgram } = require('../import/module-id.js');
const { programRootOf } = require('../import/program-root.js');
const { Lifting } = require('../import/lifting.js');
const { ownSources } = require('../import/lift-walk.js');
const { RecipeBook } = require('../recipe/book.js');
const { count } = require('../view/figures.js');
const { diffLines } = require('./diff-lines.js');
const { figure, plain, toTable } = require('./table.js');
const { resolveProgram } = require('./run.js');
const { misused } = require('./misuse.js');

exports.usage = 'lift --dry-run [options] <program>';
exports.summary =
  'Prints what the recipe field `lift` changes in the files of a program as they are loaded, and which calls it leaves as they are, and why.';
exports.options = Object.freeze([
  {
    name: 'dryRun',
    type: 'true | false',
    check: fact,
    sentence: 'Required: files are changed as they are loaded, never on disk.',
  },
  {
    name: 'recipe',
    type: 'path',
    check: (/** @type {unknown} */ value) => typeof value === 'string' || 'a path',
    sentence: 'The recipe file to use instead of the one in the root of the program.',
  },
  { name: 'json', type: 'true | false', check: fact, sentence: 'Prints JSON.' },
]);

/** @typedef {import('../import/lift.js').Outcome} Outcome */
/**
 * @typedef {{file: string, text: string, source: string, outcome: Outcome | null}} Examined text: of the file; source: the same as
 *   JavaScript, line for line
 */

/**
 * @param {string} program absolute
 * @param {string | undefined} recipeFile
 * @returns {{files: Examined[], unparsed: string[], names: string[]}}
 */
function examine(program, recipeFile) {
  setInstalledProgram(installedRootOf(program));
  const appRoot = programRootOf(program, recipeFile);
  const book = new RecipeBook({ appRoot, recipeFile });
  const lifting = new Lifting({ appRoot, book, identify: makeIdentify(appRoot) });
  const relative = (/** @type {string} */ filename) => path.relative(appRoot, filename);
  const { sources, unparsed } = ownSources(program);
  const files = sources.map(({ filename, text, source, sourceType }) => ({
    file: relative(filename),
    text,
    source,
    outcome: lifting.examine(filename, source, sourceType, { mayWaitAtTop: filename === program }),
  }));
  return { files, unparsed: unparsed.map(relative), names: book.lifted.map((target) => target ?? 'a pattern') };
}

/** @param {Examined[]} files */
function sumOf(files) {
  const lifted = files.flatMap(({ file, outcome }) => (outcome?.lifted ?? []).map((site) => ({ file, ...site })));
  const refused = files.flatMap(({ file, outcome }) => (outcome?.refused ?? []).map((site) => ({ file, ...site })));
  const all = lifted.length + refused.length;
  return { lifted, refused, share: all === 0 ? null : lifted.length / all };
}

/**
 * Unchanged lines are shown as in the file, with its TypeScript types.
 *
 * @param {Examined} examined
 * @returns {string}
 */
function toDiff({ file, text, source, outcome }) {
  if (outcome === null) return '';
  const [before, read] = [text, source].map((whole) => whole.split('\n'));
  const after = outcome.code.split('\n').map((line, i) => (line === read[i] ? before[i] : line));
  return diffLines(file, text, after.join('\n'));
}

/** @param {ReturnType<typeof examine>} examined @returns {string} */
function toText({ files, unparsed, names }) {
  const { lifted, refused, share } = sumOf(files);
  const diff = files.map(toDiff).join('');
  const columns = [
    { title: 'not lifted', cell: (/** @type {any} */ one) => `${one.file}:${one.line}:${one.column}` },
    { title: 'call', cell: (/** @type {any} */ one) => one.call },
    { title: 'because', cell: (/** @type {any} */ one) => one.reason },
  ];
  const parts = [diff];
  if (refused.length > 0) parts.push(toTable(columns, refused));
  if (unparsed.length > 0) parts.push(`not read, because they cannot be parsed as JavaScript: ${unparsed.map(plain).join(', ')}\n`);
  if (share !== null)
    parts.push(
      `${count(lifted.length, 'call')} of ${lifted.length + refused.length} lifted, ${figure(share * 100, 0)} %, in ${count(files.length, 'file')}\n`,
    );
  else if (names.length > 0)
    parts.push(
      `no call of the modules that the recipes lift (${names.map(plain).join(', ')}) was found in ${count(files.length, 'file')}\n`,
    );
  else parts.push(`nothing is lifted: no recipe says lift, nor does any import in ${count(files.length, 'file')} (see docs/lift.md)\n`);
  return parts.filter((part) => part !== '').join('\n');
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, { out }) {
  if (rest.length !== 1) throw misused('name one program', exports.usage);
  if (given.dryRun !== true) {
    throw new IgnisError(
      'IGNIS_BAD_OPTION',
      "add --dry-run: files are changed as they are loaded, never on disk, and 'ignis lift --dry-run' shows how",
      {
        field: 'dryRun',
      },
    );
  }
  const examined = examine(resolveProgram(rest[0]).file, /** @type {string | undefined} */ (given.recipe));
  if (examined.files.length === 0)
    throw new IgnisError(
      'IGNIS_BAD_OPTION',
      `the program ${rest[0]} can be parsed neither as JavaScript nor as TypeScript that this Node can read`,
      {
        path: rest[0],
      },
    );
  const { lifted, refused, share } = sumOf(examined.files);
  const files = examined.files.map(({ file }) => file);
  if (given.json === true) out(`${JSON.stringify({ files, unparsed: examined.unparsed, lifted, refused, share }, null, 2)}\n`);
  else out(toText(examined));
  return { code: 0 };
};
