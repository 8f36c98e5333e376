'use strict';

const assert = require('node:assert/strict');
const { spawn: spawnChild } = require('node:child_process');
const { once } = require('node:events');
const net = require('node:net');
const { text } = require('node:stream/consumers');
const { freePorts } = require('../helpers/ports');
const { call, spawn } = require('./call.js');

describe('ignis nodes', function () {
  this.timeout(60_000);

  it('asks which cluster, and takes only one that others can see', () => {
    for (const [args, right] of [
      [[], /name a cluster: --cluster/],
      [['--cluster', 'embedded'], /lives in its home alone/],
      [['--cluster', 'redis://a'], /^(?!.*embedded).*nats:\/\/HOST:PORT/],
      [
        ['--cluster', 'foo'],
        /the cluster must be nats:\/\/HOST:PORT,\.\.\. or etcd:\/\/HOST:PORT,\.\.\., see [^']*\(IGNIS_BAD_OPTION\)\n$/,
      ],
      [['--cluster', 'nats://me:%zz@a'], /write a % there as %25/],
      [['--cluster', 'nats://a', 'more'], /unexpected argument 'more'/],
    ]) {
      const { code, err } = call(['nodes', ...args]);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, right);
    }
  });

  it('says that nobody answers, and ends', async () => {
    const [port] = await freePorts(1);
    const { code, out, err } = spawn(['nodes'], { env: { IGNIS_CLUSTER: `nats://me:hidden@127.0.0.1:${port}` } });
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(
      err,
      new RegExp(`^ignis: the engine of the cluster cannot be reached: nats://127\\.0\\.0\\.1:${port}: .* \\(IGNIS_ENGINE_DOWN\\)\n$`),
    );
  });
});

describe('an engine that takes connections and says nothing', function () {
  this.timeout(60_000);

  for (const kind of ['nats', 'etcd']) {
    it(`is given up (${kind}), and nothing of it keeps the program alive`, async () => {
      const sockets = new Set();
      const silent = net.createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const url = `${kind}://127.0.0.1:${silent.address().port}`;
      const source = `require(${JSON.stringify(require.resolve('../../lib/host/engine.js'))}).openEngine(${JSON.stringify(url)}, { connectMs: 500, requestMs: 500 }).catch(({ code }) => console.log(code))`;
      const child = spawnChild(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'], timeout: 30_000 });
      try {
        const said = text(child.stdout);
        assert.deepEqual(await once(child, 'exit'), [0, null]);
        assert.equal(await said, 'IGNIS_ENGINE_DOWN\n');
      } finally {
        child.kill();
        for (const socket of sockets) socket.destroy();
        silent.close();
      }
    });
  }
});

describe('ignis daemon in a cluster', () => {
  it('does not begin where homes could not reach it, nor in a cluster that is none', () => {
    for (const [args, right] of [
      [['--cluster', 'nats://a', '--listen', '0.0.0.0:0'], /--advertise/],
      [['--cluster', 'nats://a', '--listen', '[::]:0'], /--advertise/],
      [['--cluster', 'embedded'], /nats:\/\/HOST:PORT/],
      [['--cluster', 'nats://a?replcas=3'], /did you mean 'replicas'/],
      [['--labels', 'disk'], /NAME=VALUE/],
      [['--labels', 'a=1,a=2'], /NAME=VALUE/],
    ]) {
      const { code, err } = call(['daemon', ...args]);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, right);
    }
    assert.match(call(['daemon'], { IGNIS_CLUSTER: 'redis://a' }).err, /the cluster must be/);
  });
});
