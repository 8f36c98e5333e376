'use strict';

// A program that is busy for longer than anybody waits for one answer, on a clock that is faster than ours.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');

/** The program at the socket answers a watch once another question was given up. */
const MAIN = `
const { setTimeout } = globalThis;
globalThis.setTimeout = (fn, ms, ...args) => setTimeout(fn, ms / 200, ...args);
const net = require('node:net');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Watching } = require(process.argv[1]);
const { VERSION } = require(process.argv[2]);

const folder = fs.mkdtempSync(path.join(fs.existsSync('/tmp') ? '/tmp' : os.tmpdir(), 'ig-'));
const place = path.join(folder, 'sock');
const say = (socket, record) => socket.write(JSON.stringify(record) + '\\n');
const sockets = [];
const server = net.createServer((socket) => {
  sockets.push(socket);
  say(socket, { ignis: 'monitor', version: VERSION });
});
server.listen(place, async () => {
  const link = await Watching.open(place);
  const seen = new Promise((resolve) => void link.watch(100, resolve));
  await link.ask('snapshot').catch(({ code }) => console.log(code));
  say(sockets[0], { id: 1, result: {} });
  say(sockets[0], { id: 1, snapshot: 'a snapshot' });
  console.log(await seen);
  link.close();
  server.close();
  fs.rmSync(folder, { recursive: true });
});
`;

describe('what looks at a program', () => {
  it('is shown it when its event loop is free again, however long that was busy', () => {
    const view = path.join(__dirname, '../../lib/view');
    const args = ['-e', MAIN, path.join(view, 'monitor-client.js'), path.join(view, 'monitor-link.js')];
    const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 25_000 });
    assert.deepEqual([status, stderr, stdout], [0, '', 'IGNIS_CALL_TIMEOUT\na snapshot\n']);
  });
});
