'use strict'

// Prints docs/recipes.md, docs/recipe-book.md, docs/options.md, docs/errors.md, the interfaces of recipes in lib/types.d.ts and
// lib/recipe.schema.json from the tables in lib and from recipes/. `npm run docs` writes them; test/docs.test.js fails when one is out of
// date.

const fs = require('node:fs')
const path = require('node:path')
const { inspect } = require('node:util')
const { ERRORS, REMEDIES, WARNINGS } = require('../lib/errors.js')
const { toMarkdown } = require('../lib/option-table.js')
const { PROGRAM_OPTIONS } = require('../lib/options.js')
const { PLACE_OF, RECIPE_FIELDS } = require('../lib/recipe/fields.js')
const { CONTRADICTIONS } = require('../lib/recipe/contradictions.js')
const { nameText, versionsText } = require('../lib/cli/recipe-text.js')
const { fold } = require('../lib/cli/table.js')
const { allShipped, fileNameOf, pureFunctions } = require('../lib/recipe/shipped.js')
const { recipeSchema } = require('./recipe-schema.js')
const { withRecipeTypes } = require('./recipe-types.js')

const TYPES = path.join(__dirname, '..', 'lib', 'types.d.ts')
const SCHEMA = path.join(__dirname, '..', 'lib', 'recipe.schema.json')
const COLUMNS = 140
const NOTE = '<!-- Printed by `npm run docs` from the tables in lib; change those. -->\n'

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`

/** @returns {string} */
function fieldsTable () {
  const rows = RECIPE_FIELDS.map((field) => row([
    `\`${field.name}\``, field.scope.map((scope) => PLACE_OF[scope]).join(', '), field.unit === undefined ? field.type : `${field.type} (${field.unit})`,
    field.default === undefined ? '' : `\`${inspect(field.default)}\``, field.paper ?? '', field.sentence
  ]))
  return row(['field', 'where it stands', 'value', 'default', 'in the paper', 'what it does']) + row(Array(6).fill('---')) + rows.join('')
}

/** @returns {string} */
function contradictionsTable () {
  const rows = CONTRADICTIONS.map(({ fields, example, sentence }) => row([fields.map((field) => `\`${field}\``).join(', '), `\`${example}\``, sentence]))
  return row(['fields', 'for example', 'why']) + row(Array(3).fill('---')) + rows.join('')
}

