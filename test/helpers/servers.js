'use strict';
/*
 * Servers of our own for tests: nats-server and etcd on free ports of the loopback, in temporary folders that go with them. In: what to
 * start. Out: the url, and ways to kill and restart. Where no binary is found the test is skipped with a sentence, or fails where
 * IGNIS_TEST_SERVERS=required. Never a server that runs already.
 */
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { freePorts } = require('./ports.js');
const { until } = require('./until.js');

/**
 * Where a binary may stand: named by the environment, in PATH, or where Debian puts it.
 *
 * @type {Record<string, {env: string, file: string}>}
 */
const BINARIES = { nats: { env: 'NATS_SERVER', file: 'nats-server' }, etcd: { env: 'ETCD', file: 'etcd' } };

/** @param {'nats' | 'etcd'} kind @returns {string | null} */
function binaryOf(kind) {
  const { env, file } = BINARIES[kind];
  if (process.env[env]) return process.env[env];
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => path.join(folder, file)).find((candidate) => fs.existsSync(candidate)) ?? null;
}

/**
 * For `before` of a suite: its binary, or the suite is skipped.
 *
 * @param {'nats' | 'etcd'} kind
 * @param {{skip: () => void, runnable?: () => any}} context of mocha
 * @returns {string}
 */
function needs(kind, context) {
  const binary = binaryOf(kind);
  if (binary !== null) return binary;
  const { env, file } = BINARIES[kind];
  const sentence = `no ${file} in PATH or ${env}: install it to run these tests`;
  if (process.env.IGNIS_TEST_SERVERS === 'required') throw new Error(sentence);
  process.stderr.write(`      skipped: ${sentence}\n`);
  context.skip();
  throw new Error(sentence);
}

/** One process with a folder of its own. */
class Server {
  #binary;
  #args;
  #child = null;

  constructor(binary, args, folder) {
    this.#binary = binary;
    this.#args = args;
    this.folder = folder;
    this.said = '';
    this.goesWith = () => this.#child?.kill('SIGKILL');
    process.once('exit', this.goesWith);
  }

  get pid() {
    return this.#child?.pid;
  }

  start() {
    const child = spawn(this.#binary, this.#args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        this.said = (this.said + text).slice(-4000);
      });
    }
    child.on('error', (error) => {
      this.said += error.message;
    });
    this.#child = child;
  }

  /** @param {NodeJS.Signals} [signal] */
  async kill(signal = 'SIGKILL') {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise((resolve) => {
      child.once('close', resolve);
      child.kill(signal);
    });
  }

  /** @param {NodeJS.Signals} signal SIGSTOP, SIGCONT */
  send(signal) {
    this.#child.kill(signal);
  }

  async end() {
    await this.kill();
    process.removeListener('exit', this.goesWith);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

const newFolder = (kind) => fs.mkdtempSync(path.join(os.tmpdir(), `ignis-${kind}-`));

async function listens(port, server) {
  await until(
    () =>
      new Promise((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => resolve(false));
      }),
    `the server listens on ${port}: ${server.said}`,
    20_000,
  );
}

/**
 * @param {string} binary
 * @param {object} [options]
 * @param {string} [options.more] further lines of the configuration
 * @param {number} [options.port]
 * @param {string} [options.name]
 */
async function startNats(binary, { more = '', port, name = 'solo' } = {}) {
  const [own] = port === undefined ? await freePorts(1) : [port];
  const folder = newFolder('nats');
  const file = path.join(folder, 'server.conf');
  const store = path.join(folder, 'store');
  fs.writeFileSync(file, `server_name: ${name}\nlisten: "127.0.0.1:${own}"\njetstream { store_dir: "${store}" }\n${more}\n`);
  const server = new Server(binary, ['-c', file], folder);
  server.store = store;
  server.port = own;
  server.name = name;
  server.url = `nats://127.0.0.1:${own}`;
  server.restart = async () => {
    server.start();
    await listens(own, server);
  };
  // What it says first, to whoever connects.
  server.greeting = () =>
    new Promise((resolve, reject) => {
      const socket = net.connect(own, '127.0.0.1').setEncoding('utf8');
      socket.on('error', reject);
      socket.once('data', (text) => {
        socket.destroy();
        resolve(text.slice('INFO '.length).split('\r\n')[0]);
      });
    });
  await server.restart();
  return server;
}

/** Three servers that form a cluster. @param {string} binary */
async function startNatsCluster(binary) {
  const ports = await freePorts(6);
  const routes = ports
    .slice(3)
    .map((port) => `"nats://127.0.0.1:${port}"`)
    .join(', ');
  const servers = await Promise.all(
    [0, 1, 2].map((at) =>
      startNats(binary, {
        name: `n${at}`,
        port: ports[at],
        more: `cluster { name: three, listen: "127.0.0.1:${ports[3 + at]}", routes: [${routes}] }`,
      }),
    ),
  );
  return { servers, url: `nats://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}` };
}

/** @param {string} binary */
async function startEtcd(binary) {
  const [port, peer] = await freePorts(2);
  const folder = newFolder('etcd');
  const url = `http://127.0.0.1:${port}`;
  const other = `http://127.0.0.1:${peer}`;
  const args = ['--name', 'solo', '--data-dir', path.join(folder, 'data'), '--listen-client-urls', url, '--advertise-client-urls', url];
  args.push('--listen-peer-urls', other, '--initial-advertise-peer-urls', other, '--initial-cluster', `solo=${other}`, '--logger', 'zap');
  const server = new Server(binary, args, folder);
  server.store = path.join(folder, 'data');
  server.url = `etcd://127.0.0.1:${port}`;
  server.restart = async () => {
    server.start();
    await listens(port, server);
  };
  await server.restart();
  return server;
}

exports.needs = needs;
exports.startEtcd = startEtcd;
exports.startNats = startNats;
exports.startNatsCluster = startNatsCluster;
