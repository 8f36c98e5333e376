'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { CONTRADICTIONS } = require('../../lib/recipe/contradictions.js');
const { checkRecipe } = require('../../lib/recipe/fields.js');

const key = ([first]) => first;
const nodes = [{ ip: '192.0.2.7', port: 7100 }];
const cluster = 'nats://192.0.2.7:4222';
const here = ['process', 'host'];

// Of each row of the table: recipes that break it, and others that look like them and are right.
const SAMPLES = {
  'hot cold': {
    wrong: [{ hot: true, cold: true }],
    right: [
      { hot: true, cold: false },
      { hot: false, cold: true },
    ],
  },
  'cold copies': {
    wrong: [{ cold: true, copies: 2 }],
    right: [
      { cold: true, copies: [0, 4] },
      { cold: false, copies: 2 },
    ],
  },
  'hot call': {
    wrong: [
      { hot: true, call: 'local' },
      { hot: true, call: 'local', functions: { f: { pure: true } } },
    ],
    right: [
      { hot: true, call: 'local', functions: { f: { call: 'await' } } },
      { hot: false, call: 'local' },
    ],
  },
  'copies call': {
    wrong: [
      { copies: [0, 2], call: 'local' },
      { copies: true, call: 'local' },
    ],
    right: [
      { copies: 0, call: 'local' },
      { copies: 2, call: 'local', functions: { f: { call: 'await' } } },
      { copies: 2, functions: { f: { call: 'local' } } },
    ],
  },
  'call cold': {
    wrong: [{ call: 'block', cold: true }],
    right: [
      { call: 'await', cold: true },
      { call: 'block', cold: false },
    ],
  },
  'call copies': {
    wrong: [
      { call: 'block', copies: 2 },
      { call: 'block', copies: [0, 4] },
      { call: 'block', copies: true },
      { call: 'block', copies: false },
    ],
    right: [
      { call: 'block', copies: 1 },
      { call: 'block', copies: [0, 1] },
    ],
  },
  'call sched': { wrong: [{ call: 'block', sched: 'rr' }], right: [{ call: 'await', sched: 'rr' }] },
  'call qDepth': { wrong: [{ call: 'block', qDepth: 9 }], right: [{ call: 'await', qDepth: 9 }] },
  'call preload': { wrong: [{ call: 'block', preload: true }], right: [{ call: 'block', preload: false }] },
  'call functions': {
    wrong: [
      { call: 'block', functions: { f: { call: 'local' } } },
      { call: 'block', functions: { f: { timeout: 10 } } },
      { call: 'block', functions: { f: { pure: true, retry: 1 } } },
      { call: 'block', functions: { f: { priority: -1 } } },
      { call: 'block', functions: { f: { oneway: true } } },
    ],
    right: [
      { call: 'block', functions: { f: { pure: true } } },
      { call: 'block', timeout: 10, functions: { f: { retry: 0, priority: 0 } } },
    ],
  },
  'call retry': {
    wrong: [{ call: 'block', pure: true, retry: 1 }],
    right: [
      { call: 'block', retry: 0 },
      { call: 'await', pure: true, retry: 1 },
    ],
  },
  'call priority': {
    wrong: [{ call: 'block', priority: 2 }],
    right: [
      { call: 'block', priority: 0 },
      { call: 'await', priority: 2 },
    ],
  },
  'call small': {
    wrong: [
      { call: 'block', small: 'home' },
      { call: 'block', small: 'away' },
      { call: 'local', small: 'home' },
    ],
    right: [{ call: 'await', small: 'home' }],
  },
  'order small': { wrong: [{ order: true, small: 'home' }, { order: 'results', small: 'home' }], right: [{ order: true, small: 'away' }, { order: false, small: 'home' }] }, // prettier-ignore
  'verify small': { wrong: [{ pure: true, verify: 0.1, small: 'home' }], right: [{ pure: true, verify: 0.1, small: 'away' }, { pure: true, verify: 0, small: 'home' }] }, // prettier-ignore
  'key small': { wrong: [{ key, state: 'keyed', small: 'home' }], right: [{ key, sched: 'hash', small: 'away' }] },
  'sched small': { wrong: [{ sched: 'hash', small: 'home' }, { sched: () => 0, small: 'home' }], right: [{ sched: 'hash', small: 'away' }, { sched: 'rr', small: 'home' }] }, // prettier-ignore
  'timeout small': { wrong: [{ timeout: 100, small: 'home' }], right: [{ timeout: 100, small: 'away' }] },
  'copies small': { wrong: [{ copies: 2, small: 'home' }, { copies: [1, 4], small: 'home' }], right: [{ copies: 2, small: 'away' }, { copies: [0, 4], small: 'home' }] }, // prettier-ignore
  'oneway small': { wrong: [{ oneway: true, small: 'home' }, { oneway: true, small: 'away' }], right: [{ oneway: ['log'], small: 'home' }] }, // prettier-ignore
  'call hedge': {
    wrong: [{ call: 'block', hedge: 20 }],
    right: [
      { call: 'block', hedge: false },
      { call: 'await', pure: true, hedge: 20 },
    ],
  },
  'call env': { wrong: [{ call: 'block', env: [] }], right: [{ call: 'await', env: ['TOKEN'] }] },
  'call killMs': { wrong: [{ call: 'block', killMs: 5 }], right: [{ call: 'await', killMs: 5 }] },
  'group nested': { wrong: [{ group: 'a', nested: true }], right: [{ group: 'a', nested: false }] },
  'call nested': { wrong: [{ call: 'block', nested: true }], right: [{ call: 'await', nested: true }] },
  'cold nested': { wrong: [{ cold: true, nested: true }], right: [{ cold: true, nested: false }] },
  'call memoryMb': { wrong: [{ call: 'block', memoryMb: 64 }], right: [{ call: 'await', memoryMb: 64 }] },
  'state memoryMb': {
    wrong: [
      { state: 'shared', memoryMb: 64 },
      { state: 'keyed', key, memoryMb: 64 },
    ],
    right: [{ state: 'private', memoryMb: 64 }],
  },
  'call weight': { wrong: [{ call: 'block', weight: 2 }], right: [{ call: 'await', weight: 2 }] },
  'order priority': {
    wrong: [
      { order: 'results', priority: 1 },
      { order: true, priority: -2 },
    ],
    right: [
      { order: false, priority: 1 },
      { order: true, priority: 0 },
    ],
  },
  'order functions': {
    wrong: [{ order: true, functions: { f: { priority: 2 } } }],
    right: [
      { order: true, functions: { f: { order: false, priority: 2 }, g: { priority: 0 } } },
      { order: false, functions: { f: { priority: 2 } } },
    ],
  },
  'priority functions': {
    wrong: [{ priority: -2, functions: { f: { order: true } } }],
    right: [
      { priority: 3, functions: { f: { order: true, priority: 0 } } },
      { priority: 3, functions: { f: { order: false } } },
      { priority: 0, functions: { f: { order: true } } },
    ],
  },
  'order sched': {
    wrong: [
      { order: true, sched: 'hash' },
      { order: true, sched: 'hash', functions: { f: { order: true } } },
      { order: true, sched: 'hash', functions: { f: { pure: true } } },
    ],
    right: [
      { order: 'results', sched: 'hash' },
      { order: true, sched: 'hash', key },
      { order: true, sched: 'hash', functions: { f: { order: false } } },
      { order: true, sched: 'hash', functions: { f: { key } } },
      { order: true, sched: 'rr' },
    ],
  },
  'key sched': {
    wrong: [
      { key, sched: 'rr' },
      { key, sched: () => 0 },
    ],
    right: [{ key }, { key, sched: 'hash' }, { key, state: 'keyed' }],
  },
  'state sched': {
    wrong: [{ state: 'keyed', key, sched: 'least' }],
    right: [
      { state: 'keyed', key, sched: 'hash' },
      { state: 'private', sched: 'least' },
    ],
  },
  'state copies': {
    wrong: [
      { state: 'shared', copies: 2 },
      { state: 'shared', copies: [2, 4] },
    ],
    right: [
      { state: 'shared', copies: [0, 4] },
      { state: 'keyed', copies: 2 },
    ],
  },
  'pure state': {
    wrong: [
      { pure: true, state: 'shared' },
      { pure: true, state: 'keyed' },
    ],
    right: [
      { pure: true, state: 'private' },
      { pure: true, state: 'shared', group: 'both' },
      { pure: false, state: 'shared' },
      { state: 'shared', functions: { f: { pure: true } } },
    ],
  },
  'where comm': {
    wrong: [
      { where: 'thread', comm: 'node-ipc' },
      { where: 'host', comm: 'node-ipc' },
      { where: 'thread', comm: 'pipe' },
      { where: 'process', comm: 'tcp' },
      { where: 'process', comm: 'udp' },
      ...['pipe', 'node-ipc', 'tcp', 'udp'].map((comm) => ({ where: here, comm, nodes })),
    ],
    right: [
      { where: here, comm: 'auto' },
      { where: ['process'], comm: 'node-ipc' },
      { where: 'process', comm: 'node-ipc' },
      { where: 'process', comm: 'pipe' },
      { where: 'host', comm: 'tcp' },
      { where: 'host', comm: 'udp', oneway: ['log'] },
      ...['thread', 'process', 'host'].map((where) => ({ where, comm: 'auto' })),
    ],
  },
  'where codec': {
    wrong: [
      { where: 'host', codec: 'msgpack-lite' },
      { where: here, codec: 'msgpack-lite' },
    ],
    right: [
      { where: 'host', codec: 'msgpackr' },
      { where: 'process', codec: 'msgpack-lite' },
    ],
  },
  'call where': {
    wrong: [
      { call: 'block', where: here, nodes },
      { call: 'block', where: ['thread', 'host'], nodes },
    ],
    right: [
      { call: 'block', where: ['host'], nodes },
      { call: 'await', where: here, nodes },
    ],
  },
  'nodes where': {
    wrong: [
      { nodes, where: 'thread' },
      { nodes, where: ['thread'] },
    ],
    right: [{ nodes }, { nodes, where: 'host' }, { nodes, where: here }, { nodes, where: ['host'] }],
  },
  'where nodes': {
    wrong: [{ where: here, nodes: [] }],
    right: [
      { where: here, nodes },
      { where: here, cluster },
      { where: 'host', nodes: [] },
    ],
  },
  'cluster where': { wrong: [{ cluster, where: 'thread' }], right: [{ cluster }, { cluster, where: 'host' }, { cluster, where: here }] },
  'cluster fs': {
    wrong: [
      { cluster, fs: 'strong' },
      { cluster, fs: 'local' },
    ],
    right: [{ cluster, fs: 'eventual' }, { cluster, copies: 3 }, { fs: 'strong' }],
  },
  'cluster nodes': {
    wrong: [
      { cluster, nodes },
      { cluster, nodes, where: 'host' },
    ],
    right: [{ cluster }, { nodes }],
  },
  'labels where': {
    wrong: [{ labels: { disk: 'fast' }, where: 'process' }],
    right: [
      { labels: { disk: 'fast' }, where: 'host' },
      { labels: { disk: 'fast' }, where: here },
    ],
  },
  'call oneway': {
    wrong: [
      { call: 'block', oneway: true },
      { call: 'block', oneway: ['log'] },
    ],
    right: [
      { call: 'block', oneway: false },
      { call: 'block', oneway: [] },
    ],
  },
  'oneway call': {
    wrong: [
      { oneway: true, call: 'await' },
      { oneway: true, call: 'local' },
    ],
    right: [
      { oneway: ['log'], call: 'await' },
      { call: 'await', functions: { log: { oneway: true } } },
    ],
  },
  'oneway lift': { wrong: [{ oneway: true, lift: true }, { oneway: true, lift: ['log'] }], right: [{ oneway: true, lift: false }, { oneway: ['log'], lift: ['parse'] }] }, // prettier-ignore
  'oneway order': {
    wrong: [
      { oneway: true, order: true },
      { oneway: ['log'], order: 'results' },
    ],
    right: [
      { oneway: true, order: false },
      { oneway: [], order: true },
    ],
  },
  'functions order': {
    wrong: [{ order: true, functions: { log: { oneway: true } } }],
    right: [
      { order: true, functions: { log: { oneway: true, order: false } } },
      { order: false, functions: { log: { oneway: true } } },
    ],
  },
  'oneway args': { wrong: [{ oneway: true, args: 'restore' }, { oneway: true, args: 'ref' }], right: [{ oneway: true, args: 'copy' }, { oneway: false, args: 'restore' }] }, // prettier-ignore
  'oneway verify': {
    wrong: [{ oneway: true, pure: true, verify: 1 }],
    right: [
      { oneway: ['log'], pure: true, verify: 1 },
      { oneway: true, pure: true, verify: 0 },
    ],
  },
  'oneway hedge': { wrong: [{ oneway: true, hedge: true }, { oneway: true, hedge: 20 }], right: [{ oneway: true, hedge: false }, { oneway: false, pure: true, hedge: 20 }] }, // prettier-ignore
  'setup oneway': {
    wrong: [
      { setup: ['use'], oneway: ['use'] },
      { setup: ['use'], oneway: true },
    ],
    right: [
      { setup: ['use'], oneway: ['log'] },
      { setup: ['use'], oneway: false },
      { setup: [], oneway: true },
    ],
  },
  'setup functions': {
    wrong: [{ setup: ['use'], functions: { use: { oneway: true } } }],
    right: [{ setup: ['use'], functions: { log: { oneway: true } } }],
  },
  'fs copies': {
    wrong: [
      { fs: 'strong', copies: 3 },
      { fs: 'eventual', copies: 0 },
    ],
    right: [
      { fs: 'eventual', copies: 3 },
      { fs: 'strong', copies: 1 },
      { fs: 'strong', copies: 0 },
      { fs: 'eventual', copies: 1 },
      { fs: 'local', copies: 3 },
    ],
  },
  'disks copies': {
    wrong: [{ disks: ['a', 'b'], copies: 3 }],
    right: [
      { disks: ['a', 'b'], copies: 2 },
      { disks: ['a', 'b', 'c'], copies: 2 },
    ],
  },
  'cold preload': {
    wrong: [{ cold: true, preload: true }],
    right: [
      { cold: true, preload: false },
      { cold: false, preload: true },
    ],
  },
  'copies preload': {
    wrong: [{ copies: 0, preload: true }],
    right: [
      { copies: [0, 1], preload: true },
      { copies: 0, preload: false },
    ],
  },
};

