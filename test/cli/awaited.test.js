'use strict';

const assert = require('node:assert/strict');
const { awaited } = require('../../lib/cli/awaited.js');

const ENTRY = { pid: 42, thread: 0, name: 'app.js', place: '' };

describe('the answer of a program', () => {
  it('is waited for, which is told where it takes long', async () => {
    let tell = () => {};
    const answer = new Promise((resolve) => (tell = resolve));
    const said = await awaited({ out: assert.fail, err: tell, env: {} }, ENTRY, answer);
    assert.equal(said, 'ignis: app.js (42) does not answer yet: its event loop is busy, or it is stopped\n');
  });

  it('is told of in no other case, also where it is a failure', async () => {
    const io = { out: assert.fail, err: assert.fail, env: {} };
    assert.equal(await awaited(io, ENTRY, Promise.resolve(1)), 1);
    await assert.rejects(awaited(io, ENTRY, Promise.reject(new Error('gone'))), /gone/);
  });
});
