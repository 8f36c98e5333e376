'use strict';

// Of each field, in each scope: what is right and what is wrong.
const SAMPLES = {
  level: { right: [0, 1, 9], wrong: [-1, 1.5, '1', null] },
  hot: { right: [true, false], wrong: ['uri-js', 1, null] },
  cold: { right: [true, false], wrong: [[], 0] },
  modules: {
    right: [{}, { 'uri-js': {}, '/^a/': { hot: true } }],
    wrong: [[], 'uri-js', null, { '': {} }, { 'uri-js': 3 }, { 'uri-js': { level: 1 } }],
  },
  copies: { right: [0, 3, true, false, [0, 4], [2, 2]], wrong: [-1, 1.5, '3', [4, 2], [1], [0, Infinity], {}, null] },
  sched: { right: ['least', 'rr', 'hash', 'weighted', 'elu', () => 0], wrong: ['RR', 'random', null, {}] },
  key: { right: [() => ''], wrong: ['0', 0, null] },
  qDepth: { right: [1, 1e5, Infinity], wrong: [0, -1, NaN, '10'] },
  where: {
    right: ['process', 'thread', 'host', ['host'], ['process', 'host'], ['thread', 'host']],
    wrong: [
      'hosts',
      true,
      null,
      [],
      ['hosts'],
      ['process', 'thread'],
      ['process', 'process'],
      ['host', 'process'],
      ['process', 'thread', 'host'],
      [['process', 'host']],
    ],
  },
  nodes: {
    right: [[], [{ ip: '192.0.2.7', port: 7100 }], [{ ip: '::1', port: 1, name: 'a', weight: 2 }]],
    wrong: [{}, 'a:1', [{ ip: '' }], [{ ip: 'a', port: 0 }], [{ ip: 'a', port: 1, weight: 0 }], [{ ip: 'a', port: 1, key: 'x' }], [null]],
  },
  cluster: {
    right: ['nats://a', 'nats://a:4222,b:4222?replicas=3', 'etcd://127.0.0.1:2379', 'nats://a?ca=/no/such/file'],
    wrong: ['embedded', 'redis://a', 'nats://', 'nats://a?x=1', 4222, {}, null],
  },
  labels: {
    right: [{}, { disk: 'fast' }, { a: '1', 'b.c': '2' }, { a: 1, b: true }],
    wrong: ['disk=fast', { ' ': 'x' }, { a: '' }, { a: 'b c' }, { a: Symbol('b') }, { a: ['b'] }, { a: null }, [], null],
  },
  call: { right: ['await', 'local'], wrong: ['later', true, false] },
  state: { right: ['none', 'private', 'keyed', 'shared'], wrong: ['all', false] },
  order: { right: [true, false, 'results'], wrong: ['calls', 1, null] },
  setup: { right: [[], ['use', 'defaults.set']], wrong: ['use', [1], {}, null] },
  args: { right: ['copy', 'restore', 'ref'], wrong: ['value', true, null] },
  lift: { right: [true, false], wrong: ['parse', 'all', 1, [1], {}, null] },
  oneway: { right: [true, false], wrong: ['log', 1, [1], {}, null] },
  pure: { right: [true, false], wrong: [1, 'yes'] },
  verify: { right: [0, 0.01, 1], wrong: [-0.1, 1.5, '1', NaN, true] },
  idempotent: { right: [true, false], wrong: [null] },
  timeout: { right: [1, 5000], wrong: [0, 1.5, Infinity, '5s', null] },
  retry: { right: [0, 1, 5], wrong: [-1, 0.5, true, Infinity, null] },
  weight: { right: [0.1, 1, 20], wrong: [0, -1, Infinity, NaN, '2', null] },
  env: { right: [[], ['DATABASE_URL']], wrong: ['PATH', [''], ['A=b'], [1], null] },
  killMs: { right: [0, 500], wrong: [-1, 0.5, Infinity, true] },
  memoryMb: { right: [16, 4096], wrong: [15, '1GB', Infinity] },
  small: { right: ['home', 'away'], wrong: [true, 'Home', 100, null] },
  hedge: { right: [true, false, 20], wrong: [0, 1.5, 'fast', null] },
  priority: { right: [-100, 0, 7], wrong: [101, 0.5, 'high', null] },
  group: { right: ['analysis', 'a b'], wrong: ['', ' a', 1, null, ['a']] },
  nested: { right: [true, false], wrong: [1, 'deep', null] },
  comm: { right: ['auto', 'pipe', 'node-ipc', 'tcp', 'udp'], wrong: ['TCP', 'ipc', true, null] },
  codec: { right: ['msgpackr', 'msgpack-lite'], wrong: ['json'] },
  preload: { right: [true, false], wrong: [2] },
  onFail: { right: [() => {}], wrong: ['throw', null] },
  saturation: { right: [() => {}], wrong: [0.5] },
  fs: { right: ['local', 'eventual', 'strong'], wrong: ['LOCAL', true, 3, null] },
  root: { right: ['data', '/srv/data'], wrong: ['', 1, null] },
  disks: { right: [['a'], ['a', '/b', '/c']], wrong: [[], 'a', ['a', 'a'], ['a', ''], null] },
  sync: { right: [true, false], wrong: [1, 'always'] },
  functions: { right: [{}, { parse: { pure: true } }], wrong: [[], null, { parse: true }, { parse: { copies: 2 } }] },
};
const PATTERNS = { right: ['uri-js', /^uri/, ['a', /b/], []], wrong: [true, 3, '', ['/usr/lib'], [null]] };

/** @param {string} scope @param {string} name of a field @returns {{ right: unknown[], wrong: unknown[] }} */
const samplesOf = (scope, name) => (scope === 'program' && (name === 'hot' || name === 'cold') ? PATTERNS : SAMPLES[name]);

exports.SAMPLES = SAMPLES;
exports.samplesOf = samplesOf;
