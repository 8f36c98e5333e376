'use strict';
/*
 * The socket at which this program can be looked at, and asked to act. It is private to the user, and neither keeps the program alive nor
 * is kept alive by it. In: the feed. Out: a served socket, or none if that is impossible; a program never fails because of it. What comes
 * in is garbage until proven otherwise, and ends only its own link.
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

/** Links at the same time. */
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
  /** Undoes what was set for `process.exit`. */
  #stay = () => {};
  #remove = () => {
    try {
      fs.rmSync(this.#place, { force: true });
    } catch {
      // The program may have replaced parts of `fs`; the next program removes what is left.
    }
  };

  /**
   * @param {object} given
   * @param {() => import('./feed').Feed} given.feed asked for when somebody first looks
   * @param {{pid: number, thread: number, name: string, ignis: string, node: string, startedAt: number}} given.identity told to every
   *   client
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

  /** Begins to listen, soon. It never throws, and waits for nothing. Idempotent. @returns {Promise<void>} when it is open, or cannot be */
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
    // Node also removes the socket's file.
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
      // Exclusive: in a cluster, this process is looked at, not its primary.
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
