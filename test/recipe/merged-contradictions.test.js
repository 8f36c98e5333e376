'use strict';

const assert = require('node:assert/strict');
const { refuseContradictions } = require('../../lib/recipe/merged-contradictions');
const { checkRecipe } = require('../../lib/recipe/fields');
const { mergeLayers } = require('../../lib/recipe/merge');

/** @param {...[by: string, recipe: object]} layers */
const effective = (...layers) =>
  mergeLayers(
    layers.map(([by, recipe]) => ({ by, where: `${by}.js`, recipe: checkRecipe(by === 'program' ? 'program' : 'module', recipe) })),
    4,
  );

const NODES = [{ ip: '192.0.2.7', port: 7100 }];

/** What contradicts itself, and what the message has to name. */
const WRONG = [
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
  [
    'Ignis in replicas of a group',
    [['target', { group: 'a' }], { nested: true }],
    /'nested' is true .* and 'group' is 'a' \(given in target\.js\)/,
  ],
  [
    'Ignis in a module that is lived in',
    [['target', { call: 'block' }], { nested: true }],
    /of .*, 'nested' is true \(given in import\.js\) and 'call' is 'block' \(given in target\.js\); .* lives in one replica/,
  ],
  [
    'first here and then on hosts, without a host in any layer',
    [['program', { where: ['process', 'host'] }], { pure: true }],
    /of .*, 'where' is \[ 'process', 'host' \] \(given in program\.js\), and there is no 'nodes' and no 'cluster'; .* give 'nodes' or 'cluster'/,
  ],
  [
    'first here and then on hosts, of a module that is lived in',
    [['program', { where: ['thread', 'host'], nodes: NODES }], { call: 'block' }],
    /'where' is \[ 'thread', 'host' \] \(given in program\.js\), and 'call' is 'block' \(given in import\.js\); .* in one place/,
  ],
  [
    'what another layer takes back while the program runs',
    [
      ['target', { idempotent: true, retry: 2 }],
      ['live', { idempotent: false }],
    ],
    /'retry' is 2 \(given in target\.js\), but 'idempotent' is false \(given in live\.js\)/,
  ],
  [
    'verified calls, where no layer calls anything pure',
    [['target', { verify: 0.5 }], { copies: 2 }],
    /'verify' is given for a module, but none of its functions is `pure` \(given in target\.js\)/,
  ],
  [
    'the same of one function, also where others are pure',
    [['target', { pure: true }], { functions: { f: { pure: false, verify: 1 } } }],
    /'verify' is given for 'f' of a module, but that is not `pure` \(given in import\.js\)/,
  ],
];

const RIGHT = [
  ['first here and then on hosts that another layer names', [['program', { nodes: NODES }], { where: ['process', 'host'] }]],
  ['first here and then on the hosts of a cluster', [{ where: ['thread', 'host'], cluster: 'nats://192.0.2.7:4222' }]],
  ['a list of one place', [['program', { where: ['process'] }], { nested: true }]],
  ['Ignis in replicas that are threads', [['program', { where: 'thread' }], { nested: true }]],
  ['Ignis in replicas that may be on hosts', [['program', { where: ['process', 'host'], nodes: NODES }], { nested: true }]],
  ['calls that are run again where another layer says that they may be', [['shipped', { pure: true }], { retry: 2 }]],
  ['none that are run again, of any function', [{ retry: 0, call: 'await' }]],
  ['a function that is the exception', [{ pure: true, retry: 3, functions: { f: { pure: false, idempotent: false } } }]],
  ['verified calls where another layer calls the module pure', [['shipped', { pure: true }], { verify: 0.5 }]],
  ['verified calls where it is one function that is pure', [{ verify: 0.5, functions: { f: { pure: true } } }]],
  ['verified calls of a function that is pure, or of none', [{ functions: { f: { pure: true, verify: 1 }, g: { verify: 0 } } }]],
  ['a function that is not pure where the module is verified', [{ pure: true, verify: 1, functions: { f: { pure: false } } }]],
  ['what was shipped, and a user makes void', [['shipped', { pure: true, retry: 2 }], { pure: false, idempotent: false }]],
];

describe('recipe/merged-contradictions', () => {
  for (const [what, layers, message] of WRONG) {
    it(`refuses ${what}`, () => {
      const merged = effective(...layers.map((layer) => (Array.isArray(layer) ? layer : ['import', layer])));
      assert.throws(() => refuseContradictions(merged, 'a module'), { code: 'IGNIS_BAD_RECIPE', message });
    });
  }

  for (const [what, layers] of RIGHT) {
    it(`does not refuse ${what}`, () => {
      const merged = effective(...layers.map((layer) => (Array.isArray(layer) ? layer : ['import', layer])));
      assert.doesNotThrow(() => refuseContradictions(merged, 'a module'));
    });
  }
});
