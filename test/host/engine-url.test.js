'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { openEngine } = require('../../lib/host/engine.js');
const { readEngineUrl } = require('../../lib/host/engine-url.js');
const { escapeKey, unescapeKey } = require('../../lib/host/engine-nats.js');
const { errorOf, versionWarning } = require('../../lib/host/engine-nats-errors.js');
const { freePorts } = require('../helpers/ports.js');

const bad = (error) => error.code === 'IGNIS_BAD_OPTION';

describe('the text that says where an engine is', () => {
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-url-'));
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('names one or several servers', () => {
    assert.deepEqual(readEngineUrl('embedded'), { kind: 'embedded', servers: [] });
    assert.deepEqual(readEngineUrl('nats://localhost'), { kind: 'nats', servers: ['localhost:4222'] });
    assert.deepEqual(readEngineUrl('etcd://a:1,[::1]:2,10.0.0.1/'), { kind: 'etcd', servers: ['a:1', '[::1]:2', '10.0.0.1:2379'] });
  });

  it('may hold who we are, and settings', () => {
    fs.writeFileSync(path.join(folder, 'ca.pem'), 'PEM\n');
    const text = `nats://me:se%3Acret@a:1,b:2,c:3?replicas=2&ca=${folder}/ca.pem`;
    const address = { kind: 'nats', servers: ['a:1', 'b:2', 'c:3'], user: 'me', password: 'se:cret', replicas: 2, tls: { ca: 'PEM' } };
    assert.deepEqual(readEngineUrl(text), address);
    assert.deepEqual(readEngineUrl(text.replace('%3A', ':')), address, 'a password with a colon');
    assert.deepEqual(readEngineUrl('nats://token@a'), { kind: 'nats', servers: ['a:4222'], user: 'token' });
  });

  it('is refused with a sentence where it is wrong, and never repeats a secret', () => {
    for (const text of [
      '',
      'nats',
      'redis://a',
      'nats://',
      'nats://a:99999',
      'nats://a b',
      'nats://a,',
      'etcd://a?replicas=3',
      'nats://a?replicas=x',
      7,
    ]) {
      assert.throws(() => readEngineUrl(text), bad, String(text));
    }
    assert.throws(() => readEngineUrl('nats://a?replcas=3'), /did you mean 'replicas'/);
    const read = () => 'PEM';
    for (const half of ['cert', 'key'])
      assert.throws(() => readEngineUrl(`nats://a?ca=c&${half}=d`, read), /'cert' and 'key' of the cluster go together/);
    assert.deepEqual(readEngineUrl('etcd://a?cert=c&key=d', read).tls, { cert: 'PEM', key: 'PEM' });
    assert.throws(
      () => readEngineUrl(`nats://a?ca=${folder}/none`),
      (error) => error.code === 'IGNIS_NOT_FOUND',
    );
    for (const text of ['nats://me:hidden@a:b:c', 'xnats://me:hidden@a', 'nats://me:hidden@a?x=1']) {
      assert.throws(
        () => readEngineUrl(text),
        (error) => bad(error) && !error.message.includes('hidden'),
      );
    }
  });

  it('leads to an error within the time that is given when nobody is there', async () => {
    const [port] = await freePorts(1);
    for (const kind of ['nats', 'etcd']) {
      await assert.rejects(openEngine(`${kind}://127.0.0.1:${port}`, { connectMs: 300, requestMs: 300 }), (error) => {
        assert.equal(error.code, 'IGNIS_ENGINE_DOWN');
        assert.match(error.message, new RegExp(`127.0.0.1:${port}`));
        return true;
      });
    }
  });

  it('is no way to names that an engine could not hold', async () => {
    await assert.rejects(openEngine('embedded', { app: 'a.b' }), bad);
    await assert.rejects(openEngine('embedded', { node: '>' }), bad);
  });

  it('loads no package of a server for the engine in this process, and says which are missing', () => {
    const engine = require.resolve('../../lib/host/engine.js');
    const text = `const Module = require('node:module');
      const resolve = Module._resolveFilename;
      Module._resolveFilename = function (id, ...rest) {
        if (id.startsWith('@nats-io/')) throw new Error('Cannot find module');
        return resolve.call(this, id, ...rest);
      };
      const { openEngine } = require(${JSON.stringify(engine)});
      (async () => {
        await (await openEngine('embedded')).close();
        await openEngine('nats://127.0.0.1:1').catch(({ code, message }) => console.log(code, message));
      })();`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' });
    assert.match(
      stdout,
      /^IGNIS_BAD_OPTION .*npm install @nats-io\/transport-node@3\.3\.1 @nats-io\/jetstream@3\.3\.1 @nats-io\/kv@3\.3\.1/,
      stderr,
    );
  });
});

describe('NATS', () => {
  it('gets keys of its few characters, each of which leads back', () => {
    assert.equal(escapeKey('members/n-1_x'), 'members.n-1_x');
    assert.equal(escapeKey('a.b=c/😀'), 'a=002eb=003dc.=d83d=de00');
    for (const key of ['a', 'a/b', 'a.b', '=', '=002e', '*/>', ' ', 'ä/😀']) {
      assert.equal(unescapeKey(escapeKey(key)), key);
      assert.match(escapeKey(key), /^[\w=-]+(\.[\w=-]+)*$/);
    }
  });

  it('is waited for while it does not know enough of its servers yet', () => {
    // What a cluster says that has just started.
    const said = Object.assign(new Error('no suitable peers for placement'), { name: 'JetStreamApiError', code: 10005, status: 400 });
    const { code, ran } = /** @type {any} */ (errorOf(said, 'nats://a'));
    assert.deepEqual([code, ran], ['IGNIS_ENGINE_DOWN', 'no']);
    assert.equal(/** @type {any} */ (errorOf({ ...said, code: 10052 }, 'nats://a')).code, 'IGNIS_ENGINE_REFUSED');
  });

  it('is warned of in versions with known holes', () => {
    for (const version of ['2.9.10', '2.10.27', '2.11.15', '2.12.6', '2.13.9', '1.4.1'])
      assert.match(versionWarning(version), /2\.14\.0/, version);
    for (const version of ['2.11.16', '2.12.7', '2.14.0', '2.15.2', '2.15.0-beta.1', '3.0.0', undefined])
      assert.equal(versionWarning(version), null, version);
  });
});
