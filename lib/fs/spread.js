'use strict';
/*
 * What the program knows about who has a file's contents, if there are more nodes than copies. In: paths. Out: the nodes for a file made
 * now, and those that probably have an existing one: it may have been renamed since, and a node that is asked in vain says who has it. The
 * truth is on the disks (pointer.js), and never only here.
 */
const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { truncates } = require('./open-flags');
const { decodePointer } = require('./pointer');
const { idOf, ranked } = require('./rendezvous');
const { Map, Set } = require('../engine');

const SECRET_BYTES = 16;
/** How many files are remembered that are not where their names say. */
const MOST_MOVED = 10_000;
/** Operations that are about contents. */
const OF_CONTENTS = new Set(['writeFile', 'write', 'create', 'truncate', 'copyFile', 'fsync']);
const MAKING = new Set(['writeFile', 'create']);

class Spread {
  #nodes;
  /** @type {Map<string, readonly string[]>} files that are not where their names say */
  #moved = new Map();
  /** names of all nodes @type {readonly string[]} */
  ids;
  copies;
  secret;

  /**
   * @param {object} given
   * @param {readonly {id: string, state: string}[]} given.nodes
   * @param {number} given.copies @param {string} given.secret of the root
   */
  constructor({ nodes, copies, secret }) {
    this.#nodes = nodes;
    this.ids = nodes.map(({ id }) => id);
    this.copies = copies;
    this.secret = secret;
  }

  /** @param {string} relative @returns {string[]} the nodes for a file that is made now */
  chosen(relative) {
    const stopped = this.#nodes.filter(({ state }) => state === 'stopped').map(({ id }) => id);
    const there = this.ids.filter((id) => !stopped.includes(id));
    return ranked(nameOf(relative), there.length === 0 ? this.ids : there).slice(0, this.copies);
  }

  /** @param {string} relative @returns {readonly string[]} the nodes that probably have it */
  guess(relative) {
    return this.#moved.get(nameOf(relative)) ?? this.chosen(relative);
  }

  /** A node said so. @param {string} relative @param {readonly string[]} ids */
  learn(relative, ids) {
    if (this.#moved.size >= MOST_MOVED) this.#moved.clear();
    this.#moved.set(nameOf(relative), ids);
  }

  /**
   * @param {Uint8Array | undefined} data
   * @returns {boolean} whether it would be taken for a pointer: somebody has copied one in another way
   */
  isPointer(data) {
    return data !== undefined && decodePointer(data, this.secret) !== null;
  }

  /** @param {any} request @returns {boolean} whether it is about contents, so that a node without them cannot answer */
  isOfContents({ op }) {
    return OF_CONTENTS.has(op);
  }

  /** @param {any} request @returns {boolean} whether its contents are new, whatever is there */
  isMaking({ op, flag, flags }) {
    return MAKING.has(op) && truncates(flag ?? flags);
  }

  /** @param {any} request changes contents @returns {readonly string[]} the nodes that probably have them, or will */
  whose(request) {
    return this.isMaking(request) ? this.chosen(request.path) : this.guess(request.path);
  }

  /**
   * @param {any} request
   * @returns {any} the same, with the nodes for what it makes; isPlaced: even if there is a file already
   */
  placed(request) {
    if (!MAKING.has(request.op)) return request;
    const isPlaced = this.isMaking(request);
    if (isPlaced) this.#moved.delete(nameOf(request.path));
    return { ...request, holders: this.chosen(request.path), isPlaced };
  }

  /** @param {any} request placed @param {string} id @returns {any} what the node of that name needs of it */
  partOf(request, id) {
    if (!request.isPlaced || request.holders.includes(id)) return request;
    return { ...request, data: undefined, hash: undefined };
  }
}

/** @param {string} relative */
function nameOf(relative) {
  return relative.endsWith(path.sep) ? relative.slice(0, -1) : relative;
}

/**
 * @param {string} state folder of the root
 * @param {{folders: readonly string[], copies: number}} settings
 * @returns {{secret: string, ids: string[]} | null} null: every node has all files, and always had
 */
function spreadOf(state, { folders, copies }) {
  const file = path.join(state, 'spread');
  const known = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  if (known === null && folders.length === copies) return null;
  const secret = known ?? randomBytes(SECRET_BYTES).toString('hex');
  if (known === null) {
    fs.writeFileSync(`${file}.part`, secret, { mode: 0o600, flush: true });
    fs.renameSync(`${file}.part`, file);
  }
  return { secret, ids: folders.map(idOf) };
}

exports.Spread = Spread;
exports.spreadOf = spreadOf;
