'use strict';

// What one home has on a host.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { ownKind } = require('../../lib/host/bundle');
const { HomeSession } = require('../../lib/host/home-session');
const { digestOf, sign } = require('../../lib/host/manifest');
const { Store } = require('../../lib/host/store');

const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
const sha = (/** @type {string} */ text) => crypto.createHash('sha256').update(text).digest('hex');
const AGENT = path.join(__dirname, '..', '..', 'lib', 'spawn', 'host-agent.js');
/** More than a host remembers of one home. */
const MANY = 80;

let folder;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-session-')));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** @param {string} body of the one file in it @param {object | null} [native] what its addons were built for */
function bundle(body, native = null) {
  const text = JSON.stringify({ version: 1, files: [['a.js', sha(body), body.length]], links: [], native });
  return { text, signature: sign(text, privateKey), digest: digestOf(text), hash: sha(body) };
}

function make(store = new Store(folder, 1e9)) {
  const hospitality = { store, deploy: [publicKey], giveUp: () => false, log() {}, onEnd() {} };
  return new HomeSession('home', 'its fingerprint', /** @type {any} */ (hospitality));
}

describe('the session of a home', () => {
  it('forgets the oldest of the bundles that no replica has, and takes them again', async () => {
    const session = make();
    const bundles = Array.from({ length: MANY }, (_, i) => bundle(`${i}`.padStart(2, '0')));
    for (const { text, signature } of bundles) await session.ask('offer', { text, signature }, null);
    const send = ({ digest, hash }, text) => session.ask('chunk', { digest, hash, offset: 0 }, Buffer.from(text));
    await assert.rejects(send(bundles[0], '00'), { code: 'IGNIS_BAD_BUNDLE', message: /was not offered/ });
    assert.deepEqual(await send(bundles[MANY - 2], `${MANY - 2}`), { have: 2 });
    const { text, signature, hash } = bundles[0];
    assert.deepEqual(await session.ask('offer', { text, signature }, null), { missing: [{ hash, have: 0 }] });
    assert.deepEqual(await send(bundles[0], '00'), { have: 2 });
    session.end('its home has ended');
    await session.gone;
  });

  it('gives back each bundle once, also where it ends while one is looked at', async () => {
    const store = new Store(folder, 1e9);
    const [own, other] = [make(store), make(store)];
    const bundles = Array.from({ length: MANY }, (_, i) => bundle(`${i}`.padStart(2, '0')));
    const offer = (session, { text, signature }) => session.ask('offer', { text, signature }, null);
    await offer(other, bundles[0]);
    const offers = Promise.allSettled(bundles.map((one) => offer(own, one)));
    own.end('its home has ended');
    await offers;
    const { digest, hash } = bundles[0];
    assert.deepEqual(await other.ask('chunk', { digest, hash, offset: 0 }, Buffer.from('00')), { have: 2 });
    other.end('its home has ended');
  });

  it('gives back what was offered again and again, so that it makes room for others', async () => {
    const store = new Store(folder, 17);
    const [own, other] = [make(store), make(store)];
    const [first, second] = [bundle('first.'), bundle('second')];
    const offer = (session, { text, signature }) => session.ask('offer', { text, signature }, null);
    for (let i = 0; i < 3; i++) await offer(own, first);
    assert.deepEqual(await own.ask('chunk', { digest: first.digest, hash: first.hash, offset: 0 }, Buffer.from('first.')), { have: 6 });
    await assert.rejects(offer(other, second), { code: 'IGNIS_HOST_REFUSED', message: /store of code is full/ });
    own.end('its home has ended');
    assert.deepEqual(await offer(other, second), { missing: [{ hash: second.hash, have: 0 }] });
    other.end('its home has ended');
  });

  it('takes native addons that were built for its machine, and no others, whatever home has found', async () => {
    const session = make();
    const offer = ({ text, signature }) => session.ask('offer', { text, signature }, null);
    const own = bundle('00', ownKind());
    assert.deepEqual(await offer(own), { missing: [{ hash: own.hash, have: 0 }] });
    for (const other of [{ platform: 'plan9' }, { arch: 'mips' }, { modules: '0' }])
      await assert.rejects(offer(bundle('00', { ...ownKind(), ...other })), {
        code: 'IGNIS_HOST_REFUSED',
        message: /has native addons for/,
      });
    session.end('its home has ended');
  });

  it('leaves what a replica has written to its files as it is where another one is let have them at the same time', async () => {
    const store = new Store(folder, 1e9);
    let taken = 0;
    /** @type {HomeSession} */
    const session = new HomeSession(
      'home',
      'its fingerprint',
      /** @type {any} */ ({
        ...{ store, deploy: [publicKey], giveUp: () => false, log() {}, onEnd() {}, onExit() {}, whyFull: () => '', housed: () => [...session.replicas] },
        ...{ agentFile: AGENT, user: null, memoryMb: 64, leaseMs: 60_000, ca: '', maxBlockBytes: 1 << 20, takeId: () => ++taken },
      }),
    ); // prettier-ignore
    try {
      const { text, signature, digest, hash } = bundle('00');
      await session.ask('offer', { text, signature }, null);
      await session.ask('chunk', { digest, hash, offset: 0 }, Buffer.from('00'));
      const [one, two] = await Promise.all([session.ask('start', { env: null }, null), session.ask('start', { env: null }, null)]);
      const grant = (/** @type {number} */ replica) => session.ask('grant', { replica, digest }, null);
      const file = path.join(store.rootOf(digest), 'a.js');
      const [first, second] = [grant(one.replica), grant(two.replica)];
      await first;
      fs.writeFileSync(file, 'its journal');
      await second;
      assert.equal(fs.readFileSync(file, 'utf8'), 'its journal');
    } finally {
      session.end('its home has ended');
      await session.gone;
    }
  });
});
