'use strict';

// Why a module is where it is, in words.
// In: what a person asked for, the reports of all boundaries, the last decisions, what replicas would bring. Out: a line for each boundary that is meant. Pure.

const { IgnisError } = require('../errors');
const { nearest } = require('../option-table');
const { Set } = require('../engine');

/** Decisions that say no more than the boundary's own sentence. */
const SAYS_NOTHING = new Set(['idle', 'no-pressure', 'not-allowed']);

/**
 * @param {string} id of a boundary, or the name of a module
 * @param {import('../types').BoundaryReport[]} boundaries
 * @param {{latestOf: (module: string, home?: string) => {reason: string, sentence: string} | null, prospects: import('../types').Prospect[]}} known
 * @returns {string}
 * @throws {IgnisError} IGNIS_NOT_FOUND naming the nearest
 */
function explain(id, boundaries, { latestOf, prospects }) {
  const meant = boundaries.filter((boundary) => boundary.id === id || boundary.child === id || boundary.set === id);
  if (meant.length === 0) {
    const names = [...boundaries.map((boundary) => boundary.id), ...new Set(boundaries.map(({ child }) => child))];
    const hint = nearest(String(id), names);
    throw new IgnisError('IGNIS_NOT_FOUND', `no boundary or module '${id}'${hint === '' ? '' : `; the nearest is '${hint}'`}`, {
      nearest: hint,
    });
  }
  return meant
    .map((boundary) => {
      const { set, home } = boundary;
      const prospect = home === undefined ? prospects.find(({ module }) => module === set) : undefined;
      return lineOf(boundary, latestOf(set, home), prospect?.sentence);
    })
    .join('\n');
}

/** @param {import('../types').BoundaryReport} boundary @param {{reason: string, sentence: string} | null} latest @param {string} [prospect] */
function lineOf({ id, set, sentence, weight }, latest, prospect) {
  const parts = [sentence];
  if (weight !== 1) parts.push(`its pressure counts ${weight} times among others (weight)`);
  if (latest !== null && !SAYS_NOTHING.has(latest.reason)) parts.push(latest.sentence.slice(set.length + 2));
  if (prospect !== undefined) parts.push(prospect);
  return `${id}: ${parts.join('. ')}`;
}

exports.explain = explain;
