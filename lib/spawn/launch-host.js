'use strict';
/*
 * Starts an agent on another host. In: the nodes of a recipe, and what home is known by. Out: a launched agent, as launch-process.js gives: its frames go straight to it over mutual TLS,
 * and the code of its module is sent before it is to load it. The agent never keeps home alive, and ends with it.
 */
const path = require('node:path');
const { makeCodec } = require('../wire/codec');
const { ShippingChannel } = require('../host/shipping-channel');
const { IgnisError } = require('../errors');

/** @typedef {import('../host/hosts').Hosts} Hosts */

/**
 * @typedef {object} HostSettings
 * @property {string} codec
 * @property {number} [maxBlockBytes]
 * @property {readonly import('../host/host').Node[]} nodes
 * @property {string} [cluster] whose hosts are taken instead
 * @property {Record<string, string>} [labels] that a host must have
 * @property {Hosts} hosts
 * @property {import('./load-target').Target} [target] what it will load first: chooses among hosts
 */

/** @param {Hosts} hosts @param {import('./load-target').Target | undefined} target */
const bundleOf = (hosts, target) => (target?.kind === 'file' ? hosts.bundle(target.place) : Promise.resolve(null));

/**
 * @param {HostSettings} settings
 * @returns {Promise<import('./launch-process').Launched>}
 * @throws {IgnisError} IGNIS_NO_HOST when no host takes it; IGNIS_BAD_OPTION when home has no identity
 */
async function launchHost({ codec, maxBlockBytes, nodes, cluster, labels, hosts, target }) {
  const first = await bundleOf(hosts, target);
  const start = async (/** @type {import('../host/host').Host} */ host) => {
    if (first !== null) await host.ship(first);
    /** @type {(why: string) => void} */
    let gone = () => {};
    /** @type {Promise<string>} */
    const exit = new Promise((resolve) => {
      gone = resolve;
    });
    const { id, pid, stream } = await host.start({ onExit: gone });
    const ship = async (/** @type {import('./load-target').Target} */ wanted) => {
      const bundle = await bundleOf(hosts, wanted);
      if (bundle === null) return wanted;
      if (wanted.extensions !== undefined && wanted.extensions.length > 0)
        throw new IgnisError('IGNIS_HOST_REFUSED', 'its files are translated as they are loaded, which only home can');
      await host.ship(bundle);
      await host.grant(id, bundle.digest);
      return { ...wanted, place: `${bundle.digest}/${bundle.entry}` };
    };
    const channel = new ShippingChannel(stream, makeCodec(codec), { maxBlockBytes }, ship);
    const onExit = (/** @type {(why: string) => void} */ listener) => void exit.then(listener);
    return {
      where: `host ${host.title}`,
      pid,
      channel,
      kill: () => host.kill(id),
      onExit,
      atLoad: () => ({ argv: process.argv.slice(1) }),
    };
  };
  if (cluster === undefined) return hosts.first(nodes, { bundle: first, labels }, start);
  return inCluster(
    { hosts, cluster, labels, bundle: first, module: target === undefined ? '' : path.basename(String(target.place)) },
    start,
  );
}

/**
 * On a host of a cluster, where a place is taken before the replica starts, and given back when it has ended.
 *
 * @param {{hosts: Hosts, cluster: string, labels?: Record<string, string>, bundle: import('../host/bundle').Bundle | null, module: string}} wanted
 * @param {(host: import('../host/host').Host) => Promise<import('./launch-process').Launched>} start
 */
async function inCluster({ hosts, cluster, labels, bundle, module }, start) {
  const directory = hosts.directory(cluster);
  const { nodes, said } = await directory.survey(labels);
  return hosts.first(nodes, { bundle, labels, said }, async (host) => {
    const name = String(host.node.name);
    const place = await directory.place(name, module);
    const leave = () => void directory.leave(name, place).catch(() => {});
    try {
      const launched = await start(host);
      launched.onExit(leave);
      return launched;
    } catch (error) {
      leave();
      throw error;
    }
  });
}

exports.launchHost = launchHost;
