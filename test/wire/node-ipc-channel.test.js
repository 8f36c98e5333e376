'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { listenNodeIpc, connectNodeIpc } = require('../../lib/wire/node-ipc-channel');
const { makeCodec } = require('../../lib/wire/codec');
const { until } = require('../helpers/until');
const { withoutPackage } = require('../helpers/without-package');
const { channelContract } = require('./channel.contract');

const codec = makeCodec('msgpackr');

describe('node-ipc channel', () => {
  channelContract(async () => {
    const listening = await listenNodeIpc(codec, {});
    const two = connectNodeIpc(listening.settings, codec, {});
    return { one: await listening.channel, two, end: listening.close };
  });

  it('says which package is missing, and how to install it', async () => {
    await withoutPackage('node-ipc', () =>
      assert.rejects(listenNodeIpc(codec, {}), {
        code: 'IGNIS_BAD_OPTION',
        message: /comm 'node-ipc' needs the package node-ipc: npm install node-ipc@9\.2\.1$/,
      }),
    );
  });

  it('gives up an agent that does not connect', async () => {
    const listening = await listenNodeIpc(codec, { connectMs: 1 });
    await assert.rejects(listening.channel, { code: 'IGNIS_START_FAILED', message: /no agent connected within 1 ms$/ });
    listening.close();
  });

  it('listens in a folder that only its owner may enter', async () => {
    const listening = await listenNodeIpc(codec, {});
    assert.equal(fs.statSync(path.dirname(listening.settings.socketPath)).mode & 0o777, 0o700);
    listening.close();
    assert.ok(!fs.existsSync(path.dirname(listening.settings.socketPath)));
  });

  it('lets in only the first to connect, and leaves nothing behind', async () => {
    const listening = await listenNodeIpc(codec, {});
    const { socketPath } = listening.settings;
    const guest = connectNodeIpc(listening.settings, codec, {});
    const channel = await listening.channel;
    await until(() => !fs.existsSync(path.dirname(socketPath)), 'the folder to go');
    const late = net.connect(socketPath);
    const error = await new Promise((resolve) => late.on('error', resolve));
    assert.equal(/** @type {any} */ (error).code, 'ENOENT');
    channel.destroy();
    guest.destroy();
    await until(() => guest.state === 'closed', 'the end');
  });
});
