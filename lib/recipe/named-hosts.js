'use strict';

// Reads the hosts that options and environment variables name, for recipes with `where: 'host'` that name none. In: texts of the options.
// Out: the hosts as a recipe would give them, checked, or an error that says what would have been right.

const { IgnisError } = require('../errors.js');
const { nodes: checkNodes } = require('./checks.js');
const { isClusterUrl } = require('../host/engine-url.js');

/** @typedef {import('../host/host').Node} Node */

/**
 * @typedef {object} NamedHosts
 * @property {readonly Node[]} nodes empty if a cluster is named
 * @property {string} [cluster]
 */

const NODES = 'hosts as IP:PORT or NAME=IP:PORT, separated by commas';
const ONE_NODE = /^(?:([^=]+)=)?(?:\[([^\]=]+)\]|([^:=]+)):(\d+)$/;

/**
 * @param {{nodes?: string, cluster?: string, where?: string, force?: string, identity?: string, trust?: string, deployKey?: string}}
 *   options of the program
 * @returns {NamedHosts | null} null: none are named
 * @throws {IgnisError} IGNIS_BAD_OPTION
 */
function namedHosts({ nodes, cluster, where, force, identity, trust, deployKey }) {
  if (where === 'host' && force !== undefined && (nodes ?? cluster) !== undefined) checkIdentity({ identity, trust, deployKey });
  if (nodes !== undefined && cluster !== undefined) throw wrong('nodes', nodes, "use either 'cluster' or 'nodes', not both");
  if (cluster !== undefined) {
    const verdict = isClusterUrl(cluster);
    // The value may contain a password.
    if (verdict !== true) throw new IgnisError('IGNIS_BAD_OPTION', `the option 'cluster' must be ${verdict}`, { field: 'cluster' });
    return { nodes: [], cluster };
  }
  if (nodes !== undefined) return { nodes: nodes.split(',').map((text) => nodeOf(text.trim(), nodes)) };
  if (where === 'host' && force !== undefined) throw wrong('where', where, "no host is named; give 'nodes' or 'cluster'");
  return null;
}

/**
 * What is forced can go nowhere else, so mistakes are reported at once, not at the first import.
 * @param {{identity?: string, trust?: string, deployKey?: string}} options
 * @throws {IgnisError} IGNIS_BAD_OPTION
 */
function checkIdentity({ identity, trust, deployKey }) {
  if (identity === undefined)
    throw wrong(
      'where',
      'host',
      "hosts accept code only from a home that proves who it is: give 'identity', a folder that `ignis keys` makes",
    );
  // The room that reads certificates is loaded late: few programs need it.
  require('../host/identity.js').readIdentity({ identity, trust, deployKey }, true);
}

/** @param {string} text @param {string} whole @returns {Node} */
function nodeOf(text, whole) {
  const [, name, ip6, ip, port] = ONE_NODE.exec(text) ?? [];
  const node = { ip: ip6 ?? ip, port: Number(port), ...(name === undefined ? {} : { name }) };
  if (checkNodes([node]) !== true) throw wrong('nodes', whole, `it must be ${NODES}`);
  return node;
}

/** @param {string} field @param {string} value @param {string} why */
function wrong(field, value, why) {
  return new IgnisError('IGNIS_BAD_OPTION', `the option '${field}' is '${value}': ${why}`, { field, value });
}

exports.namedHosts = namedHosts;
