'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { EventEmitter } = require('node:events');
const { Directory } = require('../../lib/host/directory.js');
const { DirectoryLink } = require('../../lib/host/directory-link.js');
const { ERRORS } = require('../../lib/errors.js');
const { openEngine } = require('../../lib/host/engine.js');
const { PlacementRegistry } = require('../../lib/host/placement-record.js');
const { Presence } = require('../../lib/host/presence.js');
const { missingLabel, survey, weightOf } = require('../../lib/host/survey.js');
const { measureSpeed } = require('../../lib/host/survey-speed.js');
const { HandClock } = require('../helpers/hand-clock.js');
const { until } = require('../helpers/until.js');

const FACTS = { maxReplicas: 2, labels: { disk: 'fast' }, cpus: 4, load: 0, replicas: 0, speed: 100 };
const record = (facts = {}, more = {}) => ({ ip: '192.0.2.1', port: 7100, fingerprint: 'AA', facts: { ...FACTS, ...facts }, ...more });
const member = (name, facts, more) => ({ name, record: record(facts, more), rev: 1 });

describe('the survey of hosts', () => {
  it('names those that can take a replica, and of the others why not', () => {
    const members = [
      member('a'),
      member('b', {}, { isDraining: true }),
      member('c', { labels: { disk: 'slow' } }),
      member('d', { labels: undefined }),
      member('e'),
      { name: 'f', record: { ip: 7 }, rev: 1 },
    ];
    const placed = new Map([
      ['a', [{ home: 'other' }]],
      ['e', [{ home: 'me' }, { home: 'me' }]],
    ]);
    const { nodes, full, said } = survey(members, placed, { labels: { disk: 'fast' }, session: 'me' });
    const known = { ip: '192.0.2.1', port: 7100, fingerprint: 'AA', weight: 400, facts: FACTS };
    assert.deepEqual(nodes, [{ ...known, name: 'a', others: 1, room: 1 }]);
    assert.deepEqual(full, [{ ...known, name: 'e', others: 0, room: 0 }], 'which lacks nothing but room');
    assert.deepEqual(said, [
      'b is being stopped',
      'c is not labelled disk=fast',
      'd is not labelled disk=fast',
      'e has 2 replicas placed on it, and may have 2',
      'f does not answer as a host does',
    ]);
  });

  it('counts labels that are there, not those of every object', () => {
    assert.equal(missingLabel({ a: '1', b: '2' }, { b: '2' }), '');
    assert.equal(missingLabel({}, { toString: 'x' }), 'toString=x');
    assert.equal(missingLabel(undefined, {}), '');
  });

  it('weighs a host by its speed and the processors that others leave it', () => {
    assert.equal(weightOf({ speed: 100, cpus: 4, load: 0, replicas: 0 }), 400);
    assert.equal(weightOf({ speed: 50, cpus: 4, load: 0, replicas: 0 }), 200);
    assert.equal(weightOf({ speed: 100, cpus: 4, load: 3, replicas: 0 }), 100);
    assert.equal(weightOf({ speed: 100, cpus: 4, load: 3, replicas: 3 }), 400, 'its replicas are no reason against it');
    assert.equal(weightOf({ speed: 100, cpus: 4, load: 40, replicas: 0 }), 100);
    assert.equal(weightOf({}), 1);
    assert.equal(weightOf({ speed: NaN, cpus: 'x', load: {}, replicas: null }), 1);
  });

  it('knows the speed of this machine as a number', () => {
    const speed = measureSpeed();
    assert.ok(speed > 0 && Number.isFinite(speed), String(speed));
  });
});

