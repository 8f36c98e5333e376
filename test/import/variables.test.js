'use strict';

const assert = require('node:assert/strict');
const { fork, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const { text } = require('node:stream/consumers');
const path = require('node:path');
const { PROGRAM_OPTIONS } = require('../../lib/options');
const { unknownIn } = require('../../lib/import/variables');

const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js');

describe('variables that look like ours', () => {
  it('are told where they set nothing, with the name that was meant if there is one', () => {
    assert.deepEqual(unknownIn({ IGNIS_TIKC_MS: '5', IGNIS_SOMETHING_ELSE: '1', PATH: '/', ignis_report: 'x' }), [
      'the environment variable IGNIS_TIKC_MS is not an option of Ignis; did you mean IGNIS_TICK_MS?',
      'the environment variable IGNIS_SOMETHING_ELSE is not an option of Ignis',
    ]);
  });

  it('are known where they are options, or of the command line, of processes that Ignis starts, and secrets', () => {
    const options = PROGRAM_OPTIONS.map(({ env }) => env);
    const others = ['IGNIS_DEBUG', 'IGNIS_WORKERS', 'IGNIS_AGENT', 'IGNIS_CHECK', 'IGNIS_HOST_KEY', 'IGNIS_CLUSTER_SECRET_FILE'];
    assert.deepEqual(unknownIn(Object.fromEntries([...options, ...others].map((name) => [name, '1']))), []);
  });

  it('are a warning of the program, once, and none where it is to be quiet or forks itself', async () => {
    const run = (env) =>
      spawnSync(process.execPath, ['-r', REGISTER, '-e', 'console.log("runs")'], {
        encoding: 'utf8',
        env: { ...process.env, IGNIS_REPROT: 'r.json', ...env },
      });
    const { stdout, stderr } = run({});
    assert.equal(stdout, 'runs\n');
    assert.equal(
      stderr.match(/IgnisWarning: the environment variable IGNIS_REPROT is not an option of Ignis; did you mean IGNIS_REPORT\?/g)?.length,
      1,
    );
    assert.equal(run({ IGNIS_QUIET: '1' }).stderr, '');
    const child = fork(REGISTER, { env: { ...process.env, IGNIS_REPROT: 'r.json' }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const said = text(child.stderr);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    assert.equal(await said, '');
  });
});
