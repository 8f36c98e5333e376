'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { PROGRAM_OPTIONS, readOptions } = require('../lib/options.js');

/** Runs it and gives back what it throws. */
function thrownBy(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

describe('readOptions', () => {
  it('has a default for all that always has an effect', () => {
    const options = readOptions({ env: {} });
    assert.equal(options.tickMs, 100);
    assert.equal(options.spares, 1);
    assert.equal(options.report, undefined);
  });

  it('reads numbers, facts and paths from the environment', () => {
    const options = readOptions({ env: { IGNIS_TICK_MS: '50', IGNIS_EXPLAIN: '1', IGNIS_QUIET: 'false', IGNIS_REPORT: 'r.json' } });
    assert.deepEqual([options.tickMs, options.explain, options.quiet, options.report], [50, true, false, path.resolve('r.json')]);
  });

  it('takes what is given before the environment, and the environment before the default', () => {
    const env = { IGNIS_TICK_MS: '50', IGNIS_WINDOW_MS: '500' };
    const options = readOptions({ env, given: { tickMs: 20 } });
    assert.deepEqual([options.tickMs, options.windowMs], [20, 500]);
  });

  it('refuses a folder for the report at once, which could not be written when the program has ended', () => {
    const told =
      /option 'report' is .* \(given in the environment variable IGNIS_REPORT\); it must be the path of a file, but this is a folder/;
    assert.throws(() => readOptions({ env: { IGNIS_REPORT: __dirname } }), { code: 'IGNIS_BAD_OPTION', message: told });
    for (const file of [__filename, path.join(__dirname, 'none/r.json'), path.join(__filename, 'r.json'), 'x'.repeat(5000)])
      assert.equal(readOptions({ env: { IGNIS_REPORT: file } }).report, path.resolve(file));
  });

  it('says of the identity that it is a folder', () => {
    assert.throws(() => readOptions({ given: { identity: 1 }, env: {} }), /option 'identity' is 1; it must be the path of a folder$/);
  });

  it('takes an empty variable as absent', () => {
    assert.equal(readOptions({ env: { IGNIS_TICK_MS: '' } }).tickMs, 100);
  });

  for (const text of ['abc', '1e9', '50ms', '-1', ' ', '1.5', 'Infinity', 'NaN']) {
    it(`names the variable when it holds '${text}'`, () => {
      const error = thrownBy(() => readOptions({ env: { IGNIS_TICK_MS: text } }));
      assert.equal(error.code, 'IGNIS_BAD_OPTION');
      assert.match(error.message, /IGNIS_TICK_MS/);
    });
  }

  it('refuses a fact that is neither yes nor no', () => {
    assert.throws(() => readOptions({ env: { IGNIS_QUIET: 'maybe' } }), /IGNIS_QUIET.*true or false/);
  });
});

describe('the table of options', () => {
  it('has defaults that pass their own check', () => {
    for (const row of PROGRAM_OPTIONS) {
      if (row.default !== undefined) assert.equal(row.check(row.default), true, row.name);
    }
  });

  it('has names with their units, one variable each, and a sentence', () => {
    assert.equal(new Set(PROGRAM_OPTIONS.map((row) => row.env)).size, PROGRAM_OPTIONS.length);
    for (const { name, unit, env, sentence } of PROGRAM_OPTIONS) {
      if (unit === 'ms') assert.match(name, /Ms$/);
      assert.equal(env, `IGNIS_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`);
      assert.match(sentence, /^[A-Z].*\.$/);
    }
  });

  it('names all that is wrong at once, in code and in the environment', () => {
    assert.throws(
      () =>
        readOptions({
          env: { IGNIS_TICK_MS: 'soon', IGNIS_SPARES: '1' },
          given: { windowMs: 1, sparse: 2, spares: 99 },
          where: 'app.js:3',
        }),
      (error) => {
        assert.deepEqual(
          error.problems.map(({ field, where }) => [field, where]),
          [
            ['windowMs', 'app.js:3'],
            ['sparse', 'app.js:3'],
            ['spares', 'app.js:3'],
            ['tickMs', 'the environment variable IGNIS_TICK_MS'],
          ],
        );
        return error.code === 'IGNIS_BAD_OPTION';
      },
    );
  });
});
