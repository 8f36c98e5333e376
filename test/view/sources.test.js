'use strict';

const assert = require('node:assert/strict');
const { feedSources } = require('../../lib/view/sources');

describe('what a program says of itself to who looks', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('is how long it runs, whatever is done to its clock', () => {
    const program = { name: '/srv/app.js', pid: 7, node: 'v20', cpus: 2, ignis: '0', startedAt: now() };
    const loop = { read: () => ({ utilisation: 0, delayMs: null }) };
    const sources = feedSources(/** @type {any} */ ({ program, loop }));
    const before = sources.program().uptimeMs;
    Date.now = () => 0;
    assert.ok(sources.program().uptimeMs >= before && before > 0);
  });
});