/** @returns {string} */
function recipesPage () {
  return `# Recipes

${NOTE}
A recipe is a small object that says what Ignis may and must not do with a module. Without a recipe, Ignis distributes nothing: it watches
the module and says what it would do.

## Where a recipe stands

**At the import.** Plain Node drops the second argument, so the same file runs without Ignis:

\`\`\`js
const uri = require('uri-js', { call: 'await', pure: true, copies: [0, 4] })
\`\`\`

In an ES module, write \`await ignis.import('uri-js', { ... })\`. A \`require\` that the ES module made by \`module.createRequire\` takes a recipe
too. Code that is in no file (\`node -e\`, a program from standard input, the REPL) cannot pass a recipe at an import: Node drops the
argument, and so does Ignis. Use a recipe for the whole program there.

**For the whole program, in code,** as its first statement:

\`\`\`js
require = require('ignis')({ level: 1, modules: { 'uri-js': { call: 'await', pure: true } } })
\`\`\`

**In a file** in the program's root:

\`\`\`js
module.exports = {
  cold: ['./lib/session/', /^@internal\\//],
  modules: {
    'uri-js': { call: 'await', pure: true, copies: [0, 4] },
    natural: { functions: { 'PorterStemmer.stem': { call: 'await' } } }
  }
}
\`\`\`

The file is named \`ignis.config.js\`, \`.cjs\`, \`.mjs\` (if Node can require ES modules) or \`.json\`; two of these side by side are an error.
\`--recipe FILE\` or \`IGNIS_RECIPE\` names another file. If there is none of them, Ignis takes \`ignis.config.ts\`, \`.cts\` or \`.mts\`, provided
that Node loads TypeScript (22.18 on) or something that was loaded before Ignis does (\`node -r tsx/cjs -r ignis/register\`).

An editor can complete the fields, explain them, and mark mistakes:

| file | what to add |
| --- | --- |
| JSON | \`"$schema": "./node_modules/ignis/lib/recipe.schema.json"\` |
| JavaScript | \`/** @type {import('ignis').ProgramRecipe} */\` above \`module.exports\` |
| TypeScript | \`export default { ... } satisfies ProgramRecipe\` |

### The program's root

Ignis looks for the recipe file in the program's root: the folder of the package.json that is nearest to the main file. There are two
exceptions:

- **The program is started by a tool.** The root is then the package of the working directory. This holds if the main file is from the
  \`node_modules\` of that package or of a folder above it (\`node -r ignis/register node_modules/.bin/mocha\`, pm2, fastify-cli, a workspace),
  if npx or \`pnpm dlx\` has fetched it, or if it is a file of an installed package that was forked (by a pm2 that is installed with \`-g\`).
- **\`ignis run node_modules/.bin/tool\`.** The tool is the program, and its package is the root, unless the package of the working directory
  has a recipe file.

Ignis does not read a recipe file that lies in the working directory above the root, or beside the main file below the root, or that is
written in YAML. A warning says so.

## Which one holds

A stronger recipe replaces a weaker one field by field. What it says about the whole module also replaces what a weaker one said about a
function. From weak to strong, under the names that \`given\` of an effective recipe uses:

1. \`shipped\`: the recipes that Ignis ships;
2. \`program\`: program-wide fields, those of the file before those in code;
3. \`target\`: \`hot\` and \`cold\`, then \`modules\`; here too the file before the code;
4. \`import\`: the second argument of \`require\`;
5. \`live\`: what \`ignis.recipe\` said while the program runs.

### Targets

| target | for example |
| --- | --- |
| a package | \`'uri-js'\`, also \`'lodash/fp'\` |
| a built-in | \`'node:crypto'\` or \`'crypto'\` |
| a file of the program | \`'./lib/links.js'\`, or \`'./lib/links'\` whatever its ending |
| a folder | \`'./lib/'\` |
| a glob | \`'@scope/*'\`; \`**\` also crosses slashes, \`/**/\` also means no folder |
| a regular expression | \`/^uri/\`, as a key: \`'/^uri/'\` |

Paths begin at the program's root. If several targets mean a module, the more exact one wins: one module before a folder before a glob
before a regular expression. Of equals, the later one wins.

A recipe for a package means the package as a whole: calls between its own files stay where they are. A single file of the package leaves by
itself if a recipe names that file and not the one that imports it.

### Consent

Ignis distributes a module only if its user said so about this very module: \`hot\`, \`copies\`, \`call: 'await'\`, \`lift\`, or \`oneway\`. A shipped
recipe never says it. Neither does a program-wide \`copies\`, which only limits.

### Mistakes and warnings

An unknown field, a wrong value, a field in the wrong place, or fields that exclude each other are an error, and the program does not start.
The error lists all of them, also those below \`modules\` and \`functions\`: the field, the value, the nearest valid name, and where the recipe
was given. In code, \`error.problems\` is the same as a list.

These are warnings:

- **A package, built-in, file or folder that does not exist,** when the program starts, with the nearest name that does.
- **A recipe for a built-in that is never watched** (\`http\`, \`events\`, \`stream\`), also at an import. Watched are \`crypto\`, \`zlib\`, \`dns\`,
  \`fs\` and \`child_process\`.
- **A target that no import matched.** A bundler may have taken the module in: it is no longer imported then. This stands among the
  \`warnings\` of \`ignis.report()\`.
- **A field that counts only with another one that no layer gives:** \`key\` without \`sched: 'hash'\` or \`state: 'keyed'\`, \`state: 'keyed'\`
  without a key, \`killMs\` without \`timeout\`. This stands in the report too. At an import it is an error.
- **A function that a recipe names** (under \`functions\`, in \`lift\`, \`oneway\` or \`setup\`) **and that none of its modules has.** The warning
  comes once the modules are loaded, with the nearest name, and stands in the report too. Ignis calls no getters to find out, and a name
  that holds nothing yet may get its function later.
- **\`call: 'block'\` of a built-in, or of a module that was loaded at home before.** It has no effect.

## Calls whose answer nobody wants

\`\`\`js
const metrics = require('./metrics.js', { oneway: ['count', 'log'], state: 'private' })
metrics.log({ path: '/', ms: 12 })            // undefined, at once
\`\`\`

- **The answer.** A oneway call returns \`undefined\`, whatever the function gives. So \`await log(x)\` goes on at once, and \`log(x).catch()\` is
  a mistake.
- **When it runs.** Never within the call. It runs in a replica, or at home after the caller's turn, one call after another in the order
  they were made. The caller cannot see where. Other calls of the module do not wait for the oneway calls before them.
- **Arguments** are copied when the call is made. A call that is given a function runs at home, and gets that very function; so does a call
  with something that cannot be copied (a socket). If the module's state is in a replica (\`state: 'shared'\` or \`'keyed'\`), both are refused
  as for any call, the latter with the path of the value.
- **Errors.** What the function throws or rejects with reaches nobody. It counts among the failures, and each failure is an event of the
  diagnostics channel \`ignis:oneway\` (\`{ module, function, isLost, error }\`). The first of a function is also an \`IgnisWarning\` with the
  code \`IGNIS_ONEWAY\`.
- **Lost replicas.** A replica that is lost takes its oneway calls with it, unless they may run again (\`idempotent\`, \`pure\`). The report
  counts them (\`functions[name].oneway.lost\`).
- **Other fields.** \`qDepth\`, \`sched\`, \`key\`, \`priority\`, \`timeout\` and \`retry\` mean what they mean for other calls.
- **The end of the program.** A program that ends by itself has run all of them, except those that were lost. \`ignis.close()\` waits for
  those in replicas as for other calls (\`closeMs\`). Before \`process.exit()\`, calls that wait at home still run, but those in a replica may
  be lost. A call that an 'exit' listener makes runs within it.
- **\`new\`** makes an object as ever. Without Ignis the call is an ordinary one.

## While the program runs

\`\`\`js
ignis.recipe('uri-js', { copies: [2, 4] })   // targets as under modules
ignis.recipe('uri-js', { cold: true })       // another one in its place: the module comes home
ignis.recipe('uri-js', null)                 // taken back: what the others say holds again
\`\`\`

\`ignis.recipe\` returns the effective recipe of each boundary that is meant, \`{ 'app.js -> uri-js': { copies: [2, 4], ... } }\`. It also holds
for later imports.

Calls follow the new recipe at once. The coordinator starts and ends replicas at its next tick; a replica that ends finishes its calls
first. If \`where\`, \`comm\`, \`codec\`, \`sched\`, \`qDepth\`, \`state\` or \`group\` changes, the module gets new replicas, and the old ones end after
their calls.

A wrong recipe changes nothing and throws \`IGNIS_BAD_RECIPE\`. So does a change that is no longer possible:

- \`call: 'block'\` of a module that is loaded at home, and any change of a module that lives in a replica by \`call: 'block'\`;
- taking a module home, or elsewhere, if it remembers something in a replica (\`state: 'shared'\` or \`'keyed'\`, or nothing said about it);
- the \`group\` of a module that was set up or written to, since that was noted for the replicas that it had; and a way into a group that
  already remembers something in a replica;
- \`level\` in a recipe for a module: it belongs to the whole program. Given in code (\`ignis({ level: 2 })\`), it holds for imports from then
  on.

A module that was imported without consent, and then written to, set up, or asked for its options, stays at home, since no replica could be
like it. The report says so. Imports that were made while a module was \`cold\` are not watched afterwards.

Ignis watches the recipe file, and reads it again when its content changes:

- A mistake in it is an \`IgnisWarning\`, and the previous content continues to hold. An empty or missing file counts as one that is being
  written.
- A changed \`level\` holds from the next start on.
- Files that only the recipe file requires are loaded again with it, but not watched. Files that an ES module imports stay as they were.

Each change is an event of the diagnostics channel \`ignis:recipe\`: \`{ event, where }\`. The event is \`'set'\` (and \`target\`, \`recipe\`),
\`'taken'\`, or \`'refused'\` (and \`error\`).

## Fields

${fieldsTable()}
## What excludes each other

In one recipe these are mistakes. If two layers say them, the stronger one wins; but a module that a weaker layer calls \`cold\` stays cold,
unless a stronger one says \`hot: true\` or \`cold: false\`. \`retry\` of something that no layer calls \`idempotent\` or \`pure\` is always a
mistake.

${contradictionsTable()}
## Shipped recipes

Ignis ships recipes for ${allShipped().length} packages and built-ins. [The recipe book](recipe-book.md) has what they say, where it pays, and the evidence.
\`ignis recipes\` lists them, \`ignis recipes NAME\` prints one. They state facts, and distribute nothing by themselves.
`
}

