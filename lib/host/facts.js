'use strict';
/*
 * What a host tells about itself to a home that has proved who it is. In: the limits it was configured with. Out: plain figures and names.
 * Nothing about its users or its files.
 */
const os = require('node:os');
const { usableCores } = require('../cores');
const { ownKind } = require('./bundle');
const { measureSpeed } = require('./survey-speed');
const { Math } = require('../engine');

/** Built-ins that may be a replica's module by themselves: they compute, and reach neither files nor processes. */
const BUILTINS = Object.freeze(['crypto', 'zlib']);

/** Of this machine, measured at the first question. @type {number | null} */
let speed = null;

/**
 * @param {{maxReplicas: number, memoryMb: number, labels: Record<string, string>, freeCores?: () => number | null}} limits
 * @param {number} replicas that run
 * @param {number} bootedAt when the daemon started
 */
function factsOf({ maxReplicas, memoryMb, labels, freeCores = () => null }, replicas, bootedAt) {
  speed ??= measureSpeed();
  return {
    ...ownKind(),
    node: process.version,
    cpus: usableCores(),
    // In a container, its limit.
    memoryBytes: Math.min(os.totalmem(), process.constrainedMemory() || Infinity),
    freeBytes: process.availableMemory(),
    load: os.loadavg()[0],
    freeCores: freeCores(),
    speed,
    builtins: [...BUILTINS],
    labels,
    maxReplicas,
    memoryMb,
    replicas,
    bootedAt,
  };
}

exports.BUILTINS = BUILTINS;
exports.factsOf = factsOf;
