'use strict';

const assert = require('node:assert/strict');
const { checkRecipe, RECIPE_FIELDS } = require('../../lib/recipe/fields.js');
const { allShipped } = require('../../lib/recipe/shipped.js');
const { call } = require('./call.js');

describe('ignis recipes', () => {
  it('prints every field and every shipped recipe', () => {
    const { code, out } = call(['recipes']);
    assert.equal(code, 0);
    for (const { name } of RECIPE_FIELDS) assert.match(out, new RegExp(`^ {2}${name}: `, 'm'));
    for (const { package: name } of allShipped()) assert.match(out, new RegExp(`^${name} `, 'm'));
  });

  it('prints the unit of a field that has one', () => {
    const { out } = call(['recipes']);
    assert.match(out, /^ {2}timeout: number \(ms\)$/m);
    assert.match(out, /^ {2}memoryMb: number \(MB\)$/m);
    assert.match(out, /^ {2}qDepth: number or Infinity \(calls\), default Infinity$/m);
  });

  it('prints the whole recipe for a package, with its evidence, and one to paste that the check accepts', () => {
    const { code, out } = call(['recipes', 'marked']);
    assert.equal(code, 0);
    assert.match(out, /^marked, versions 18\.x\n {2}parseMarkdown /);
    assert.match(out, /\bRead\s+in\s+lib\/marked\.esm\.js\./);
    for (const title of ['Pure', 'Set-up', 'Threads', 'Where it pays']) assert.match(out, new RegExp(`^${title}`, 'm'));
    assert.match(out, /state: 'private'/);
    const [, pasted] = out.split('To paste into ignis.config.js');
    const module = { exports: {} };
    new Function('module', pasted.slice(pasted.indexOf('\n')))(module);
    const recipe = checkRecipe('program', module.exports);
    assert.equal(recipe.modules.marked.functions.parse.call, 'await');
  });

  it('names the function to paste also where a module is one', () => {
    assert.match(call(['recipes', 'sanitize-html']).out, /'sanitize-html': \{ functions: \{ '': \{ call: 'await' \} \} \}/);
  });

  it('gives nothing to paste for what stays at home', () => {
    assert.doesNotMatch(call(['recipes', 'node:fs']).out, /paste/);
  });

  it('prints a line for each, with what is pure and where it pays best', () => {
    const line = call(['recipes'])
      .out.split('\n')
      .find((text) => text.startsWith('marked '));
    assert.match(line, /^marked +18\.x +marked, parse, parseInline +\w+, 32 kB: [\d.]+ ms, [\d.]+ ms when sent$/);
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
    assert.match(err, /'url-js'.*'uri-js'.*IGNIS_NOT_FOUND/);
    assert.match(call(['recipes', 'express']).err, /Ignis ships no recipe for 'express'; 'ignis recipes' lists those that exist/);
  });
});
