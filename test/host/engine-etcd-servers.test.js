'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const http = require('node:http');
const { openEngine } = require('../../lib/host/engine.js');
const { EtcdServers } = require('../../lib/host/engine-etcd-servers.js');
const { until } = require('../helpers/until.js');

describe('the servers of an etcd', () => {
  const listening = [];
  let servers;

  /** @param {(request: http.IncomingMessage, response: http.ServerResponse) => void} answer */
  async function serverThat(answer) {
    const server = http.createServer((request, response) => {
      request.resume();
      server.asked.push(request.url);
      answer(request, response);
    });
    server.asked = [];
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    listening.push(server);
    return server;
  }

  /** @param {http.Server[]} all */
  function open(...all) {
    const address = { kind: 'etcd', servers: all.map((server) => `127.0.0.1:${server.address().port}`) };
    servers = new EtcdServers(address, { name: 'etcd', requestMs: 30_000 });
    return servers;
  }

  afterEach(() => {
    servers?.close();
    for (const server of listening.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Its streams stay open, and say nothing. */
  const well = (request, response) =>
    request.url === '/v3/watch' ? response.writeHead(200).flushHeaders() : response.end('{"header":{},"well":true}');

  it('are heard from where they are asked: of one that was passed over nobody would find out that it stands still', async () => {
    let isElecting = false;
    const first = await serverThat((request, response) => {
      if (!isElecting || request.url === '/v3/watch') return well(request, response);
      response.writeHead(503).end(JSON.stringify({ code: 14, message: 'etcdserver: leader changed' }));
    });
    const second = await serverThat(well);
    const { ended } = open(first, second).watch({}, () => {});
    await until(() => first.asked.includes('/v3/watch'), 'the first one is listened to');
    isElecting = true;
    await assert.rejects(servers.ask('kv/range', {}), { code: 'IGNIS_ENGINE_DOWN' });
    await ended;
    const again = servers.watch({}, () => {});
    await until(() => second.asked.includes('/v3/watch'), 'the second one is listened to');
    await servers.ask('kv/range', {});
    assert.deepEqual(second.asked, ['/v3/watch', '/v3/kv/range']);
    servers.endStreams();
    await again.ended;
  });

  it('are passed over one at a time, however many requests one of them leaves without an answer', async () => {
    const held = [];
    const dying = await serverThat(({ socket }) => {
      if (held.push(socket) === 3) for (const one of held) one.destroy();
    });
    const others = [await serverThat(well), await serverThat(well)];
    open(dying, ...others);
    await Promise.all([1, 2, 3].map(() => assert.rejects(servers.ask('kv/range', {}), { code: 'IGNIS_ENGINE_DOWN' })));
    assert.deepEqual(await servers.ask('kv/range', {}), { header: {}, well: true });
    assert.equal(others[0].asked.length, 1);
  });

  it('are asked with another token where users or roles have changed since that one was given, also by a stream', async () => {
    let revision = 1;
    const old = '{"code":3,"message":"etcdserver: revision of auth store is old"}';
    const server = await serverThat((request, response) => {
      const { authorization } = request.headers;
      if (request.url === '/v3/auth/authenticate') return response.end(JSON.stringify({ header: {}, token: `of ${revision}` }));
      if (request.url === '/v3/watch') return void response.write(authorization === `of ${revision}` ? '{}\n' : `{"error":${old}}\n`);
      if (authorization === `of ${revision}`) return response.end(JSON.stringify({ header: {}, by: authorization }));
      response.writeHead(400).end(old);
    });
    const address = { kind: 'etcd', servers: [`127.0.0.1:${server.address().port}`], user: 'me', password: 'secret' };
    servers = new EtcdServers(address, { name: 'etcd', requestMs: 30_000 });
    assert.deepEqual(await servers.ask('kv/range', {}), { header: {}, by: 'of 1' });
    revision = 2;
    assert.deepEqual(await servers.ask('kv/range', {}), { header: {}, by: 'of 2' });
    revision = 3;
    // It ends, and is asked for again by whoever hears it.
    await servers.watch({}, () => {}).ended;
    assert.deepEqual(await servers.ask('kv/range', {}), { header: {}, by: 'of 3' });
    assert.equal(server.asked.filter((url) => url === '/v3/auth/authenticate').length, 3);
  });

  for (const [what, status, body] of [
    ['a page', 200, '<html>Welcome</html>'],
    ['JSON without what each answer of etcd has', 200, '{"message":"welcome"}'],
    ['JSON that is no object', 200, 'null'],
    ['an error that is a page', 404, '<html>Not found</html>'],
    ['an error in JSON that is no object', 404, 'null'],
  ])
    it(`are passed over where something else listens, which answers with ${what}`, async () => {
      const [other, etcd] = [await serverThat((request, response) => response.writeHead(status).end(body)), await serverThat(well)];
      open(other, etcd);
      await assert.rejects(servers.ask('kv/range', {}), {
        code: 'IGNIS_ENGINE_DOWN',
        ran: 'maybe',
        message: `the engine of the cluster cannot be reached: etcd: it does not answer as etcd does (status ${status})`,
      });
      assert.deepEqual(await servers.ask('kv/range', {}), { header: {}, well: true });
    });

  it('say what to do where they are full of what is long over', async () => {
    const full = await serverThat((request, response) => response.writeHead(429).end('{"code":8,"message":"etcdserver: mvcc: database space exceeded"}')); // prettier-ignore
    await assert.rejects(open(full).ask('kv/put', {}), {
      code: 'IGNIS_ENGINE_DOWN',
      message: /database space exceeded: .*--auto-compaction-retention \(docs\/hosts-engine\.md\)$/,
    });
  });

  it('that refuse what they allowed before are asked again, by a watch', async () => {
    let isAllowed = true;
    const range = (value) => ({ header: { revision: '7' }, kvs: [{ key: btoa('/ignis/ignis/r/a'), value: btoa(value), mod_revision: String(value) }] }); // prettier-ignore
    const streams = [];
    const server = await serverThat((request, response) => {
      if (request.url === '/v3/watch') return void streams.push(response.writeHead(200));
      if (isAllowed) return response.end(JSON.stringify(range(streams.length)));
      response.writeHead(403).end(JSON.stringify({ code: 7, message: 'etcdserver: permission denied' }));
    });
    const said = [];
    const engine = await openEngine(`etcd://127.0.0.1:${server.address().port}`, { warn: (sentence) => said.push(sentence) });
    const seen = [];
    const about = { lost: null };
    engine.watch('', ({ value }) => seen.push(value), { onLost: (error) => (about.lost = error) });
    await until(() => streams.length === 1, 'it listens');
    isAllowed = false;
    streams[0].destroy();
    await until(() => about.lost ?? said.length > 0, 'it is refused');
    isAllowed = true;
    await until(() => about.lost ?? seen.length > 1, 'it has looked again');
    await engine.close();
    assert.deepEqual([about.lost, seen, said.length], [null, [0, 1], 2]);
  });

  it('are away once, and not again for each question that the one which stands still has left open', async () => {
    const header = '{"header":{"revision":"7"}}';
    let isStill = false;
    const [first, second] = [
      await serverThat((request, response) => isStill || response.end(header)),
      await serverThat((request, response) => response.end(header)),
    ];
    const ports = [first, second].map((server) => `127.0.0.1:${server.address().port}`);
    const engine = await openEngine(`etcd://${ports}`, { requestMs: 2500 });
    const told = [];
    engine.status(({ state }) => told.push(state));
    isStill = true;
    // More than the first one was asked before it was given up.
    await until(() => second.asked.length > 3, 'the second one is asked', 30_000);
    await engine.close();
    assert.deepEqual(told, ['up', 'down', 'up', 'closed']);
  });
});
