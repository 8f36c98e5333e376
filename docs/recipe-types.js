'use strict'

// Prints the interfaces of options and recipes into lib/types.d.ts, from the tables in lib/options.js and lib/recipe/fields.js.
// In: the rows of each scope, and the text of lib/types.d.ts. Out: that text, with another part between two comments. The rest stays as it
// is.

const { inspect } = require('node:util')
const { PROGRAM_OPTIONS } = require('../lib/options.js')
const { FIELDS_OF } = require('../lib/recipe/fields.js')

/** @typedef {import('../lib/option-table.js').OptionRow} OptionRow */

const BEGIN = '  // Printed by `npm run docs` from the tables in lib/options.js and lib/recipe/fields.js; change those.\n'
const END = '  // End of what is printed.\n'

/** What the words of a row's `type` are in TypeScript. @type {Readonly<Record<string, string>>} */
const WORDS = Object.freeze({ true: 'true', false: 'false', number: 'number', Infinity: 'number', string: 'string', path: 'string', port: 'number' })

/**
 * @param {OptionRow & { ts?: string }} row
 * @returns {string} its type in TypeScript
 * @throws {Error} when the row says it neither with `ts` nor with words that can be translated
 */
function tsOf ({ name, type, ts }) {
  if (ts !== undefined) return ts
  const words = type.split(/, | or | \| /).map((word) => (/^'[^']*'$/.test(word) ? word : WORDS[word]))
  if (words.includes(/** @type {any} */ (undefined))) throw new Error(`the field '${name}' needs 'ts', since '${type}' is not made of plain words`)
  const union = [...new Set(words)]
  return union.length === 2 && union.includes('true') && union.includes('false') ? 'boolean' : union.join(' | ')
}

/** @param {OptionRow} row @returns {string} its default and unit, which the sentence need not say: ' Default: 100 (ms).' */
function defaultOf ({ default: value, unit }) {
  if (value === undefined) return ''
  return ` Default: ${inspect(value)}${unit !== undefined && Number.isFinite(value) ? ` (${unit})` : ''}.`
}

/**
 * @param {string} name
 * @param {string} sentence
 * @param {readonly (OptionRow & { ts?: string })[]} rows
 * @param {(row: OptionRow) => string} further
 */
const toInterface = (name, sentence, rows, further) => [
  `  /** ${sentence} */\n  interface ${name} {\n`,
  ...rows.map((row) => `    /** ${row.sentence}${further(row)} */\n    ${row.name}?: ${tsOf(row)};\n`),
  '  }\n'
].join('')

/** @param {OptionRow} row */
const ofOption = (row) => `${defaultOf(row)}${row.env === undefined ? '' : ` Variable: ${row.env}.`}`

/** @returns {string} the interfaces */
function interfaces () {
  const noDefault = FIELDS_OF.module.filter((row) => row.default === undefined).map(({ name }) => `'${name}'`)
  const onOneLine = `  type NoDefault = ${noDefault.join(' | ')};\n`
  // As the formatter wants it.
  const below = `  type NoDefault =\n    ${noDefault.join(' | ')};\n`
  const each = `  type NoDefault =${noDefault.map((name) => `\n    | ${name}`).join('')};\n`
  const union = onOneLine.length <= 141 ? onOneLine : below.split('\n')[1].length <= 140 ? below : each
  return [
    toInterface('Options', "The program's options, as `ignis.start` takes them; docs/options.md.", PROGRAM_OPTIONS, ofOption),
    toInterface('FunctionRecipe', 'What may be said of a single function, under `functions`; what is not said there is as for its module.', FIELDS_OF.function, () => ''),
    toInterface('Recipe', 'A recipe at an import, or under `modules`; docs/recipes.md describes each field.', FIELDS_OF.module, defaultOf),
    toInterface('ProgramRecipe', 'A recipe for the whole program: in code, or in a recipe file.', FIELDS_OF.program, defaultOf),
    `  /** Fields of a recipe that stay open where nobody gives them. */\n${union}`
  ].join('\n')
}

/**
 * @param {string} text of lib/types.d.ts
 * @returns {string} the same with the interfaces of now
 */
function withRecipeTypes (text) {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin === -1 || end < begin) throw new Error('lib/types.d.ts has lost the comments between which recipes are printed')
  return text.slice(0, begin + BEGIN.length) + interfaces() + text.slice(end)
}

exports.tsOf = tsOf
exports.withRecipeTypes = withRecipeTypes
