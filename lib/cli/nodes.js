'use strict';

// ignis nodes: lists the hosts of a cluster, what each is, and which replicas are placed on it. It only reads the engine, and writes
// nothing there. A host is 'here' if a beat of it was heard while we looked, otherwise 'silent'; with --watch also 'lost' or 'left', and
// 'unknown' while the engine is away.

const { IgnisError } = require('../errors.js');
const { fact } = require('../option-table.js');
const { addressText } = require('../host/address.js');
const { openEngine } = require('../host/engine.js');
const { isClusterUrl } = require('../host/engine-url.js');
const { Membership } = require('../host/membership.js');
const { PlacementRegistry } = require('../host/placement-record.js');
const { guarded } = require('./guarded.js');
const { figure, toTable } = require('./table.js');
const { misused } = require('./misuse.js');

/** Two and a half beats: whoever is there is heard in that time, ms. */
const LISTEN_MS = 2500;
const LOOK_MS = 50;
const AGAIN_MS = 1000;

exports.usage = 'nodes [options]';
exports.summary = 'Lists the hosts of a cluster, their load, and the replicas placed on them.';
exports.options = Object.freeze([
  {
    name: 'cluster',
    type: 'string',
    check: (/** @type {any} */ value) => (typeof value === 'string' && value !== '') || 'nats://HOST:PORT or etcd://HOST:PORT',
    env: 'IGNIS_CLUSTER',
    sentence: 'The address of the engine of the cluster: nats://HOST:PORT,... or etcd://HOST:PORT,...',
  },
  { name: 'watch', type: 'true | false', check: fact, sentence: 'Prints the list again whenever it changes, until Ctrl-C.' },
  { name: 'json', type: 'true | false', check: fact, sentence: 'Prints JSON: an array, or with --watch one line for each change.' },
]);

const MB = 1024 * 1024;

/** @type {readonly import('./table.js').Column[]} */
const COLUMNS = Object.freeze([
  { title: 'host', cell: ({ name }) => name },
  { title: 'state', cell: ({ state }) => state },
  { title: 'address', cell: ({ ip, port }) => (ip === undefined ? '' : addressText(String(ip), port)) },
  {
    title: 'replicas',
    cell: ({ replicas, maxReplicas }) => (maxReplicas === undefined ? '' : `${replicas}/${maxReplicas}`),
    isNumber: true,
  },
  { title: 'load', cell: ({ load }) => figure(load, 2), isNumber: true },
  { title: 'cpus', cell: ({ cpus }) => cpus, isNumber: true },
  { title: 'speed', cell: ({ speed }) => figure(speed, 0), isNumber: true },
  { title: 'free MB', cell: ({ freeBytes }) => figure(freeBytes / MB, 0), isNumber: true },
  { title: 'node', cell: ({ node }) => node },
  { title: 'platform', cell: ({ platform, arch }) => (platform === undefined ? '' : `${platform} ${arch}`) },
  {
    title: 'labels',
    cell: ({ labels }) =>
      Object.entries(labels ?? {})
        .map((pair) => pair.join('='))
        .join(','),
  },
  {
    title: 'modules',
    cell: ({ placed }) => [...new Set(placed.map((/** @type {any} */ { name, module }) => `${name}:${module}`))].join(' '),
  },
]);

/**
 * What is shown of a host; its own words may come from anybody who writes to the engine.
 *
 * @param {any} record
 * @param {string} name
 * @param {string} state
 * @param {readonly any[]} placed
 */
function shownOf(record, name, state, placed) {
  const facts = typeof record?.facts === 'object' && record.facts !== null ? record.facts : {};
  const { node, platform, arch, cpus, speed, load, memoryBytes, freeBytes, replicas, maxReplicas, labels } = facts;
  const { ip, port, fingerprint } = record ?? {};
  const now = record?.isDraining === true && state === 'here' ? 'draining' : state;
  const machine = { node, platform, arch, cpus, speed, load, memoryBytes, freeBytes, replicas, maxReplicas, labels };
  return {
    name,
    state: now,
    ip,
    port,
    fingerprint,
    ...machine,
    placed: placed.map(({ id, name: home, module }) => ({ id, name: home, module })),
  };
}

class Listing {
  /** @type {Map<string, {record: any, state: string}>} */
  #hosts = new Map();
  /** @type {Map<string, readonly any[]>} */
  #placed = new Map();
  /** @type {Map<string, string>} processes of homes, as hosts: the place of one that is gone is free */
  #homes = new Map();
  #isFirst = true;
  /** The engine went away, and is not back yet. */
  isFrozen = false;

