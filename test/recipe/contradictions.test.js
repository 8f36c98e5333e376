'use strict';

const assert = require('node:assert/strict');
const { refuseContradictions } = require('../../lib/recipe/contradictions');
const { checkRecipe } = require('../../lib/recipe/fields');
const { mergeLayers } = require('../../lib/recipe/merge');

/** @param {...[by: string, recipe: object]} layers */
const effective = (...layers) =>
  mergeLayers(
    layers.map(([by, recipe]) => ({ by, where: `${by}.js`, recipe: checkRecipe(by === 'program' ? 'program' : 'module', recipe) })),
    4,
  );

/** What contradicts itself, and what the message has to name. */
const WRONG = [
  [
    'a time for one function of a module that lives in its replica',
    [{ call: 'block', functions: { f: { timeout: 10 } } }],
    /'timeout' of functions 'f' is 10 \(given in import\.js\), but 'call' is 'block' \(given in import\.js\)/,
  ],
];

const RIGHT = [['a time for a whole module that lives in its replica', [{ call: 'block', timeout: 10 }]]];

describe('fields that contradict each other', () => {
  for (const [what, layers, message] of WRONG) {
    it(`are refused: ${what}`, () => {
      const merged = effective(...layers.map((layer) => (Array.isArray(layer) ? layer : ['import', layer])));
      assert.throws(() => refuseContradictions(merged), { code: 'IGNIS_BAD_RECIPE', message });
    });
  }

  for (const [what, layers] of RIGHT) {
    it(`are not: ${what}`, () => {
      const merged = effective(...layers.map((layer) => (Array.isArray(layer) ? layer : ['import', layer])));
      assert.equal(refuseContradictions(merged), merged);
    });
  }
});
