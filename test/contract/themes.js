'use strict';

// The list of the contract suite: every file of `behaviours/`, and of the samples the behaviours that each sample stands for.
// A theme: `title`; `fixture`, the module in test/fixtures/contract that it is about; `behaviours`, sentence to code; perhaps `places`,
// when not all; perhaps `alsoUses`, further fixtures. Code may be async; it asserts what a program observes with the module at home.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

const FIXTURES = path.join(__dirname, '..', 'fixtures', 'contract');
const BEHAVIOURS = path.join(__dirname, 'behaviours');

/** Each kind of sample: how it is called, and the file that makes and checks it. */
const SAMPLES = {
  'numbers, strings and symbols as values': 'samples-primitives.js',
  'lists as values': 'samples-lists.js',
  'objects as values': 'samples-objects.js',
  'built-in objects as values': 'samples-builtins.js',
  'bytes as values': 'samples-bytes.js',
  'graphs as values': 'samples-graphs.js',
  'errors as values': 'samples-errors.js',
};

/**
 * What only a thread shares with its home is refused, with its place.
 *
 * @param {string} name
 * @param {string} where
 * @param {() => void} run
 */
function checkShared(name, where, run) {
  if ((where !== 'process' && where !== 'host') || name !== 'shared memory') return run();
  assert.throws(run, (error) => error.code === 'IGNIS_UNMARSHALABLE' && /\((\[\d\]|the value itself)/.test(error.message));
}

/** Both directions of each sample: made at home and checked by the module, made by the module and checked at home. */
function sampleTheme([title, fixture]) {
  const own = require(path.join(FIXTURES, fixture));
  const behaviours = {};
  for (const name of own.names) {
    behaviours[`${name}: the module gets what the caller has`] = (m, t) => checkShared(name, t.where, () => m.check(name, own.make(name)));
    behaviours[`${name}: the caller gets what the module has`] = (m, t) => checkShared(name, t.where, () => own.check(name, m.make(name)));
    behaviours[`${name}: comes back from the module as it was`] = (m, t) =>
      checkShared(name, t.where, () => {
        const value = own.make(name);
        const back = m.echo(value);
        assert.ok(Object.is(back, value), 'not the same value');
        own.check(name, back);
      });
  }
  return { title, fixture, alsoUses: ['offer.js'], behaviours };
}

function behaviourFiles() {
  return fs
    .readdirSync(BEHAVIOURS)
    .sort()
    .map((file) => require(path.join(BEHAVIOURS, file)));
}

exports.FIXTURES = FIXTURES;
exports.THEMES = [...Object.entries(SAMPLES).map(sampleTheme), ...behaviourFiles()];
