'use strict';

// What the tables promise, the code must do: a code that is thrown, an option and a field that are read.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { ERRORS } = require('../lib/errors.js');
const { PROGRAM_OPTIONS } = require('../lib/options.js');
const { RECIPE_FIELDS } = require('../lib/recipe/fields.js');

const LIB = path.join(__dirname, '..', 'lib');

/** All code of lib except what is said only in tables and comments. */
const code = fs
  .readdirSync(LIB, { recursive: true })
  .filter((file) => file.endsWith('.js') && !['errors.js', 'options.js', path.join('recipe', 'fields.js')].includes(file))
  .map((file) =>
    fs
      .readFileSync(path.join(LIB, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/^\s*\/\/.*$/gm, ''),
  )
  .join('\n');

describe('the tables', () => {
  it('hold the codes that are thrown, and no others', () => {
    const used = new Set([...code.matchAll(/['"`](IGNIS_[A-Z_]+)['"`]/g)].map((match) => match[1]));
    assert.deepEqual(
      Object.keys(ERRORS).filter((name) => !used.has(name)),
      [],
    );
  });

  it('hold the options that are read, and no others', () => {
    const unread = PROGRAM_OPTIONS.filter(({ name }) => !new RegExp(`(\\.|[{,]\\s*)${name}\\b(?!\\s*\\()`).test(code));
    assert.deepEqual(
      unread.map((row) => row.name),
      [],
    );
  });

  it('hold the fields that are read, and no others', () => {
    const unread = RECIPE_FIELDS.filter(({ name }) => !new RegExp(`(\\.|[{,]\\s*)${name}\\b`).test(code));
    assert.deepEqual(
      unread.map((row) => row.name),
      [],
    );
  });
});
