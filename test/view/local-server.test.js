'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const { MOST_CONNECTIONS, listenHere } = require('../../lib/view/local-server');

const LOCAL_SERVER = path.join(__dirname, '..', '..', 'lib', 'view', 'local-server.js');

/** Two workers, which end once both have said where they listen. */
const CLUSTER = `
const cluster = require('node:cluster');
const { listenHere } = require(${JSON.stringify(LOCAL_SERVER)});
if (cluster.isPrimary) {
  const heard = { addresses: [], listening: 0 };
  cluster.on('listening', () => (heard.listening += 1));
  cluster.on('message', (_worker, address) => {
    heard.addresses.push(address);
    if (heard.addresses.length < 2) return;
    process.stdout.write(JSON.stringify(heard));
    for (const worker of Object.values(cluster.workers)) worker.kill();
  });
  cluster.fork();
  cluster.fork();
} else {
  const say = (address) => process.send(String(address));
  listenHere({ port: 0, onListening: say, onFailed: say }, () => {});
}`;

/** @returns {Promise<{address: string, close: () => void, server: import('node:http').Server}>} one that answers */
function listening() {
  return new Promise((resolve, reject) => {
    const served = listenHere(
      { port: 0, onListening: (address) => resolve({ address, ...served }), onFailed: reject },
      (_request, response) => response.end('answered'),
    );
  });
}

describe('view/local-server', function () {
  this.timeout(30000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-local-server-'));
  after(() => fs.rmSync(folder, { recursive: true }));

  it('has a port of its own in each worker of node:cluster, of which the primary hears nothing', async () => {
    const file = path.join(folder, 'cluster.js');
    fs.writeFileSync(file, CLUSTER);
    const program = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    program.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    assert.deepEqual(await once(program, 'close'), [0, null]);
    const { addresses, listening } = JSON.parse(said);
    for (const address of addresses) assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.notEqual(addresses[0], addresses[1]);
    assert.equal(listening, 0);
  });

  it('takes no more descriptors from the program than a few pages need, whoever connects, and answers again when they have gone', async () => {
    const { address, server, close } = await listening();
    server.ref();
    const { port } = new URL(address);
    let refused = 0;
    const noneIsLeft = new Promise((resolve) => server.on('drop', () => ++refused === 10 && resolve(undefined)));
    const sockets = Array.from({ length: MOST_CONNECTIONS + 10 }, () => net.connect(Number(port), '127.0.0.1').on('error', () => {}));
    const gone = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await noneIsLeft;
    const count = await new Promise((resolve) => server.getConnections((_error, number) => resolve(number)));
    assert.equal(count, MOST_CONNECTIONS);
    for (const socket of sockets) socket.destroy();
    await Promise.all(gone);
    for (;;) {
      const answer = await new Promise((resolve) => http.get(address, { agent: false }, resolve).on('error', () => resolve(null)));
      if (answer === null) continue;
      answer.resume();
      assert.equal(answer.statusCode, 200);
      break;
    }
    close();
  });
});
