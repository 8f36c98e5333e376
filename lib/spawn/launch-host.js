'use strict';
/*
 * Starts an agent on another host. In: the nodes of a recipe, and who home is. Out: a launched agent, as launch-process.js gives: its
 * frames go straight to it over mutual TLS, and the code of its module is sent before it is told to load it. The agent never keeps home
 * alive, and ends with it.
 */
const { makeCodec } = require('../wire/codec');
const { ShippingChannel } = require('../host/shipping-channel');
const { withVersions } = require('../host/other-node');
const { IgnisError } = require('../errors');
const { LastLines } = require('../session/last-lines');
const { LITTLE, exitBy, exitOf } = require('./exit');
const { Promise, isFinite } = require('../engine');

/** How often a bundle is made and sent if its files change meanwhile. */
const MOST_TRIES = 4;
/** What a host says if it has no room for the code, or does not have it. */
const REFUSALS = ['IGNIS_HOST_REFUSED', 'IGNIS_BAD_BUNDLE'];
const NONE_JOINED =
  'no host has joined its cluster: run `ignis daemon --cluster` on a host to join it; `ignis nodes --cluster` lists the hosts that have joined';

/** @typedef {import('../host/hosts').Hosts} Hosts */
/** @typedef {import('../host/host').Host} Host */
/** @typedef {import('./load-target').Target} Target */

/**
 * @typedef {object} Placing which hosts may take it
 * @property {readonly import('../host/host').Node[]} nodes
 * @property {string} [cluster] take its hosts instead
 * @property {Record<string, string>} [labels] that a host must have
 * @property {Hosts} hosts
 * @property {Target} [target] what it will load first; the host is chosen for it
 * @property {import('./insides').Insides} [nested] Ignis is active in it, and reports to this
 */
/** @typedef {Placing & {codec: string, comm?: string, maxBlockBytes?: number}} HostSettings */
/** @typedef {import('../host/bundle').Bundle | null} MaybeBundle null: the module to load is part of Node */

/**
 * @typedef {object} Lodger an agent that has started on a host
 * @property {Host} host
 * @property {number} id
 * @property {number} pid on that host
 * @property {import('node:tls').TLSSocket} stream to it
 * @property {Promise<import('./exit').Exit>} exit how it ended
 * @property {Promise<void>} stopping settles when its host is being stopped
 * @property {(error: any) => Error} unfit told why a module that is there could not be loaded; returns that, with the versions of Node if
 *   they differ. From then on, other hosts are asked first
 * @property {(wanted: Target, made?: MaybeBundle) => Promise<Located>} ship has the code of a module there, as this bundle if it was made;
 *   gives the target as the host finds it
 * @property {Located} [located] the target that the host was chosen for, if its code is there already
 */
/** @typedef {Target & {grant?: import('../host/grant').Grant}} Located */

/**
 * @param {Placing} placing
 * @param {Target | undefined} target
 * @param {import('../host/bundle').Bundle} [before] one whose files have changed
 * @returns {Promise<MaybeBundle>}
 */
const bundleOf = ({ hosts, nested }, target, before) =>
  target?.kind === 'file' ? hosts.bundle(target.place, nested?.root, before) : Promise.resolve(null);

/**
 * Makes sure that the host has it. If files beside a module come, go or change on the way (uploads, journals of a database), the bundle is
 * made once more: of the files that stay, with their contents at that moment.
 *
 * @param {Host} host @param {Placing} placing @param {Target | undefined} target
 * @param {import('../host/bundle').Bundle} first bundle of it
 * @returns {Promise<import('../host/bundle').Bundle>} the bundle that is there
 */
async function shipped(host, placing, target, first) {
  let bundle = first;
  for (let tries = 1; ; tries++) {
    try {
      await host.ship(bundle);
      return bundle;
    } catch (error) {
      if (/** @type {IgnisError} */ (error).code !== 'IGNIS_BAD_BUNDLE' || tries === MOST_TRIES) throw error;
      const again = await bundleOf(placing, target, bundle);
      if (again === null || again.digest === bundle.digest) throw error;
      bundle = again;
    }
  }
}

/**
 * @param {HostSettings} settings
 * @returns {Promise<import('./launch-process').Launched>}
 * @throws {IgnisError} IGNIS_NO_HOST when no host takes it; IGNIS_BAD_OPTION when home has no identity
 */
async function launchHost(settings) {
  const { codec, comm, maxBlockBytes, nested } = settings;
  const { host, id, pid, stream, exit, stopping, unfit, ship } = await lodge(settings, false);
  return {
    where: `host ${host.title}`,
    pid,
    channel: new ShippingChannel(stream, makeCodec(codec), { maxBlockBytes }, host.wayTo(id), ship),
    kill: () => host.kill(id),
    onExit: (listener) => void exit.then((one) => listener(one.why, one)),
    stopping,
    nested,
    atLoad: () => ({ argv: process.argv.slice(1), ...(nested !== undefined && { nested: nested.told({ isFar: true }) }) }),
    whyUnloaded: unfit,
    travelMs: () => host.word.roundTripMs ?? 0,
    datagramsTo: comm === 'udp' ? stream.remoteAddress : undefined,
  };
}

