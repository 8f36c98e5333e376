'use strict';
/*
 * The socket at which this program can be looked at, and asked to act: private to the user, never kept alive by or keeping alive the
 * program. In: the feed. Out: a served socket, or none where that is impossible; a program never fails for that. What comes in there is
 * garbage until proven otherwise, and ends its own link only.
 *
 *   idle --open()--> opening --> open --close()--> closed
 *                       \--- cannot ------------------/
 */
const fs = require('node:fs');
const net = require('node:net');
const { publish } = require('../diagnostics');
const { MonitorLink } = require('./monitor-link');
const { entries, isAlive, openFolder, placeOf, removeStale } = require('./run-folder');
const { atProcessExit } = require('./way-out');
const { Promise, Set } = require('../engine');

/** Links at a time. */
const MOST_LINKS = 16;

/** @type {Record<string, string[]>} */
const NEXT = { idle: ['opening', 'closed'], opening: ['open', 'closed'], open: ['closed'], closed: [] };

class Monitor {
  /** @type {'idle' | 'opening' | 'open' | 'closed'} */
  #state = 'idle';
  #feed;
  #identity;
  #env;
  /** @type {net.Server | null} */
  #server = null;
  /** @type {Set<MonitorLink>} */
  #links = new Set();
  #place = '';
  /** Takes back what `process.exit` would do. */
  #stay = () => {};
  #remove = () => {
    try {
      fs.rmSync(this.#place, { force: true });
    } catch {
      // The program may have put something else in the place of `fs`; the next one removes what stays.
    }
  };

  /**
   * @param {object} given
   * @param {() => import('./feed').Feed} given.feed asked for when somebody looks first
   * @param {{pid: number, thread: number, name: string, ignis: string, node: string, startedAt: number}} given.identity said to whoever
   *   comes
   * @param {Record<string, string | undefined>} [given.env]
   */
  constructor({ feed, identity, env = process.env }) {
    this.#feed = feed;
    this.#identity = identity;
    this.#env = env;
  }

  get state() {
    return this.#state;
  }
  /** Path of the socket; '' before it is open. */
  get place() {
    return this.#place;
  }
  /** Number of links. */
  get links() {
    return this.#links.size;
  }

  /** Begins to listen, soon. It never throws and waits for nothing. Idempotent. @returns {Promise<void>} when it is open or cannot be */
  async open() {
    if (this.#state !== 'idle') return;
    this.#to('opening');
    try {
      await this.#begin();
    } catch (error) {
      this.#giveUp(/** @type {Error} */ (error).message);
    }
  }

  async #begin() {
    const folder = process.platform === 'win32' ? null : openFolder(this.#env);
    if (folder === null) return this.#giveUp('there is no folder for it that only this user can enter');
    this.#place = placeOf(folder, this.#identity);
    const dead = entries(this.#env).filter(({ pid, place }) => !isAlive(pid) || place === this.#place);
    await Promise.all(dead.map(({ place }) => removeStale(place)));
    if (this.state === 'closed') return;
    await this.#listen();
  }

  /** Idempotent. */
  close() {
    if (this.#state === 'closed') return;
    this.#to('closed');
    this.#stay();
    for (const link of this.#links) link.end();
    // Node removes the socket's file with it.
    this.#server?.close();
  }

  /** @returns {Promise<void>} */
  #listen() {
    return new Promise((resolve) => {
      const server = net.createServer((socket) => this.#meet(socket));
      this.#server = server;
      server.maxConnections = MOST_LINKS;
      server.unref();
      server.on('error', (error) => {
        this.#giveUp(error.message);
        resolve();
      });
      // Exclusive: in a cluster it is this process that is looked at, not its primary.
      server.listen({ path: this.#place, exclusive: true }, () => {
        this.#opened();
        resolve();
      });
    });
  }

  #opened() {
    if (this.#state !== 'opening') return;
    try {
      fs.chmodSync(this.#place, 0o600);
      this.#to('open');
      this.#stay = atProcessExit(this.#remove);
    } catch (error) {
      this.#giveUp(/** @type {Error} */ (error).message);
    }
  }

  /** @param {net.Socket} socket */
  #meet(socket) {
    const { pid, thread, name, ignis, node, startedAt } = this.#identity;
    const link = new MonitorLink(socket, {
      feed: this.#feed,
      hello: { pid, thread, name, program: { ignis, node, startedAt } },
      onEnd: () => this.#links.delete(link),
    });
    this.#links.add(link);
  }

  /** @param {string} why */
  #giveUp(why) {
    if (this.#state === 'closed') return;
    this.close();
    publish('ignis:warning', { message: `this program cannot be watched by 'ignis top': ${why}` });
  }

  /** @param {'opening' | 'open' | 'closed'} next */
  #to(next) {
    if (!NEXT[this.#state].includes(next)) throw new Error(`monitor: no way from ${this.#state} to ${next}`);
    this.#state = next;
  }
}

exports.Monitor = Monitor;
