'use strict';
/*
 * Brings holders level with the log: at the beginning, and whenever one comes back. In: holders whose nodes are there. Out: holders that
 * serve, or have stopped with a report. At the beginning, the first folder that has a history counts as true (before there is any: the root
 * as it stands), and all others are brought level with it: all then have what was changed by hand between two runs. If there are more nodes
 * than copies, that applies to names; for a file's contents, the first folder that has them counts (fill.js). A holder that has applied
 * more than the log contains has seen entries that are lost: it stops, and nothing is rewound.
 */

const { lostError } = require('./far-error');
const { Map, Promise, Set, clearTimeout, setTimeout } = require('../engine');

/** How long the beginning waits for all holders, ms; later ones catch up. */
const GATHER_MS = 15_000;

class Boot {
  #log;
  #holders;
  #settings;
  #report;
  #fill;
  /**
   * @type {Map<import('./holder').Holder, string>} holders that wait for another one, and why: it has contents that they lack, or they were
   *   being copied from it
   */
  #deferred = new Map();
  /** @type {Set<any>} holders that get entries as they are appended */
  #inOrder = new Set();
  /** @type {Map<import('./holder').Holder, Promise<void>>} holders being brought level with the root */
  #renewals = new Map();
  /** how many reasons there are not to append anything */
  #frozen = 1;
  #hasBegun = false;
  /** whether there was a log at the first look @type {Promise<boolean>} */
  #hadLog;
  /** @type {() => void} */
  #finish = () => {};
  /** @type {Promise<void>} */
  #copying = Promise.resolve();
  #timer;
  /** Called when the first holders serve. @type {Promise<void>} */
  done;

