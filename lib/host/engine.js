'use strict';
/*
 * Opens the engine of a cluster, which holds membership, placement, leases and logs, so that none of these is home-made. In: one line of
 * text that says which, and who we are. Out: an Engine (engine-base.js says what it does; docs/hosts-engine.md how to run one). It carries
 * no calls and no code: these go directly from node to node. The packages for a server are loaded on first use, and never for 'embedded'.
 */
const { IgnisError } = require('../errors.js');
const { EmbeddedEngine } = require('./engine-embedded.js');
const { readEngineUrl } = require('./engine-url.js');

/**
 * @typedef {object} EngineOptions
 * @property {string} [app] whose records these are; clusters with different names do not see each other. 'ignis' by default: letters,
 *   digits, - and _
 * @property {string} [node] who we are, for the server's own lists and permissions
 * @property {number} [requestMs] how long one request may take, 3000 by default
 * @property {number} [connectMs] how long the first connection may take, 10000 by default
 * @property {(sentence: string) => void} [warn] told what an operator should know: a server has known holes
 */

/** @param {string} name @param {RegExp} right */
function checkName(name, right) {
  if (!right.test(name)) throw new IgnisError('IGNIS_BAD_OPTION', `a name in a cluster has 1 to 64 letters, digits, - or _: not '${name}'`);
}

/**
 * @param {string} url 'embedded' | 'nats://...' | 'etcd://...'
 * @param {EngineOptions} [options]
 * @returns {Promise<import('./engine-base.js').Engine>} it is reachable
 * @throws {IgnisError} IGNIS_BAD_OPTION when the text is wrong or a package is missing; IGNIS_ENGINE_DOWN when no server answers;
 *   IGNIS_ENGINE_REFUSED when it does not let us in
 */
async function openEngine(url, options = {}) {
  const { app = 'ignis', node = 'home' } = options;
  checkName(app, /^[\w-]{1,64}$/);
  checkName(node, /^[\w.-]{1,64}$/);
  const address = readEngineUrl(url);
  if (address.kind === 'embedded') return new EmbeddedEngine({ app });
  const settings = { requestMs: 3000, connectMs: 10_000, ...options, app, node };
  if (address.kind === 'nats') return require('./engine-nats.js').openNats(address, settings);
  return require('./engine-etcd.js').openEtcd(address, settings);
}

exports.openEngine = openEngine;
