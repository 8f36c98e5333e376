'use strict';

// The applications whose source is lifted, and how their own tests are run. A pure table, of the form of bench/suites/suites.js: every
// tarball carries its tests, all of them run without a network, and the sources call synchronous functions of modules in async functions.

const mocha = { mocha: '10.8.2' };
const tap = { tap: 'npm:libtap@1.4.1' };

/**
 * @typedef {import('../suites/suites').Suite & Own} App
 *
 * @typedef {object} Own
 * @property {string[]} entries where the dry run begins
 * @property {string[]} pure packages that the sources import, whose functions keep nothing: their lifted calls go to a replica
 */

/** @type {App[]} */
const APPS = [
  {
    name: 'release-it',
    version: '14.14.3',
    style: 'a command-line tool that releases packages: git, npm, GitHub, GitLab, changelogs',
    source: 'registry',
    runner: 'ava',
    // On a busy machine ava's ten seconds without a result are soon over, and all that was still to run counts as flaky.
    args: ['--timeout', '3m'],
    files: ['test/*.js'],
    sources: ['lib', 'bin'],
    entries: [
      'bin/release-it.js',
      'lib/plugin/git/Git.js',
      'lib/plugin/github/GitHub.js',
      'lib/plugin/gitlab/GitLab.js',
      'lib/plugin/npm/npm.js',
      'lib/plugin/version/Version.js',
    ],
    pure: ['semver', 'git-url-parse', 'url-join', 'yaml', 'mime-types'],
    needs: {
      '@octokit/request-error': '2.1.0',
      ava: '3.15.0',
      'mock-fs': '4.14.0',
      'mock-stdio': '1.0.3',
      nock: '13.2.4',
      'node-fetch': '2.6.7',
      proxyquire: '2.1.3',
      sinon: '13.0.1',
      'strip-ansi': '6.0.0',
    },
  },
  {
    name: 'fastify-cli',
    version: '5.8.0',
    style: 'a command-line tool that makes, runs and watches servers',
    source: 'registry',
    runner: 'tap',
    files: ['test/*.test.js'],
    sources: ['*.js', 'lib'],
    entries: ['cli.js', 'helper.js'],
    pure: ['semver', 'yargs-parser', '@fastify/deepmerge'],
    needs: {
      ...tap,
      '@fastify/autoload': '5.10.0',
      '@fastify/sensible': '5.6.0',
      minimatch: '5.1.6',
      proxyquire: '2.1.3',
      rimraf: '3.0.2',
      'simple-get': '4.0.1',
      sinon: '14.0.2',
      'strip-ansi': '6.0.1',
      walker: '1.0.8',
    },
  },
  {
    name: 'mercurius',
    version: '13.1.0',
    style: 'a GraphQL server: parses, validates and runs queries, over HTTP and WebSocket',
    source: 'registry',
    runner: 'tap',
    files: ['test/*.js', 'test/internals/*.js'],
    sources: ['index.js', 'lib'],
    entries: ['index.js'],
    pure: ['secure-json-parse', 'safe-stable-stringify'],
    needs: {
      ...tap,
      '@graphql-tools/merge': '9.0.0',
      '@graphql-tools/schema': '10.0.0',
      '@graphql-tools/utils': '10.0.0',
      '@sinonjs/fake-timers': '11.1.0',
      autocannon: '7.15.0',
      fastify: '4.28.1',
      graphql: '16.8.1',
      'graphql-ws': '5.16.0',
      proxyquire: '2.1.3',
      semver: '7.6.3',
      sinon: '15.2.0',
      split2: '4.2.0',
    },
  },
  {
    name: 'widdershins',
    version: '4.0.1',
    style: 'a generator of documentation from descriptions of interfaces',
    source: 'registry',
    runner: 'mocha',
    files: ['test/*.test.js'],
    sources: ['*.js', 'lib'],
    entries: ['widdershins.js', 'lib/httpsnippetGenerator.js'],
    pure: ['yaml', 'oas-schema-walker'],
    needs: mocha,
  },
];

exports.APPS = APPS;