  /**
   * @param {object} given
   * @param {import('./log').OrderedLog} given.log
   * @param {import('./holder').Holder[]} given.holders
   * @param {import('./modes').Settings} given.settings
   * @param {(sentence: string) => void} given.report
   * @param {import('./fill').Fill | null} given.fill null: all holders have all files
   */
  constructor({ log, holders, settings, report, fill }) {
    this.#fill = fill;
    this.#log = log;
    this.#holders = holders;
    this.#settings = settings;
    this.#report = report;
    this.done = new Promise((resolve) => (this.#finish = resolve));
    this.#timer = setTimeout(() => void this.#begin(), GATHER_MS);
    // While the nodes start.
    this.#hadLog = log.open();
    this.#hadLog.catch(() => {});
  }

  /** Whether nothing may be appended now, since a holder is being copied. */
  get isFrozen() {
    return this.#frozen > 0;
  }

  /** @param {any} holder @returns {boolean} whether it gets the entries appended from now on */
  isInOrder(holder) {
    return this.#inOrder.has(holder) && (holder.state === 'serving' || holder.state === 'behind');
  }

  /** The node of a holder is there (again). @param {import('./holder').Holder} holder */
  async level(holder) {
    this.#inOrder.delete(holder);
    if (!this.#hasBegun) return this.#beginWithAll();
    await this.done;
    if (holder.state === 'behind') await this.#catchUp(holder);
    if (holder.state === 'serving') await this.#takeUpDeferred();
  }

  /**
   * Brings a holder level with the root if it differs because somebody else wrote there.
   *
   * @param {import('./holder').Holder} holder
   * @returns {Promise<void> | null} when it is level, or cannot be; null: there is nothing to bring it level with
   */
  renew(holder) {
    const root = this.#rootHolder;
    const known = this.#renewals.get(holder);
    if (known !== undefined) return known;
    if (this.#fill !== null || root === undefined || root === holder || root.state !== 'serving' || holder.state !== 'serving') return null;
    this.#inOrder.delete(holder);
    const renewal = this.#renewNow(holder).finally(() => this.#renewals.delete(holder));
    this.#renewals.set(holder, renewal);
    return renewal;
  }

  /** @param {import('./holder').Holder} holder */
  async #renewNow(holder) {
    await holder.renew();
    if (holder.state === 'behind') await this.#catchUp(holder);
  }

  get #rootHolder() {
    return this.#holders.find(({ folder }) => folder === this.#settings.root);
  }

  /** One that serves now may have what they lack. */
  async #takeUpDeferred() {
    const deferred = [...this.#deferred.keys()];
    for (const holder of deferred) if (holder.state === 'behind') await this.#catchUp(holder);
  }

  async #beginWithAll() {
    if (this.#holders.every(({ state }) => state === 'behind' || state === 'stopped')) await this.#begin();
  }

  async #begin() {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    clearTimeout(this.#timer);
    try {
      const hadLog = await this.#hadLog;
      const here = this.#holders.filter(({ state }) => state === 'behind');
      // Opening a log may take long, and nodes come and go.
      if (here.length === 0 && this.#holders.some(({ state }) => state === 'away')) return this.#beginAgain();
      const { root, folders } = this.#settings;
      // A log without entries, and no folder that follows it: an earlier beginning got no further.
      const isNew = (!hadLog || this.#log.head === 0) && here.every(({ applied }) => applied === null);
      if (isNew) {
        await this.#log.begin(0);
        const first = folders.includes(root) ? here.find(({ folder }) => folder === root) : here[0];
        if (!folders.includes(root)) await first?.request({ kind: 'seed', source: root });
        await first?.request({ kind: 'adopt', number: 0 });
        if (first !== undefined) first.applied = 0;
      }
      if (this.#fill === null) await this.#levelAll(here);
      else await this.#spreadAll(here, this.#fill);
    } catch (error) {
      if (/** @type {any} */ (error).lost !== undefined) return this.#beginAgain();
      this.#stopAll(/** @type {any} */ (error).message);
    }
    this.#frozen -= 1;
    this.#finish();
  }

  /** A node has died from which the others were to learn what is true. When it is back, it begins with all of them, as at first. */
  async #beginAgain() {
    this.#hasBegun = false;
    this.#timer = setTimeout(() => void this.#begin(), GATHER_MS);
    await this.#beginWithAll();
  }

  /** @param {import('./holder').Holder[]} here */
  async #levelAll(here) {
    const intact = here.filter((holder) => !this.#hasLostTail(holder));
    const truth = intact.find((holder) => this.#isContinued(holder));
    if (truth === undefined) throw new Error('no folder has a history that the log continues');
    await this.#fromLog(truth);
    // All that serve are level now, so nobody needs the old entries; one that is away is copied when it is back.
    await truth.request({ kind: 'adopt', number: this.#log.head });
    await this.#log.begin(this.#log.head);
    await truth.request({ kind: 'drop', items: null });
    const others = intact.filter((holder) => holder !== truth);
    await Promise.all(others.map((holder) => this.#copy(holder, truth)));
  }

  /** @param {import('./holder').Holder[]} here @param {import('./fill').Fill} fill */
  async #spreadAll(here, fill) {
    let left = here.filter((holder) => !this.#hasLostTail(holder)).map((holder) => ({ holder, pid: holder.pid }));
    const level = new Set(left.filter(({ holder }) => this.#isContinued(holder)).map(({ holder }) => holder));
    await Promise.all([...level].map((holder) => this.#fromLog(holder, false)));
    for (;;) {
      // One that dies meanwhile catches up when it is back.
      left = left.filter(({ holder, pid }) => holder.state === 'behind' && holder.pid === pid);
      const holders = left.map(({ holder }) => holder);
      const sources = holders.filter((holder) => level.has(holder));
      if (sources.length === 0 && level.size > 0) throw lostError('the nodes that are level are gone', 'no');
      if (sources.length === 0) throw new Error('no folder has a history that the log continues');
      try {
        const { filled, waiting } = await fill.run({ sources, targets: holders, mayMove: true });
        // One more entry, so that a folder that takes no part in this is behind, whatever it has applied before.
        const number = await this.#log.append({ request: { op: 'nothing', isWrite: true }, timeMs: Date.now() }, () => {});
        await Promise.all(filled.map((holder) => holder.adopt(number)));
        await this.#log.begin(number);
        for (const [holder, path] of waiting) this.#defer(holder, path);
        for (const holder of filled) {
          void holder.request({ kind: 'drop', items: null }).catch(() => {});
          this.#inOrder.add(holder);
          holder.serve();
        }
        return;
      } catch (error) {
        if (/** @type {any} */ (error).lost === undefined) throw error;
      }
    }
  }

  /** @param {import('./holder').Holder} holder @param {string} path */
  #defer(holder, path) {
    const why = `it lacks contents of ${path}, which only nodes have that are away; it waits for them`;
    if (!this.#deferred.has(holder)) this.#report(`the copy in ${holder.folder} does not serve: ${why}`);
    this.#deferred.set(holder, why);
  }

  /** @param {import('./holder').Holder} holder @returns {boolean} whether the log has everything that it lacks */
  #isContinued({ applied }) {
    return applied !== null && applied + 1 >= this.#log.first;
  }

  /** @param {import('./holder').Holder} holder */
  async #catchUp(holder) {
    if (this.#hasLostTail(holder)) return;
    if (!this.#deferred.has(holder) && this.#isContinued(holder)) return this.#fromLog(holder);
    // Nothing may be appended during a copy: open requests are answered first.
    this.#frozen += 1;
    const before = this.#copying;
    this.#copying = before.then(async () => {
      await this.#log.idle();
      const root = this.#rootHolder;
      const source = root?.state === 'serving' ? root : this.#holders.find(({ state }) => state === 'serving');
      if (source !== undefined && holder.state === 'behind') await this.#copy(holder, source);
      else if (holder.state === 'behind') this.#deferred.set(holder, 'nobody serves');
    });
    await this.#copying;
    this.#frozen -= 1;
  }

  /** @param {import('./holder').Holder} holder @param {import('./holder').Holder} source */
  async #copy(holder, source) {
    const { pid } = holder;
    try {
      if (this.#fill === null) await holder.copyFrom(source, this.#log.head);
      else if (!(await this.#fillOne(holder, this.#fill))) return;
      this.#deferred.delete(holder);
      this.#inOrder.add(holder);
      holder.serve();
    } catch (error) {
      if (/** @type {any} */ (error).lost !== undefined) {
        // If it died itself, it is copied when it is back; if the other died, its folder is half a copy, and any other may have the rest.
        if (holder.state !== 'behind' || holder.pid !== pid) return;
        this.#deferred.set(holder, 'a node that it was copied from died');
        const another = this.#holders.find(({ state }) => state === 'serving');
        if (another !== undefined) await this.#copy(holder, another);
        return;
      }
      // Nothing here can repair any other problem.
      this.#stop(holder, `it cannot be brought level with ${source.folder}: ${/** @type {any} */ (error).message}`);
    }
  }

  /**
   * @param {import('./holder').Holder} holder
   * @param {import('./fill').Fill} fill
   * @returns {Promise<boolean>} whether everything that it lacked was there
   */
  async #fillOne(holder, fill) {
    const { waiting } = await fill.run({ sources: await this.#sources(), targets: [holder], mayMove: false });
    const path = waiting.get(holder);
    if (path !== undefined) {
      this.#defer(holder, path);
      return false;
    }
    await holder.adopt(this.#log.head);
    return true;
  }

  /** @returns {Promise<import('./holder').Holder[]>} those that serve, except those that still wait for contents of an entry */
  async #sources() {
    for (;;) {
      const serving = this.#holders.filter(({ state }) => state === 'serving');
      const sources = serving.filter(({ isSettled }) => isSettled);
      if (sources.length > 0 || serving.length === 0) return sources;
      await Promise.race(serving.map((holder) => holder.settled()));
    }
  }

  /**
   * All entries that it lacks are on their way before the next one is handed out.
   *
   * @param {import('./holder').Holder} holder
   * @param {boolean} [isLast] whether it is level then
   */
  async #fromLog(holder, isLast = true) {
    const { pid } = holder;
    /** @type {Promise<any>} */
    let last = Promise.resolve();
    let next = /** @type {number} */ (holder.applied) + 1;
    try {
      // Entries appended while the log is read are also read from there.
      while (next <= this.#log.head) {
        const begun = next;
        for await (const { number, entry } of this.#log.from(next)) {
          // One that died meanwhile begins again when it is back.
          if (holder.state !== 'behind' || holder.pid !== pid) return;
          last = holder.apply(number, entry);
          last.catch(() => {});
          next = number + 1;
        }
        if (next === begun) throw new Error(`entry ${next} is not there`);
      }
    } catch (error) {
      if (holder.state === 'behind' && holder.pid === pid)
        this.#stop(holder, `the log cannot be read: ${/** @type {any} */ (error).message}`);
      return;
    }
    if (holder.state !== 'behind' || holder.pid !== pid) return;
    this.#inOrder.add(holder);
    try {
      await last;
    } catch (error) {
      // What the file system said, somebody was already told.
      const { lost, code, message } = /** @type {any} */ (error);
      if (lost !== undefined) return;
      if (code === 'IGNIS_NODE') return this.#stop(holder, message);
    }
    if (isLast) holder.serve();
  }

  /** @param {import('./holder').Holder} holder */
  #hasLostTail(holder) {
    if (holder.applied === null || holder.applied <= this.#log.head) return false;
    this.#stop(holder, `it has applied ${holder.applied} entries, and the log ends with ${this.#log.head}: the end of the log is lost`);
    return true;
  }

  /** @param {import('./holder').Holder} holder @param {string} why */
  #stop(holder, why) {
    holder.stop(why);
    this.#report(`the copy in ${holder.folder} is no longer kept up to date: ${why}`);
  }

  /** @param {string} why */
  #stopAll(why) {
    if (this.#holders.every(({ state }) => state === 'stopped')) return;
    for (const holder of this.#holders) holder.stop(why);
    this.#report(`no copy of ${this.#settings.root} is served: ${why}`);
  }
}

exports.Boot = Boot;
