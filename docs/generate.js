'use strict'

// Prints docs/recipes.md, docs/recipe-book.md, docs/options.md and docs/errors.md from the tables in lib and from recipes/.
// `npm run docs` writes them; test/docs.test.js fails when one is out of date.

const fs = require('node:fs')
const path = require('node:path')
const { inspect } = require('node:util')
const { ERRORS, REMEDIES } = require('../lib/errors.js')
const { toMarkdown } = require('../lib/option-table.js')
const { PROGRAM_OPTIONS } = require('../lib/options.js')
const { PLACE_OF, RECIPE_FIELDS } = require('../lib/recipe/fields.js')
const { nameText, versionsText } = require('../lib/cli/recipe-text.js')
const { allShipped, fileNameOf, pureFunctions } = require('../lib/recipe/shipped.js')

const NOTE = '<!-- Printed by `npm run docs` from the tables in lib; change those. -->\n'

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`

/** @returns {string} */
function fieldsTable () {
  const rows = RECIPE_FIELDS.map((field) => row([
    `\`${field.name}\``, field.scope.map((scope) => PLACE_OF[scope]).join(', '), field.type,
    field.default === undefined ? '' : `\`${inspect(field.default)}\``, field.paper ?? '', field.sentence
  ]))
  return row(['field', 'where it stands', 'value', 'default', 'in the paper', 'what it does']) + row(Array(6).fill('---')) + rows.join('')
}

/** @returns {string} */
function recipesPage () {
  return `# Recipes

${NOTE}
A recipe is a small object that says what the distribution of a module may and must not do. Without one, Ignis watches a
module and says what it would do; nothing is distributed.

## Where a recipe stands

At the import. Plain Node drops the second argument, so the same file runs without Ignis:

\`\`\`js
const uri = require('uri-js', { call: 'await', pure: true, copies: [0, 4] })
\`\`\`

For the whole program, in code, as its first statement:

\`\`\`js
require = require('ignis')({ level: 1, modules: { 'uri-js': { call: 'await', pure: true } } })
\`\`\`

Or in a file beside the program, \`ignis.config.js\` or \`ignis.config.json\`, or one that \`--recipe FILE\` or \`IGNIS_RECIPE\` names:

\`\`\`js
module.exports = {
  cold: ['./lib/session/', /^@internal\\//],
  modules: {
    'uri-js': { call: 'await', pure: true, copies: [0, 4] },
    natural: { functions: { 'PorterStemmer.stem': { call: 'await' } } }
  }
}
\`\`\`

## Which one holds

From weak to strong: the recipes that Ignis ships, program-wide fields, \`hot\` and \`cold\`, \`modules\`, the import; and within
each but the last, the file before the code. A stronger one replaces a weaker one field by field. What it says of the whole
module also replaces what a weaker one said of a function.

A target is a package (\`'uri-js'\`, also \`'lodash/fp'\`), a built-in (\`'node:crypto'\` or \`'crypto'\`), a file of the program
(\`'./lib/links.js'\`), a folder (\`'./lib/'\`), a glob (\`'@scope/*'\`; \`**\` also crosses slashes), or a regular expression
(\`/^uri/\`, as a key: \`'/^uri/'\`). Paths begin at the program's root. When several mean a module, the more exact one
wins: one module before a folder before a glob before an expression; of equals the later one.

A module is distributed only when its user said so of this very module: \`hot\`, \`copies\`, or \`call: 'await'\`. A shipped recipe
never says it, and neither does a program-wide \`copies\`, which only limits.

An unknown field, a wrong value, or a field in the wrong place is an error that names the field, the value, the nearest valid
name, and where the recipe was given; the program does not start.

## Fields

${fieldsTable()}
## Shipped recipes

Ignis ships recipes for ${allShipped().length} packages and built-ins. What they say, where it pays, and the evidence stand in [the recipe book](recipe-book.md);
\`ignis recipes\` lists them, \`ignis recipes NAME\` prints one. They say what is so, and distribute nothing by themselves.
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
    ['Holds also for', files.map((file) => `\`${file}\``).join(', ')]
  ]
  const list = facts.filter(([, text]) => text !== '').map(([title, text]) => `- *${title}:* ${text}\n`).join('')
  const source = shipped.ownFile === undefined ? '' : `\nA file of your own through which it can move:\n\n\`\`\`js\n${shipped.ownFile.trimEnd()}\n\`\`\`\n`
  return `### ${name}\n\n[recipes/${fileNameOf(name)}](../recipes/${fileNameOf(name)}), versions: ${versionsText(versions)}. ${evidence}\n\n${list}${source}`
}

