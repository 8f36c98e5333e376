'use strict';

// What home believes a daemon: an answer of another shape than its question asks for ends their link.

const assert = require('node:assert/strict');
const { ControlLink, SILENT_MS } = require('../../lib/host/control-link');
const { VERSION } = require('../../lib/host/control-frames');
const { SIGN, encodeBlock, encodeSign } = require('../../lib/wire/block');
const { makeCodec } = require('../../lib/wire/codec');
const { duplexPair } = require('../helpers/streams');
const { until } = require('../helpers/until');

const HASH = 'a'.repeat(64);
const SESSION = 'b'.repeat(32);
const CERT = 'PEM';
const TICKET = Buffer.alloc(16);

/** What home asks, and what is right. @type {Record<string, [body: object, answer: Record<string, any>]>} */
const RIGHT = {
  hello: [
    { version: VERSION, session: Buffer.alloc(16), node: '' },
    { version: VERSION, replicas: [1], facts: {}, others: [{ session: SESSION, pid: 1, since: '7' }] },
  ],
  dead: [{ sessions: [SESSION] }, { facts: {} }],
  echo: [{}, {}],
  offer: [{ text: '', signature: Buffer.alloc(1) }, { missing: [{ hash: HASH, have: 0 }] }],
  chunk: [{ digest: HASH, hash: HASH, offset: 0 }, { have: 1 }],
  start: [{ env: null }, { replica: 1, pid: 2, cert: CERT, ticket: TICKET }],
  grant: [
    { replica: 1, digest: HASH },
    { root: '/', proof: '' },
  ],
};

const WRONG = [null, -1, 0.5, {}, [null], [{}], [{ hash: '..', have: 0 }], [{ session: SESSION, pid: '..', since: '7' }], 'x'.repeat(1e5)];

/** What is right all the same: facts may be any, and an older daemon names no others. @type {Record<string, (value: any) => boolean>} */
const MAY_BE = {
  facts: (value) => JSON.stringify(value) === '{}',
  others: (value) => value === null,
};

const turn = () => new Promise((resolve) => void setImmediate(resolve, null));

