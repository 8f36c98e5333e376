'use strict';

// A program of its own, whose heap is collected as it should be: pipelines through streams of a replica, and one of the replica through
// streams of home; prints that nothing is kept for them. Run by loose.test.js.

const { Readable, Writable, finished, pipeline } = require('node:stream');
const { Conversation } = require('../../lib/object/conversation');
const { makeCollector } = require('../../lib/object/kept');
const { openResident } = require('../../lib/spawn/resident');
const { until } = require('../helpers/until');

const MODULE = require.resolve('../fixtures/lost/module.js');
const TIMES = 5;
const collect = makeCollector();

/** @param {(done: (error?: any) => void) => void} begin */
const ended = (begin) => new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve(undefined))));

/** @param {any} m */
async function use(m) {
  for (let i = 0; i < TIMES; i++) {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    await ended((done) => pipeline(Readable.from(['one', 'two']), m.same(), sink, done));
    const alone = m.short();
    alone.once('error', () => alone.destroy()).resume();
    await ended((done) => finished(alone, done));
    await m.read(Readable.from(['one', 'two']));
  }
}

async function run() {
  const resident = openResident({ where: 'thread', serve: require.resolve('../contract/serve-counted') });
  const conversation = new Conversation(resident.line, { isHome: true, timeoutMs: 40_000 });
  await use(conversation.load({ kind: 'file', name: MODULE, place: MODULE, argv: [] }));
  const { tables } = conversation.mail;
  const there = () => JSON.parse(conversation.load({ kind: 'counts' }));
  const isForgotten = () => {
    collect();
    return there().lent < TIMES && tables.counts.lent < TIMES;
  };
  await until(isForgotten, () => `home lends ${tables.counts.lent}, the replica ${there().lent}`);
  console.log('forgotten');
  await resident.close();
}

void run();
