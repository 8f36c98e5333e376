'use strict'

// Prints lib/recipe.schema.json, by which editors complete and check an ignis.config.json, from the tables in lib/recipe/fields.js.
// In: the rows of each scope. Out: a JSON schema (draft 7, which every editor reads). What JSON cannot hold (functions, Infinity,
// expressions but as text) is not in it; contradictions of fields are found at the program's start only.

const { FIELDS_OF } = require('../lib/recipe/fields.js')
const { tsOf } = require('./recipe-types.js')

/** @typedef {Record<string, unknown>} Schema */

const TRIMMED = '^\\S(.*\\S)?$'
const TEXT = Object.freeze({ type: 'string', pattern: TRIMMED })
const COUNT = Object.freeze({ type: 'integer', minimum: 0, maximum: 1000 })
const list = (/** @type {Schema} */ items) => ({ type: 'array', items })
const below = (/** @type {string} */ name) => ({
  type: 'object', propertyNames: { minLength: name === 'Recipe' ? 1 : 0 }, additionalProperties: { $ref: `#/definitions/${name}` }
})

/** What a name of lib/types.d.ts is in JSON. @type {Readonly<Record<string, Schema>>} */
const NAMED = Object.freeze({
  Target: TEXT,
  Copies: { anyOf: [{ type: 'boolean' }, COUNT, { type: 'array', items: COUNT, minItems: 2, maxItems: 2 }] },
  Sched: { enum: ['least', 'rr', 'hash', 'weighted', 'elu'] },
  Where: {
    anyOf: [
      { enum: ['process', 'thread', 'host'] },
      { type: 'array', items: [{ enum: ['process', 'thread', 'host'] }], minItems: 1, maxItems: 1 },
      { type: 'array', items: [{ enum: ['process', 'thread'] }, { const: 'host' }], minItems: 2, maxItems: 2 }
    ]
  },
  HostNode: {
    type: 'object',
    properties: { ip: TEXT, port: { type: 'integer', minimum: 1, maximum: 65535 }, name: TEXT, weight: { type: 'number', exclusiveMinimum: 0, maximum: 1e6 } },
    required: ['ip', 'port'],
    additionalProperties: false
  },
  'Readonly<Record<string, Recipe>>': below('Recipe'),
  'Readonly<Record<string, FunctionRecipe>>': below('FunctionRecipe'),
  'Readonly<Record<string, string>>': { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
  boolean: { type: 'boolean' },
  true: { const: true },
  false: { const: false }
})

/** The range that a row's check asks for, in its own words. @type {readonly [RegExp, (least: number, most: number) => Schema][]} */
const RANGES = Object.freeze([
  [/a whole number (?:of ms )?from (\S+) to ([\d.e+]+)/, (minimum, maximum) => ({ type: 'integer', minimum, maximum })],
  [/a number from (\S+) to ([\d.e+]+)/, (minimum, maximum) => ({ type: 'number', minimum, maximum })],
  [/a number above (\S+), at most ([\d.e+]+)/, (exclusiveMinimum, maximum) => ({ type: 'number', exclusiveMinimum, maximum })]
])

/** @param {import('../lib/option-table.js').OptionRow} row @returns {Schema} */
function numberOf ({ name, check }) {
  const right = String(check({}))
  for (const [pattern, toSchema] of RANGES) {
    const [, least, most] = pattern.exec(right) ?? []
    if (most !== undefined) return toSchema(Number(least), Number(most))
  }
  throw new Error(`no range of numbers is known of the field '${name}', whose values are ${right}`)
}

/** What the row's check asks of a text, or of each in a list. @param {import('../lib/option-table.js').OptionRow} row @returns {Schema} */
function textOf ({ check }) {
  const takes = (/** @type {string} */ text) => check(text) === true || check([text]) === true
  return { type: 'string', ...(!takes('') && { minLength: 1 }), ...(takes('a') && !takes(' a') && { pattern: TRIMMED }) }
}

/** @param {import('../lib/recipe/fields.js').FieldRow} row @param {string} word of its type in TypeScript @returns {Schema} */
function schemaOf (row, word) {
  if (word === 'number') return numberOf(row)
  if (word === 'string') return textOf(row)
  if (word.startsWith('readonly ')) return { ...list(schemaOf(row, word.slice('readonly '.length).replace(/\[\]$/, ''))), ...itemsOf(row) }
  if (/^'[^']*'$/.test(word)) return { const: word.slice(1, -1) }
  if (NAMED[word] === undefined) throw new Error(`nothing is known of '${word}', the type of the field '${row.name}', in JSON`)
  return NAMED[word]
}

/** How many there may be in a list, as the row's check says. @param {import('../lib/recipe/fields.js').FieldRow} row @returns {Schema} */
function itemsOf ({ check }) {
  const isSet = check(['a', 'a']) !== true && check(['a']) === true
  return { ...(check([]) !== true && { minItems: 1 }), ...(isSet && { uniqueItems: true }) }
}

/** @param {import('../lib/recipe/fields.js').FieldRow} row @returns {[string, Schema][]} none where JSON cannot hold its value */
function property (row) {
  const type = tsOf(row)
  if (type.startsWith('(')) return []
  const words = type.split(' | ').map((word) => schemaOf(row, word))
  const isEnum = words.every((word) => 'const' in word)
  const one = words.length === 1 ? words[0] : isEnum ? { enum: words.map((word) => word.const) } : { anyOf: words }
  const given = /** @type {any} */ (row).default
  return [[row.name, { description: row.sentence, ...one, ...(given !== undefined && given !== Infinity && { default: given }) }]]
}

/** @param {keyof typeof FIELDS_OF} scope @param {Schema} [further] fields */
const recipe = (scope, further) => ({
  type: 'object', properties: { ...further, ...Object.fromEntries(FIELDS_OF[scope].flatMap(property)) }, additionalProperties: false
})

/** @returns {string} the schema, as the file has it */
function recipeSchema () {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: 'Printed by `npm run docs` from the tables in lib/recipe/fields.js; change those.',
    title: 'A recipe file of Ignis',
    ...recipe('program', { $schema: { type: 'string', description: 'For editors; Ignis does not look at it.' } }),
    definitions: { Recipe: recipe('module'), FunctionRecipe: recipe('function') }
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

exports.recipeSchema = recipeSchema
