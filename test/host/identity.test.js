'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { TestHosts } = require('../helpers/hosts');
const { readIdentity, whyNotGood } = require('../../lib/host/identity');

const pem = { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } };

describe('host/identity', () => {
  /** @type {TestHosts} */
  let hosts;
  /** @type {string} */
  let other;

  before(async () => {
    hosts = await TestHosts.make(['home', 'host1']);
    other = path.join(hosts.folder, 'other.pem');
  });
  after(() => hosts.close());

  const of = (/** @type {string} */ name, /** @type {string} */ file) => path.join(hosts.keys(name), file);
  /** Home's, with one file in the place of another. */
  const withFile = (/** @type {string} */ file, /** @type {string} */ text, /** @type {() => void} */ run) => {
    const [place, was] = [of('home', file), fs.readFileSync(of('home', file))];
    fs.writeFileSync(place, text);
    try {
      run();
    } finally {
      fs.writeFileSync(place, was);
    }
  };
  const refused = (/** @type {() => void} */ read, /** @type {RegExp} */ message) =>
    assert.throws(read, { code: 'IGNIS_BAD_OPTION', message });

  it('is what `ignis keys` made, of a home and of a host', () => {
    const [home, host] = [readIdentity({ identity: hosts.keys('home') }, true), readIdentity({ identity: hosts.keys('host1') }, false)];
    assert.deepEqual([home.name, host.name], ['home', 'host1']);
    assert.deepEqual([home.deploy.map(({ type }) => type), host.deploy.map(({ type }) => type)], [['private'], ['public']]);
    assert.deepEqual([whyNotGood(home, 'home'), whyNotGood(host, 'host'), whyNotGood({}, 'home')], ['', '', '']);
  });

  it('is refused when its key is not that of its certificate', () => {
    const key = fs.readFileSync(of('host1', 'key.pem'), 'utf8');
    withFile('key.pem', key, () =>
      refused(() => readIdentity({ identity: hosts.keys('home') }, true), /home.key\.pem is not the key of .*home.cert\.pem/),
    );
  });

  it('is refused when a file of it is something else, and the file is named', () => {
    for (const [file, what] of /** @type {const} */ ([
      ['key.pem', 'a private key in PEM'],
      ['cert.pem', 'a certificate in PEM'],
      ['trust.pem', 'a certificate in PEM'],
      ['deploy.key', 'an Ed25519 private key in PEM'],
    ]))
      withFile(file, 'nothing', () =>
        refused(() => readIdentity({ identity: hosts.keys('home') }, true), new RegExp(`home.${file.replace('.', '\\.')} is not ${what}$`)),
      );
  });

  it('signs, and checks what was signed, with keys of one kind only, and a host has no key to sign with', () => {
    const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256', ...pem });
    const read = (/** @type {string} */ text, /** @type {boolean} */ isHome) => {
      fs.writeFileSync(other, text);
      return readIdentity({ identity: hosts.keys(isHome ? 'home' : 'host1'), deployKey: other }, isHome);
    };
    refused(() => read(ec.privateKey, true), /other\.pem is not an Ed25519 private key in PEM/);
    refused(() => read(ec.publicKey, false), /other\.pem is not an Ed25519 public key in PEM/);
    refused(() => read(fs.readFileSync(of('home', 'deploy.key'), 'utf8'), false), /other\.pem is not an Ed25519 public key in PEM/);
    refused(() => read(' \n', false), /other\.pem is not an Ed25519 public key in PEM/);
    const own = fs.readFileSync(of('host1', 'deploy.pub'), 'utf8');
    const second = crypto.generateKeyPairSync('ed25519', pem).publicKey;
    assert.equal(read(own + second, false).deploy.length, 2);
    refused(() => read(own + ec.publicKey, false), /other\.pem is not an Ed25519 public key in PEM/);
  });
});
