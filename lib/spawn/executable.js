'use strict';
/*
 * Which executable a process replica is started with. In: nothing. Out: the path of a Node. For a single executable (`node --build-sea`,
 * `--experimental-sea-config`), that path holds the program itself, which takes no file to run: it would start the whole program once more.
 * And if Node was upgraded or removed while the program runs, the path holds another Node, or none.
 */
const { readlinkSync } = require('node:fs');
const { IgnisError } = require('../errors');

const REMEDY = "say where: 'thread', or set process.execPath to the path of a Node of this version";

/**
 * Linux's link to the executable of this process, whatever has become of its file. It also holds in a child, until that executes something.
 */
const OWN = '/proc/self/exe';

/** @returns {boolean} whether what is at `process.execPath` is the program itself */
function isProgramItself() {
  // If the program has set another path, that is not what it was started from.
  return require('node:sea').isSea() && process.execPath === process.argv[0];
}

/** @returns {boolean} whether `process.execPath` no longer holds what this process was started from */
function isReplaced() {
  if (process.platform !== 'linux') return false;
  try {
    return readlinkSync(OWN) === `${process.execPath} (deleted)`;
  } catch {
    // A system without /proc.
    return false;
  }
}

/**
 * @returns {string} path of the Node for a replica's agent: the one that runs home
 * @throws {IgnisError} IGNIS_START_FAILED when the program is a single executable and names no Node
 */
function nodeOfReplicas() {
  if (!isProgramItself()) return isReplaced() ? OWN : process.execPath;
  throw new IgnisError(
    'IGNIS_START_FAILED',
    `the program is a single executable, and a process of it would be the whole program again: ${REMEDY}`,
  );
}

exports.nodeOfReplicas = nodeOfReplicas;
