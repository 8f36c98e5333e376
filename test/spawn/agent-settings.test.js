'use strict';

const assert = require('node:assert/strict');
const { inVariables, takeSettings } = require('../../lib/spawn/agent-settings');

describe('what an agent is told by variables', () => {
  it('comes as it was, and leaves the variables', () => {
    for (const settings of [{}, { a: 1, home: { argv: ['node', 'süß 😀', '\ud83d', 'a"b\\u0041\n\x7f'] } }]) {
      const env = { PATH: '/bin', ...inVariables(settings) };
      assert.deepEqual(takeSettings(env), settings);
      assert.deepEqual(env, { PATH: '/bin' });
    }
  });

  it('stands in several where it is long, none too long for any system', () => {
    const settings = { argv: Array.from({ length: 20_000 }, (_, i) => `src/${i}/😀.js`) };
    const env = inVariables(settings);
    assert.equal('IGNIS_AGENT' in env, true);
    for (const text of Object.values(env)) assert.equal(Buffer.byteLength(text) < 32_767, true);
    assert.deepEqual(takeSettings(env), settings);
    assert.deepEqual(env, {});
  });

  it('is nothing where there is none', () => {
    assert.deepEqual(takeSettings({}), {});
  });
});
