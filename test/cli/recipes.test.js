'use strict';

const assert = require('node:assert/strict');
const { RECIPE_FIELDS } = require('../../lib/recipe/fields.js');
const { allShipped } = require('../../lib/recipe/shipped.js');
const { call } = require('./call.js');

describe('ignis recipes', () => {
  it('prints every field and every shipped recipe', () => {
    const { code, out } = call(['recipes']);
    assert.equal(code, 0);
    for (const { name } of RECIPE_FIELDS) assert.match(out, new RegExp(`^ {2}${name}: `, 'm'));
    for (const { package: name } of allShipped()) assert.match(out, new RegExp(`^${name} `, 'm'));
  });

  it('prints the recipe for a package, with its evidence', () => {
    const { code, out } = call(['recipes', 'uri-js']);
    assert.equal(code, 0);
    assert.match(out, /uri-js, versions 2\.1\.1/);
    assert.match(out, /state: 'private'/);
  });

  it('knows a built-in without its prefix', () => {
    assert.match(call(['recipes', 'zlib']).out, /^node:zlib, versions all/);
  });

  it('prints JSON', () => {
    assert.equal(JSON.parse(call(['recipes', '--json']).out).fields.length, RECIPE_FIELDS.length);
    assert.equal(JSON.parse(call(['recipes', '--json', 'marked']).out).package, 'marked');
  });

  it('names the nearest package', () => {
    const { code, err } = call(['recipes', 'url-js']);
    assert.equal(code, 2);
    assert.match(err, /'url-js'.*'uri-js'/);
  });
});
