'use strict';

const assert = require('node:assert/strict');
const { Link } = require('../helpers/link');
const { Change } = require('../../lib/session/change');
const { Call } = require('../../lib/session/call');
const { Turns } = require('../../lib/session/turns');
const { KIND } = require('../../lib/wire/frame');
const { until } = require('../helpers/until');

describe('turns in a replica', () => {
  /** @type {string[]} */
  let order;
  /** @type {Link} */
  let link;
  const served = {
    options: { level: 0 },
    later: async (name) => {
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
      return served.options.level;
    },
    now: (name) => {
      order.push(name);
      return served.options.level;
    },
    untilAborted: (signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(`${signal.reason} at level ${served.options.level}`))),
    set: async (level) => {
      await new Promise(setImmediate);
      if (level < 0) throw new RangeError('below');
      served.options.level = level;
    },
  };

  beforeEach(async () => {
    order = [];
    served.options = { level: 0 };
    link = new Link(served);
    await link.load();
  });
  afterEach(() => link.close());

  const plan = (name, hasTurns) => ({
    key: `${name} ${hasTurns}`,
    path: [name],
    mode: 'promise',
    canRerun: false,
    affinity: null,
    hasTurns,
  });
  const call = (name, hasTurns = true) => {
    const made = new Call(plan(name, hasTurns), null, [name]);
    const result = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
    link.home.send(made);
    return result;
  };
  const change = (given) =>
    new Promise((resolve, reject) => link.home.repeat(new Change(given), { id: -1, sequence: 0, finish: resolve, fail: reject }));
  const set = (level) => change({ plan: plan('set', false), path: ['set'], values: [level] });
  const write = (path, ...values) => change({ plan: null, path, values });

  it('let a call begin when the one before has settled, and others pass', async () => {
    await Promise.all([call('later'), call('later'), call('now'), call('now', false)]);
    assert.deepEqual(order, ['later begins', 'now', 'later ends', 'later begins', 'later ends', 'now']);
  });

  it('let one without turns pass the call that waited before it, once the change is done that both waited for', async () => {
    await Promise.all([set(1), call('later'), call('now', false)]);
    assert.deepEqual(order, ['later begins', 'now', 'later ends']);
    // Calls with turns that have settled are no changes.
    assert.deepEqual(await Promise.all([set(2), call('now', false)]), [null, 2]);
  });

  it('make changes between the calls before and behind them', async () => {
    const levels = [
      call('later'),
      set(1),
      call('now', false),
      call('later'),
      write(['options', 'level'], 2),
      call('now', false),
      call('later'),
    ];
    assert.deepEqual(await Promise.all(levels), [0, null, 1, 1, null, 2, 2]);
    await write(['options'], { level: 7 });
    assert.equal(await call('now'), 7);
    await write(['options', 'level']);
    assert.equal(await call('now'), undefined);
  });

  it('keep an abort back until its call has begun, whose function may only listen for it, and no other', async () => {
    const controllers = [new AbortController(), new AbortController()];
    const begun = link.start('untilAborted', [controllers[0].signal]);
    const changed = set(1);
    const waiting = link.start('untilAborted', [controllers[1].signal]);
    controllers.forEach((controller, i) => controller.abort(i));
    assert.deepEqual(await Promise.all([begun.result, waiting.result, changed]), ['0 at level 0', '1 at level 1', null]);
  });

  it('go on after a change that failed', async () => {
    const failed = assert.rejects(set(-1), RangeError);
    assert.equal(await call('now'), 0);
    await failed;
  });

  it('let no write reach what the exports do not have of their own', async () => {
    for (const path of [
      [],
      ['__proto__'],
      ['__proto__', 'polluted'],
      ['options', '__proto__', 'polluted'],
      ['toString', 'polluted'],
      ['missing', 'a'],
    ]) {
      await assert.rejects(write(path, true), { code: 'IGNIS_BAD_FRAME' }, path.join('.'));
    }
    for (const path of [
      ['constructor', 'prototype', 'polluted'],
      ['now', 'call', 'polluted'],
    ]) {
      await assert.rejects(write(path, true), { code: 'IGNIS_BAD_FRAME' }, path.join('.'));
    }
    assert.equal({}.polluted, undefined);
    assert.equal(Object.getPrototypeOf(served), Object.prototype);
  });

  it('cannot be taken by a target that was never introduced', async () => {
    link.homeChannel.send([KIND.TURNS, 99]);
    const ended = await until(() => link.agentEnds[0], 'the end of the link');
    assert.equal(ended.code, 'IGNIS_BAD_FRAME');
  });
});

describe('turns of which somebody else says when what has waited may begin', () => {
  it('ask that for each of them', async () => {
    const [asked, begun] = [[], []];
    let mayBegin = false;
    const turns = new Turns((begin) => (mayBegin ? begin() : void asked.push(begin)));
    turns.waitFor(Promise.resolve(), true);
    for (const name of ['a', 'b', 'c', 'd']) turns.hold(() => begun.push(name), false, false);
    await until(() => asked.length === 1, 'the question');
    assert.deepEqual(begun, []);
    asked[0]();
    assert.deepEqual([begun, asked.length], [['a'], 2]);
    mayBegin = true;
    asked[1]();
    assert.deepEqual([begun, asked.length, turns.isWaiting], [['a', 'b', 'c', 'd'], 2, false]);
  });
});
