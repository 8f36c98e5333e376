'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { VERSION } = require('../../lib/view/monitor-link.js');

const IGNIS = path.join(__dirname, '..', '..', 'bin', 'ignis.js');

describe('ignis ps', function () {
  this.timeout(60_000);
  let folder;
  const servers = [];
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(fs.existsSync('/tmp') ? '/tmp' : os.tmpdir(), 'ig-'));
    fs.mkdirSync(path.join(folder, 'ignis'), { mode: 0o700 });
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** What looks like the socket of this process. @param {string} name @param {(socket: net.Socket) => void} meet */
  async function offer(name, meet) {
    const server = net.createServer((socket) => meet(socket.on('error', () => {})));
    servers.push(server.listen(path.join(folder, 'ignis', `${process.pid}-${name}.sock`)));
    await once(server, 'listening');
  }

  async function ps(...args) {
    // Most programs beside it on this machine are in other folders: see `ours`.
    const env = { ...process.env, XDG_RUNTIME_DIR: folder, TMPDIR: folder };
    const child = spawn(process.execPath, [IGNIS, 'ps', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    await once(child, 'close');
    return out;
  }

  /** Folders of the system are looked into as well, where other tests' programs may stand. @param {string} out */
  const ours = (out) => out.split('\n').filter((line) => line.trimStart().startsWith(`${process.pid} `));

  it('lists programs that say nothing, as when their event loop is busy, and those that say what nobody understands', async () => {
    await offer('busy.js', () => {});
    await offer('other.js', (socket) => socket.end('nonsense\n'));
    const found = JSON.parse(await ps('--json')).filter(({ pid }) => pid === process.pid);
    assert.deepEqual(found.map(({ name, state, hottest }) => [name, state, hottest]).sort(), [
      ['busy.js', 'busy', null],
      ['other.js', 'refuses', null],
    ]);
    const lines = ours(await ps());
    assert.match(lines.find((line) => line.includes('busy.js')) ?? '', /busy\.js +\(does not answer: its event loop is busy\)$/);
    assert.match(lines.find((line) => line.includes('other.js')) ?? '', /other\.js$/);
  });

  it('calls the hottest module as ignis top does', async () => {
    const program = { name: 'app.js', path: '/srv/app.js', uptimeMs: 1000, loop: { utilisation: 1 } };
    const snapshot = { program, boundaries: [{ child: './lib/work.js', heat: 0.5 }], replicas: [] };
    await offer('app.js', (socket) => {
      const say = (record) => socket.write(`${JSON.stringify(record)}\n`);
      say({ ignis: 'monitor', version: VERSION });
      socket.once('data', (line) => say({ id: JSON.parse(String(line)).id, result: snapshot }));
    });
    const [line] = ours(await ps());
    assert.match(line, / app\.js +1 s +100% +0 {2}lib\/work\.js 50%$/);
    const found = JSON.parse(await ps('--json')).find(({ pid }) => pid === process.pid);
    assert.equal(found.hottest, 'lib/work.js 50%');
  });
});