/** @returns {string} */
function recipeBookPage () {
  const shipped = allShipped()
  const rows = shipped.flatMap(({ package: name, pays, threads }) => pays.map((one) => row([
    `\`${name}\``, code(one.function), one.input, String(one.bytes), String(one.ms), String(one.homeMs), one.breakEven, threads === true ? 'yes' : 'no'
  ])))
  return `# The recipe book

${NOTE}
What Ignis knows of packages whose work blocks event loops: what in them is pure, what sets them up, what changes its arguments, and where it pays to let
replicas serve them. Each recipe was written after reading the package, and \`test/recipes/recipes.test.js\` holds it to the real package in the versions of
\`test/recipes/packages/package.json\`: each pure function gives the same at home, in a process and (where threads are said to do) in a thread, in any order, and leaves its
arguments; each set-up function changes later results, and replicas hear of it.

A recipe is no consent. \`{ modules: { marked: { functions: { parse: { call: 'await' } } } } }\` in ignis.config.js lets \`marked.parse\` move, and then it returns a promise.
Only functions of the exports can move: what an object that stays at home does (\`new MarkdownIt().render(text)\`) stays there with it. For such packages the book shows a file of your own that holds the
object, and gives out a function; that file moves with \`{ call: 'await', pure: true }\`, and is measured and tested as the packages are.

## Where a recipe pays

Processor time of a call in ms, measured by \`npm run bench -- recipes\` (Node 20, Linux x64, 2 cores, shared and virtual, 2026-11-21): *ms* at home; *home, when sent* what home still pays for it when a
process serves it, for marshalling and the channel; *pays from* the smallest measured input for which that is at most 0.8 of *ms*. A call that stays below its break-even is better made at home.

${row(['package', 'function', 'input', 'bytes', 'ms', 'home, when sent', 'pays from', 'threads'])}${row(['---', '---', '---', '---:', '---:', '---:', '---', '---'])}${rows.join('')}
## The recipes

${shipped.map(chapter).join('\n')}`
}

/** @returns {string} */
function optionsPage () {
  return `# Options

${NOTE}
Given in code (\`ignis.start({ tickMs: 50 })\`), on the command line (\`ignis run --tick-ms 50 server.js\`), or in the environment.
The command line and code win over the environment. An unknown option or a wrong value is an error.

${toMarkdown(PROGRAM_OPTIONS)}
\`IGNIS_DEBUG=1\` makes the command line print stacks.
`
}

/** @returns {string} */
function errorsPage () {
  const rows = Object.keys(ERRORS).map((code) => row([`\`${code}\``, ERRORS[code], REMEDIES[code]]))
  return `# Errors

${NOTE}
Every error that Ignis itself throws is an \`IgnisError\` with a \`code\`. Its message is the sentence of the code, then what exactly
happened. A call that was lost also has \`ran\`: \`'no'\` when it did not run, \`'maybe'\` when it may have.
Errors that your own modules throw arrive as they are: class, message, own properties and cause.

${row(['code', 'what happened', 'what to do'])}${row(Array(3).fill('---'))}${rows.join('')}`
}

const PAGES = Object.freeze({ 'recipes.md': recipesPage, 'recipe-book.md': recipeBookPage, 'options.md': optionsPage, 'errors.md': errorsPage })

if (require.main === module) {
  for (const [name, page] of Object.entries(PAGES)) fs.writeFileSync(path.join(__dirname, name), page())
}

exports.PAGES = PAGES
