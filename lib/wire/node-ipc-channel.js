'use strict';
/*
 * A link over the package node-ipc (`comm: 'node-ipc'`, optional, pinned to 9.2.1): a Unix socket in a private folder, in node-ipc's raw
 * mode, with our blocks inside. In: where the other side listens. Out: a StreamChannel. It is slower than the inherited pair
 * (docs/dependencies.md), and kept for those who want it. Only the first to connect is let in; the folder is 0700 and is removed then.
 */
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { StreamChannel } = require('./stream-channel');
const { IgnisError } = require('../errors');
const { Object, Promise, setTimeout } = require('../engine');

/** How long an agent may take to connect, unless another time is given, ms. */
const CONNECT_MS = 30000;

function makeIpc() {
  let IPC;
  try {
    ({ IPC } = require('node-ipc'));
  } catch (cause) {
    throw new IgnisError('IGNIS_BAD_OPTION', "comm 'node-ipc' needs the package node-ipc: npm install node-ipc@9.2.1", { cause });
  }
  const ipc = new IPC();
  // latin1 is the only text encoding that keeps every byte; node-ipc always decodes and encodes.
  Object.assign(ipc.config, { silent: true, rawBuffer: true, encoding: 'latin1', stopRetrying: true, logger() {} });
  return ipc;
}

/** What StreamChannel needs of a socket, made from node-ipc's events. */
class IpcStream extends EventEmitter {
  /**
   * @param {import('node:net').Socket} socket
   * @param {(bytes: Buffer) => void} emit
   */
  constructor(socket, emit) {
    super();
    this.socket = socket;
    this.write = (/** @type {Buffer} */ bytes) => {
      emit(bytes);
      return !socket.writableNeedDrain;
    };
    for (const event of ['drain', 'end', 'error', 'close']) socket.on(event, (value) => this.emit(event, value));
  }

  cork() {
    this.socket.cork();
  }
  uncork() {
    this.socket.uncork();
  }
  end() {
    this.socket.end();
  }
  destroy() {
    this.socket.destroy();
  }
  ref() {
    this.socket.ref();
  }
  unref() {
    this.socket.unref();
  }
}

/**
 * @param {import('./codec').Codec} codec
 * @param {{maxBlockBytes?: number, connectMs?: number}} limits connectMs: how long an agent may take to connect; 30,000
 * @returns {Promise<{settings: {socketPath: string}, channel: Promise<StreamChannel>, close: () => void}>}
 * @throws {IgnisError} IGNIS_BAD_OPTION when the package is missing
 */
async function listenNodeIpc(codec, limits) {
  const { connectMs = CONNECT_MS } = limits;
  const ipc = makeIpc();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-'));
  const socketPath = path.join(folder, 'link');
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    ipc.server.server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  /** @type {(channel: StreamChannel) => void} */
  let connected = () => {};
  /** @type {Promise<StreamChannel>} */
  const channel = new Promise((resolve, reject) => {
    connected = resolve;
    setTimeout(() => reject(new IgnisError('IGNIS_START_FAILED', `no agent connected within ${connectMs} ms`)), connectMs).unref();
  });
  channel.catch(() => {});
  await new Promise((resolve) => {
    ipc.serve(socketPath, () => resolve(null));
    ipc.server.start();
  });
  ipc.server.server.unref();
  ipc.server.on('connect', (/** @type {import('node:net').Socket} */ socket) => {
    if (!isOpen) return void socket.destroy();
    // One agent, one link: close the door behind it, so that nothing is left behind however home ends.
    close();
    const stream = new IpcStream(socket, (bytes) => ipc.server.emit(socket, bytes));
    ipc.server.on('data', (/** @type {Buffer} */ bytes, /** @type {unknown} */ from) => {
      if (from === socket) stream.emit('data', bytes);
    });
    connected(new StreamChannel(/** @type {any} */ (stream), codec, limits));
  });
  return { settings: { socketPath }, channel, close };
}

/**
 * @param {{socketPath: string}} settings
 * @param {import('./codec').Codec} codec
 * @param {{maxBlockBytes?: number}} limits
 * @returns {StreamChannel}
 */
function connectNodeIpc(settings, codec, limits) {
  const ipc = makeIpc();
  ipc.connectTo('home', settings.socketPath);
  const client = ipc.of.home;
  const stream = new IpcStream(client.socket, (bytes) => client.emit(bytes));
  client.on('data', (/** @type {Buffer} */ bytes) => stream.emit('data', bytes));
  return new StreamChannel(/** @type {any} */ (stream), codec, limits);
}

exports.listenNodeIpc = listenNodeIpc;
exports.connectNodeIpc = connectNodeIpc;
