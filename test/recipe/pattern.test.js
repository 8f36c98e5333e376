'use strict';

const assert = require('node:assert/strict');
const { checkTarget, toPattern } = require('../../lib/recipe/pattern.js');
const ids = require('./module-ids.js');

/** The names of the modules that a target means. */
const meant = (target) => Object.keys(ids).filter((name) => toPattern(target).means(ids[name]));

describe('recipe/pattern', () => {
  for (const [target, expected] of [
    ['uri-js', ['uri']],
    ['uri', []],
    ['lodash', ['fp']],
    ['lodash/fp', ['fp']],
    ['lodash/fp.js', ['fp']],
    ['lodash/f', []],
    ['crypto', ['crypto']],
    ['node:crypto', ['crypto']],
    ['./lib/links.js', ['links']],
    ['./lib/links.cjs', []],
    ['./lib/links', ['links']],
    ['./lib/search.js', []],
    ['./lib/search', ['index']],
    ['./lib/', ['links', 'index']],
    ['./lib', []],
    ['./lib/*', ['links', 'index']],
    ['./lib/*.js', ['links']],
    ['./lib/**', ['links', 'index']],
    ['./**/index.js', ['index']],
    ['./lib/**/*.js', ['links', 'index']],
    ['./lib/**/links.js', ['links']],
    ['**/links.js', ['links']],
    ['./li**/links.js', ['links']],
    ['./lib/li**/nks.js', []],
    ['@scope/*', ['scoped']],
    ['*', ['uri', 'fp', 'crypto', 'fs']],
    ['node:*', ['crypto', 'fs']],
    ['uri.js', []],
    [/^uri/, ['uri']],
    ['/^URI/i', ['uri']],
    ['/links\\.js$/', ['links']],
    [/crypto$/g, ['crypto']],
  ]) {
    it(`${target} means ${expected.join(', ') || 'none of them'}`, () => {
      assert.equal(checkTarget(target), true);
      assert.deepEqual(meant(target), expected);
    });
  }

  it('means a file without its ending, whatever that is, one of TypeScript too', () => {
    for (const ending of ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts', 'jsx', 'tsx', 'json', 'node'])
      for (const name of [`./lib/links.${ending}`, `./lib/links/index.${ending}`]) {
        assert.ok(toPattern('./lib/links').means({ ...ids.links, name }), name);
        assert.ok(!toPattern('./lib/link').means({ ...ids.links, name }), name);
      }
  });

  it('means a file by the name under which its package gives it out, as the program imports it', () => {
    const sync = {
      ...ids.fp,
      name: 'csv-parse/dist/cjs/sync.cjs',
      packageName: 'csv-parse',
      inside: './dist/cjs/sync.cjs',
      entries: ['./sync', './also'],
    };
    for (const target of ['csv-parse/sync', 'csv-parse/also', 'csv-parse', 'csv-parse/dist/cjs/sync.cjs', 'csv-parse/*'])
      assert.ok(toPattern(target).means(sync), target);
    for (const target of ['csv-parse/stream', 'sync']) assert.ok(!toPattern(target).means(sync), target);
  });

  it('answers a global expression the same each time', () => {
    const pattern = toPattern(/uri/g);
    assert.deepEqual([pattern.means(ids.uri), pattern.means(ids.uri)], [true, true]);
  });

  it('takes special characters of expressions in a glob as they are', () => {
    assert.equal(toPattern('a.b+*').means({ ...ids.uri, packageName: 'a.b+c' }), true);
    assert.equal(toPattern('a.b*').means({ ...ids.uri, packageName: 'axb' }), false);
  });

  it('orders by exactness: module, folder, glob, expression', () => {
    const exactness = ['uri-js', './lib/', './lib/*', /x/].map((target) => toPattern(target).exactness);
    assert.deepEqual(exactness, [3, 2, 1, 0]);
  });

  for (const target of ['', ' uri-js', '/usr/lib/a.js', '/(/', '/x/g', 3, null, undefined, {}, ['uri-js']]) {
    it(`refuses ${JSON.stringify(target)}`, () => {
      assert.equal(typeof checkTarget(target), 'string');
    });
  }
});
