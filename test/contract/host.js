'use strict';

// The host of the contract suite: one daemon for all of it, started when it is first needed, on loopback. In: nothing. Out: what
// `openResident` needs to reach it, and an end.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { makeKeys } = require('../../lib/host/keys');

/** @type {{folder: string, child: import('node:child_process').ChildProcess, settings: object} | null} */
let host = null;

async function openHost() {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-contract-')));
  const keys = path.join(folder, 'keys');
  await makeKeys(keys, ['home', 'host1']);
  const args = [path.join(__dirname, 'host-daemon.js'), path.join(keys, 'host1'), path.join(folder, 'store')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(readline.createInterface({ input: child.stdout }), 'line');
  const placing = { nodes: [{ ip: '127.0.0.1', port: Number(port), name: 'host1' }] };
  host = { folder, child, settings: { placing, options: { identity: path.join(keys, 'home') } } };
}

/** @returns {object} for `openResident` */
const hostSettings = () => host.settings;

async function closeHost() {
  const { child, folder } = host;
  child.stdin.end();
  await once(child, 'exit');
  fs.rmSync(folder, { recursive: true, force: true });
  host = null;
}

exports.openHost = openHost;
exports.hostSettings = hostSettings;
exports.closeHost = closeHost;