  /** @param {import('../host/membership.js').MemberEvent} heard */
  hear({ event, member }) {
    if (event === 'frozen' || event === 'thawed') this.isFrozen = event === 'frozen';
    if (member !== undefined) this.#hosts.set(member.name, { record: member.record, state: this.#stateAfter(event) });
  }

  /** @param {import('../host/membership.js').MemberEvent} heard of a home */
  hearHome({ event, member }) {
    if (member !== undefined) this.#homes.set(member.name, this.#stateAfter(event));
  }

  /** @param {string} event */
  #stateAfter(event) {
    // A record that was there before us may belong to a host long gone.
    return event === 'left' || event === 'lost' ? event : this.#isFirst ? 'silent' : 'here';
  }

  /** @param {string} host @param {readonly any[]} replicas */
  place(host, replicas) {
    this.#placed.set(host, replicas);
  }

  /** All that was there before has been told. */
  begin() {
    this.#isFirst = false;
  }

  get isHeard() {
    const isSilent = [...this.#hosts.values()].some(({ state }) => state === 'silent');
    return !isSilent && [...this.#homes.values()].every((state) => state !== 'silent');
  }

  records() {
    return [...this.#hosts]
      .map(([name, { record, state }]) => shownOf(record, name, this.#isUnknown(state) ? 'unknown' : state, this.#placesOn(name)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Nobody can tell whether it is heard. @param {string} state */
  #isUnknown(state) {
    return this.isFrozen && (state === 'here' || state === 'silent');
  }

  /** @param {string} host @returns {any[]} places of homes that were heard while we looked */
  #placesOn(host) {
    return (this.#placed.get(host) ?? []).filter((place) => this.#homes.get(place?.home) === 'here');
  }
}

/** @param {Listing} listing @param {{isJson: boolean, isWatch: boolean}} how @returns {string} */
function textOf(listing, { isJson, isWatch }) {
  const records = listing.records();
  if (isJson) return `${JSON.stringify(records, null, isWatch ? 0 : 2)}\n`;
  const frozen = listing.isFrozen ? 'the engine cannot be reached; this is what was known before\n' : '';
  return frozen + (records.length === 0 ? 'no hosts\n' : toTable(COLUMNS, records));
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {import('../host/engine-base.js').Engine} engine
 * @param {{isJson: boolean, isWatch: boolean}} how
 * @param {import('./main.js').Io} io
 */
async function list(engine, how, { out }) {
  const listing = new Listing();
  const membership = new Membership(engine, { onEvent: (event) => listing.hear(event) });
  const homes = new Membership(engine, { below: 'homes/', onEvent: (event) => listing.hearHome(event) });
  await Promise.all([membership.open(), homes.open()]);
  const placements = new PlacementRegistry(engine);
  await new Promise((/** @type {(value?: any) => void} */ resolve, reject) => {
    placements.watch('', (host, { replicas }) => listing.place(host, replicas), { onReady: resolve, onLost: reject });
  });
  listing.begin();
  for (let waited = 0; waited < LISTEN_MS && !listing.isHeard; waited += LOOK_MS) await pause(LOOK_MS);
  let said = textOf(listing, how);
  out(said);
  let isOver = !how.isWatch;
  const stop = () => void (isOver = true);
  if (how.isWatch) for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  while (!isOver) {
    await pause(AGAIN_MS);
    const next = textOf(listing, how);
    if (next !== said && !isOver) out(how.isJson ? next : `\n${next}`);
    said = next;
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
  membership.close();
  homes.close();
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length > 0) throw misused(`unexpected argument '${rest[0]}'`, exports.usage);
  const cluster = given.cluster ?? io.env.IGNIS_CLUSTER;
  if (!cluster) throw new IgnisError('IGNIS_BAD_OPTION', 'name a cluster: --cluster nats://HOST:PORT or etcd://HOST:PORT');
  if (cluster === 'embedded')
    throw new IgnisError('IGNIS_BAD_OPTION', 'an embedded cluster lives in its home alone; `ignis nodes` needs one on NATS or etcd');
  const verdict = isClusterUrl(cluster);
  if (verdict !== true) throw new IgnisError('IGNIS_BAD_OPTION', `the cluster must be ${verdict}`, { field: 'cluster' });
  const launch = guarded(io, async () => {
    const engine = await openEngine(String(cluster), { node: 'nodes', warn: (text) => io.err(`ignis: ${text}\n`) });
    try {
      await list(engine, { isJson: given.json === true, isWatch: given.watch === true }, io);
    } finally {
      await engine.close();
    }
  });
  return { code: 0, launch };
};
