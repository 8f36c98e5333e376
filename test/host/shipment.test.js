'use strict';

// Code on its way to a host: in what order, and what of it is under way at once.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { makeBundle } = require('../../lib/host/bundle');
const { sendBundle } = require('../../lib/host/shipment');
const { write } = require('../helpers/hosted-app');
const { until } = require('../helpers/until');

const sha = (text) => crypto.createHash('sha256').update(text).digest('hex');

describe('a bundle on its way to a host', () => {
  let folder;
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-shipment-')));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** A host that answers when it is told to. @param {Record<string, string>} content */
  function shipping(content) {
    write(folder, content);
    const [files, sizes] = [new Map(), new Map()];
    for (const [name, text] of Object.entries(content)) {
      files.set(sha(text), path.join(folder, name));
      sizes.set(sha(text), text.length);
    }
    const missing = [...files.keys()].map((hash) => ({ hash, have: 0 }));
    const asked = [];
    const link = {
      ask: (name, { hash, offset }, bytes) => {
        if (name === 'offer') return Promise.resolve({ missing });
        return new Promise((resolve, reject) => {
          const answer = (have = offset + bytes[0].length) => resolve({ have });
          asked.push({ name: path.basename(files.get(hash)), answer, reject });
        });
      },
    };
    const bundle = { text: '', signature: Buffer.alloc(0), digest: 'd', files, sizes, kept: new Map() };
    return { asked, missing, done: sendBundle(/** @type {any} */ (link), /** @type {any} */ (bundle), 'host1') };
  }

  it('has small files side by side, some at once, and then large ones one after another', async () => {
    const small = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`small${i}`, `${i}`]));
    const large = Object.fromEntries(['a', 'b'].map((letter) => [`large-${letter}`, letter.repeat(300_000)]));
    const { asked, done } = shipping({ ...large, ...small });
    const seen = [];
    for (let left = 100; left > 0; left -= Math.min(left, 32)) {
      await until(() => asked.length === Math.min(left, 32), () => `${asked.length} at once of ${left}`); // prettier-ignore
      for (const { name, answer } of asked.splice(0)) {
        seen.push(name);
        answer();
      }
    }
    assert.deepEqual(seen.sort(), Object.keys(small).sort());
    for (const name of ['large-a', 'large-a', 'large-b', 'large-b']) {
      await until(() => asked.length > 0, name);
      assert.deepEqual(
        asked.map((one) => one.name),
        [name],
      );
      asked.pop().answer();
    }
    await done;
  });

  it('has of a file that is written all the time what stood there when it was made for the second time', async () => {
    const app = path.join(folder, 'app');
    const { privateKey } = crypto.generateKeyPairSync('ed25519');
    const state = (/** @type {number} */ count) => write(app, { 'state.json': `{ "count": ${count} }` });
    write(app, { 'package.json': '{ "name": "app" }', 'hot.js': 'exports.f = () => 1;' });
    state(1);
    const make = (/** @type {any} */ before) => makeBundle(path.join(app, 'hot.js'), privateKey, {}, undefined, before);
    const sent = async (/** @type {any} */ bundle) => {
      const arrived = {};
      const ask = (/** @type {string} */ name, { hash, offset }, bytes) => {
        if (name === 'offer') return { missing: [...bundle.files.keys()].map((one) => ({ hash: one, have: 0 })) };
        arrived[path.basename(bundle.files.get(hash))] = String(Buffer.from(bytes[0]));
        return { have: offset + bytes[0].length };
      };
      await sendBundle(/** @type {any} */ ({ ask }), bundle, 'host1');
      return arrived;
    };
    const first = await make();
    state(2);
    await assert.rejects(sent(first), { code: 'IGNIS_BAD_BUNDLE', message: /state\.json was changed or taken away while it was sent/ });
    const second = await make(first);
    state(3);
    assert.equal((await sent(second))['state.json'], '{ "count": 2 }');
    // Once seen to be such a file, it is one.
    const third = await make(second);
    state(4);
    assert.equal((await sent(third))['state.json'], '{ "count": 3 }');
    assert.deepEqual([first.kept.size, second.kept.size, third.kept.size], [0, 1, 1]);
  });

  it('sends nothing that is no part of it, whatever a host asks for', async () => {
    const { asked, done, missing } = shipping({ one: '1' });
    missing.splice(0, 1, { hash: sha('another'), have: 0 });
    await assert.rejects(done, { code: 'IGNIS_BAD_BUNDLE', message: /host1 asks for a file that is not part of it/ });
    assert.equal(asked.length, 0);
  });

  it('ends where a host takes no more of a file, or says what is no number', async () => {
    for (const have of [0, -1, NaN, null, 'x']) {
      const { asked, done } = shipping({ large: 'x'.repeat(300_000) });
      await until(() => asked.length === 1, 'the first piece');
      asked.pop().answer(have);
      await assert.rejects(done, { code: 'IGNIS_BAD_BUNDLE', message: /large makes no progress/ }, String(have));
    }
    // It has all of it by now, as of another home that has it, too.
    const { asked, done } = shipping({ large: 'x'.repeat(300_000) });
    await until(() => asked.length === 1, 'the first piece');
    asked.pop().answer(300_000);
    await done;
  });

  it('begins no other file when one has failed, and ends when those on their way have', async () => {
    const { asked, done } = shipping(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`other${i}`, `other ${i}`])));
    let hasEnded = false;
    const ended = done.catch((error) => {
      hasEnded = true;
      return error;
    });
    await until(() => asked.length === 32, 'what is sent at once');
    const first = asked.splice(0);
    first[5].reject(new Error('its disk is full'));
    for (const { answer } of first.slice(6)) answer();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([asked.length, hasEnded], [0, false]);
    for (const { answer } of first.slice(0, 5)) answer();
    assert.equal((await ended).message, 'its disk is full');
    assert.equal(asked.length, 0);
  });
});
