'use strict';

// Both sides work at once, and copies that nobody uses are collected whenever one of them waits.

const assert = require('node:assert/strict');
const { Conversation } = require('../../lib/object/conversation');
const { makeCollector } = require('../../lib/object/kept');
const { openResident } = require('../../lib/spawn/resident');

const MODULE = require.resolve('../fixtures/races/module.js');
const ENOUGH_MS = 20_000;
const collect = makeCollector();

describe('two event loops that work at once', function () {
  this.timeout(ENOUGH_MS);
  let resident;
  let side;
  let conversation;
  let m;

  beforeEach(() => {
    resident = openResident({ where: 'thread', serve: require.resolve('../fixtures/races/serve.js') });
    side = { isHome: true, timeoutMs: ENOUGH_MS, onPause: () => conversation.mail.sweep(collect) };
    conversation = new Conversation(resident.line, side);
    m = conversation.load({ kind: 'file', name: MODULE, place: MODULE, argv: [] });
  });
  afterEach(() => resident.close());

  it('settle promises together with objects of classes and with data', async () => {
    const [thing, data] = await Promise.all(m.settleTogether());
    assert.equal(thing.name(), 'thing');
    assert.deepEqual(data, { plain: [1, { deep: true }] });
  });
});
