'use strict';

// A program of its own, whose heap is collected as it should be: listens to streams of a replica, lets them go, and prints that nothing is
// kept for them. Run by lost.test.js.

const { Conversation } = require('../../lib/object/conversation');
const { makeCollector } = require('../../lib/object/kept');
const { openResident } = require('../../lib/spawn/resident');
const { until } = require('../helpers/until');

const MODULE = require.resolve('../fixtures/lost/module.js');
const collect = makeCollector();

/** @param {any} m */
async function use(m) {
  for (let i = 0; i < 5; i++) {
    const short = m.short();
    short.on('error', () => {});
    for await (const piece of short) if (piece !== 'all') throw new Error('it is not all');
    m.source().on('error', () => {});
    m.quickSink().write('x', () => {});
  }
}

async function run() {
  const resident = openResident({ where: 'thread', serve: require.resolve('../contract/serve-counted') });
  const conversation = new Conversation(resident.line, { isHome: true, timeoutMs: 30_000 });
  await use(conversation.load({ kind: 'file', name: MODULE, place: MODULE, argv: [] }));
  const { hearing, tables } = conversation.mail;
  const kept = () => [tables.counts.lent, /** @type {any} */ (hearing).size];
  const isForgotten = () => {
    collect();
    conversation.load({ kind: 'counts' });
    return kept()[0] < 2 && kept()[1] === 0;
  };
  await until(isForgotten, () => `home keeps ${kept()}`);
  console.log('forgotten');
  await resident.close();
}

void run();
