'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { tellHook } = require('../../lib/wrap/tell-hook');

describe('wrap/tell-hook', () => {
  it('tells a hook, and nobody where there is none', () => {
    const told = [];
    tellHook((level) => told.push(level), 0.5);
    tellHook(undefined, 0.5);
    assert.deepEqual(told, [0.5]);
  });

  it('makes an error of a hook one of the program, after whoever told it has gone on', () => {
    const program = `
      const { tellHook } = require(${JSON.stringify(require.resolve('../../lib/wrap/tell-hook'))});
      process.on('uncaughtException', (error) => console.log('uncaught', error.message));
      tellHook(() => { throw new Error('of the hook'); }, 1);
      console.log('went on');
    `;
    const output = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    assert.deepEqual(output.trim().split('\n'), ['went on', 'uncaught of the hook']);
  });
});
