'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

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
});
