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
  [
    'calls that are run again, of a function that must not run twice',
    [{ retry: 2 }],
    /'retry' is 2 \(given in import\.js\), but 'idempotent' is false; .* idempotent: true/,
  ],
  [
    'the same of one function, and which it is',
    [['target', { pure: true }], { functions: { f: { pure: false, idempotent: false, retry: 1 } } }],
    /'retry' of functions 'f' is 1 .*, but 'idempotent' is false \(given in import\.js\)/,
  ],
  ['a priority of calls that keep their order', [{ priority: 1, order: 'results' }], /'priority' is 1 .*'order' is 'results'/],
  [
    'an order of one function of a module with a priority',
    [['target', { priority: -2 }], { functions: { f: { order: true } } }],
    /'order' of functions 'f' is true .*'priority' is -2 \(given in target\.js\)/,
  ],
  ['a priority of a module that lives in its replica', [{ call: 'block', priority: 2 }], /'priority' is 2 .*'call' is 'block'/],
  ['a weight of a module that lives in its replica', [{ call: 'block', weight: 2 }], /'weight' is 2 .*'call' is 'block'.*not ranked/],
  ['calls that are run again, of a module that lives in its replica', [{ call: 'block', pure: true, retry: 1 }], /'call' is 'block'/],
];

const RIGHT = [
  ['a time for a whole module that lives in its replica', [{ call: 'block', timeout: 10 }]],
  ['calls that are run again where they may be', [['shipped', { pure: true }], { retry: 2 }]],
  ['an order beside a priority that was taken back', [{ priority: 3, functions: { f: { order: true, priority: 0 } } }]],
  ['none that are run again, of any function', [{ retry: 0, call: 'await' }]],
  ['a function that is the exception', [{ pure: true, retry: 3, functions: { f: { pure: false, idempotent: false } } }]],
];

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
