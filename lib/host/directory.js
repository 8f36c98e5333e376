'use strict';
/*
 * A cluster as one home sees it: which hosts there are, which replicas all homes have placed on them, and our own presence. In: wishes for
 * a place. Out: hosts, and places taken by compare-and-set in `placement/HOST`, so that two homes never both take the last one. Places of
 * homes that are gone become free. While the engine is away there are no new places; running replicas go on, and if it comes back without
 * its records, their places are written anew.
 */
const { randomUUID } = require('node:crypto');
const { IgnisError } = require('../errors.js');
const { openEngine } = require('./engine.js');
const { OWN_CLOCK } = require('./engine-clock.js');
const { Membership } = require('./membership.js');
const { PlacementRegistry } = require('./placement-record.js');
const { Presence } = require('./presence.js');
const { survey } = require('./survey.js');
const { Map, Promise, Set } = require('../engine');

/** Pause before another try to give back or rewrite a place, ms. */
const AGAIN_MS = 1000;
/** When the record of a killed host is removed after its loss, ms: people may want to see which host it was. */
const FORGET_MS = 3_600_000;
/** How often it looks for records of places on hosts that are gone, ms. */
const TIDY_MS = 600_000;

/** @typedef {{id: string, home: string, name: string, module: string}} Place home: which process of a home; name: of that home */

class Directory {
  #engine;
  #home;
  /** Which process of that home we are. */
  #session = randomUUID();
  #hosts;
  #homes;
  #presence;
  #registry;
  /** @type {Map<string, {replicas: readonly Place[], rev: number}>} by host */
  #placed = new Map();
  /** @type {Set<string>} hosts that were gone at the last look, with nothing placed on them */
  #bare = new Set();
  /** @type {() => void} */
  #stop = () => {};

  /** @type {Map<string, {host: string, place: Place}>} by id: ours that are in the records, as far as we know */
  #own = new Map();

  /** @type {Set<string>} places that may be in the records, and are not ours: asked for without an answer, or not given back yet */
  #unsure = new Set();
  /** @type {Map<string, string>} those of them to give back when the engine answers again; id -> host */
  #owed = new Map();
  #callOff = () => {};
  #callOffTidying = () => {};
  #isClosed = false;
  #clock;

  /**
   * @param {import('./engine-base.js').Engine} engine closed with the directory
   * @param {{home: string, clock?: import('./engine-clock.js').Clock}} settings home: its name
   */
  constructor(engine, { home, clock = OWN_CLOCK }) {
    this.#engine = engine;
    this.#home = home;
    this.#clock = clock;
    this.#hosts = new Membership(engine, { forgetsMs: FORGET_MS, tidies: true, clock });
    // Each of them has a name of its own.
    this.#homes = new Membership(engine, { below: 'homes/', forgetsMs: 0, tidies: true, clock });
    this.#presence = new Presence(engine, { name: this.#session, below: 'homes/', about: () => ({ home, pid: process.pid }), clock });
    this.#registry = new PlacementRegistry(engine);
  }

  /**
   * @param {string} cluster
   * @param {{home: string}} settings
   * @returns {Promise<Directory>} knows who is there
   * @throws {IgnisError} as openEngine
   */
  static async open(cluster, settings) {
    const engine = await openEngine(cluster, { node: settings.home });
    const directory = new Directory(engine, settings);
    try {
      await directory.begin();
    } catch (error) {
      await directory.close();
      throw error;
    }
    return directory;
  }