describe('the directory of a cluster', () => {
  let engine;
  const closes = [];
  beforeEach(async () => {
    engine = await openEngine('embedded', { app: `directory-${randomUUID()}` });
  });
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
    await engine.close();
  });

  async function host(name, facts) {
    const presence = new Presence(engine, { name, about: () => record(facts) });
    await presence.join();
    closes.push(() => presence.close());
    return presence;
  }

  async function directory(over = {}, settings = {}) {
    // Each has an engine of its own, over the same records.
    const own = Object.create(engine, { close: { value: async () => {} } });
    for (const name of ['get', 'put', 'delete', 'watch', 'status']) own[name] = engine[name].bind(engine);
    Object.assign(own, over);
    Object.defineProperty(own, 'state', { get: () => engine.state });
    const opened = new Directory(own, { home: 'home', ...settings });
    await opened.begin();
    closes.push(() => opened.close());
    return opened;
  }

  const names = (one, labels) => one.survey(labels).nodes.map(({ name }) => name);

  it('gives no place twice, however many homes ask at once', async () => {
    await host('a', { maxReplicas: 3 });
    const homes = await Promise.all([directory(), directory()]);
    const asked = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => homes[n % 2].place('a', 'uri-js')));
    const got = asked.filter(({ status }) => status === 'fulfilled').map(({ value }) => value);
    assert.equal(got.length, 3);
    assert.equal(new Set(got).size, 3);
    for (const { reason } of asked.filter(({ status }) => status === 'rejected')) assert.equal(reason.code, 'IGNIS_NO_HOST');
    const { replicas, epoch } = await new PlacementRegistry(engine).read('a');
    assert.deepEqual(replicas.map(({ id }) => id).sort(), got.sort());
    assert.equal(epoch, 3);
  });

  it('offers a host again when a place on it is given back', async () => {
    await host('a', { maxReplicas: 1 });
    const [one, two] = await Promise.all([directory(), directory()]);
    await until(() => names(two).length === 1, 'the host is seen');
    const id = await one.place('a', 'uri-js');
    await until(() => names(two).length === 0, 'its place is taken');
    await one.leave('a', id);
    await until(() => names(two).length === 1, 'it is free');
    await two.place('a', 'uri-js');
  });

  it('leaves nothing of hosts that are gone for good in the engine, and all that is of a living one', async () => {
    const clock = new HandClock();
    const alive = new Presence(engine, { name: 'alive', about: () => record(), clock });
    await alive.join();
    closes.push(() => alive.close());
    await engine.put('members/killed', { ...record(), name: 'killed', run: 'before', beat: 7 });
    const places = new PlacementRegistry(engine);
    for (const name of ['alive', 'killed', 'left']) await places.change(name, () => [{ id: '1', home: 'gone', name: 'home', module: 'x' }]);
    const tidied = [];
    const watch = (prefix, onChange, told) => {
      if (told.tidies) tidied.push(prefix);
      return engine.watch(prefix, onChange, told);
    };
    const one = await directory({ watch }, { clock });
    assert.deepEqual(tidied.sort(), ['homes/', 'members/', 'placement/'], 'nor what an engine keeps of them');
    // A host that cannot be heard of for a while keeps what has its place there.
    await engine.put('members/unheard', { ...record(), name: 'unheard', run: 'now', beat: 1 });
    const place = one.place('unheard', 'uri-js');
    await clock.turn(0);
    const id = await place;
    const standing = async () => {
      const keys = ['alive', 'killed', 'left', 'unheard'].flatMap((name) => [`members/${name}`, `placement/${name}`]);
      const found = await Promise.all(keys.map(async (key) => (await engine.get(key)) !== null && key));
      return found.filter(Boolean);
    };
    const all = ['members/alive', 'placement/alive', 'members/killed', 'placement/killed', 'placement/left', 'members/unheard', 'placement/unheard']; // prettier-ignore
    assert.deepEqual(await standing(), all);
    await clock.turn(3_500_000);
    assert.deepEqual(await standing(), ['members/alive', 'placement/alive', 'members/killed', 'members/unheard', 'placement/unheard']);
    await clock.turn(200_000);
    assert.deepEqual(await standing(), ['members/alive', 'placement/alive', 'placement/unheard']);
    assert.deepEqual(
      (await places.read('unheard')).replicas.map((place) => place.id),
      [id],
    );
    await one.leave('unheard', id);
    await clock.turn(1_500_000);
    assert.deepEqual(await standing(), ['members/alive', 'placement/alive']);
    await one.close();
  });

  it('takes a place again of which it never heard that it was given', async () => {
    await host('a', { maxReplicas: 1 });
    const down = () => Object.assign(new Error('cut'), { code: 'IGNIS_ENGINE_DOWN', ran: 'maybe' });
    let isCut = false;
    const one = await directory({
      put: async (key, value, when) => {
        const rev = await engine.put(key, value, when);
        if (!isCut || !key.startsWith('placement/')) return rev;
        throw down();
      },
      get: async (key) => {
        const found = await engine.get(key);
        // It can be read before the change, and not after it.
        if (isCut && found?.value.replicas?.length > 0) throw down();
        return found;
      },
    });
    await until(() => names(one).length === 1, 'the host is seen');
    isCut = true;
    await assert.rejects(one.place('a', 'uri-js'), { code: 'IGNIS_ENGINE_DOWN' });
    isCut = false;
    assert.equal((await new PlacementRegistry(engine).read('a')).replicas.length, 1, 'it was');
    const id = await one.place('a', 'uri-js');
    const { replicas } = await new PlacementRegistry(engine).read('a');
    assert.deepEqual(
      replicas.map((place) => place.id),
      [id],
    );
    await assert.rejects(one.place('a', 'uri-js'), { code: 'IGNIS_NO_HOST' });
  });

  it('gives a place back when the engine is there again, whose replica ended while it was away', async () => {
    await host('a', { maxReplicas: 1 });
    let isCut = false;
    const down = () => Object.assign(new Error('cut'), { code: 'IGNIS_ENGINE_DOWN', ran: 'no' });
    const get = (key) => (isCut ? Promise.reject(down()) : engine.get(key));
    const [one, two] = await Promise.all([directory({ get }), directory()]);
    await until(() => names(one).length === 1 && names(two).length === 1, 'the host is seen');
    const id = await one.place('a', 'uri-js');
    await until(() => names(one).length === 0 && names(two).length === 0, 'its place is taken');
    isCut = true;
    await assert.rejects(one.leave('a', id), { code: 'IGNIS_ENGINE_DOWN' });
    assert.deepEqual([names(one), names(two)], [['a'], []], 'its own home knows that it is free');
    isCut = false;
    await until(() => names(two).length === 1, 'it is free for others');
    await two.place('a', 'uri-js');
  });

  it('writes its places anew where the engine has lost its records, and no others', async () => {
    await host('a', { maxReplicas: 3 });
    await host('b', { maxReplicas: 3 });
    const [one, two] = [await directory(), await directory()];
    const registry = new PlacementRegistry(engine);
    const ids = async (name) => (await registry.read(name)).replicas.map(({ id }) => id).sort();
    const kept = [await one.place('a', 'm'), await one.place('a', 'm'), await two.place('a', 'm')].sort();
    const back = await one.place('b', 'm');
    await one.leave('b', back);
    for (const name of ['a', 'b']) await engine.delete(`placement/${name}`);
    await until(async () => (await ids('a')).length === 3, 'all of both homes');
    assert.deepEqual(await ids('a'), kept);
    assert.deepEqual(await ids('b'), [], 'what was given back is not');
    await until(() => names(two).join() === 'b', 'that the other home sees that a is full');
    await assert.rejects(two.place('a', 'm'), { code: 'IGNIS_NO_HOST' });
    await one.close();
    assert.equal((await ids('a')).length, 1);
  });

  it('frees the places of a home that is gone, and of one that closes', async () => {
    await host('a', { maxReplicas: 2 });
    const [one, two, three] = await Promise.all([directory(), directory(), directory()]);
    await one.place('a', 'uri-js');
    await two.place('a', 'uri-js');
    await until(() => names(three).length === 0, 'it is full');
    await two.close();
    await until(() => names(three).length === 1, 'a place is free');
    const [{ home }] = (await new PlacementRegistry(engine).read('a')).replicas;
    const id = await three.place('a', 'uri-js');
    // Its record is gone, as after its beats stood still: the first home counts no more.
    await engine.delete(`homes/${home}`);
    await until(() => names(three).length === 1, 'another place is free');
    await three.place('a', 'uri-js');
    assert.equal(
      (await new PlacementRegistry(engine).read('a')).replicas.some((place) => place.id === id),
      true,
    );
  });

  it('leaves a cluster also where somebody else has written what is no place among the places', async () => {
    await host('a');
    const one = await directory();
    await engine.put('placement/a', { epoch: 1, replicas: [null, 7], change: 'by hand' });
    await until(() => names(one).length === 1, 'the host is seen');
    await one.place('a', 'uri-js');
    await until(async () => (await new PlacementRegistry(engine).read('a')).replicas.length === 1, 'it has a place');
    await engine.put('placement/b', { epoch: 1, replicas: [null], change: 'by hand' });
    await one.close();
    assert.deepEqual((await new PlacementRegistry(engine).read('a')).replicas, []);
    const homes = [];
    await new Promise((resolve) => closes.push(engine.watch('homes/', ({ key }) => homes.push(key), { onReady: resolve })));
    assert.deepEqual(homes, []);
  });

  it('has no place on a host that left', async () => {
    const presence = await host('a');
    const one = await directory();
    await until(() => names(one).length === 1, 'the host is seen');
    await presence.close();
    await until(() => names(one).length === 0, 'it left');
    await assert.rejects(one.place('a', 'uri-js'), (error) => error.code === 'IGNIS_NO_HOST');
  });
});

