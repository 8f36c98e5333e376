'use strict';

// The daemon of the contract suite, in a process of its own: whoever uses a module waits, blocked, and could not be its daemon meanwhile.
// In: an identity and a folder for code, as arguments. Out: its port, a line on stdout. It ends with whoever started it.

const { Daemon } = require('../../lib/host/daemon');
const { readIdentity } = require('../../lib/host/identity');

const [identity, store] = process.argv.slice(2);
const daemon = new Daemon({
  identity: readIdentity({ identity }, false),
  homes: ['home'],
  agentFile: require.resolve('./host-agent'),
  store,
  storeBytes: 1e9,
  maxReplicas: 50,
  memoryMb: 512,
  labels: {},
  leaseMs: 1000,
  user: null,
  attempts: 1000,
  maxBlockBytes: 1 << 28,
  log() {},
});
process.stdin.resume().on('end', () => process.exit());
void daemon.listen('127.0.0.1', 0).then((port) => console.log(port));
