'use strict';
/*
 * Calls a module that lives in a replica very often, in all ways that leave something behind: callbacks, objects, errors, promises,
 * instances, things kept and dropped. In: where, how many calls. Out: the sizes of both sides' tables at the end, and of both heaps in the
 * second tenth and at the end, all after collections.
 */
const path = require('node:path');
const { setImmediate: turn } = require('node:timers/promises');
const { makeCollector } = require('../../lib/object/kept');
const { Conversation } = require('../../lib/object/conversation');
const { openResident } = require('../../lib/spawn/resident');

/** Calls in one turn of home's event loop. */
const BATCH = 500;
/** Turns after which all that was let go must have been told. */
const TURNS = 200;

/** Ways of calling: each makes as many calls as it says. @type {[number, (m: any, i: number) => any][]} */
const WAYS = [
  [1, (m, i) => expect(m.callBack((/** @type {number} */ x) => x + i, 1) === 2 * i + 3)],
  [1, (m, i) => expect(m.echo({ i, list: [i, { i }] }).list[1].i === i)],
  [1, (m, i) => expect(m.make(i).map.get('n') === i)],
  [1, (m, i) => changeOne(m, i)],
  [1, (m) => expect(caught(() => m.fail()) instanceof RangeError)],
  [1, (m, i) => throwOwn(m, new TypeError(`${i}`))],
  [1, (m, i) => expect(m.failBack(() => m.fail(new Error(`${i}`))) === `${i}`)],
  [2, (m, i) => (m.keep(i % 50, { i }), m.keep((i % 50) + 50, () => i))],
  [1, (m, i) => m.drop(i % 100)],
  [1, (m, i) => m.later({ i }).then((/** @type {any} */ value) => expect(value.i === i))],
  [3, (m) => countTwice(m.counter())],
  [2, (m, i) => expect(new m.Box(i).value === i)],
];

/** @param {boolean} isTrue */
function expect(isTrue) {
  if (!isTrue) throw new Error('a call gave something else');
}

/** @param {() => any} run */
function caught(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** @param {any} m @param {number} i */
function changeOne(m, i) {
  const object = /** @type {any} */ ({ i, list: [] });
  expect(m.change(object) === 1 && object.seen && object.list[0] === object);
}

/** @param {any} m @param {Error} error */
const throwOwn = (m, error) => expect(caught(() => m.fail(error)) === error);

/** @param {() => number} count */
const countTwice = (count) => expect(count() === 1 && count() === 2);

/** @param {Conversation} conversation @returns {{counts: Record<string, number>, heapBytes: number}} of the replica */
const stateThere = (conversation) => JSON.parse(conversation.load({ kind: 'state' }));

/** @param {Conversation} conversation @param {() => void} collect */
async function heaps(conversation, collect) {
  for (let i = 0; i < 3; i++) {
    stateThere(conversation);
    await turn();
    conversation.mail.sweep(collect);
    await turn();
  }
  return { home: process.memoryUsage().heapUsed, there: stateThere(conversation).heapBytes };
}

/**
 * Collects on both sides until nothing is left but what the caller holds.
 *
 * @param {Conversation} conversation
 * @param {() => void} collect
 * @returns {Promise<Record<string, number>>}
 */
async function leftOf(conversation, collect) {
  /** @type {Record<string, number>} */
  let left = {};
  for (let i = 0; i < TURNS; i++) {
    const there = stateThere(conversation).counts;
    await turn();
    conversation.mail.sweep(collect);
    await turn();
    left = {
      'home lent': conversation.mail.tables.counts.lent,
      'home held': conversation.mail.tables.counts.held,
      'home twins': conversation.mail.tables.counts.twins,
    };
    left = { ...left, 'replica lent': there.lent, 'replica held': there.held, 'replica twins': there.twins };
    if (Object.values(left).every((count) => count === 0)) break;
  }
  return left;
}

/** @param {any} m @param {number} count @param {(tenth: number) => Promise<void>} onTenth */
async function callOften(m, count, onTenth) {
  let calls = 0;
  let tenths = 0;
  /** @type {Promise<any>[]} */
  let pending = [];
  for (let i = 0, next = BATCH; calls < count; i++) {
    const [made, call] = WAYS[i % WAYS.length];
    const result = call(m, i);
    if (result instanceof Promise) pending.push(result);
    calls += made;
    if (calls < next) continue;
    next += BATCH;
    await Promise.all(pending);
    pending = [];
    await turn();
    for (; tenths < Math.min(10, Math.floor((10 * calls) / count));) await onTenth(++tenths);
  }
  for (let i = 0; i < 100; i++) m.drop(i);
}

/**
 * @param {{where: 'thread' | 'process', count: number}} settings
 * @returns {Promise<{ms: number, left: Record<string, number>, early: {home: number, there: number}, late: {home: number, there: number}}>}
 */
async function soak({ where, count }) {
  const collect = makeCollector();
  const resident = openResident({ where, serve: require.resolve('./serve') });
  const conversation = new Conversation(resident.line, { isHome: true, timeoutMs: 60_000 });
  const begun = performance.now();
  /** @type {{home: number, there: number}[]} */
  const sizes = [];
  try {
    await callAll(conversation, count, async (tenth) => {
      if (tenth === 2 || tenth === 10) sizes.push(await heaps(conversation, collect));
    });
    const ms = performance.now() - begun;
    const left = await leftOf(conversation, collect);
    return { ms, left, early: sizes[0], late: sizes[1] };
  } finally {
    resident.kill();
    await resident.ended;
  }
}

/**
 * In a function of its own, so that nothing of the module is held afterwards.
 *
 * @param {Conversation} conversation
 * @param {number} count
 * @param {(tenth: number) => Promise<void>} onTenth
 */
async function callAll(conversation, count, onTenth) {
  const file = path.join(__dirname, 'module.js');
  const { callBack, echo, make, change, fail, failBack, keep, drop, later, counter, Box } = conversation.load({
    kind: 'file',
    name: file,
    place: file,
    argv: [],
  });
  await callOften({ callBack, echo, make, change, fail, failBack, keep, drop, later, counter, Box }, count, onTenth);
}

exports.soak = soak;
