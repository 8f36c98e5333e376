'use strict';
/*
 * Which hosts of a cluster may take a replica, and how much each can do. Pure. In: what the hosts say of themselves, which replicas are
 * placed on them, and the labels that a recipe asks for. Out: nodes with their weights, and why each other host is not among them. A host's
 * weight is its measured speed times the processors that nobody else keeps busy.
 */

const { Math, isArray, isInteger } = require('../engine');

/** @typedef {import('./membership.js').Member} Member */
/**
 * @typedef {{ip: string, port: number, name: string, fingerprint: string, weight: number, others: number, room: number, facts: any,
 *   isSilent?: true}} ClusterNode others: replicas of other homes there; room: how many more it takes; isSilent: its record was there
 *   before us, and may belong to a host long gone
 */

/**
 * @param {Record<string, unknown> | undefined} has
 * @param {Record<string, string>} wanted
 * @returns {string} the first that is missing or different; '' if none is
 */
function missingLabel(has, wanted) {
  const found = Object.entries(wanted).find(([name, value]) => !Object.hasOwn(has ?? {}, name) || has?.[name] !== String(value));
  return found === undefined ? '' : `${found[0]}=${found[1]}`;
}

/**
 * @param {any} facts of a host
 * @returns {number} above 0
 */
function weightOf({ speed, cpus, load, replicas }) {
  const busy = Math.max(0, (Number(load) || 0) - (Number(replicas) || 0));
  const free = Math.max(1, (Number(cpus) || 1) - busy);
  return Math.min(1e6, Math.max(1e-3, (Number(speed) || 1) * free));
}

/** Whether a record is one that a host of this version writes: others may write to an engine too. @param {any} record */
function isHost(record) {
  const { ip, port, fingerprint, facts } = record ?? {};
  return typeof ip === 'string' && isInteger(port) && typeof fingerprint === 'string' && typeof facts === 'object' && facts !== null;
}

/**
 * @param {readonly Member[]} members
 * @param {ReadonlyMap<string, readonly any[]>} placed by host: the replicas there, of living homes
 * @param {{labels?: Record<string, string>, session: string}} wanted session: which home asks
 * @returns {{nodes: ClusterNode[], full: ClusterNode[], said: string[]}} said: why each other host is none; full: those of them that lack
 *   only room
 */
function survey(members, placed, { labels = {}, session }) {
  /** @type {ClusterNode[]} */
  const nodes = [];
  /** @type {ClusterNode[]} */
  const full = [];
  /** @type {string[]} */
  const said = [];
  for (const { name, record, isHeard } of members) {
    const why = whyNot(record, labels);
    if (why !== '') {
      said.push(`${name} ${why}`);
      continue;
    }
    const others = (placed.get(name) ?? []).filter((replica) => replica.home !== session).length;
    const { ip, port, fingerprint, facts } = record;
    const count = (placed.get(name) ?? []).length;
    const room = Math.max(0, facts.maxReplicas - count);
    if (count >= facts.maxReplicas) said.push(`${name} has ${count} replicas placed on it, and may have ${facts.maxReplicas}`);
    const silent = isHeard === false && { isSilent: /** @type {true} */ (true) };
    (count >= facts.maxReplicas ? full : nodes).push({
      ip,
      port,
      name,
      fingerprint,
      weight: weightOf(facts),
      others,
      room,
      facts,
      ...silent,
    });
  }
  return { nodes, full, said };
}

/** @param {any} record @param {Record<string, string>} labels @returns {string} why it is none, however much room it has */
function whyNot(record, labels) {
  if (!isHost(record)) return 'does not answer as a host does';
  if (record.isDraining) return 'is being stopped';
  const missing = missingLabel(record.facts.labels, labels);
  if (missing !== '') return `is not labelled ${missing}`;
  return '';
}

/** In words, for people who wrote something else. */
const LABEL_FORM = 'names of 1 to 64 letters, digits, dots, dashes and underscores, and values of as many of these or colons';
const LABEL = /^([\w.-]{1,64})=([\w.:-]{1,64})$/;

/**
 * @param {any} text 'disk=fast,zone=b'
 * @returns {Record<string, string> | null} null: it is none
 */
function readLabels(text) {
  /** @type {Record<string, string>} */
  const labels = {};
  for (const part of String(text).split(',')) {
    const match = LABEL.exec(part.trim());
    if (match === null || Object.hasOwn(labels, match[1])) return null;
    labels[match[1]] = match[2];
  }
  return labels;
}

/** @param {any} value @returns {true | string} whether a recipe may ask for these */
function areLabels(value) {
  const right = `an object of labels, as { disk: 'fast' }: ${LABEL_FORM}`;
  if (typeof value !== 'object' || value === null || isArray(value)) return right;
  return (
    Object.entries(value).every(([name, one]) => /^(?:string|number|boolean)$/.test(typeof one) && LABEL.test(`${name}=${one}`)) || right
  );
}

exports.LABEL_FORM = LABEL_FORM;
exports.areLabels = areLabels;
exports.readLabels = readLabels;
exports.missingLabel = missingLabel;
exports.survey = survey;
exports.weightOf = weightOf;
