'use strict';

const assert = require('node:assert/strict');
const { execFile, spawn } = require('node:child_process');
const path = require('node:path');
const { once } = require('node:events');
const { promisify } = require('node:util');
const { isAlive, FIXTURES } = require('./sets');
const { until } = require('../helpers/until');

/** A home of its own: test/spawn/fixtures/home.js. @param {string} where @param {string} what */
function home(where, what) {
  const child = spawn(process.execPath, [path.join(FIXTURES, 'home.js'), where, what], { stdio: ['ignore', 'pipe', 'pipe'] });
  const seen = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    seen.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    seen.err += text;
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), 50_000);
  const ended = once(child, 'close').then(([code, signal]) => {
    clearTimeout(limit);
    return { code, signal, out: seen.out, err: seen.err };
  });
  return {
    child,
    ended,
    told: () => until(() => seen.out.includes('\n') && JSON.parse(seen.out.split('\n')[0]), `what home tells; it said ${seen.err}`),
  };
}

for (const where of ['process', 'thread']) {
  describe(`a home whose replicas are each a ${where}`, function () {
    this.timeout(60_000);

    it('ends by itself with its own exit code while replicas and a spare are idle', async () => {
      const { code, out, err } = await home(where, 'idle').ended;
      assert.deepEqual({ code, out, err }, { code: 7, out: '{"sum":3}\n', err: '' });
    });

    it('does not end before a call is answered', async () => {
      const { code, out } = await home(where, 'wait').ended;
      assert.deepEqual({ code, out }, { code: 0, out: '{"value":"slept"}\n' });
    });

    it('gives them its preloads, but no Ignis of their own', async () => {
      const args = ['-r', path.join(__dirname, '../../lib/register.js'), path.join(FIXTURES, 'loaded.js'), where];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 50_000 });
      const { home: here, away } = JSON.parse(stdout);
      assert.ok(here.length > 0);
      assert.deepEqual(away, []);
    });

    it('prints what its replicas print', async () => {
      const { code, out, err } = await home(where, 'output').ended;
      assert.deepEqual({ code, out, err }, { code: 0, out: 'said in a replica\n', err: 'complained in a replica\n' });
    });
  });
}

describe('a home whose replicas are each a process', function () {
  this.timeout(60_000);

  it('does not end before a call is answered whose replica was lost and which runs again', async () => {
    const { code, out, err } = await home('process', 'killed').ended;
    assert.deepEqual({ code, out, err }, { code: 0, out: '{"value":"slept"}\n', err: '' });
  });

  it('takes its replicas and spares with it when it gets SIGKILL', async () => {
    const { child, ended, told } = home('process', 'live');
    const { pids } = await told();
    assert.equal(pids.length, 3);
    assert.ok(pids.every(isAlive));
    child.kill('SIGKILL');
    await ended;
    for (const pid of pids) await until(() => !isAlive(pid), `the end of ${pid}`);
  });

  it('takes its replicas with it when it exits while they compute', async () => {
    const { ended, told } = home('process', 'busy');
    const { pids } = await told();
    assert.equal((await ended).code, 4);
    for (const pid of pids) await until(() => !isAlive(pid), `the end of ${pid}`);
  });
});
