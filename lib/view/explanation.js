'use strict';

// Says why a module is where it is. In: what a person asked for, the reports of all boundaries, the last decisions, what replicas would
// bring, replicas of resident modules. Out: a line for each boundary that is meant, or for each such replica. Pure.

const { IgnisError } = require('../errors');
const { nearest, nearestIs } = require('../option-table');
const { Set } = require('../engine');

/** Decisions that add nothing to the boundary's own sentence. */
const SAYS_NOTHING = new Set(['idle', 'no-pressure', 'not-allowed']);

/**
 * @param {string} id of a boundary, or the name of a module
 * @param {import('../types').BoundaryReport[]} boundaries
 * @param {object} known
 * @param {(module: string, home?: string) => {reason: string, sentence: string} | null} known.latestOf
 * @param {import('../types').Prospect[]} known.prospects
 * @param {Pick<import('../types').ReplicaReport, 'id' | 'module' | 'where' | 'endedWhy'>[]} known.residents
 * @returns {string}
 * @throws {IgnisError} IGNIS_NOT_FOUND naming the nearest
 */
function explain(id, boundaries, { latestOf, prospects, residents }) {
  const named = new Set([id, `node:${id}`]);
  const meant = boundaries.filter(({ id: own, child, set }) => own === id || named.has(child) || named.has(set));
  const lived = residents.filter(({ module }) => module.split(', ').includes(id));
  if (meant.length === 0 && lived.length > 0) return lived.map((one) => residentLine(id, one)).join('\n');
  if (meant.length === 0) {
    const names = [
      ...boundaries.map((boundary) => boundary.id),
      ...new Set([...boundaries.map(({ child }) => child), ...residents.flatMap(({ module }) => module.split(', '))]),
    ];
    const hint = nearest(String(id), names);
    throw new IgnisError('IGNIS_NOT_FOUND', `no boundary or module '${id}'${nearestIs(hint)}`, { nearest: hint });
  }
  return meant
    .map((boundary) => {
      const { set, home } = boundary;
      const prospect = home === undefined ? prospects.find(({ module }) => module === set) : undefined;
      return lineOf(boundary, latestOf(set, home), prospect?.sentence);
    })
    .join('\n');
}

/**
 * @param {import('../types').BoundaryReport} boundary
 * @param {{reason: string, sentence: string} | null} latest
 * @param {string} [prospect]
 */
function lineOf({ id, set, sentence, weight }, latest, prospect) {
  const parts = [sentence];
  if (weight !== 1) parts.push(`its pressure counts ${weight} times as much as that of others (weight)`);
  if (latest !== null && !SAYS_NOTHING.has(latest.reason)) parts.push(latest.sentence.slice(set.length + 2));
  if (prospect !== undefined) parts.push(prospect);
  return `${id}: ${parts.map((part, i) => (i === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join('. ')}`;
}

/** @param {string} module @param {Pick<import('../types').ReplicaReport, 'id' | 'where' | 'endedWhy'>} replica */
function residentLine(module, { id, where, endedWhy }) {
  return endedWhy === null
    ? `${module}: has lived in a replica (${id}, ${where}) since its import, as its recipe or the option 'force' says; each use of it crosses and waits, and none is measured`
    : `${module}: lived in a replica (${id}, ${where}), which has ended: ${endedWhy}`;
}

exports.explain = explain;
