'use strict';

// Puts together what the rooms know of each boundary. In: boundaries, and functions that ask the rooms. Out: a BoundaryRecord for each, for
// a snapshot. It asks each room once.

const { Map } = require('../engine');

/**
 * @typedef {object} Asked
 * @property {Iterable<any>} boundaries of wrap/boundary.js
 * @property {{tick: () => void, readings: () => any[], totals: (id: string) => any}} window
 * @property {(reading: any) => number} pressureOf
 * @property {(boundary: any) => {allowed: boolean, why?: string, isSaid?: boolean}} consentOf what its own recipe says
 * @property {(module: string) => {allowed: boolean, why?: string, hasDiffered?: boolean}} permissionOf what all recipes and the module's
 *   state allow
 * @property {(module: string) => {ready: number, wanted: number} | undefined} setOf
 */

/** @param {Asked} asked @returns {import('./snapshot').BoundaryRecord[]} */
function boundaryRecords({ boundaries, window, pressureOf, consentOf, permissionOf, setOf }) {
  window.tick();
  const readings = new Map(window.readings().map((reading) => [reading.boundary, reading]));
  return [...boundaries].map((boundary) => {
    const { id, parent, child, calledAt, recipe } = boundary;
    const weight = recipe?.weight ?? 1;
    const reading = readings.get(id) ?? null;
    const consent = consentOf(boundary);
    const setName = boundary.setName ?? child.name;
    const set = consent.allowed ? setOf(setName) : undefined;
    return {
      id,
      parent,
      child,
      setName,
      calledAt,
      isPartlySeen: boundary.isPartlySeen === true,
      totals: window.totals(id),
      reading,
      pressure: reading === null ? 0 : weight * pressureOf(reading),
      weight,
      permission: consent.allowed ? { ...permissionOf(setName), isSaid: true, isAsked: recipe?.copies?.[0] > 0 } : consent,
      set: set === undefined ? null : { ready: set.ready, wanted: set.wanted },
    };
  });
}

exports.boundaryRecords = boundaryRecords;
