'use strict';

const assert = require('node:assert/strict');
const { freePorts } = require('../helpers/servers');
const { call, spawn } = require('./call.js');

describe('ignis nodes', function () {
  this.timeout(60_000);

  it('asks which cluster, and takes only one that others can see', () => {
    for (const [args, right] of [
      [[], /which cluster\?/],
      [['--cluster', 'embedded'], /lives in its home alone/],
      [['--cluster', 'redis://a'], /nats:\/\/HOST:PORT/],
      [['--cluster', 'nats://a', 'more'], /'more' is no option/],
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