  /** @returns {Promise<void>} when all is known */
  async begin() {
    await this.#presence.join();
    const placements = new Promise((/** @type {(value?: any) => void} */ resolve, reject) => {
      const onPlaced = (/** @type {string} */ host, /** @type {import('./placement-record.js').Placed} */ placed) =>
        this.#hear(host, placed);
      this.#stop = this.#registry.watch('', onPlaced, { onReady: resolve, onLost: reject, tidies: true });
    });
    await Promise.all([this.#hosts.open(), this.#homes.open(), placements]);
    this.#tidyLater();
  }

  /** @param {string} host @param {{replicas: readonly Place[], rev: number}} placed there now; rev 0: its record is gone */
  #hear(host, { replicas, rev }) {
    if (rev === 0) this.#placed.delete(host);
    else this.#placed.set(host, { replicas, rev });
    if (this.#lackingIn(host, replicas).length > 0) void this.#restore(host);
  }

  /**
   * @param {string} host
   * @param {readonly Place[]} replicas
   * @returns {Place[]} ours that are missing there: the engine has lost them, or somebody thought us gone
   */
  #lackingIn(host, replicas) {
    const ids = new Set(replicas.map((place) => place?.id));
    return [...this.#own.values()].filter((one) => one.host === host && !ids.has(one.place.id)).map(({ place }) => place);
  }

  /** @param {string} host @returns {Promise<void>} */
  async #restore(host) {
    const anew = (/** @type {{replicas: any[]}} */ { replicas }) => {
      const lacking = this.#lackingIn(host, replicas);
      return lacking.length === 0 ? null : [...replicas, ...lacking];
    };
    try {
      await this.#registry.change(host, anew);
    } catch {
      if (!this.#isClosed) this.#clock.after(AGAIN_MS, () => void this.#restore(host));
    }
  }

  #tidyLater() {
    if (this.#isClosed) return;
    this.#callOffTidying = this.#clock.after(TIDY_MS, () => {
      if (this.#engine.state === 'up') this.#tidy();
      this.#tidyLater();
    });
  }

  /** Removes empty records: whoever is placed there meanwhile changes them, or writes them anew. */
  #tidy() {
    const there = new Set(this.#hosts.list().map(({ name }) => name));
    const bare = [...this.#placed].filter(([host, { replicas }]) => !there.has(host) && this.#living(replicas).length === 0);
    for (const [host, { rev }] of bare) if (this.#bare.has(host)) this.#registry.forget(host, rev).catch(() => {});
    this.#bare = new Set(bare.map(([host]) => host));
  }

  /**
   * @param {Record<string, string>} [labels] that a host must have
   * @returns {{nodes: import('./survey.js').ClusterNode[], full: import('./survey.js').ClusterNode[], said: string[]}}
   */
  survey(labels) {
    const living = new Map([...this.#placed].map(([host, { replicas }]) => [host, this.#living(replicas)]));
    return survey(this.#hosts.list(), living, { labels, session: this.#session });
  }

  /**
   * @param {readonly Place[]} places
   * @returns {Place[]} those of living homes, without ours that nobody confirmed
   */
  #living(places) {
    const homes = new Set([this.#session, ...this.#homes.list().map(({ name }) => name)]);
    return places.filter((place) => homes.has(place?.home) && !this.#unsure.has(place.id));
  }

  /**
   * @param {string} host its name
   * @param {string} module shown to people
   * @returns {Promise<string>} the place, to give back with `leave`
   * @throws {IgnisError} IGNIS_NO_HOST when it has none, or is gone; IGNIS_ENGINE_DOWN when that cannot be known now
   */
  async place(host, module) {
    // This is known already: do not ask one host after another until each has run out of time.
    if (this.#engine.state === 'down') throw new IgnisError('IGNIS_ENGINE_DOWN', `${this.#engine.name} is away`, { ran: 'no' });
    const id = randomUUID();
    const place = { id, home: this.#session, name: this.#home, module };
    // Until its answer has come.
    this.#unsure.add(id);
    const take = (/** @type {{replicas: any[]}} */ { replicas }) => {
      const member = this.#hosts.list().find(({ name }) => name === host);
      if (member === undefined) throw new IgnisError('IGNIS_NO_HOST', `${host} is no longer in the cluster`);
      const living = this.#living(replicas);
      const most = member.record.facts?.maxReplicas;
      if (living.length >= most)
        throw new IgnisError('IGNIS_NO_HOST', `${host} has ${living.length} replicas placed on it, and may have ${most}`);
      return [...living, place];
    };
    try {
      await this.#registry.change(host, take);
    } catch (error) {
      if (/** @type {any} */ (error).code === 'IGNIS_ENGINE_DOWN') this.#owe(host, id);
      else this.#unsure.delete(id);
      throw error;
    }
    this.#unsure.delete(id);
    this.#own.set(id, { host, place });
    return id;
  }

  /**
   * @param {string} host
   * @param {string} id
   * @returns {Promise<void>} rejects if it could not be given back yet; that is then done as soon as possible
   */
  async leave(host, id) {
    this.#own.delete(id);
    this.#unsure.add(id);
    try {
      await this.#giveBack(host, id);
      this.#unsure.delete(id);
    } catch (error) {
      this.#owe(host, id);
      throw error;
    }
  }

  /** @param {string} host @param {string} id */
  #giveBack(host, id) {
    return this.#registry.change(host, ({ replicas }) =>
      replicas.some((place) => place?.id === id) ? replicas.filter((place) => place?.id !== id) : null,
    );
  }

  /** As long as we live, others count what is in the records. @param {string} host @param {string} id */
  #owe(host, id) {
    if (this.#owed.size === 0) this.#callOff = this.#clock.after(AGAIN_MS, () => void this.#settle());
    this.#owed.set(id, host);
  }

  async #settle() {
    for (const [id, host] of [...this.#owed]) {
      if (this.#engine.state === 'down') break;
      const given = () => {
        this.#owed.delete(id);
        this.#unsure.delete(id);
      };
      await this.#giveBack(host, id).then(given, () => {});
    }
    if (this.#owed.size > 0 && !this.#isClosed) this.#callOff = this.#clock.after(AGAIN_MS, () => void this.#settle());
  }

  /** Gives back all places. @returns {Promise<void>} */
  async close() {
    this.#isClosed = true;
    this.#own.clear();
    this.#callOff();
    this.#callOffTidying();
    this.#stop();
    const own = [...this.#placed].filter(([, { replicas }]) => replicas.some((place) => place?.home === this.#session));
    for (const [host] of own) {
      const others = (/** @type {{replicas: any[]}} */ { replicas }) => replicas.filter((place) => place?.home !== this.#session);
      await this.#registry.change(host, others).catch(() => {});
    }
    await this.#presence.close();
    this.#hosts.close();
    this.#homes.close();
    await this.#engine.close();
  }
}

exports.Directory = Directory;