/** @param {string} name of a function @returns {string} */
const code = (name) => `\`${nameText(name)}\``

/** @param {import('../lib/types').ShippedRecipe} shipped */
function chapter (shipped) {
  const { package: name, versions, files = [], evidence, threads, setup, mutates = [], keeps = [], recipe } = shipped
  const pure = pureFunctions(shipped)
  const facts = [
    ['Pure', pure.map(code).join(', ')],
    ['Set-up', setup === undefined ? '' : `${(recipe.setup ?? []).map(code).join(', ')}: ${setup}`],
    ['Changes its arguments', mutates.map((one) => `${code(one.function)}, argument ${one.argument + 1}: ${one.what}.`).join(' ')],
    ['Remembers', keeps.join(' ')],
    ['Threads', threads === true ? 'a replica may be one.' : threads],
    ['Also holds for', files.map((file) => `\`${file}\``).join(', ')]
  ]
  const list = facts.filter(([, text]) => text !== '').map(([title, text]) => `- ${fold(`*${title}:* ${text}`, COLUMNS, '  ').slice(2)}`).join('')
  const source = shipped.ownFile === undefined ? '' : `\nA file of your own through which it can move:\n\n\`\`\`js\n${shipped.ownFile.trimEnd()}\n\`\`\`\n`
  return `### ${name}\n\n[recipes/${fileNameOf(name)}](../recipes/${fileNameOf(name)}), versions: ${versionsText(versions)}.\n\n${fold(evidence, COLUMNS, '')}\n${list}${source}`
}

