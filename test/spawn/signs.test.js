'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const { Pulse } = require('../../lib/spawn/pulse');
const { Signs } = require('../../lib/spawn/signs');
const { until } = require('../helpers/until');

describe('Signs', function () {
  this.timeout(30_000);
  if (!Signs.areThere) return;

  it('tells the memory of a process that computes, and nothing of one that is stopped or has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const signs = new Signs(/** @type {number} */ (child.pid));
    let [answers, kib] = [0, 0];
    signs.on('data', (bytes) => {
      answers += 1;
      kib = bytes.readUInt32LE();
    });
    try {
      // It takes hardly any before Node has begun in it.
      await until(() => (signs.write(), kib > 1000), 'signs of life, with its memory');
      child.kill('SIGSTOP');
      await until(() => /^State:\s+T/m.test(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8')), 'it is stopped');
      const asked = async () => {
        const before = answers;
        signs.write();
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        return answers - before;
      };
      await asked();
      assert.equal(await asked(), 0, 'stopped');
      child.kill('SIGCONT');
      await until(async () => (await asked()) === 1, 'it goes on');
      child.kill('SIGKILL');
      await exited;
      assert.equal(await asked(), 0, 'ended');
      signs.destroy();
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('does not take for dead what it cannot look at, since no descriptor is left', async () => {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const pulse = new Pulse(/** @type {any} */ (new Signs(/** @type {number} */ (child.pid))), 200);
    const { readFileSync } = fs;
    let looks = 0;
    let silent = 0;
    pulse.onSilent = () => (silent += 1);
    try {
      await until(() => pulse.rssBytes, 'its memory');
      const { rssBytes } = pulse;
      fs.readFileSync = (...args) => {
        if (args[0] !== `/proc/${child.pid}/status`) return Reflect.apply(readFileSync, fs, args);
        looks += 1;
        throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      };
      await until(() => looks > 6 || silent > 0, 'more looks than would do to find it silent');
      assert.deepEqual([silent, pulse.isDoubtful, pulse.rssBytes], [0, false, rssBytes]);
    } finally {
      fs.readFileSync = readFileSync;
      pulse.end();
      child.kill('SIGKILL');
      await exited;
    }
  });
});
