'use strict';
/*
 * What a replica that is a process is started with. In: nothing. Out: the path of a Node. A program that was made a single executable
 * (`node --build-sea`, `--experimental-sea-config`) has itself there, and takes no file to run: started for a replica, it would be the
 * whole program once more. And where Node was upgraded, or taken away, while the program runs, another one lies there, or none.
 */
const { readlinkSync } = require('node:fs');
const { IgnisError } = require('../errors');

const REMEDY = "say where: 'thread', or set process.execPath to the path of a Node of this version";

/**
 * What this process runs, as Linux has it, whatever has become of its file; so it is in a process that it starts, until that runs
 * something.
 */
const OWN = '/proc/self/exe';

/** @returns {boolean} whether what is at `process.execPath` is the program itself */
function isProgramItself() {
  // Where a program has set another path, it is no longer what the program was started by.
  return require('node:sea').isSea() && process.execPath === process.argv[0];
}

/** @returns {boolean} whether what is at `process.execPath` now, if anything, is not what this process was started from */
function isReplaced() {
  if (process.platform !== 'linux') return false;
  try {
    return readlinkSync(OWN) === `${process.execPath} (deleted)`;
  } catch {
    // A system that shows no processes.
    return false;
  }
}

/**
 * @returns {string} path of the Node that runs a replica's agent: the same one that runs home
 * @throws {IgnisError} IGNIS_START_FAILED when the program is a single executable, and names no Node
 */
function nodeOfReplicas() {
  if (!isProgramItself()) return isReplaced() ? OWN : process.execPath;
  throw new IgnisError(
    'IGNIS_START_FAILED',
    `the program is a single executable, of which a process would be the whole program once more: ${REMEDY}`,
  );
}

exports.nodeOfReplicas = nodeOfReplicas;