describe('the link between a home and a daemon', () => {
  const open = [];
  afterEach(() => open.splice(0).forEach((link) => link.destroy()));

  /** @param {any} answer of the daemon to whatever it is asked */
  function homeOf(answer) {
    const [here, there] = duplexPair();
    const ended = [];
    const home = new ControlLink(/** @type {any} */ (here), { onClose: (error) => ended.push(error) });
    open.push(home, new ControlLink(/** @type {any} */ (there), { onAsk: async () => answer, onClose() {} }));
    return { home, ended };
  }

  it('shows that it lives where nobody asks or tells anything, and ends where the other side does not', async () => {
    const [here, there] = duplexPair();
    const ended = [];
    const hooks = { onClose: (error, wasSilent) => ended.push([error?.code, wasSilent]) };
    const home = new ControlLink(/** @type {any} */ (here), hooks, 500);
    const host = new ControlLink(/** @type {any} */ (there), { onClose() {} }, 500);
    open.push(home, host);
    let came = 0;
    here.on('data', () => (came += 1));
    await until(() => came > 4, 'signs of life');
    assert.deepEqual([home.isOpen, host.isOpen, ended], [true, true, []]);
    host.tell = () => {};
    await until(() => ended.length > 0, 'the end');
    assert.deepEqual(ended, [['IGNIS_NO_HOST', true]]);
  });

  it('knows until when its home has certainly not given it up: by what that has, not by what it says', async () => {
    const [here, there] = duplexPair();
    const daemon = new ControlLink(/** @type {any} */ (there), { onClose() {} }, 60_000);
    open.push(daemon);
    const told = [];
    daemon.whenSure((ms) => told.push(ms));
    assert.ok(daemon.sureMs <= 0);
    // As home does it: it has met the daemon, and says that it lives, but not that anything has come.
    here.resume();
    here.write(Buffer.concat([encodeSign(SIGN.HAVE, 0), encodeBlock(makeCodec('msgpackr'), [[4, 'ping', {}, [-1]]])]));
    for (let i = 0; i < 2; i++) {
      daemon.tell('facts', { facts: {} });
      await turn();
    }
    assert.deepEqual([daemon.sureMs <= 0, told], [true, []]);
    // Of the first one, though the second is under way.
    here.write(encodeSign(SIGN.HAVE, 1));
    await until(() => told.length === 1, 'that it is sure');
    assert.ok(told[0] > 0 && told[0] < SILENT_MS - 400, `for ${told[0]} ms`);
    daemon.whenSure((ms) => told.push(ms));
    assert.equal(told.length, 2);
    daemon.destroy();
    daemon.whenSure((ms) => told.push(ms));
    assert.deepEqual([daemon.sureMs, told.length], [0, 2]);
  });

  for (const [asked, [body, right]] of Object.entries(RIGHT)) {
    it(`carries the answer to '${asked}', and ends with one of another shape`, async () => {
      assert.deepEqual(await homeOf(right).home.ask(asked, body), right);
      for (const field of Object.keys(right))
        for (const value of WRONG) {
          if (MAY_BE[field]?.(value)) continue;
          const { home, ended } = homeOf({ ...right, [field]: value });
          const message = new RegExp(`its link ended: '${field}' of the answer to '${asked}' has a wrong shape`);
          await assert.rejects(home.ask(asked, body), { code: 'IGNIS_NO_HOST', message }, `${field} = ${JSON.stringify(value)}`);
          assert.equal(ended[0]?.code, 'IGNIS_BAD_FRAME');
        }
    });
  }

  it('goes on by another stream where nothing comes by the one there is, and loses nothing that was asked meanwhile', async () => {
    const [here, there] = duplexPair();
    const ended = [];
    const hooks = { onAsk: async () => ({}), onClose: (error) => ended.push(error) };
    const daemon = new ControlLink(/** @type {any} */ (there), hooks, 60_000);
    let dialled = 0;
    const dial = async () => {
      dialled += 1;
      if (dialled === 1) throw new Error('it does not get through yet');
      const [near, far] = duplexPair();
      daemon.resume(/** @type {any} */ (far));
      return /** @type {any} */ (near);
    };
    const home = new ControlLink(/** @type {any} */ (here), hooks, undefined, dial);
    open.push(home, daemon);
    await home.ask('echo', {});
    // A network that loses all, and does not say so.
    for (const end of [here, there]) end.pause();
    await home.ask('echo', {});
    assert.deepEqual([ended, dialled, home.isOpen], [[], 2, true]);
  });

  it('leaves it to home what to say to another version, or to an older daemon that names no others', async () => {
    const [body, right] = RIGHT.hello;
    assert.deepEqual(await homeOf({ version: VERSION + 1 }).home.ask('hello', body), { version: VERSION + 1 });
    const older = { ...right, others: undefined };
    assert.deepEqual((await homeOf(older).home.ask('hello', body)).replicas, right.replicas);
  });

  it('says of an end that the other side was silent only where it was for too long', async () => {
    const [here, there] = duplexPair();
    const ended = [];
    const home = new ControlLink(/** @type {any} */ (here), { onClose: (_, wasSilent) => ended.push(wasSilent) }, 500);
    const host = new ControlLink(/** @type {any} */ (there), { onClose() {} }, 500);
    open.push(home, host);
    host.tell = () => {};
    // Once it may have said nothing.
    await new Promise((resolve) => void (home.tell = resolve));
    host.destroy();
    await until(() => ended.length > 0, 'the end');
    assert.deepEqual(ended, [false]);
  });

  it('answers what nobody may ask with an error, and one that says much with as much of it as the other side takes', async () => {
    const [here, there] = duplexPair();
    const ended = [];
    const hooks = { onClose: (error) => ended.push(error) };
    const home = new ControlLink(/** @type {any} */ (here), hooks);
    const onAsk = async () => {
      throw new Error('much'.repeat(10_000));
    };
    const host = new ControlLink(/** @type {any} */ (there), { ...hooks, onAsk });
    open.push(home, host);
    await assert.rejects(host.ask('echo', {}), { code: 'IGNIS_BAD_FRAME', message: /a home is asked nothing/ });
    await assert.rejects(home.ask('echo', {}), ({ code, message }) => {
      assert.equal(code, 'IGNIS_HOST_REFUSED');
      assert.match(message, /(much){2000}$/);
      assert.ok(message.length < 9000);
      return true;
    });
    assert.deepEqual([ended, home.isOpen, host.isOpen], [[], true, true]);
  });
});
