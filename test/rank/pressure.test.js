'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { pressureOf } = require('../../lib/rank/pressure');

const reading = (boundary, share, pending = 0) => ({ boundary, share, pending, exclusiveMs: share * 1000 });
const busy = { utilisation: 1 };
const idle = { utilisation: 0 };

describe('rank/pressure', () => {
  it('is the share of the window when nothing is pending', () => {
    assert.equal(pressureOf(reading('a', 0.3), busy), 0.3);
    assert.equal(pressureOf(reading('a', 0), busy), 0);
  });

  it('is little for calls that wait elsewhere while the loop is idle', () => {
    assert.equal(pressureOf(reading('db', 0.01, 3), idle), 0.01);
  });

  it('rises when calls pend and the loop is busy', () => {
    assert.ok(pressureOf(reading('db', 0.01, 4), busy) > 0.5);
  });

  it('rises when more calls pend than the pool has threads', () => {
    assert.ok(pressureOf(reading('crypto', 0.01, 40), idle, 4) > 0.7);
    assert.equal(pressureOf(reading('crypto', 0.01, 4), idle, 4), 0.01);
  });

  it('is that of the pool as UV_THREADPOOL_SIZE made it, also where it is shown', () => {
    const program = `const ignis = require(${JSON.stringify(require.resolve('../../lib'))});
      const crypto = require('node:crypto');
      for (let call = 0; call < 40; call++) crypto.pbkdf2('a', 'b', 2000, 64, 'sha512', () => {});
      const { pending, pressure } = ignis.boundaries().find(({ child }) => child === 'node:crypto');
      process.stdout.write(JSON.stringify([pending, pressure]));`;
    const env = { ...process.env, UV_THREADPOOL_SIZE: '64' };
    const args = ['-r', require.resolve('../../lib/register'), '-e', program];
    const [pending, pressure] = JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' }));
    assert.equal(pending, 40);
    // However busy the loop is: 40 of 40 and 64. With 4 threads at least 0.8 would be.
    assert.ok(pressure > 0 && pressure < 0.8, String(pressure));
  });

  it('stays between 0 and 1, and never falls when share, calls or load rise', () => {
    const steps = [0, 0.1, 0.5, 1];
    for (const share of steps) {
      for (const pending of [0, 1, 10, 10_000]) {
        for (const utilisation of steps) {
          const here = pressureOf(reading('a', share, pending), { utilisation });
          assert.ok(here >= 0 && here <= 1);
          assert.ok(pressureOf(reading('a', Math.min(1, share + 0.1), pending), { utilisation }) >= here);
          assert.ok(pressureOf(reading('a', share, pending + 1), { utilisation }) >= here);
          assert.ok(pressureOf(reading('a', share, pending), { utilisation: Math.min(1, utilisation + 0.1) }) >= here);
        }
      }
    }
  });
});
