'use strict';

// What a replica begins, and what not, while it is in doubt whether its home has given it up.

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { HomeChannel } = require('../../lib/host/home-channel');
const { ResumableChannel } = require('../../lib/wire/resumable-channel');
const { makeCodec } = require('../../lib/wire/codec');
const { duplexPair } = require('../helpers/streams');
const { until } = require('../helpers/until');

const LEASE_MS = 60_000;

describe('the channel of a replica to its home', () => {
  const open = [];
  afterEach(() => open.splice(0).forEach((channel) => channel.destroy()));

  /**
   * @returns {{home: ResumableChannel, replica: HomeChannel, came: any[], asked: ((ms: number) => void)[]}} asked: answers that the daemon
   *   owes
   */
  function joined() {
    const [here, there] = duplexPair();
    const asked = [];
    const codec = makeCodec('msgpackr');
    const ask = () => new Promise((/** @type {(ms: number) => void} */ resolve) => void asked.push(resolve));
    const replica = new HomeChannel(/** @type {any} */ (there), codec, {}, LEASE_MS, ask);
    const home = new ResumableChannel(/** @type {any} */ (here), codec, {}, { waitMs: LEASE_MS });
    open.push(home, replica);
    const came = [];
    replica.onFrames = (frames) => came.push(...frames.map(([name]) => name));
    return { home, replica, came, asked };
  }

  /** @param {ResumableChannel} home @param {string[]} names each in a block of its own */
  function send(home, ...names) {
    for (const name of names) {
      home.send([name]);
      home.flush();
    }
  }

  const turn = () => new Promise((resolve) => void setImmediate(resolve, null));

  it('hands over what came in its order once its daemon is sure of home, and asks once for all of it', async () => {
    const { home, came, asked } = joined();
    send(home, 'one', 'two', 'three');
    await until(() => asked.length === 1 && home.heldBytes === 0, 'the question');
    assert.deepEqual([came, asked.length], [[], 1]);
    asked[0](5000);
    await until(() => came.length === 3, 'what came');
    send(home, 'four');
    await until(() => came.length === 4, 'what came later');
    assert.deepEqual([came, asked.length], [['one', 'two', 'three', 'four'], 1]);
  });

  it('asks ahead of the end of what it knows, and holds nothing meanwhile', async () => {
    const { home, came, asked } = joined();
    send(home, 'one');
    await until(() => asked.length === 1, 'the question');
    asked[0](1000);
    await until(() => came.length === 1, 'the first');
    send(home, 'two');
    await until(() => came.length === 2 && asked.length === 2, 'the second, and the next question');
    asked[1](5000);
    await turn();
    send(home, 'three');
    await until(() => came.length === 3, 'the third');
    assert.equal(asked.length, 2);
  });

  it('believes no answer that was under way for longer than it holds', async () => {
    const { home, came, asked } = joined();
    send(home, 'one');
    await until(() => asked.length === 1, 'the question');
    for (let i = 0; i < 3; i++) {
      // As one that comes when this process goes on.
      asked[i](-1);
      await until(() => asked.length === i + 2, 'another question');
      assert.deepEqual(came, []);
    }
    asked[3](5000);
    await until(() => came.length === 1, 'what waited');
  });

  it('goes by the moment in which it asked', async () => {
    const { home, came, asked } = joined();
    send(home, 'one');
    await until(() => asked.length === 1, 'the question');
    // It stands still before it hears the answer.
    for (const end = performance.now() + 60; performance.now() < end;);
    asked[0](50);
    await until(() => asked.length === 2, 'the next one');
    assert.deepEqual(came, []);
  });

  it('begins the rest of what came together before what came later, though both have waited', async () => {
    const { home, replica, came, asked } = joined();
    let end = 0;
    replica.onFrames = ([[name]]) => {
      came.push(name);
      if (name === 'long') while (performance.now() < end);
    };
    home.send(['long']);
    home.send(['two']);
    home.flush();
    send(home, 'three');
    await until(() => asked.length === 1 && home.heldBytes === 0, 'the question, and all blocks');
    asked[0](-1);
    await until(() => asked.length === 2, 'the next one');
    asked[1](500);
    end = performance.now() + 501;
    await until(() => asked.length === 3, 'the one after that');
    assert.deepEqual(came, ['long']);
    asked[2](5000);
    await until(() => came.length === 3, 'the rest');
    assert.deepEqual(came, ['long', 'two', 'three']);
  });

  it('begins nothing of what came together behind what has ended the link', async () => {
    const { home, replica, came, asked } = joined();
    replica.onFrames = ([[name]]) => {
      came.push(name);
      replica.destroy();
    };
    home.send(['one']);
    home.send(['two']);
    await until(() => asked.length === 1, 'the question');
    asked[0](5000);
    await until(() => came.length > 0, 'the first');
    await turn();
    assert.deepEqual(came, ['one']);
  });

  it('begins the rest of what came together, and what has waited for its turn, only while its daemon is sure', async () => {
    const { home, replica, came, asked } = joined();
    const begun = [];
    replica.onFrames = ([[name]]) => {
      came.push(name);
      // It takes longer than the answer holds.
      if (name === 'long') for (const end = performance.now() + 60; performance.now() < end;);
    };
    home.send(['long']);
    home.send(['two']);
    home.send(['three']);
    await until(() => asked.length === 1, 'the question');
    asked[0](50);
    await until(() => asked.length === 2, 'the next one');
    send(home, 'four');
    replica.whenSure(() => begun.push('a turn'));
    await until(() => home.heldBytes === 0, 'the fourth');
    assert.deepEqual([came, begun], [['long'], []]);
    asked[1](5000);
    await until(() => came.length === 4, 'the rest');
    assert.deepEqual([came, begun], [['long', 'two', 'three', 'four'], ['a turn']]);
    replica.whenSure(() => begun.push('another'));
    assert.equal(begun.length, 2);
  });

  it('begins what has waited in no context of a call that came before it', async () => {
    const { home, replica, came, asked } = joined();
    const store = new AsyncLocalStorage();
    const seen = [];
    replica.onFrames = ([[name]]) => {
      came.push(name);
      seen.push(store.getStore());
      // As a module may that has it for what follows.
      if (name === 'one') store.enterWith('of one');
      for (const end = performance.now() + 60; performance.now() < end;);
    };
    home.send(['one']);
    home.send(['two']);
    await until(() => asked.length === 1, 'the question');
    asked[0](50);
    await until(() => asked.length === 2, 'the next one');
    asked[1](5000);
    await until(() => came.length === 2, 'what has waited');
    assert.deepEqual(seen, [undefined, undefined]);
  });

  it('drops what waits when its home ends the link', async () => {
    const { home, replica, came, asked } = joined();
    send(home, 'one');
    await until(() => asked.length === 1, 'the question');
    home.destroy();
    await until(() => replica.state === 'closed', 'the end');
    asked[0](5000);
    await turn();
    assert.deepEqual([came, asked.length], [[], 1]);
  });
});
