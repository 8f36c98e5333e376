'use strict';

// The packages whose own test suites we run, and how each is run. A pure table: nothing here runs.
// `registry`: the tarball carries its tests, so anybody can run it. `checkout`: all of it from `--from DIR`, a folder with one checkout a
// package. `both`: the built tarball, and above it the tests of the checkout.

/**
 * @typedef {object} Suite
 * @property {string} name one word for the suite, the package's own where it can be
 * @property {string} [package] its name in the registry, where the suite's is another
 * @property {string} version exactly
 * @property {string} style of its interface: what it puts to the test
 * @property {'registry' | 'checkout' | 'both'} source
 * @property {'mocha' | 'tape' | 'tap' | 'node' | 'ava' | 'qunit' | 'jasmine' | 'promises' | 'nodeunit'} runner `tap` and `node`: a process
 *   for each file, which writes TAP
 * @property {string[]} files patterns, from the package's folder; `!` takes out
 * @property {string[]} sources the package's own code, without its tests: what is forced into a replica
 * @property {string[]} [args] of the runner
 * @property {string[]} [nodeArgs]
 * @property {Record<string, string>} [env]
 * @property {Record<string, string>} needs what its tests require, and the runner
 * @property {string[]} [overlay] with `both`: what is taken from the checkout
 * @property {Record<string, string>} [copies] target to origin, in place of a build step
 * @property {Record<string, [string, string][]>} [edits] file to texts and what replaces them, in its tests only
 * @property {boolean} [eachFile] a process for each file: all together hold too many objects on both sides, and each crossing looks through
 *   them
 * @property {number} [timeoutMs] where the common one does not do
 */

const { REGISTRY_TAP } = require('./registry-tap');
const { REGISTRY_OLDER } = require('./registry-older');
const { REGISTRY_MORE } = require('./registry-more');

const mocha = { mocha: '10.8.2' };

/** @type {Suite[]} */
const REGISTRY = [
  {
    name: 'uri-js',
    version: '2.1.1',
    style: 'pure functions',
    source: 'registry',
    runner: 'mocha',
    args: ['--ui', 'mocha-qunit-ui'],
    files: ['tests/tests.js'],
    sources: ['build'],
    needs: { ...mocha, 'mocha-qunit-ui': '0.1.3' },
  },
  {
    name: 'showdown',
    version: '1.9.1',
    style: 'class, extensions, global options',
    source: 'registry',
    runner: 'mocha',
    files: ['test/node/*.js', '!test/node/cli.js', '!test/node/performance.js'],
    sources: ['.build'],
    copies: { '.build/showdown.js': 'dist/showdown.js' },
    needs: { ...mocha, chai: '4.5.0', jsdom: '16.7.0', sinon: '4.5.0', 'source-map-support': '0.5.21' },
  },
  {
    name: 'natural',
    version: '0.2.1',
    style: 'many classes, patched prototypes',
    source: 'registry',
    runner: 'jasmine',
    files: ['spec/*_spec.js'],
    sources: ['lib'],
    env: { NODE_PATH: '.' },
    needs: { 'jasmine-node': '1.16.2' },
  },
  {
    name: 'domutils',
    version: '1.7.0',
    style: 'trees with cycles, mutation',
    source: 'registry',
    runner: 'mocha',
    files: ['test/tests/*.js'],
    sources: ['index.js', 'lib'],
    needs: { ...mocha, domhandler: '2.4.2', htmlparser2: '3.9.2' },
  },
  {
    name: 'domhandler',
    version: '2.3.0',
    style: 'a class that another package calls',
    source: 'registry',
    runner: 'mocha',
    files: ['test/tests.js'],
    sources: ['index.js', 'lib'],
    needs: { ...mocha, htmlparser2: '3.8.3' },
  },
  {
    name: 'htmlparser2',
    version: '3.8.3',
    style: 'a parser with visitors, streams, lazy getters',
    source: 'registry',
    runner: 'mocha',
    files: ['test/*.js', '!test/test-helper.js'],
    sources: ['lib'],
    needs: mocha,
  },
  {
    name: 'entities',
    version: '1.1.2',
    style: 'pure functions',
    source: 'registry',
    runner: 'mocha',
    files: ['test/test.js'],
    sources: ['index.js', 'lib'],
    needs: mocha,
  },
  {
    name: 'jsonpath',
    version: '1.1.1',
    style: 'pure functions, mutation of what was given',
    source: 'registry',
    runner: 'mocha',
    args: ['--ui', 'tdd'],
    files: ['test/*.js'],
    sources: ['index.js', 'lib', 'generated'],
    needs: mocha,
  },
  {
    name: 'dot',
    version: '1.1.3',
    style: 'compiled templates',
    source: 'registry',
    runner: 'mocha',
    files: ['test/*.test.js'],
    sources: ['index.js', 'doT.js'],
    needs: mocha,
  },
  {
    name: 'ejs',
    version: '1.0.0',
    style: 'compiled closures, callbacks, filters that users add',
    source: 'registry',
    runner: 'mocha',
    files: ['test/ejs.js'],
    sources: ['index.js', 'lib'],
    needs: { ...mocha, should: '3.3.2' },
  },
  {
    name: 'q',
    version: '1.5.1',
    style: 'promises and thenables',
    source: 'registry',
    runner: 'promises',
    files: ['q.js'],
    sources: ['q.js'],
    needs: { 'promises-aplus-tests': '2.1.2' },
  },
  ...REGISTRY_TAP,
  ...REGISTRY_OLDER,
  ...REGISTRY_MORE,
];

exports.REGISTRY = REGISTRY;