/** The problems of a recipe; none when it is right. */
function problemsOf(scope, recipe, where) {
  try {
    checkRecipe(scope, recipe, where);
    return [];
  } catch (error) {
    assert.equal(error.code, 'IGNIS_BAD_RECIPE');
    return error.problems;
  }
}

describe('recipe/contradictions', () => {
  it('has samples here of each row', () => {
    assert.deepEqual(CONTRADICTIONS.map(({ fields }) => fields.join(' ')).sort(), Object.keys(SAMPLES).sort());
  });

  it('has examples that are refused for just that', () => {
    for (const { fields, example } of CONTRADICTIONS) {
      const found = problemsOf('module', vm.runInThisContext(`({ ${example} })`));
      assert.deepEqual([found.length, found[0]?.nearest, found[0]?.field], [1, ...fields], example);
    }
  });

  for (const [name, { wrong, right }] of Object.entries(SAMPLES)) {
    it(`refuses ${name.replace(' ', ' with ')} where they exclude each other, and names both`, () => {
      const [first, second] = name.split(' ');
      for (const recipe of wrong) {
        const found = problemsOf('module', recipe, 'a.js:1').filter((one) => one.nearest === first && one.field === second);
        assert.equal(found.length, 1, JSON.stringify(recipe));
        assert.match(found[0].message, new RegExp(`'${first}'.*'${second}'.*a\\.js:1`));
      }
      for (const recipe of right) assert.deepEqual(problemsOf('module', recipe), [], JSON.stringify(recipe));
    });
  }

  it('looks at program-wide recipes too, but not at the modules that their hot and cold choose', () => {
    assert.equal(problemsOf('program', { where: 'thread', comm: 'node-ipc' }).length, 1);
    assert.deepEqual(problemsOf('program', { hot: ['a', 'b'], cold: ['b'], copies: 0 }), []);
  });

  it('looks at what is said of one function alone', () => {
    const [found] = problemsOf('module', { functions: { f: { order: true, priority: 1 } } });
    assert.match(found.message, /'order' is true and 'priority' is 1 .*functions 'f'/);
  });

  it('looks at each recipe by itself, so that of two layers the stronger one wins', () => {
    assert.deepEqual(problemsOf('program', { cold: 'a', modules: { a: { hot: true, copies: 0 }, '/^a/': { cold: true } } }), []);
  });
});
