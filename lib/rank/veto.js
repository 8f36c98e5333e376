'use strict';

// Remembers steps that the simulation refused because they promise nothing. In: a memory, and what the refusal was based on. Out: the
// memory with a veto, or without one whose reason is gone. Pure. A veto is an opinion. It must never touch what was measured: neither a
// step that is not judged yet, nor the count of steps that failed (step.js).

const { isAnotherLoad } = require('./step');
const { Math } = require('../engine');

/**
 * @typedef {object} Veto
 * @property {number} count replicas beyond this number promise nothing
 * @property {number} until ms
 * @property {number} meanMs of a call then
 * @property {number} room cores that the module could have had then, including those that it kept busy itself
 */

/** What promised nothing is asked about again after this; the time doubles each time that it still does not, up to eight times. */
const ASK_AGAIN_MS = 1500;
const MOST_DOUBLINGS = 3;

/** If this many cores have become free, the answer may be different. */
const MORE_ROOM = 0.25;

/**
 * @param {import('./memory').Memory} memory
 * @param {{count: number, time: number, meanMs: number, room: number}} refused
 * @returns {import('./memory').Memory}
 */
function afterVeto(memory, { count, time, meanMs, room }) {
  const until = time + ASK_AGAIN_MS * 2 ** Math.min(MOST_DOUBLINGS, memory.vetoes);
  return { ...memory, vetoes: memory.vetoes + 1, veto: { count, until, meanMs, room } };
}

/** For when something was promised. @param {import('./memory').Memory} memory @returns {import('./memory').Memory} */
function withoutVetoes(memory) {
  return memory.vetoes === 0 ? memory : { ...memory, veto: null, vetoes: 0 };
}

/**
 * @param {import('./memory').Memory} memory
 * @param {{time: number, meanMs: number, room: number}} now meanMs 0: no call came
 * @returns {import('./memory').Memory} without a veto whose time is over, or that belonged to another load or a fuller machine
 */
function forgetVeto(memory, { time, meanMs, room }) {
  const { veto } = memory;
  if (veto === null) return memory;
  if (isAnotherLoad(veto.meanMs, meanMs)) return withoutVetoes(memory);
  return veto.until <= time || room >= veto.room + MORE_ROOM ? { ...memory, veto: null } : memory;
}

exports.afterVeto = afterVeto;
exports.forgetVeto = forgetVeto;
exports.withoutVetoes = withoutVetoes;
