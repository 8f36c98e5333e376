'use strict';

// The schema by which editors check a recipe file, against the check of recipes itself.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const Ajv = require('ajv');
const { recipeSchema } = require('../../docs/recipe-schema.js');
const { FIELDS_OF, checkRecipe } = require('../../lib/recipe/fields.js');
const { samplesOf } = require('./samples.js');

const FILE = path.join(__dirname, '..', '..', 'lib', 'recipe.schema.json');
const BELOW = {
  program: (recipe) => recipe,
  module: (recipe) => ({ modules: { a: recipe } }),
  function: (recipe) => ({ modules: { a: { functions: { f: recipe } } } }),
};
const takes = new Ajv({ strict: true, allowUnionTypes: true, strictTuple: false }).compile(JSON.parse(fs.readFileSync(FILE, 'utf8')));

/** What a schema cannot say, or would say at length: found at the program's start. */
const COARSE = [
  [4, 2],
  ['/usr/lib'],
  'embedded',
  'redis://a',
  'nats://',
  'nats://a?x=1',
  { a: 'b c' },
  { a: '' },
  { ' ': 'x' },
  'A=b',
  ['A=b'],
];
const isCoarse = (value) => COARSE.some((one) => isDeepStrictEqual(one, value));
/** Whether a file of JSON can hold it. */
const isJson = (value) => value !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify([value]))[0], value);

describe('lib/recipe.schema.json', () => {
  it("is what 'npm run docs' prints", () => {
    assert.equal(fs.readFileSync(FILE, 'utf8'), recipeSchema());
  });

  for (const [scope, rows] of Object.entries(FIELDS_OF)) {
    it(`takes and refuses, of each field of a ${scope}, what a program does at its start`, () => {
      let seen = 0;
      for (const { name } of rows) {
        const { right, wrong } = samplesOf(scope, name);
        for (const value of right.filter(isJson))
          assert.equal(
            (seen++, takes(BELOW[scope]({ [name]: value }))),
            true,
            `${name}: ${JSON.stringify(value)}: ${JSON.stringify(takes.errors)}`,
          );
        for (const value of wrong.filter((one) => isJson(one) && !isCoarse(one)))
          assert.equal((seen++, takes(BELOW[scope]({ [name]: value }))), false, `${name}: ${JSON.stringify(value)}`);
      }
      assert.ok(seen > rows.length * 2, `${seen} values of ${rows.length} fields`);
    });
  }

  it('refuses an unknown field wherever it stands, and takes the lists that fields of a module have', () => {
    for (const scope of ['program', 'module', 'function']) assert.equal(takes(BELOW[scope]({ shed: 'rr' })), false, scope);
    for (const recipe of [{ lift: ['parse', ''] }, { lift: 'deep' }, { oneway: ['log'] }, { call: 'block' }]) {
      assert.ok(checkRecipe('module', recipe));
      assert.equal(takes(BELOW.module(recipe)), true, JSON.stringify(recipe));
    }
  });
});
