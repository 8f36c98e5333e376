'use strict';

// Lists what a recipe cannot say together with where its replicas are: rows for contradictions.js, and a check that needs all layers. In:
// nothing; an effective recipe. Out: rows; nothing, or IGNIS_BAD_RECIPE that names both fields and where each was given.

const { IgnisError } = require('../errors.js');
const { show } = require('../option-table.js');
const { hasHost, isBoth } = require('../spawn/where.js');
const { IN_ONE_REPLICA } = require('./parts.js');
const { Object } = require('../engine');

const BOTH_EXAMPLE = "where: ['process', 'host']";
const ONE_PLACE = `${IN_ONE_REPLICA}, and that replica is in one place: say which`;
const NOT_BOTH =
  "a list means this machine first, then hosts, so hosts must be named: give 'nodes' or 'cluster', or say where: 'process' or 'thread'";

/** @type {readonly import('./contradictions.js').Contradiction[]} */
const PLACE_CONTRADICTIONS = Object.freeze([
  {
    fields: ['where', 'comm'],
    example: "where: 'thread', comm: 'node-ipc'",
    when: ({ where, comm }) => comm !== 'auto' && where !== (comm === 'tcp' || comm === 'udp' ? 'host' : 'process'),
    sentence: "'pipe' and 'node-ipc' only reach processes on this machine, 'tcp' and 'udp' only other hosts; 'auto' reaches both",
  },
  {
    fields: ['where', 'codec'],
    example: "where: 'host', codec: 'msgpack-lite'",
    when: ({ where, codec }) => hasHost(where) && codec === 'msgpack-lite',
    sentence: 'hosts can only read msgpackr',
  },
  {
    fields: ['call', 'where'],
    example: `call: 'block', ${BOTH_EXAMPLE}`,
    when: ({ call, where }) => call === 'block' && isBoth(where),
    sentence: ONE_PLACE,
  },
  {
    fields: ['nodes', 'where'],
    example: "nodes: [{ ip: '192.0.2.7', port: 7100 }], where: 'thread'",
    when: ({ where }) => !hasHost(where),
    sentence: "other hosts are used only with where: 'host', alone or second in a list",
  },
  {
    fields: ['where', 'nodes'],
    example: `${BOTH_EXAMPLE}, nodes: []`,
    when: ({ where, nodes }) => isBoth(where) && nodes.length === 0,
    sentence: NOT_BOTH,
  },
  {
    fields: ['cluster', 'where'],
    example: "cluster: 'nats://192.0.2.7:4222', where: 'thread'",
    when: ({ where }) => !hasHost(where),
    sentence: "the hosts of a cluster are used only with where: 'host', alone or second in a list",
  },
  {
    fields: ['cluster', 'nodes'],
    example: "cluster: 'nats://192.0.2.7:4222', nodes: [{ ip: '192.0.2.7', port: 7100 }]",
    when: ({ cluster, nodes }) => cluster !== undefined && nodes !== undefined,
    sentence: 'use either the hosts of the cluster or those that are named',
  },
  {
    fields: ['labels', 'where'],
    example: "labels: { disk: 'fast' }, where: 'process'",
    when: ({ where }) => !hasHost(where),
    sentence: 'only hosts have labels',
  },
]);

/**
 * Replicas first here and then on hosts, which one layer may ask for, need hosts that other layers may or may not give.
 * @param {import('../types').EffectiveRecipe} recipe
 * @param {string} module
 * @throws {IgnisError} IGNIS_BAD_RECIPE when there is no host to go to, or the module lives in one replica
 */
function refusePlaces({ where, nodes, cluster, call, given }, module) {
  if (!isBoth(where)) return;
  if (call === 'block') throw wrong(`'call' is 'block'${at(given.call)}`, ONE_PLACE, 'call');
  if (cluster === undefined && (nodes === undefined || nodes.length === 0))
    throw wrong("there is no 'nodes' and no 'cluster'", NOT_BOTH, 'nodes');

  /** @param {string} other @param {string} sentence @param {string} nearest */
  function wrong(other, sentence, nearest) {
    const told = `of ${module}, 'where' is ${show(where)}${at(given.where)}, and ${other}; ${sentence}`;
    return new IgnisError('IGNIS_BAD_RECIPE', told, { field: 'where', value: where, nearest, where: given.where.where });
  }
}

/** @param {import('../types').Origin | undefined} origin */
const at = (origin) => (origin === undefined ? '' : ` (given in ${origin.where})`);

exports.PLACE_CONTRADICTIONS = PLACE_CONTRADICTIONS;
exports.refusePlaces = refusePlaces;