/** @returns {string} */
function recipeBookPage () {
  const shipped = allShipped()
  const rows = shipped.flatMap(({ package: name, pays, threads }) => pays.map((one) => row([
    `\`${name}\``, code(one.function), one.input, String(one.bytes), String(one.ms), String(one.homeMs), one.breakEven, threads === true ? 'yes' : 'no'
  ])))
  return `# The recipe book

${NOTE}
What Ignis knows about packages whose work blocks event loops: which functions are pure, which set the package up, which change their
arguments, and where it pays to have replicas serve them.

Each recipe was written after reading the package. \`test/recipes/recipes.test.js\` checks it against the real package, in the versions of
\`test/recipes/packages/package.json\`:

- Each pure function gives the same result at home, in a process and (if the recipe says that a replica may be one) in a thread, in any
  order, and does not change its arguments.
- Each set-up function changes later results, and replicas get the change, or the module stays at home.

**A shipped recipe does not give your consent.** To let \`marked.parse\` move, put this into ignis.config.js:
\`{ modules: { marked: { functions: { parse: { call: 'await' } } } } }\`. The function then returns a promise.

**Only exported functions can move.** If an object stays at home, so do its methods (\`new MarkdownIt().render(text)\`). For such packages the
book shows a file of your own that holds the object and exports a function. That file moves with \`{ call: 'await', pure: true }\`, and is
measured and tested like the packages.

## Where a recipe pays

Processor time of a call in ms, measured by \`npm run bench -- recipes\` (Node 20, Linux x64, 2 cores, shared and virtual, 2026-11-21):

- *ms*: at home.
- *home, when sent*: what home still pays for marshalling and the channel if a process serves the call.
- *pays from*: the measured input from which on *home, when sent* is at most 0.8 of *ms*, for this and all larger ones. *always*: from the
  smallest one on; *never*: not for the largest one. A call with a smaller input is better made at home.

${row(['package', 'function', 'input', 'bytes', 'ms', 'home, when sent', 'pays from', 'threads'])}${row(['---', '---', '---', '---:', '---:', '---:', '---', '---'])}${rows.join('')}
## The recipes

${shipped.map(chapter).join('\n')}`
}

