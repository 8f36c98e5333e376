'use strict';

// Keys and compiled WebAssembly: a thread is given them, another process what a key is made of.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { types } = require('node:util');
const { formOf, apartFormOf } = require('../../lib/object/form');
const { FORM } = require('../../lib/object/tags');
const { Residents } = require('../../lib/spawn/residents');
const { makePair } = require('./pair');

const { subtle } = crypto.webcrypto;
const EVALUATE = require.resolve('../fixtures/modules/evaluate');
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
/** Two numbers are added. */
const ADDS = Buffer.from('0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b', 'hex');
const canMake = 'toCryptoKey' in crypto.KeyObject.prototype;

const makeHmac = (isExtractable) => subtle.importKey('raw', Buffer.from('key'), HMAC, isExtractable, ['sign']);

const asText = (message) => JSON.parse(JSON.stringify(message));

describe('keys for another process', () => {
  it('are made of what they are there, each once, and come back as themselves', () => {
    const pair = makePair(asText, false);
    const { privateKey, publicKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
    for (const key of [privateKey, publicKey, crypto.createSecretKey(Buffer.from([0, 255])), crypto.createSecretKey('')]) {
      const there = pair.there(key)[0];
      assert.notEqual(there, key);
      assert.ok(there.equals(key));
      assert.equal(pair.there(key)[0], there);
      assert.equal(pair.back(there)[0], key);
    }
  });

  it('of webcrypto keep what they are for', async function () {
    if (!canMake) this.skip();
    const pair = makePair(asText, false);
    const pairOf = async (...parts) => Object.values(await subtle.generateKey(...parts));
    const keys = [
      await makeHmac(true),
      await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']),
      ...(await pairOf({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])),
      ...(await pairOf({ name: 'RSA-PSS', hash: 'SHA-384', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, true, [
        'sign',
        'verify',
      ])),
    ];
    const partsOf = ({ type, algorithm, extractable, usages }) => ({ type, algorithm, extractable, usages });
    for (const key of keys) {
      const there = pair.there(key)[0];
      assert.ok(types.isCryptoKey(there) && there !== key);
      assert.deepEqual(partsOf(there), partsOf(key));
      assert.equal(pair.back(there)[0], key);
    }
  });

  it('stay where they are if they keep to themselves what they are', async () => {
    const key = await makeHmac(false);
    assert.equal(formOf(key), FORM.SHARED);
    assert.equal(apartFormOf(key), null);
    assert.equal(formOf(Object.create(crypto.createSecretKey('a'))), null);
    assert.equal(formOf(Object.create(WebAssembly.Module.prototype)), null);
    assert.equal(apartFormOf(new WebAssembly.Module(ADDS)), null);
  });

  it('say so if only another version of Node knows their kind', () => {
    const { there, back } = makePair((message) => JSON.parse(JSON.stringify(message).replace('"public"', '"private"')), false);
    const { publicKey } = crypto.generateKeyPairSync('ed25519');
    const [key] = there(publicKey);
    assert.throws(() => key.type, { code: 'IGNIS_UNMARSHALABLE', message: /a private key came from another version of Node/ });
    assert.equal(back(key)[0], publicKey);
  });
});

describe('a module that lives in a thread', function () {
  this.timeout(20000);
  let residents;
  let evaluate;

  before(() => {
    residents = new Residents({ startMs: 30_000, blockMs: 30_000, maxFrameBytes: 1 << 28 });
    const options = { where: 'thread', group: 'evaluate', isFresh: false };
    ({ evaluate } = residents.require({ name: 'evaluate', filename: EVALUATE }, options));
  });

  after(() => residents.close());

  it('shares compiled WebAssembly with home', () => {
    const compiled = evaluate('(bytes) => (kept = new WebAssembly.Module(bytes))')(ADDS);
    assert.equal(new WebAssembly.Instance(compiled).exports.add(1, 2), 3);
    assert.equal(evaluate('(compiled) => compiled === kept')(compiled), true);
    const own = new WebAssembly.Module(ADDS);
    assert.equal(evaluate('(compiled) => new WebAssembly.Instance(compiled).exports.add(3, 4)')(own), 7);
    assert.equal(evaluate('(compiled) => compiled')(own), own);
  });

  it('works with keys of webcrypto that nobody may look into', async () => {
    const key = await makeHmac(false);
    const sign = evaluate("async (key, text) => Buffer.from(await crypto.subtle.sign('HMAC', key, text))");
    const text = Buffer.from('text');
    assert.deepEqual(await sign(key, text), crypto.createHmac('sha256', 'key').update(text).digest());
    assert.equal(evaluate('(key) => key')(key), key);
  });
});
