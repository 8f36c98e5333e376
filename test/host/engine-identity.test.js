'use strict';

// Servers of engines that prove who they are: by name, or by address.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
require('reflect-metadata');
const { SubjectAlternativeNameExtension, X509CertificateGenerator } = require('@peculiar/x509');
const { openEngine } = require('../../lib/host/engine.js');
const { checkServer, identityOf } = require('../../lib/host/engine-identity.js');
const { needs, startNats } = require('../helpers/servers.js');

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** @param {string} folder @param {{type: any, value: string}} name what it is for @returns {Promise<{cert: string, key: string}>} files */
async function certificateIn(folder, name) {
  const keys = await crypto.webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned(/** @type {any} */ ({ serialNumber: '01', name: 'CN=server', notBefore: new Date(0), notAfter: new Date('2100-01-01'), signingAlgorithm: ALGORITHM, keys, extensions: [new SubjectAlternativeNameExtension([name])] })); // prettier-ignore
  const [cert, key] = ['cert', 'key'].map((file) => path.join(folder, `${name.type}-${name.value}.${file}`));
  fs.writeFileSync(cert, made.toString('pem'));
  fs.writeFileSync(key, crypto.KeyObject.from(/** @type {any} */ (keys).privateKey).export({ type: 'pkcs8', format: 'pem' }));
  return { cert, key };
}

describe('a server of NATS over TLS', function () {
  this.timeout(30_000);
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-tls-'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  it('may be named by its address, where its certificate is for that, and for no other', async function () {
    const binary = needs('nats', this);
    for (const [value, isRight] of /** @type {[string, boolean][]} */ ([
      ['127.0.0.1', true],
      ['192.0.2.7', false],
    ])) {
      const { cert, key } = await certificateIn(folder, { type: 'ip', value });
      const server = await startNats(binary, { more: `tls { cert_file: "${cert}", key_file: "${key}" }` });
      try {
        const opening = openEngine(`${server.url}?ca=${cert}`, { node: 'n', connectMs: 1000 });
        if (isRight) await (await opening).close();
        else await assert.rejects(opening, { message: /IP: 127\.0\.0\.1 is not in the cert's list: 192\.0\.2\.7$/ });
      } finally {
        await server.end();
      }
    }
  });

  it('that has a name is that one', async () => {
    const check = identityOf(['10.0.0.1:4222', '[2001:db8::7]:4222', 'n3.example:4222']);
    const rawFor = async (/** @type {string} */ value) =>
      new crypto.X509Certificate(fs.readFileSync((await certificateIn(folder, { type: 'ip', value })).cert)).raw;
    const [six, four] = [await rawFor('2001:db8::7'), await rawFor('10.0.0.1')];
    const cert = (/** @type {string} */ names) =>
      /** @type {any} */ ({ subject: { CN: 'x' }, subjectaltname: names, raw: names.includes('2001:DB8') ? six : four });
    for (const [host, names, isRight] of /** @type {[string, string, boolean][]} */ ([
      ['n3.example', 'DNS:n3.example', true],
      ['n3.example', 'IP Address:10.0.0.1', false],
      ['localhost', 'IP Address:10.0.0.1', true],
      ['localhost', 'IP Address:2001:DB8:0:0:0:0:0:7', true],
      ['localhost', 'DNS:n3.example', false],
    ]))
      assert.equal(check(host, cert(names)) === undefined, isRight, `${host} ${names}`);
    assert.notEqual(identityOf(['n3.example:4222'])('localhost', cert('IP Address:10.0.0.1')), undefined);
    assert.notEqual(identityOf(['10.0.0.1:4222'])('localhost', cert('IP Address:10.0.0.2')), undefined);
  });

  it('that is named by an address of IPv6 is the one whose certificate is for it, on Node 22.23, too', async () => {
    const { cert } = await certificateIn(folder, { type: 'ip', value: '::1' });
    const proved = /** @type {any} */ (new crypto.X509Certificate(fs.readFileSync(cert)).toLegacyObject());
    assert.equal(checkServer('::1', proved), undefined);
    assert.match(String(checkServer('::2', proved)?.message), /^Hostname\/IP does not match certificate's altnames/);
  });
});
