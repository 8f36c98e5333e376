'use strict';

// Oneway calls as datagrams: both ends in this process, over real sockets, with a bad network between them where a test says so.

const assert = require('node:assert/strict');
const dgram = require('node:dgram');
const { DatagramDoor, rangesOf } = require('../../lib/host/datagram-door');
const { Datagrams } = require('../../lib/host/datagrams');
const { Call } = require('../../lib/session/call');
const { makeCodec } = require('../../lib/wire/codec');
const { Link } = require('../helpers/link');
const { LossyRelay } = require('../helpers/lossy-relay');
const { Random } = require('../helpers/random');
const { until } = require('../helpers/until');

const plan = (name) => ({
  key: `${name} oneway`,
  path: [name],
  mode: 'oneway',
  canRerun: false,
  module: 'notes',
  runAtHome: () => assert.fail('at home'),
});
const PLANS = { note: plan('note'), fails: plan('fails'), waits: plan('waits'), spoils: plan('spoils') };

describe('oneway calls as datagrams', function () {
  this.timeout(30000);
  /** @type {Link} */
  let link;
  /** @type {DatagramDoor} */
  let door;
  /** @type {Datagrams} */
  let datagrams;
  /** @type {LossyRelay | null} */
  let relay;
  /** @type {any[]} */
  let ran;
  /** @type {Map<any, string>} what was asked to what became of it */
  let ended;
  /** @type {() => void} */
  let finish;
  /** where the replica listens */
  let port;

  /** @param {{random?: () => number, intoVain?: boolean}} [network] random: what a relay in between goes by */
  async function open({ random, intoVain = false } = {}) {
    ran = [];
    ended = new Map();
    relay = null;
    const waiting = new Promise((resolve) => (finish = () => resolve(undefined)));
    const module = {
      note: (what) => void ran.push(what),
      fails: (what) => {
        ran.push(what);
        throw Object.assign(new RangeError(`no ${what}`), { what });
      },
      spoils: async (what) => {
        ran.push(what);
        // Too much to be told, and it throws when it is looked at.
        throw Object.defineProperty(Object.assign(new Error('spoilt'), { bytes: Buffer.alloc(1e5) }), 'message', {
          get: () => assert.fail('looked at'),
        });
      },
      waits: async (what) => {
        ran.push(what);
        await waiting;
      },
    };
    door = new DatagramDoor('127.0.0.1', makeCodec('msgpackr'));
    // A relay stands where home takes the replica to be.
    const answer = async (peer, id, told) => {
      port = told;
      if (random !== undefined) {
        relay = new LossyRelay(port, random);
        told = await relay.open();
      }
      peer.answer(id, intoVain ? 9 : told);
    };
    const onLoad = (peer, id, wish) => {
      if (wish.kind !== 'datagrams') return void (door.serve(peer, id, wish, link.skeleton) || link.skeleton.serveLoad(peer, id, wish));
      const there = { ...between(peer), answer: (_, told) => void answer(peer, id, told) };
      door.serve(/** @type {any} */ (there), id, wish, link.skeleton);
    };
    link = new Link(module, { join: 'stream, msgpackr', agentHooks: { onLoad } });
    await link.load();
    datagrams = new Datagrams('127.0.0.1', link.home, () => {});
    datagrams.open();
    await until(() => datagrams.state === 'open', 'a port');
    for (const name of Object.keys(PLANS)) if (name !== 'waits') await introduced(name);
  }

  /** @param {any} peer */
  const between = (peer) => ({
    channel: peer.channel,
    usage: (usage) => peer.usage(usage),
    answerError: (id, error) => peer.answerError(id, error),
  });

  /** The first call of a function goes over the link; those behind it too, until its number is sure to be known. @param {string} name */
  async function introduced(name) {
    let next = 0;
    await until(() => call(name, `${name} ${next++}`), 'the number to be known');
    assert.ok(next > 1);
    if (name !== 'waits')
      await until(
        () => datagrams.pending === 0 && ended.size >= next,
        () => `all to be told of: ${JSON.stringify([[...ended], datagrams.pending, datagrams.counts, next, ran])}`,
      );
  }

  /** @param {string} name @param {any} what @returns {boolean} whether it went as a datagram */
  function call(name, what) {
    const one = new Call(PLANS[name], undefined, [what]);
    const end = (/** @type {string} */ how) => {
      assert.equal(ended.has(what), false, `${what} ended twice`);
      ended.set(what, how);
    };
    one.resolve = () => end('ran');
    one.reject = (error) => end(error.code ?? error.message);
    const taken = datagrams.take(one);
    if (!taken) link.home.send(one);
    return taken;
  }

  afterEach(async () => {
    finish();
    datagrams.end();
    await relay?.close();
    door.close();
    await link.close();
  });

  it('run once each, and are counted as they are', async () => {
    await open();
    const before = { ...datagrams.counts };
    for (let n = 0; n < 500; n++) assert.equal(call('note', n), true);
    assert.equal(datagrams.pending, 500);
    await until(() => datagrams.pending === 0, 'all to be told of');
    assert.deepEqual(
      ran.filter(Number.isInteger).sort((a, b) => a - b),
      Array.from({ length: 500 }, (_, n) => n),
    );
    assert.ok([...ended].every(([what, how]) => how === 'ran' || /^(fails|spoils)/.test(String(what))));
    const { sent, arrived, lost, failed } = datagrams.counts;
    assert.deepEqual([sent - before.sent, arrived - before.arrived, lost, failed - before.failed], [500, 500, 0, 0]);
  });

  it('that fail say how, as over the link', async () => {
    await open();
    const before = datagrams.counts.failed;
    for (let n = 0; n < 20; n++) call('fails', n);
    await until(() => datagrams.pending === 0, 'all to be told of');
    for (let n = 0; n < 20; n++) assert.equal(ended.get(n), `no ${n}`);
    assert.equal(datagrams.counts.failed, before + 20);
  });

  it('that fail with what throws when it is looked at harm nobody', async () => {
    await open();
    assert.equal(call('spoils', 'a'), true);
    assert.equal(call('note', 'b'), true);
    await until(() => ended.has('a') && ended.has('b'), 'both to end');
    assert.deepEqual([ended.get('a'), ended.get('b')], ['something that cannot be sent', 'ran']);
  });

  it('never run twice, changed, or after they were told as lost, whatever a bad network does', async () => {
    const random = new Random(1);
    await open({ random: () => random.next() });
    for (let n = 0; n < 800; n++) {
      call('note', n);
      if (n % 3 === 0) await new Promise(setImmediate);
    }
    await until(() => datagrams.pending === 0, 'all to be told of', 20000);
    // Whatever the network still has comes now.
    const gone = new Set(ended.keys());
    for (let n = 0; n < 20; n++) call('note', `later ${n}`);
    await until(() => datagrams.pending === 0, 'the last to be told of', 20000);
    const came = ran.filter((one) => Number.isInteger(one));
    assert.equal(new Set(came).size, came.length, 'none twice');
    assert.ok(came.every((one) => one >= 0 && one < 800));
    const told = [...ended].filter(([what, how]) => Number.isInteger(what) && how === 'ran').map(([what]) => what);
    const lost = [...ended].filter(([what, how]) => Number.isInteger(what) && how === 'IGNIS_DATAGRAM_LOST').map(([what]) => what);
    assert.deepEqual(
      came.slice().sort((a, b) => a - b),
      told.sort((a, b) => a - b),
      'what ran is told as that, and nothing else',
    );
    assert.equal(told.length + lost.length, 800);
    assert.ok(gone.size >= 800 && lost.length > 0);
    for (const [what, count] of Object.entries(relay.did)) assert.ok(count > 10, `${what} ${count}`);
    const { sent, arrived, lost: counted } = datagrams.counts;
    assert.equal(sent, arrived + counted);
  });

  it('that come after they were told as lost never run, and those behind them do', async () => {
    await open({ random: () => 0.7 });
    relay.isHolding = true;
    for (let n = 0; n < 10; n++) call('note', n);
    await until(() => datagrams.pending === 0, 'them to be lost');
    relay.release();
    for (let n = 10; n < 20; n++) call('note', n);
    await until(() => datagrams.pending === 0, 'the others to be told of');
    assert.deepEqual(ran.filter(Number.isInteger), [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    assert.deepEqual([ended.get(0), ended.get(9), datagrams.counts.lost], ['IGNIS_DATAGRAM_LOST', 'IGNIS_DATAGRAM_LOST', 10]);
  });

  it('that are too large, or hold large bytes, go over the link, and are counted', async () => {
    await open();
    assert.equal(call('note', 'x'.repeat(1100)), true);
    for (const what of ['x'.repeat(1200), 'y'.repeat(100000), new Uint8Array(70000)]) assert.equal(call('note', what), false);
    await until(() => ran.filter((one) => one.length > 1000).length === 4 && datagrams.pending === 0, 'all to run');
    assert.deepEqual([datagrams.counts.large, datagrams.counts.lost], [3, 0]);
  });

  it('come whole with what no codec carries', async () => {
    await open();
    const what = { when: new Date(5), list: new Set([1n, undefined]), bytes: new Uint8Array([1, 2]) };
    assert.equal(call('note', what), true);
    await until(() => datagrams.pending === 0, 'it to run');
    assert.deepEqual(ran.at(-1), what);
  });

  it('among garbage are undisturbed, and nothing answers that', async () => {
    await open();
    const stranger = dgram.createSocket('udp4');
    let answers = 0;
    stranger.on('message', () => answers++);
    const random = new Random(9);
    for (let n = 0; n < 300; n++) {
      const bytes = Buffer.from(Array.from({ length: Math.floor(random.next() * 1500) }, () => Math.floor(random.next() * 256)));
      if (n % 2 === 0 && bytes.length > 0) bytes[0] = 1;
      await new Promise((resolve) => stranger.send(bytes, port, '127.0.0.1', () => resolve(null)));
      if (n % 10 === 0) assert.equal(call('note', n), true);
    }
    await until(() => datagrams.pending === 0, 'all to be told of');
    assert.equal(ran.filter(Number.isInteger).length, 30);
    assert.equal(answers, 0);
    await new Promise((resolve) => stranger.close(() => resolve(null)));
  });

  it('that run long pend as long, and are not lost', async () => {
    await open();
    await introduced('waits');
    call('waits', 'long');
    call('note', 'behind');
    // Until it has been asked about as one that would be lost by now, and that was answered.
    const { sent } = datagrams.counts;
    let asked = 0;
    const { load } = link.home;
    link.home.load = (wish, settled) => {
      if (asked > 0 || wish.upTo >= sent) asked += 1;
      Reflect.apply(load, link.home, [wish, settled]);
    };
    await until(() => ended.has('behind') && asked > 1, 'the one behind to end');
    assert.deepEqual([datagrams.pending, datagrams.counts.lost, ended.has('long')], [2, 0, false]);
    finish();
    await until(() => datagrams.pending === 0, 'it to end');
    assert.equal(ended.get('long'), 'ran');
  });

  it('that lead nowhere are lost, and after some of them all go over the link', async () => {
    await open({ intoVain: true });
    for (let n = 0; n < 40; n++) call('note', n);
    await until(() => datagrams.state === 'refused' && datagrams.pending === 0, 'nothing to be sent any more', 20000);
    assert.match(datagrams.counts.why, /^none of the first \d+ calls sent as datagrams arrived$/);
    assert.equal(call('note', 'over the link'), false);
    await until(() => ended.get('over the link') === 'ran', 'it to run');
    assert.deepEqual([datagrams.counts.arrived, datagrams.counts.sent], [0, datagrams.counts.lost]);
  });

  it('are not in vain where one has arrived that still runs, and are lost only when they can run no more', async () => {
    await open({ random: () => 0.7 });
    datagrams.counts.arrived = 0;
    await introduced('waits');
    call('waits', 'long');
    await until(() => ran.includes('long'), 'it to run');
    datagrams.counts.arrived = 0;
    relay.isHolding = true;
    for (let n = 0; n < 40; n++) call('note', n);
    await until(() => datagrams.counts.lost === 40, 'the others to be lost');
    assert.equal(datagrams.state, 'open');
    relay.release();
    assert.equal(ended.has('long'), false);
    finish();
    await until(() => datagrams.pending === 0, 'it to end');
    assert.equal(ended.get('long'), 'ran');
    assert.deepEqual(ran.filter(Number.isInteger), []);
  });

  it('of which nothing is told any more may have run', async () => {
    await open();
    await introduced('waits');
    const { load } = link.home;
    let refuse = () => {};
    link.home.load = (wish, settled) => {
      if (wish.kind === 'survey') refuse = () => settled.fail(new Error('nothing to tell'));
      else Reflect.apply(load, link.home, [wish, settled]);
    };
    await until(() => datagrams.pending === 1, 'the surveys before to be answered');
    const one = new Call({ ...PLANS.waits }, undefined, ['unsure']);
    one.wasSent = true;
    const failed = new Promise((resolve) => (one.reject = resolve));
    assert.equal(datagrams.take(one), true);
    await until(() => (refuse(), datagrams.pending === 0), 'all to be settled');
    const error = await failed;
    assert.deepEqual([error.code, error.ran, datagrams.state], ['IGNIS_REPLICA_LOST', 'maybe', 'refused']);
    finish();
  });

  const right = { floor: 0, ended: [], arrived: [], failed: [] };
  /** @type {Record<string, any>} */
  const wrong = {
    nothing: null,
    'a floor that is no number': { ...right, floor: '1' },
    'more that have ended than were sent': { ...right, ended: [1, 1e6] },
    'more that have arrived than were sent': { ...right, arrived: [1, 1e6] },
    'half a range': { ...right, ended: [1] },
    'a range of less than nothing': { ...right, ended: [1, -1] },
    'ranges that hold nothing': { ...right, arrived: new Array(1e6) },
    'failures that hold nothing': { ...right, failed: new Array(1e6) },
    'failures that are none': { ...right, failed: [null] },
    'a failure with wrong specials': { ...right, failed: [[1, null, 'x']] },
  };
  for (const [what, survey] of Object.entries(wrong))
    it(`of which ${what} is told end their link, and keep home from nothing`, async () => {
      await open();
      await introduced('waits');
      const { serve } = door;
      door.serve = (peer, id, wish, skeleton) => {
        if (wish.kind !== 'survey') return Reflect.apply(serve, door, [peer, id, wish, skeleton]);
        return (link.agent.answer(id, survey), true);
      };
      // The survey that was asked for before is answered when there is something to tell.
      call('note', 'one more');
      await until(() => link.losses.length > 0, 'the end of the link');
      assert.equal(link.losses[0].error?.code, 'IGNIS_BAD_FRAME');
    });

  it('go over the link where no port can be had, and it is told why', async () => {
    ran = [];
    ended = new Map();
    relay = null;
    finish = () => {};
    // An address for documentation, which no machine has.
    door = new DatagramDoor('192.0.2.1', makeCodec('msgpackr'));
    const onLoad = (peer, id, wish) => void (door.serve(peer, id, wish, link.skeleton) || link.skeleton.serveLoad(peer, id, wish));
    link = new Link({ note: (what) => void ran.push(what) }, { join: 'stream, msgpackr', agentHooks: { onLoad } });
    await link.load();
    datagrams = new Datagrams('127.0.0.1', link.home, () => {});
    datagrams.open();
    await until(() => datagrams.state === 'refused', 'a refusal');
    assert.match(datagrams.counts.why, /^a host refused to serve: it has no port for datagrams: bind E/);
    assert.equal(call('note', 1), false);
    await until(() => ended.get(1) === 'ran', 'it to run');
  });

  it('that nobody waits for any more are still counted', async () => {
    await open();
    const one = new Call(PLANS.note, undefined, ['late']);
    assert.equal(datagrams.take(one), true);
    assert.deepEqual([datagrams.has(one), datagrams.abandon(one), datagrams.has(one), datagrams.pending], [true, true, false, 0]);
    const { sent } = datagrams.counts;
    await until(() => datagrams.counts.arrived === sent, 'its end to be told of');
  });

  it('that are given up by the thousand are found each by itself: to look through all for each would take longer than a test may', async () => {
    await open();
    const calls = Array.from({ length: 40000 }, (_, n) => new Call(PLANS.note, undefined, [n]));
    for (const one of calls) datagrams.take(one);
    assert.equal(datagrams.pending, calls.length);
    // The last ones first: they stand behind all others.
    for (const one of calls.reverse()) assert.equal(datagrams.has(one) && datagrams.abandon(one), true);
    assert.deepEqual([datagrams.pending, datagrams.has(calls[0]), datagrams.abandon(calls[0])], [0, false, false]);
    const { sent } = datagrams.counts;
    await until(() => datagrams.counts.arrived + datagrams.counts.lost === sent, 'all to be told of');
  });

  it('wait behind a change of the replica', async () => {
    await open();
    let changed = () => {};
    datagrams.hold(new Promise((resolve) => (changed = () => resolve(undefined))));
    assert.equal(call('note', 'over the link'), false);
    changed();
    await until(() => call('note', performance.now()), 'datagrams again');
  });
});

describe('ranges of numbers', () => {
  it('are first number and count', () => {
    assert.deepEqual(rangesOf([]), []);
    assert.deepEqual(rangesOf([5, 3, 4, 9, 7, 8, 1]), [1, 1, 3, 3, 7, 3]);
  });
});
