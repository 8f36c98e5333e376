'use strict';
/*
 * How holders come level with the log: at the beginning, and each time that one comes back. In: holders whose nodes are there. Out: holders that serve, or that have stopped with a report. At the
 * beginning the first folder that has a history is taken for what is true (before there is any: the root as it stands), and all others are brought level with it, so what was changed by hand between
 * two runs is on all of them. A holder that has applied more than the log holds has seen entries that are lost: it stops, and nothing is rewound.
 */

/** At the beginning so long is waited for all holders; those that come later catch up. */
const GATHER_MS = 15_000;

class Boot {
  #log;
  #holders;
  #settings;
  #report;
  /** @type {Set<any>} holders that get entries as they are appended */
  #inOrder = new Set();
  /** how many reasons there are that nothing may be appended */
  #frozen = 1;
  #hasBegun = false;
  /** @type {() => void} */
  #finish = () => {};
  /** @type {Promise<void>} */
  #copying = Promise.resolve();
  #timer;
  /** When the first holders serve. @type {Promise<void>} */
  done;

  /**
   * @param {object} given
   * @param {import('./log').Log} given.log
   * @param {import('./holder').Holder[]} given.holders
   * @param {import('./modes').Settings} given.settings
   * @param {(sentence: string) => void} given.report
   */
  constructor({ log, holders, settings, report }) {
    this.#log = log;
    this.#holders = holders;
    this.#settings = settings;
    this.#report = report;
    this.done = new Promise((resolve) => (this.#finish = resolve));
    this.#timer = setTimeout(() => void this.#begin(), GATHER_MS);
  }

  /** Whether nothing may be appended now: a holder is being copied. */
  get isFrozen() {
    return this.#frozen > 0;
  }

  /** @param {any} holder @returns {boolean} whether it gets the entries that are appended from now on */
  isInOrder(holder) {
    return this.#inOrder.has(holder) && (holder.state === 'serving' || holder.state === 'behind');
  }

  /** The node of a holder is there (again). @param {import('./holder').Holder} holder */
  async level(holder) {
    this.#inOrder.delete(holder);
    if (!this.#hasBegun) {
      if (this.#holders.every(({ state }) => state === 'behind' || state === 'stopped')) await this.#begin();
      return;
    }
    await this.done;
    if (holder.state === 'behind') await this.#catchUp(holder);
  }

  async #begin() {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    clearTimeout(this.#timer);
    try {
      const hadLog = this.#log.open();
      const here = this.#holders.filter(({ state }) => state === 'behind');
      const { root, folders } = this.#settings;
      const isNew = !hadLog && here.every(({ applied }) => applied === null);
      if (isNew) {
        this.#log.begin(0);
        if (!folders.includes(root)) await here[0]?.request({ kind: 'seed', source: root });
        await here[0]?.request({ kind: 'adopt', number: 0 });
        if (here[0] !== undefined) here[0].applied = 0;
      }
      await this.#levelAll(here);
    } catch (error) {
      this.#stopAll(/** @type {any} */ (error).message);
    }
    this.#frozen -= 1;
    this.#finish();
  }

  /** @param {import('./holder').Holder[]} here */
  async #levelAll(here) {
    const intact = here.filter((holder) => !this.#hasLostTail(holder));
    const truth = intact.find(({ applied }) => applied !== null && applied + 1 >= this.#log.first);
    if (truth === undefined) throw new Error('no folder has a history that the log continues');
    await this.#fromLog(truth);
    // All that serve are level now, so nobody needs what the log held; one that is away is copied when it is back.
    await truth.request({ kind: 'adopt', number: this.#log.head });
    this.#log.begin(this.#log.head);
    await truth.request({ kind: 'drop', items: null });
    const others = intact.filter((holder) => holder !== truth);
    await Promise.all(others.map((holder) => this.#copy(holder, truth)));
  }

  /** @param {import('./holder').Holder} holder */
  async #catchUp(holder) {
    if (this.#hasLostTail(holder)) return;
    if (holder.applied !== null && holder.applied + 1 >= this.#log.first) return this.#fromLog(holder);
    // Nothing may be appended while one is copied: what is open is answered first.
    this.#frozen += 1;
    const before = this.#copying;
    this.#copying = before.then(async () => {
      const source = this.#holders.find(({ state }) => state === 'serving');
      if (source !== undefined && holder.state === 'behind') await this.#copy(holder, source);
    });
    await this.#copying;
    this.#frozen -= 1;
  }

  /** @param {import('./holder').Holder} holder @param {import('./holder').Holder} source */
  async #copy(holder, source) {
    try {
      await holder.copyFrom(source, this.#log.head);
      this.#inOrder.add(holder);
      holder.serve();
    } catch (error) {
      // One of both has died, and is copied when it is back; anything else nobody can mend here.
      if (/** @type {any} */ (error).lost !== undefined) return;
      this.#stop(holder, `it cannot be brought level with ${source.folder}: ${/** @type {any} */ (error).message}`);
    }
  }

  /** All entries that it lacks are on their way before the next one is appended. @param {import('./holder').Holder} holder */
  async #fromLog(holder) {
    let last = Promise.resolve();
    const applied = /** @type {number} */ (holder.applied);
    for (const { number, entry } of this.#log.from(applied + 1)) {
      last = holder.apply(number, entry);
      last.catch(() => {});
    }
    this.#inOrder.add(holder);
    try {
      await last;
    } catch (error) {
      // What the file system said was said to somebody before.
      const { lost, code, message } = /** @type {any} */ (error);
      if (lost !== undefined) return;
      if (code === 'IGNIS_NODE') return this.#stop(holder, message);
    }
    holder.serve();
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
    this.#report(`the copy in ${holder.folder} is not kept up any more: ${why}`);
  }

  /** @param {string} why */
  #stopAll(why) {
    for (const holder of this.#holders) holder.stop(why);
    this.#report(`no copy of ${this.#settings.root} is served: ${why}`);
  }
}

exports.Boot = Boot;
