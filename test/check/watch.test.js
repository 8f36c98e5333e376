'use strict';

// What somebody sets by hand that `ignis check` sets for the processes that it watches.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { REGISTER, ROOT } = require('../import/es-program');

/** @param {string} settings @param {string[]} args */
function run(settings, args) {
  const env = { ...process.env, IGNIS_CHECK: settings, IGNIS_DEBUG: '' };
  return spawnSync(process.execPath, args, { encoding: 'utf8', env });
}

describe('a variable of ignis check that says nothing of use', () => {
  const texts = [
    '1',
    'true',
    'null',
    '[]',
    '{}',
    '{"folder":1,"root":"/","modules":[]}',
    '{"folder":"checks","root":"/","modules":[]}',
    '{',
  ];

  for (const text of texts) {
    it(`ends the program in words: ${text}`, () => {
      const { status, stderr, stdout } = run(text, ['-r', REGISTER, '-e', 'console.log("runs")']);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(
        stderr,
        /^ignis: an option .*: the environment variable IGNIS_CHECK .*`ignis check` sets it .*; unset it \(IGNIS_BAD_OPTION\)\n$/,
      );
    });
  }

  it('is told to whoever starts Ignis', () => {
    const program = `try { require(${JSON.stringify(ROOT)}).start() } catch ({ name, code }) { console.log(name, code) }`;
    const { status, stderr, stdout } = run('1', ['-e', program]);
    assert.deepEqual([status, stderr, stdout], [0, '', 'IgnisError IGNIS_BAD_OPTION\n']);
  });

  it('is none where it is empty', () => {
    const { status, stderr, stdout } = run('', ['-r', REGISTER, '-e', 'console.log("runs")']);
    assert.deepEqual([status, stderr, stdout], [0, '', 'runs\n']);
  });
});
