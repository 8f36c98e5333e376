'use strict';

// Suites from the registry's tarballs, of interfaces that the others lack: streams that are functions, emitters that are data, parsers that
// are made. A pure table; suites.js says what its fields mean.

/** @typedef {import('./suites').Suite} Suite */

const mocha = { mocha: '10.8.2' };
const tape = { tape: '5.9.0' };
const tap = { tap: 'npm:libtap@1.4.1' };

/** @type {Suite[]} */
const REGISTRY_MORE = [
  {
    name: 'functional-red-black-tree',
    version: '1.0.1',
    style: 'trees that share their parts, iterators, comparators',
    source: 'registry',
    runner: 'tape',
    files: ['test/test.js'],
    sources: ['rbtree.js'],
    needs: { ...tape, 'iota-array': '0.0.1' },
  },
  {
    name: 'steed',
    version: '1.1.3',
    style: 'callbacks in turn and at the same time',
    source: 'registry',
    runner: 'tape',
    files: ['test.js'],
    sources: ['steed.js'],
    needs: tape,
  },
  {
    name: 'node-fetch',
    version: '1.6.3',
    style: "requests of Node's http, bodies that are streams, another class of promises",
    source: 'registry',
    runner: 'mocha',
    files: ['test/test.js'],
    sources: ['index.js', 'lib'],
    needs: {
      ...mocha,
      bluebird: '3.7.2',
      chai: '3.5.0',
      'chai-as-promised': '5.3.0',
      'form-data': '2.5.6',
      parted: '0.1.1',
      promise: '7.3.1',
      resumer: '0.0.0',
    },
  },
  {
    name: 'multiplex',
    version: '6.7.0',
    style: 'many streams in one',
    source: 'registry',
    runner: 'tape',
    files: ['test.js'],
    sources: ['index.js'],
    needs: { ...tape, chunky: '0.0.0', 'concat-stream': '1.6.2', through2: '0.6.5' },
  },
  {
    name: 'pull-stream',
    version: '3.6.14',
    style: 'streams that are functions of functions',
    source: 'registry',
    runner: 'tape',
    // The titles of the one left out are random numbers.
    files: ['test/*.js', '!test/find.js'],
    sources: ['*.js', 'sinks', 'sources', 'throughs', 'util'],
    needs: { tape: '2.14.1', 'pull-abortable': '2.0.0' },
  },
  {
    name: 'binary',
    version: '0.3.0',
    style: 'emitters that are plain objects, chained calls that run later',
    source: 'registry',
    runner: 'tap',
    files: ['test/pipe.js', 'test/loop*.js', 'test/into_stream.js', 'test/deferred.js', 'test/nested.js'],
    sources: ['index.js', 'lib'],
    needs: { ...tap, seq: '0.3.5' },
  },
  {
    name: 'error',
    version: '7.0.2',
    style: "errors that are made of others, Node's among them",
    source: 'registry',
    runner: 'tape',
    files: ['test/typed.js', 'test/wrapped.js'],
    sources: ['*.js'],
    needs: tape,
  },
  {
    name: 'jison',
    version: '0.4.18',
    style: 'parsers that are made, with actions of the program',
    source: 'registry',
    runner: 'nodeunit',
    files: ['tests/parser/*.js', '!tests/parser/parser-tests.js', '!tests/parser/errorlab.js'],
    sources: ['lib'],
    needs: {},
  },
];

exports.REGISTRY_MORE = REGISTRY_MORE;
