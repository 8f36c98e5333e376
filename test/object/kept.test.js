'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');

const KEPT = require.resolve('../../lib/object/kept');

/** @param {string} text of a program that has `kept` @param {string[]} [args] of node */
const run = (text, args = []) =>
  execFileSync(process.execPath, [...args, '-e', `const kept = require(${JSON.stringify(KEPT)}); ${text}`], { encoding: 'utf8' });

describe('object/kept', () => {
  it('collects in the middle of a turn, and leaves no gc to the program', () => {
    const text = `
      const collect = kept.makeCollector();
      const gone = (() => new WeakRef({}))();
      collect();
      console.log(gone.deref(), typeof gc, require('node:vm').runInNewContext('typeof gc'));`;
    assert.equal(run(text), 'undefined undefined undefined\n');
  });

  it('leaves a program the gc that it was started with', () => {
    const text = "kept.makeCollector()(); console.log(typeof gc, require('node:vm').runInNewContext('typeof gc'));";
    assert.equal(run(text, ['--expose-gc']), 'function function\n');
  });

  it('collects also where another thread takes the flag back before the context is there', () => {
    const text = `
      const v8 = require('node:v8');
      const { setFlagsFromString } = v8;
      let left = 3;
      v8.setFlagsFromString = (flag) => {
        setFlagsFromString(flag);
        if (flag === '--expose-gc' && left-- > 0) setFlagsFromString('--no-expose-gc');
      };
      const collect = kept.makeCollector();
      const gone = (() => new WeakRef({}))();
      collect();
      console.log(left, gone.deref());`;
    assert.equal(run(text), '-1 undefined\n');
  });
});
