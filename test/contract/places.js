'use strict';

// Where the contract suite keeps the module: the seam between its behaviours and the object layer.
// In: 'home', 'thread', 'process' or 'host'. Out: a place, which loads modules there and hands out their exports; every use of them is
// synchronous. Never a sign of the place in what it hands out, except what `counts` and `kill` tell.

const { Conversation } = require('../../lib/object/conversation');
const { openResident } = require('../../lib/spawn/resident');
const { hostSettings } = require('./host');

const PLACES = ['home', 'thread', 'process', 'host'];
const AWAY = ['thread', 'process', 'host'];
const ANSWER_MS = 30_000;

/**
 * @typedef {object} Place
 * @property {(file: string) => any} require exports of a file, loaded there; the same for the same file
 * @property {() => Promise<unknown> | void} close ends it; nothing of it stays
 * @property {() => Record<string, number>} counts entries in each table of references, of both sides after a collection there: all are 0
 *   when nothing is held
 * @property {() => void} kill ends its replica as a crash does
 */

/** @returns {Place} */
function openHome() {
  return { require, close() {}, counts: () => ({}), kill() {} };
}

/** @param {string} where @returns {Place} */
function open(where) {
  if (where === 'home') return openHome();
  // On a host, host-agent.js says how it serves.
  const how = where === 'host' ? hostSettings() : { serve: require.resolve('./serve-counted') };
  const resident = openResident({ where, ...how });
  const conversation = new Conversation(resident.line, {
    isHome: true,
    timeoutMs: ANSWER_MS,
    onUncaught(error) {
      setImmediate(() => {
        throw error;
      });
    },
  });
  return {
    require: (file) => conversation.load(resident.locate({ kind: 'file', name: file, place: file, argv: process.argv.slice(1) })),
    close() {
      return resident.close();
    },
    counts() {
      const far = JSON.parse(conversation.load({ kind: 'counts' }));
      const near = conversation.mail.tables.counts;
      return Object.fromEntries(Object.keys(near).flatMap((name) => [[`home ${name}`, near[name]], [`far ${name}`, far[name]]])); // prettier-ignore
    },
    kill: () => resident.kill(),
  };
}

exports.PLACES = PLACES;
exports.AWAY = AWAY;
exports.open = open;