/**
 * @param {Placing} placing
 * @param {boolean} isResident it is for resident modules, whose callers wait, blocked; then it has the code of the target
 * @returns {Promise<Lodger>}
 * @throws {IgnisError} IGNIS_NO_HOST, IGNIS_BAD_OPTION
 */
async function lodge(placing, isResident) {
  const { nodes, cluster, labels, hosts, target } = placing;
  const bundle = await bundleOf(placing, target);
  const start = async (/** @type {Host} */ host) => {
    const lodger = await startOn(host, placing, bundle, isResident);
    if (!isResident || target === undefined) return lodger;
    try {
      return { ...lodger, located: await lodger.ship(target, bundle) };
    } catch (error) {
      // Of such replicas there is one: if this host has no room for something, another may.
      host.kill(lodger.id);
      throw error;
    }
  };
  if (cluster === undefined) return hosts.first(nodes, { bundle, labels, file: target?.place }, start, giveUp);
  return inCluster({ hosts, cluster, labels, bundle, target }, start);
}

/** @param {Lodger} lodger that came too late: there is another */
function giveUp({ host, id, stream }) {
  host.kill(id);
  stream.destroy();
}

/** @param {Host} host @param {Placing} placing @param {MaybeBundle} first @param {boolean} isResident @returns {Promise<Lodger>} */
async function startOn(host, placing, first, isResident) {
  if (first !== null) await shipped(host, placing, placing.target, first);
  /** @type {import('../host/host').Guest['onExit']} */
  let gone = () => {};
  /** @type {Promise<import('./exit').Exit>} */
  const exit = new Promise((resolve) => {
    gone = (why, end) => resolve(exitThere(why, end, host.word.facts?.memoryMb));
  });
  let stop = () => {};
  /** @type {Promise<void>} */
  const stopping = new Promise((resolve) => {
    stop = resolve;
  });
  const { id, pid, stream } = await host.start({ onExit: gone, onStopping: stop, isResident });
  const passOver = () => first !== null && host.misfits.add(String(placing.target?.place));
  /** @type {Lodger['unfit']} */
  const unfit = (error) => {
    // The link or the replica has ended: that says nothing about the module, unless this error ended it.
    if (error instanceof IgnisError) {
      void exit.then(({ exitCode, signal }) => (exitCode ?? signal) !== null && passOver());
      return error;
    }
    passOver();
    const why = String(error?.message ?? error);
    const told = withVersions(why, host.word.facts?.node);
    return told === why ? error : new Error(told, { cause: error });
  };
  /** @param {Target} wanted @param {import('../host/bundle').Bundle} made */
  const granted = async (wanted, made) => {
    const bundle = await shipped(host, placing, wanted, made);
    return { bundle, grant: await host.grant(id, bundle) };
  };
  /** @type {Lodger['ship']} */
  const ship = async (wanted, before) => {
    const made = before ?? (await bundleOf(placing, wanted));
    if (made === null) return wanted;
    if (wanted.extensions !== undefined && wanted.extensions.length > 0)
      throw new IgnisError('IGNIS_HOST_REFUSED', 'its files are translated as they are loaded, and only home can do that');
    const { bundle, grant } = await granted(wanted, made).catch((error) => {
      if (REFUSALS.includes(error.code)) passOver();
      throw error;
    });
    const nested = wanted.nested && { nested: { ...wanted.nested, root: bundle.root } };
    return { ...wanted, place: `${bundle.digest}/${bundle.entry}`, grant, ...nested };
  };
  return { host, id, pid, stream, exit, stopping, unfit, ship };
}

/**
 * @param {string} why in the host's words
 * @param {import('../host/housed-replica').End | null} end as the host saw it
 * @param {unknown} memoryMb the limit that the host sets for a replica
 * @returns {import('./exit').Exit}
 */
function exitThere(why, end, memoryMb) {
  // No call does that by itself: as if it was killed from outside.
  if (end === null) return { ...exitBy(why), blame: LITTLE };
  const written = new LastLines();
  written.add(end.written);
  const exit = exitOf(end.code, end.signal, written);
  if (exit.harm === 'memory' && isFinite(memoryMb)) exit.why += `: its host lets a replica have ${memoryMb} MB (--memory)`;
  return exit;
}

/**
 * On a host of a cluster, a place is taken before the replica starts, and given back when it has ended.
 *
 * @param {{hosts: Hosts, cluster: string, labels?: Record<string, string>, bundle: MaybeBundle, target?: Target}} wanted
 * @param {(host: Host) => Promise<Lodger>} start
 */
async function inCluster({ hosts, cluster, labels, bundle, target }, start) {
  const directory = hosts.directory(cluster);
  const { nodes, said } = await directory.survey(labels);
  if (nodes.length === 0 && said.length === 0) said.push(NONE_JOINED);
  return hosts.first(
    nodes,
    { bundle, labels, said, file: target?.place },
    async (host) => {
      const name = String(host.node.name);
      const place = await directory.place(name, target?.name ?? '');
      const leave = () => void directory.leave(name, place).catch(() => {});
      try {
        const lodger = await start(host);
        void lodger.exit.then(leave);
        return lodger;
      } catch (error) {
        leave();
        throw error;
      }
    },
    giveUp,
  );
}

exports.launchHost = launchHost;
exports.lodge = lodge;
