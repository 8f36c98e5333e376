'use strict';
/*
 * What a root knows of its log in a cluster: a name that was made once (so a root that is moved keeps its log, and no two have the same),
 * the key of its records, and how far it has come. In: the folder of the root's state. Out: all that in one file, `cluster`, written whole
 * or not at all, and on disk before anybody relies on it. It does not say where the cluster is, or how to get in.
 */
const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

/** Name of the file. */
const CLUSTER_FILE = 'cluster';
const ID_BYTES = 16;
const KEY_BYTES = 32;

/**
 * @typedef {object} Known
 * @property {string} id of the log
 * @property {string} key of its records
 * @property {import('./cluster-order').Position} position everything before it may be trimmed
 * @property {{token: string, who: import('./cluster-record').Who}[]} mine programs of this root that it may belong to
 */

class ClusterState {
  #file;
  /** @type {Known} */
  known;

  /** @param {string} folder of the root's state */
  constructor(folder) {
    this.#file = path.join(folder, CLUSTER_FILE);
    this.known = fs.existsSync(this.#file)
      ? JSON.parse(fs.readFileSync(this.#file, 'utf8'))
      : {
          id: randomBytes(ID_BYTES).toString('hex'),
          key: randomBytes(KEY_BYTES).toString('hex'),
          position: { seq: 0, token: null, turn: 0, head: 0 },
          mine: [],
        };
  }

  /** @param {Partial<Known>} news */
  write(news) {
    this.known = { ...this.known, ...news };
    fs.writeFileSync(`${this.#file}.part`, JSON.stringify(this.known), { mode: 0o600, flush: true });
    fs.renameSync(`${this.#file}.part`, this.#file);
  }
}

/** @param {string} folder of the root's state @returns {boolean} whether its log has begun in a cluster */
function isInCluster(folder) {
  return new ClusterState(folder).known.position.token !== null;
}

exports.ClusterState = ClusterState;
exports.isInCluster = isInCluster;
