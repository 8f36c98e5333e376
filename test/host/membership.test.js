'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { openEngine } = require('../../lib/host/engine.js');
const { Membership } = require('../../lib/host/membership.js');
const { Presence } = require('../../lib/host/presence.js');
const { breakable } = require('../helpers/breakable-engine.js');
const { HandClock, settle } = require('../helpers/hand-clock.js');

const BEAT = 1000;
const DEAD = 5000;

describe('membership', () => {
  let engine;
  let clock;
  const closes = [];
  beforeEach(async () => {
    engine = await openEngine('embedded', { app: `members-${randomUUID()}` });
    clock = new HandClock();
  });
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
    assert.equal(clock.waiting, 0, 'no timer is left');
    await engine.close();
  });

  async function view(settings = {}, over = engine) {
    const events = [];
    const onEvent = ({ event, member }) => events.push(member === undefined ? event : `${event} ${member.name}`);
    const membership = new Membership(over, { deadMs: DEAD, lookMs: BEAT, clock, onEvent, ...settings });
    closes.push(() => membership.close());
    await membership.open();
    const names = () => membership.list().map(({ name }) => name);
    const told = () => events.filter((event) => !event.startsWith('changed'));
    return { membership, events, names, told };
  }

  function host(name, over = engine, about = () => ({ load: 1 })) {
    const states = [];
    const presence = new Presence(over, { name, about, beatMs: BEAT, deadMs: DEAD, clock, onState: (state) => states.push(state) });
    closes.push(() => presence.close());
    return { presence, states, join: () => presence.join() };
  }

  it('lists who joined, with what it says of itself, and who left no more', async () => {
    const { membership, names, told } = await view();
    let load = 0;
    const { presence: a } = host('a', engine, () => ({ load: (load += 1) }));
    await a.join();
    await host('b').join();
    await clock.turn(3 * BEAT);
    assert.deepEqual(names(), ['a', 'b']);
    const [{ record }] = membership.list();
    assert.equal(record.name, 'a');
    assert.ok(record.load >= 4, 'each beat says it anew');
    await a.close();
    await settle();
    assert.deepEqual(names(), ['b']);
    assert.deepEqual(told(), ['joined a', 'joined b', 'left a']);
  });

  it('lists those who were there before', async () => {
    await host('a').join();
    const { names } = await view();
    assert.deepEqual(names(), ['a']);
  });

  it('tells who was heard since it looks from who may have been gone for long', async () => {
    await host('a').join();
    await engine.put('members/dead', { name: 'dead', run: 'before', beat: 7 });
    const { membership } = await view();
    const heard = () => membership.list().map(({ name, isHeard }) => [name, isHeard]);
    assert.deepEqual(heard(), [['a', false], ['dead', false]]); // prettier-ignore
    await clock.turn(BEAT);
    await host('b').join();
    await settle();
    assert.deepEqual(heard(), [['a', true], ['b', true], ['dead', false]]); // prettier-ignore
  });

  it('has no record of who left while it joined', async () => {
    const { presence, join } = host('a');
    const joined = assert.rejects(join(), { code: 'IGNIS_CLOSED' });
    await presence.close();
    await joined;
    assert.equal(await engine.get('members/a'), null);
    await host('a').join();
  });

  it('keeps who beats, however long', async () => {
    const { told } = await view();
    await host('a').join();
    await clock.turn(60 * BEAT);
    assert.deepEqual(told(), ['joined a']);
  });

  it('loses who is cut off, once its record stood still for long enough, and has it again when it is back', async () => {
    const { names, told } = await view();
    const link = breakable(engine);
    const { presence, join, states } = host('a', link.engine);
    await join();
    await clock.turn(BEAT);
    link.cut();
    await clock.turn(DEAD - BEAT);
    assert.deepEqual(names(), ['a']);
    assert.equal(presence.state, 'unheard');
    await clock.turn(2 * BEAT + 1);
    assert.deepEqual(names(), []);
    link.mend();
    await clock.turn(BEAT);
    assert.deepEqual(names(), ['a']);
    assert.deepEqual(told(), ['joined a', 'lost a', 'joined a']);
    assert.deepEqual(states, ['present', 'unheard', 'present']);
  });

  it('takes the records of those that are lost away where nobody else will, and has one again that was cut off', async () => {
    const { names, told } = await view({ forgetsMs: 0 });
    const link = breakable(engine);
    const { presence, join } = host('a', link.engine);
    await join();
    await host('b').join();
    await clock.turn(BEAT);
    link.cut();
    await clock.turn(DEAD + 2 * BEAT + 1);
    assert.deepEqual([names(), told().at(-1)], [['b'], 'lost a']);
    await settle();
    assert.deepEqual([await engine.get('members/a'), (await engine.get('members/b')) === null], [null, false]);
    link.mend();
    await clock.turn(2 * BEAT);
    assert.deepEqual([names(), presence.state], [['a', 'b'], 'present']);
  });

  it('takes the record of one that was killed away when it has long been lost, by its revision, and counts no time in which the engine was away', async () => {
    const link = breakable(engine);
    const { names, told } = await view({ forgetsMs: 60 * BEAT }, link.engine);
    const stands = async () => (await engine.get('members/dead')) !== null;
    await engine.put('members/dead', { name: 'dead', run: 'before', beat: 7 });
    await clock.turn(DEAD + 50 * BEAT);
    assert.deepEqual([names(), told().at(-1), await stands()], [[], 'lost dead', true]);
    link.cut();
    await clock.turn(60 * BEAT);
    link.mend();
    await clock.turn(50 * BEAT);
    assert.equal(await stands(), true);
    await clock.turn(20 * BEAT);
    assert.equal(await stands(), false);
    // One that is back before that has all of its time again, also where nobody hears of it.
    await engine.put('members/dead', { name: 'dead', run: 'before', beat: 8 });
    await clock.turn(DEAD + 50 * BEAT);
    link.cut('watch');
    await engine.put('members/dead', { name: 'dead', run: 'after', beat: 1 });
    await clock.turn(30 * BEAT);
    assert.equal(await stands(), true);
    link.mend();
  });

  it('loses nobody while the engine is away, and gives all their time again when it is back', async () => {
    const link = breakable(engine);
    const { membership, names, told } = await view({}, link.engine);
    const hosts = ['a', 'b', 'c'].map(() => breakable(engine));
    for (const [at, one] of hosts.entries()) await host('abc'[at], one.engine).join();
    await clock.turn(BEAT);
    for (const one of [link, ...hosts]) one.cut();
    await clock.turn(20 * DEAD);
    assert.deepEqual(names(), ['a', 'b', 'c']);
    assert.equal(membership.state, 'frozen');
    // The hosts come back later than we do, and c never.
    link.mend();
    await clock.turn(DEAD - 2 * BEAT);
    assert.deepEqual(names(), ['a', 'b', 'c']);
    hosts[0].mend();
    hosts[1].mend();
    await clock.turn(2 * DEAD);
    assert.deepEqual(names(), ['a', 'b']);
    assert.deepEqual(told(), ['joined a', 'joined b', 'joined c', 'frozen', 'thawed', 'lost c']);
  });

  it('freezes when its own reads fail, though nobody said that the engine is away', async () => {
    const link = breakable(engine);
    const { membership, names } = await view({}, link.engine);
    const far = breakable(engine);
    await host('a', far.engine).join();
    await clock.turn(BEAT);
    far.cut();
    link.cut('before', { isNoticed: false });
    await clock.turn(3 * DEAD);
    assert.equal(membership.state, 'frozen');
    assert.deepEqual(names(), ['a']);
    far.mend();
    link.mend();
    await clock.turn(3 * DEAD);
    assert.deepEqual(names(), ['a']);
  });

  it('does not take its own silence for theirs: a watch that lags loses nobody', async () => {
    const link = breakable(engine);
    const { names, told } = await view({}, link.engine);
    await host('a').join();
    await clock.turn(BEAT);
    link.cut('watch');
    await clock.turn(4 * DEAD);
    assert.deepEqual(names(), ['a']);
    assert.deepEqual(told(), ['joined a']);
  });

  it('loses who is gone though its watch has ended unheard', async () => {
    let isDeaf = false;
    const deaf = {
      state: 'up',
      get: (key) => engine.get(key),
      status: (onStatus) => engine.status(onStatus),
      watch: (prefix, onChange, told) => engine.watch(prefix, (change) => isDeaf || onChange(change), told),
    };
    const { names } = await view({}, deaf);
    const link = breakable(engine);
    await host('a', link.engine).join();
    await clock.turn(BEAT);
    isDeaf = true;
    await clock.turn(DEAD + 2 * BEAT);
    assert.deepEqual(names(), ['a']);
    link.cut();
    await clock.turn(2 * DEAD + 2 * BEAT);
    assert.deepEqual(names(), []);
    link.mend();
  });

  it('loses one in whose place somebody has written what says nothing, also where only a look finds it', async () => {
    const link = breakable(engine);
    const { membership, told } = await view({}, link.engine);
    await engine.put('members/a', { name: 'a', run: '1' });
    await settle();
    link.cut('watch');
    // Others may write into an engine, too, and no JSON.
    await engine._put('members/a', 'nobody');
    await clock.turn(DEAD + 2 * BEAT);
    assert.deepEqual([membership.list(), told()], [[], ['joined a', 'lost a']]);
    await engine.put('members/a', { name: 'a', run: '2' });
    link.mend();
    await settle();
    assert.deepEqual(told(), ['joined a', 'lost a', 'joined a']);
  });

  it('keeps who has an open channel, whatever its record says', async () => {
    let isOpen = true;
    const { names } = await view({ isOpenTo: () => isOpen });
    const link = breakable(engine);
    await host('a', link.engine).join();
    await clock.turn(BEAT);
    link.cut();
    await clock.turn(3 * DEAD);
    assert.deepEqual(names(), ['a']);
    isOpen = false;
    await clock.turn(2 * BEAT);
    assert.deepEqual(names(), []);
  });

  it('says so when a host came back as another run of itself', async () => {
    const { told } = await view();
    const first = breakable(engine);
    await host('a', first.engine).join();
    first.cut();
    const second = host('a').join();
    await clock.turn(DEAD + 2 * BEAT);
    await second;
    await settle();
    assert.deepEqual(told().at(-1), 'joined a');
  });

  it('refuses a name that another host beats with', async () => {
    await host('a').join();
    const { presence, join, states } = host('a');
    const refused = assert.rejects(join(), (error) => error.code === 'IGNIS_NAME_TAKEN');
    await clock.turn(3 * BEAT);
    await refused;
    assert.deepEqual(states, ['taken']);
    await presence.close();
    assert.equal((await engine.get('members/a')).value.name, 'a');
  });

  it('refuses one of two that join at once', async () => {
    const both = [host('a'), host('a')];
    const results = Promise.allSettled(both.map(({ join }) => join()));
    await clock.turn(4 * BEAT);
    assert.deepEqual((await results).map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('tells a host that its name was taken while it was away', async () => {
    const link = breakable(engine);
    const { presence, join } = host('a', link.engine);
    await join();
    link.cut();
    const second = host('a').join();
    await clock.turn(DEAD + 2 * BEAT);
    await second;
    link.mend();
    await clock.turn(2 * BEAT);
    assert.equal(presence.state, 'taken');
  });

  it('goes on beating after answers that were lost, and after its record was taken away', async () => {
    const link = breakable(engine);
    const { presence, join } = host('a', link.engine);
    await join();
    link.cut('answers');
    await clock.turn(3 * BEAT);
    link.mend();
    await clock.turn(2 * BEAT);
    assert.equal(presence.state, 'present');
    await engine.delete('members/a');
    await clock.turn(BEAT);
    assert.equal(presence.state, 'present');
    assert.notEqual(await engine.get('members/a'), null);
  });

  it('tells at once what cannot wait', async () => {
    let labels = {};
    const { presence, join } = host('a', engine, () => ({ labels }));
    await join();
    labels = { draining: 'yes' };
    await presence.tell();
    assert.deepEqual((await engine.get('members/a')).value.labels, labels);
  });
});
