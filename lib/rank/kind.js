'use strict';

// Makes one source of calls in a simulation: a module's callers, or home's own tasks. In: its part of a Model. Out: the record that the
// simulation works with. It has random numbers of its own, so that the same calls come, with the same lengths, whatever becomes of the
// others.

const { randomFrom } = require('./random');
const { meanOf, samplerOf } = require('./service-time');
const { leastPending, soonestBy } = require('./station');
const { Tally } = require('./tally');
const { Math } = require('../engine');

/**
 * @typedef {object} Kind one source: the calls of a module, or the background
 * @property {number} index
 * @property {boolean} isBackground
 * @property {any} arrivals
 * @property {(random: number) => number} sample
 * @property {() => number} serviceRandom
 * @property {() => number} arrivalRandom
 * @property {boolean} isLater
 * @property {number} besideMs
 * @property {number} loopMs
 * @property {number} sendMs half of callMs
 * @property {number} replicaMs
 * @property {import('./station').Station[]} ready replicas that take calls
 * @property {(ready: import('./station').Station[]) => import('./station').Station} choose chooses which of them takes the next call
 * @property {import('./station').Station[]} replicas
 * @property {Tally} tally
 * @property {boolean} isPaused open arrivals pause, since more are here than will ever be answered
 */

/**
 * @param {any} given a module of a Model, or its background
 * @param {{index: number, isBackground: boolean, seed: number, calls: number}} place
 * @returns {Kind} without replicas
 */
function kindOf({ arrivals, serviceMs, isLater, besideMs, loopMs, callMs, replicaMs, near }, { index, isBackground, seed, calls }) {
  return {
    index,
    isBackground,
    arrivals,
    sample: samplerOf(serviceMs),
    serviceRandom: randomFrom(Math.imul(seed, 0x9e3779b1) + 2 * index),
    arrivalRandom: randomFrom(Math.imul(seed, 0x85ebca6b) + 2 * index + 1),
    isLater: isLater === true,
    besideMs: besideMs ?? 0,
    loopMs: loopMs ?? 0,
    sendMs: (callMs ?? 0) / 2,
    replicaMs: replicaMs ?? 0,
    ready: [],
    choose: near === undefined ? leastPending : soonestBy(meanOf(serviceMs) + (replicaMs ?? 0)),
    replicas: [],
    tally: new Tally(isBackground ? 0 : calls),
    isPaused: false,
  };
}

exports.kindOf = kindOf;
