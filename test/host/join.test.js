'use strict';

const assert = require('node:assert/strict');
const net = require('node:net');
const { Seat } = require('../../lib/host/join.js');
const { until } = require('../helpers/until.js');

const LIMIT_MS = 30_000;

describe('the seat of a daemon in a cluster', function () {
  this.timeout(2 * LIMIT_MS);

  it('says once what is wrong with a server that lets it do nothing, however often it tries again', async () => {
    let tries = 0;
    /** What NATS says to a user who may publish nothing. */
    const server = net.createServer((socket) => {
      tries += 1;
      socket.on('error', () => {}).setEncoding('utf8');
      socket.write('INFO {"server_id":"s","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576,"jetstream":true}\r\n');
      socket.on('data', (text) => {
        if (text.includes('PING')) socket.write('PONG\r\n');
        if (text.includes('$JS.API')) socket.write('-ERR \'Permissions Violation for Publish to "$JS.API.INFO"\'\r\n');
      });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
    /** @type {string[]} */
    const log = [];
    const cluster = `nats://127.0.0.1:${/** @type {net.AddressInfo} */ (server.address()).port}`;
    const seat = new Seat({ cluster, name: 'host1', about: () => ({}), log: (text) => log.push(text) });
    try {
      await until(() => tries >= 4, 'it tries again and again', LIMIT_MS);
      assert.equal(log.length, 2, log.join('\n'));
      assert.match(log[0], /nats-server 2\.9\.10 has known holes/);
      assert.match(log[1], /has not joined the cluster: .*Permissions Violation/);
    } finally {
      await seat.close();
      server.close();
    }
  });
});