describe('the thread of a cluster', function () {
  this.timeout(30000);

  it('says once what an engine that nobody runs is', async () => {
    const link = new DirectoryLink({ cluster: 'etcd://127.0.0.1:1', home: 'home' });
    try {
      const error = await link.survey().then(assert.fail, (/** @type {Error} */ why) => why);
      assert.deepEqual([error.code, error.message.split(ERRORS.IGNIS_ENGINE_DOWN).length - 1], ['IGNIS_ENGINE_DOWN', 1], error.message);
    } finally {
      await link.close();
    }
  });

  describe('where one ends, or none can be had', () => {
    const threads = require('../../lib/threads.js');
    const { startThread } = threads;
    const place = require.resolve('../../lib/host/directory-link.js');
    const loaded = require.cache[place];
    /** What the system gives. @type {(Made | Error)[]} */
    let given;
    let link;

    /** A thread that says what it is told to. */
    class Made extends EventEmitter {
      asked = [];
      postMessage(asked) {
        this.asked.push(asked);
      }
      unref() {}
      async terminate() {}
    }

    beforeEach(() => {
      delete require.cache[place];
      threads.startThread = () => {
        const next = given.shift();
        if (next instanceof Error) throw next;
        return next;
      };
      const { DirectoryLink: Fresh } = require(place);
      link = new Fresh({ cluster: 'etcd://127.0.0.1:1', home: 'home' });
    });
    afterEach(() => {
      threads.startThread = startThread;
      require.cache[place] = loaded;
    });

    it('another one is asked, and what was asked of that is no matter of the end of the first', async () => {
      const [first, second] = (given = [new Made(), new Made()]);
      const lost = link.survey();
      first.emit('error', new Error('out of memory'));
      await assert.rejects(lost, { code: 'IGNIS_ENGINE_DOWN', ran: 'maybe' });
      const asked = link.place('a', 'uri-js');
      first.emit('exit', 1);
      second.emit('message', { id: second.asked[0].id, answer: 'a place' });
      assert.equal(await asked, 'a place');
    });

    it('that is a failure like others, and another one is tried the next time', async () => {
      const [, second] = (given = [new Error('a thread needs 8 file descriptors'), new Made()]);
      await assert.rejects(link.survey(), /a thread needs 8 file descriptors/);
      const asked = link.survey();
      second.emit('message', { id: second.asked[0].id, answer: 'hosts' });
      assert.equal(await asked, 'hosts');
    });
  });
});
