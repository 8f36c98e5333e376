'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { openEngine } = require('../../lib/host/engine.js');
const { versionWarning } = require('../../lib/host/engine-nats-errors.js');
const { needs, startEtcd, startNats } = require('../helpers/servers.js');
const { engineSuite } = require('./engine-suite.js');

describe('the engine in this process', () => {
  engineSuite((node) => openEngine('embedded', { app: 'suite', node }));

  it('forgets all when the last of its users closes it', async () => {
    const app = `app-${randomUUID()}`;
    const [one, two] = await Promise.all([openEngine('embedded', { app }), openEngine('embedded', { app })]);
    await one.put('a', 1);
    await one.close();
    assert.equal((await two.get('a')).value, 1);
    await two.close();
    const three = await openEngine('embedded', { app });
    assert.equal(await three.get('a'), null);
    await three.close();
  });
});

for (const [kind, title, start] of [
  ['nats', 'the engine on NATS', startNats],
  ['etcd', 'the engine on etcd', startEtcd],
]) {
  describe(title, function () {
    this.timeout(120_000);
    let server;
    before(async function () {
      server = await start(needs(kind, this));
    });
    after(() => server?.end());
    engineSuite((node) => openEngine(server.url, { app: 'suite', node }));

    if (kind !== 'nats') return;
    it('warns of a server with known holes, and of no other', async () => {
      const { version } = JSON.parse(await server.greeting());
      const said = [];
      await (await openEngine(server.url, { warn: (sentence) => said.push(sentence) })).close();
      assert.deepEqual(
        said,
        [versionWarning(version)].filter((one) => one !== null).map((one) => `${server.url}: ${one}`),
      );
    });
  });
}