/** @returns {string} */
function optionsPage () {
  return `# Options

${NOTE}
Options are given in code (\`ignis.start({ tickMs: 50 })\`), on the command line (\`ignis run --tick-ms 50 server.js\`), or in the environment.
Code and the command line override the environment. An unknown option or a wrong value is an error. A variable that begins with \`IGNIS_\` and
sets nothing is a warning. As text (in a variable, or behind \`=\`), true and false may also be 1 and 0, or yes and no. An empty variable
counts as not set.

${toMarkdown(PROGRAM_OPTIONS)}
\`IGNIS_DEBUG=1\` makes the command line print stacks.

\`IGNIS_WORKERS=1\` makes a preloaded Ignis (\`-r ignis/register\`, \`--import ignis/register\`) start in the program's own worker threads, too, in
each by itself.

\`IGNIS_CODE_CACHE\` names the folder in which Ignis keeps, from one start to the next:

- the compiled code of its own files: 3 to 9 MB for each Ignis (one in each release's folder), version and flags of Node; the newest 32 files
  stay (some 60 MB);
- the names that the sources of each program of ES modules import and export: less than 1 kB for a source.

It has to be the absolute path of a folder that only its user can enter: in one that others can enter, nothing is kept. The default is the
folder of the sockets ([top.md](top.md)). \`off\` keeps nothing; Ignis then adds twice as much to a start.
`
}

/** @returns {string} */
function errorsPage () {
  const rows = Object.keys(ERRORS).map((code) => row([`\`${code}\``, ERRORS[code], REMEDIES[code]]))
  const warnings = Object.entries(WARNINGS).map(([code, { what, remedy }]) => row([`\`${code}\``, what, remedy]))
  return `# Errors

${NOTE}
Every error that Ignis itself throws is an \`IgnisError\` with a \`code\`. Its message is the sentence of the code, then what exactly
happened. A call that was lost also has \`ran\`: \`'no'\` when it did not run, \`'maybe'\` when it may have.
Errors that your own modules throw arrive as they are: class, message, own properties and cause.

${row(['code', 'what happened', 'what to do'])}${row(Array(3).fill('---'))}${rows.join('')}
## Warnings

Trouble that is no error is a warning of Node (\`process.on('warning')\`) with the name \`IgnisWarning\` and a code. With the option
\`quiet\`, warnings about options, recipes and imports are not printed.

${row(['code', 'what it says', 'what to do'])}${row(Array(3).fill('---'))}${warnings.join('')}`
}

const PAGES = Object.freeze({ 'recipes.md': recipesPage, 'recipe-book.md': recipeBookPage, 'options.md': optionsPage, 'errors.md': errorsPage })

if (require.main === module) {
  for (const [name, page] of Object.entries(PAGES)) fs.writeFileSync(path.join(__dirname, name), page())
  fs.writeFileSync(TYPES, withRecipeTypes(fs.readFileSync(TYPES, 'utf8')))
  fs.writeFileSync(SCHEMA, recipeSchema())
}

exports.PAGES = PAGES
